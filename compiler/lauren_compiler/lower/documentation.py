"""Which docstring says what: the description, and the text of each parameter.

A function's own docstring says both. Of a class tool the class's docstring gives the description, else `run`'s; the
parameters' texts come from `run`'s, else from the class's.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from ..diagnostics.model import Label, Sink
from ..diagnostics.rules import tools as rules
from ..ir.tools import Parameter
from ..semantics.types import TypeReader
from ..syntax.declarations import ClassDecl, FunctionDecl
from ..syntax.docstrings import DocText
from .entry import Entry
from .texts import Documented, documented

_EMPTY = DocText()


class Documentation(Struct, frozen=True):
    """The docstrings of one tool; `constructor` are names its class's docstring may also explain."""

    own: Documented | None
    run: Documented | None
    constructor: frozenset[str]

    @property
    def description(self) -> str:
        return _text(self.own).description or _text(self.run).description

    @property
    def parameters(self) -> dict[str, str]:
        """Texts by parameter name, as the docstring writes it."""
        found = dict(_text(self.own).parameters)
        found.update((name, text) for name, text in _text(self.run).parameters if text)
        return found


def documentation_of(decl: FunctionDecl | ClassDecl, entry: Entry | None, sink: Sink) -> Documentation:
    """The docstrings of a tool, read."""
    own = documented(decl.docstring, decl.scope, sink)
    if isinstance(decl, FunctionDecl) or entry is None:
        return Documentation(own, None, frozenset())
    run = documented(entry.decl.docstring, entry.decl.scope, sink)
    names: set[str] = set()
    for binding in decl.body.members:
        inner = getattr(binding, "decl", None)
        if isinstance(inner, FunctionDecl) and inner.name == "__init__":
            names.update(parameter.name for parameter in inner.parameters)
        names.add(binding.name)
    return Documentation(own, run, frozenset(names))


def check_documented(docs: Documentation, entry: Entry, sink: Sink) -> None:
    """Warn of documented parameters that the tool does not have."""
    names = {parameter.name for parameter in entry.decl.parameters}
    spread = any(parameter.kind == "var_keyword" for parameter in entry.decl.parameters)
    if spread:
        return
    for found, also in ((docs.own, docs.constructor), (docs.run, frozenset[str]())):
        for name, _ in _text(found).parameters:
            if found is None or name in names or name in also:
                continue
            message = f"the docstring documents `{name}`, which is no parameter"
            from ..semantics.suggestions import did_you_mean

            remedy = did_you_mean(name, names)
            sink.add(rules.UNKNOWN_DOCUMENTED_PARAMETER.at(found.entry_span(name), message, help=remedy))


def check_parameters(
    docs: Documentation, entry: Entry, parameters: Iterable[Parameter], types: TypeReader, sink: Sink
) -> None:
    """Note parameters that a docstring leaves out where it has others, and types in it that an annotation gainsays."""
    declared = {parameter.name for parameter in entry.decl.parameters}
    listed = [parameter for parameter in parameters if parameter.name in declared]  # without keys of `**` parameters
    texts = docs.parameters
    silent = [each for each in listed if each.name not in texts and not each.description]
    if silent and any(each.name in texts for each in listed):
        names = ", ".join(f"`{each.name}`" for each in silent)
        message = f"the docstring documents other parameters, and not {names}"
        sink.add(rules.UNDOCUMENTED_PARAMETER.at(silent[0].span, message))
    for found in (docs.own, docs.run):
        if found is not None and found.may_give_types:
            _check_types(found, listed, types, sink)


def _check_types(found: Documented, parameters: Iterable[Parameter], types: TypeReader, sink: Sink) -> None:
    """Warn of types in a docstring that annotations gainsay."""
    from ..ir.pprint import type_text
    from .documented_types import contradiction, documented_type

    for parameter in parameters:
        written = documented_type(found, parameter.name)
        if written is not None and contradiction(written, parameter.type, types.definitions):
            message = f"the docstring says that `{parameter.name}` is `{written}`, and its annotation something else"
            label = Label(parameter.span, f"here it is `{type_text(parameter.type)}`, which counts")
            sink.add(rules.CONTRADICTING_TYPE.at(found.entry_span(parameter.name), message, labels=(label,)))


def _text(found: Documented | None) -> DocText:
    return found.text if found is not None else _EMPTY
