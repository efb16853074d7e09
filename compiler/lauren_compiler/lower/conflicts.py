"""Tools that get in each other's way: equal names, names that look alike, one tool defined twice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from ..diagnostics.model import Label, Sink
from ..diagnostics.rules import tools as rules
from ..ir.cards import Card, Listed
from ..ir.tools import Binding, SourceLocation, Tool
from ..source.span import Span
from .naming import skeleton


def without_conflicts(
    tools: list[Tool],
    others: Sequence[Card],
    undecided: Mapping[int, Span],
    holders: Mapping[str, frozenset[int]],
    sink: Sink,
) -> tuple[list[Tool], int]:
    """The tools that can be in one build with `others`, and how many were merged with an equal one.

    `undecided` are ids of tools under conditions that can't be decided, with where each is made one: several
    definitions of one such tool are one tool if they compile to the same. `holders` are the agents that have each tool,
    by `module:qualname`.
    """
    kept, merged = _merged(tools, undecided, sink)
    clashing = _same_names((*kept, *others), holders, sink)
    left = [tool for tool in kept if id(tool) not in clashing]
    return left, merged


def _merged(tools: list[Tool], undecided: Mapping[int, Span], sink: Sink) -> tuple[list[Tool], int]:
    """Each tool once: definitions under undecidable conditions are one if they are equal, else an error."""
    by_place: dict[tuple[str, str], Tool] = {}
    kept: list[Tool] = []
    merged = 0
    for tool in tools:
        first = by_place.setdefault((tool.module, tool.qualname), tool)
        if tool.foreign is not None and first is not tool and first.name == tool.name and _equal(first, tool):
            merged += 1  # one function that is registered twice
        elif first is tool or id(tool) not in undecided:
            kept.append(tool)
        elif _equal(first, tool):
            merged += 1
        else:
            message = f"tool `{tool.name}` is defined twice, and which definition counts is known only at run time"
            # One function that is made a tool in two places has one place of its own: those say more.
            places: Mapping[int, Span] = undecided if tool.span == first.span else {}
            label = Label(places.get(id(first), first.span), "the other definition")
            sink.add(rules.AMBIGUOUS_DEFINITION.at(places.get(id(tool), tool.span), message, labels=(label,)))
    return kept, merged


def _equal(left: Tool, right: Tool) -> bool:
    """Whether two definitions compile to the same entry."""

    def comparable(tool: Tool) -> Tool:
        parameters = tuple(replace(parameter, span=left.span) for parameter in tool.parameters)
        return replace(tool, span=left.span, source=SourceLocation("", 0), parameters=parameters)

    return comparable(left) == comparable(right)


def _same_names(tools: Sequence[Listed], holders: Mapping[str, frozenset[int]], sink: Sink) -> set[int]:
    """Report importable tools with one name, letter case aside, unless each is only for its agents; ids of all."""
    clashing: set[int] = set()
    imported = [tool for tool in tools if tool.binding is Binding.IMPORT]
    if len({tool.name.casefold() for tool in imported}) == len(imported):
        return clashing  # as in most builds, and there are thousands: they need not be put in order
    groups: dict[str, list[Listed]] = {}
    for tool in sorted(imported, key=lambda tool: tool.span):
        groups.setdefault(tool.name.casefold(), []).append(tool)
    for group in groups.values():
        loose = next((tool for tool in group if f"{tool.module}:{tool.qualname}" not in holders), None)
        for tool in group[1:] if loose is not None else ():
            clashing.update((id(group[0]), id(tool)))
            differs = "" if tool.name == group[0].name else ", letter case aside"
            message = f"two tools have the name `{tool.name}`{differs}"
            label = Label(group[0].span, f"`{group[0].name}` is defined here too")
            remedy = 'give one of them another name with `@tool(name="...")`'
            if holders:
                remedy += ", or each to agents of its own"
            sink.add(rules.DUPLICATE_TOOL_NAME.at(tool.span, message, labels=(label,), help=remedy))
    return clashing


def warn_of_shared_names(tools: Iterable[Listed], sink: Sink) -> None:
    """Warn of tools with one name that are bound at run time."""
    first: dict[str, Listed] = {}
    bound = (tool for tool in tools if tool.binding is Binding.BIND)
    for tool in sorted(bound, key=lambda tool: tool.span):
        other = first.setdefault(tool.name.casefold(), tool)
        if other is not tool:
            message = f"two tools that are bound at run time have the name `{tool.name}`"
            label = Label(other.span, "the other one")
            sink.add(rules.SHARED_BOUND_NAME.at(tool.span, message, labels=(label,)))


def warn_of_lookalikes(names: list[tuple[str, Span]], sink: Sink) -> None:
    """Warn of different names that look alike."""
    folded = {name.casefold() for name, _ in names}
    # Of ASCII, what looks alike is written alike but for `-`, and there are thousands: they need not be put in order.
    if all(name.isascii() for name, _ in names) and len({skeleton(name) for name in folded}) == len(folded):
        return
    first: dict[str, tuple[str, Span]] = {}
    for name, span in sorted(names, key=lambda each: (each[1], each[0])):
        other, place = first.setdefault(skeleton(name), (name, span))
        if other.casefold() != name.casefold():
            message = f"tool names `{ascii(other)[1:-1]}` and `{ascii(name)[1:-1]}` look alike"
            label = Label(place, "the other one")
            sink.add(rules.CONFUSABLE_NAME.at(span, message, labels=(label,)))
