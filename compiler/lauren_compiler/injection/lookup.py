"""What fills a need: the rules of the runtime's container/lookup.py and checking.py."""

from __future__ import annotations

from ..diagnostics.model import Sink
from ..ir.graph import Default, Need, Provider, Source, Token
from . import messages
from .bindings import Bindings, is_multi


def source_of(need: Need, provider: Provider, bindings: Bindings, sink: Sink) -> Source:
    """What fills one need of a provider; None for nothing. What is surely missing or ambiguous is reported."""
    if need.problem is not None:
        if need.default is Default.REQUIRED:
            sink.add(messages.meaningless(need, provider, bindings))
        return None
    if need.token is None:
        return None
    token = need.token
    found, certain = _resolved(need, token, provider, bindings, sink)
    if found is None and certain and need.default is Default.REQUIRED:
        # What it sees and cannot use has been reported where it is declared.
        if token not in bindings.views[provider.module].entries:
            sink.add(messages.missing(need, token, provider, bindings))
    return found


def _resolved(need: Need, token: Token, provider: Provider, bindings: Bindings, sink: Sink) -> tuple[Source, bool]:
    """What a token stands for in the eyes of a provider's module, and whether nothing else could be."""
    if need.collects == "list":
        exact = bindings.find(Token("list", "", token), provider.module)
        if len(exact.providers) == 1:
            return exact.providers[0], True
    # A list is of what was registered for it: what only looks like the protocol was not meant to be in it.
    found = bindings.find(token, provider.module, structural=need.collects != "list")
    several = found.providers
    all_multi = bool(several) and all(map(is_multi, several))
    if several and (need.collects == "list" or (need.collects == "multi" and all_multi)):
        if all_multi:
            return several, True
        return None, _ambiguous(
            need, token, provider, several, bindings, sink, "a list takes providers with `multi=True`"
        )
    if len(several) > 1:
        advice = f"ask for `list[{token.shown}]`" if all_multi else f"provide one of them as `{token.shown}`"
        return None, _ambiguous(need, token, provider, several, bindings, sink, advice)
    return (several[0], True) if several else (None, found.is_certain)


def _ambiguous(
    need: Need,
    token: Token,
    provider: Provider,
    several: tuple[Provider, ...],
    bindings: Bindings,
    sink: Sink,
    advice: str,
) -> bool:
    """Report several where one is wanted; False, as what is missing is not what is wrong."""
    unknown = any(each.multi is None for each in several)
    if token not in bindings.broken and not unknown:
        sink.add(messages.ambiguous_need(need, token, provider, several, advice))
    return False
