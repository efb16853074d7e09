"""Checks one application, and gives it if its wiring can be generated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ..diagnostics.model import Sink
from ..ir.graph import Alias, Application, Graph, Module, Need, Provider, Root, Source, Token
from ..source.span import Span
from . import messages
from .bindings import TABLE, Bindings
from .lookup import source_of
from .order import postorder

_NO_TEXT = "which object it is can't be told from the source"
_GIVEN = "no module provides it: it is what `create(..., table=)` is given"


def application(root: Root, graph: Graph, sink: Sink) -> Application | None:
    """What a root of the graph comes to; None if that can't be known in full, or its modules do not go together."""
    names, cycles = postorder([root.name], lambda name: [each.token.name for each in graph.modules[name].imports])
    for cycle in cycles:
        sink.add(messages.module_cycle([graph.modules[name] for name in cycle]))
    if cycles or graph.broken.intersection(names):
        return None
    modules = [graph.modules[name] for name in names]
    bindings = Bindings(modules, graph, sink, is_open=not root.knows_globals)
    sources = {each: _sources(each, bindings, sink) for each in bindings.providers}
    _check_scopes(sources, sink)
    _check_cycles(sources, sink)
    if not _is_known(modules, root, bindings, sink):
        return None
    return Application(root.name, tuple(modules), sources, bindings.again)


def _sources(provider: Provider, bindings: Bindings, sink: Sink) -> tuple[Source, ...]:
    needs = provider.construction.needs if provider.construction is not None else ()
    return tuple(source_of(need, provider, bindings, sink) for need in needs)


def _filled(provider: Provider, sources: Sequence[Source]) -> Iterator[tuple[Need, Provider]]:
    """Each provider that a provider needs, with the need."""
    needs = provider.construction.needs if provider.construction is not None else ()
    for need, source in zip(needs, sources, strict=True):
        for each in source if isinstance(source, tuple) else () if source is None else (source,):
            yield need, each


def _check_scopes(sources: dict[Provider, tuple[Source, ...]], sink: Sink) -> None:
    """What an object holds lives at least as long as the object."""
    for provider, filled in sources.items():
        for need, needed in _filled(provider, filled):
            if need.is_supplier or provider.scope is None or needed.scope is None:
                continue
            if needed.scope < provider.scope:
                sink.add(messages.too_short(provider, need, needed))


def _check_cycles(sources: dict[Provider, tuple[Source, ...]], sink: Sink) -> None:
    def needed_by(provider: Provider) -> list[Provider]:
        return [each for _, each in _filled(provider, sources[provider])]

    _, cycles = postorder(sources, needed_by)
    for cycle in cycles:
        needs = [
            next(need for need, needed in _filled(provider, sources[provider]) if needed is following)
            for provider, following in pairwise(cycle)
        ]
        sink.add(messages.dependency_cycle(cycle, needs))


def _is_known(modules: Sequence[Module], root: Root, bindings: Bindings, sink: Sink) -> bool:
    """Whether nothing is left to start-up; what is, is noted at its place."""
    known = root.knows_globals
    given = TABLE if bindings.may_be_given_table else None
    for module in modules:
        known = known and module.knows_declared and module.knows_imports and module.knows_exports
        for export in module.exports if module.made is None else ():
            if export.token.described is None:
                sink.add(messages.unknown(export.span, f"`{export.token.shown}`", _NO_TEXT, module))
                known = False
        for entry in module.declares:
            if isinstance(entry, Provider):
                for span, what, why in _unknown(entry, given):
                    sink.add(messages.unknown(span, what, why, module))
                    known = False
            elif isinstance(entry, Alias):
                is_given = given is not None and entry.target == given
                if is_given or (module.made is None and entry.what is None):
                    why = _GIVEN if is_given else _NO_TEXT
                    sink.add(messages.unknown(entry.span, f"`{entry.key.shown}`", why, module))
                    known = False
            else:
                known = False
    return known


def _unknown(provider: Provider, given: Token | None) -> Iterator[tuple[Span, str, str]]:
    """What of a provider only running code would know: where, what, and why. `given`: what `create(...)` may give."""
    name = f"`{provider.key.shown}`"
    is_read = provider.construction is None or provider.construction.is_known
    if is_read and None in (provider.what, *(token.described for token in provider.provides)):
        yield provider.span, name, _NO_TEXT
    if provider.scope is None:
        yield provider.span, f"how long {name} lives", "its scope is computed"
    if provider.multi is None:
        yield provider.span, f"whether {name} is one of several", "`multi` is computed"
    if not provider.knows_tokens:
        yield provider.span, f"what {name} provides", "some of its tokens are computed"
    made = provider.construction
    if made is None:
        return
    if not made.is_known:
        yield provider.span, f"what {name} needs", "what makes it can't be read from the source"
    for need in made.needs:
        if need.problem is None and need.token in (None, given):
            why = "it is known only at run time" if need.token is None else _GIVEN
            yield need.span, f"what {need.where} asks for", why
