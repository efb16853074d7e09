"""Whether a provider takes a tool."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from ..diagnostics.model import Rule
from ..diagnostics.rules.providers import (
    PROVIDER_DESCRIPTION,
    PROVIDER_PROPERTY_NAME,
    PROVIDER_SCHEMA,
    PROVIDER_TOOL_NAME,
    TOO_MANY_TOOLS,
)
from ..ir.cards import Listed
from ..ir.tools import Tool, ToolSet
from ..ir.types import ObjectDefinition, ObjectKind
from ..ir.walk import input_types, reachable
from ..source.span import Span
from .base import Aspect, AtMost, Forbidden, Limit, Target, Text


class Finding(Struct, frozen=True):
    """Something of a tool that is beyond `limit`."""

    rule: Rule
    limit: Limit
    span: Span
    message: str
    label: str
    help: str | None = None


class Candidate(Struct, frozen=True):
    """A tool on its way into provider files, with the schema of its arguments as the target has it."""

    tool: Tool
    toolset: ToolSet
    schema: Mapping[str, Any]


def findings(candidate: Candidate, target: Target) -> tuple[Finding, ...]:
    """All that `target` has against a tool by itself, in the order of its limits."""
    found: tuple[Finding, ...] = ()
    for limit in target.limits:
        if limit.aspect in _CHECKS:
            found += _CHECKS[limit.aspect](candidate, target, limit)
    return found


def too_many(tool: Listed, place: int, target: Target) -> Sequence[Finding]:
    """What `target` has against a tool for the number of those before it in a file."""
    return [
        Finding(
            TOO_MANY_TOOLS,
            limit,
            tool.span,
            f"{target.title} takes {limit.bound.count} tools at most",
            f"`{tool.name}` is number {place}",
            "send a part of them (`TABLE.select(...)`), or split the build",
        )
        for limit in target.limits
        if isinstance(limit.bound, AtMost) and place > limit.bound.count
    ]


def _name(candidate: Candidate, target: Target, limit: Limit) -> tuple[Finding, ...]:
    name = candidate.tool.name
    fault = _fault(name, limit)
    if fault is None:
        return ()
    message = f"{target.title} does not take the tool name `{name}`"
    remedy = "give another `name=` to `tool()`"
    return (Finding(PROVIDER_TOOL_NAME, limit, candidate.tool.span, message, fault, remedy),)


def _description(candidate: Candidate, target: Target, limit: Limit) -> tuple[Finding, ...]:
    tool = candidate.tool
    fault = _fault(tool.description, limit)
    if fault is None:
        return ()
    if tool.description:
        message, remedy = f"{target.title} does not take the description of `{tool.name}`", "say it in fewer words"
    else:
        message, remedy = f"{target.title} needs a description of `{tool.name}`", "write a docstring, or `description=`"
    return (Finding(PROVIDER_DESCRIPTION, limit, tool.span, message, fault, remedy),)


def _property(candidate: Candidate, target: Target, limit: Limit) -> tuple[Finding, ...]:
    return tuple(
        Finding(
            PROVIDER_PROPERTY_NAME,
            limit,
            span,
            f"{target.title} does not take the property name `{name}` of `{candidate.tool.name}`",
            fault,
            "rename it, or give it an alias",
        )
        for name, span in _properties(candidate.tool, candidate.toolset)
        if (fault := _fault(name, limit)) is not None
    )


def _root(candidate: Candidate, target: Target, limit: Limit) -> tuple[Finding, ...]:
    assert isinstance(limit.bound, Forbidden)
    if candidate.schema.keys().isdisjoint(limit.bound.keywords):
        return ()
    message = f"{target.title} does not take the schema of `{candidate.tool.name}`"
    return tuple(
        Finding(
            PROVIDER_SCHEMA,
            limit,
            candidate.tool.span,
            message,
            f"`{keyword}` may not stand at the root of a schema",
        )
        for keyword in limit.bound.keywords
        if keyword in candidate.schema
    )


_CHECKS: Mapping[Aspect, Callable[[Candidate, Target, Limit], tuple[Finding, ...]]] = {
    Aspect.NAME: _name,
    Aspect.DESCRIPTION: _description,
    Aspect.PROPERTY: _property,
    Aspect.ROOT: _root,
}


@lru_cache(maxsize=4096)
def _fault(text: str, limit: Limit) -> str | None:
    """What is wrong with `text`, None if nothing is. Tools call their parameters alike: most were looked at before."""
    bound = limit.bound
    assert isinstance(bound, Text)
    if len(text) < bound.least:
        return "it is empty" if not text else f"{len(text)} characters, at least {bound.least} are needed"
    if bound.most is not None and len(text) > bound.most:
        return f"{len(text)} characters, {bound.most} are taken"
    if bound.pattern is not None and re.fullmatch(bound.pattern, text) is None:
        return f"it must match `^{bound.pattern}$`"
    return None


_WITHOUT_KEYS = (ObjectKind.NAMED_TUPLE, ObjectKind.STRUCT_ARRAY, ObjectKind.ROOT_MODEL)


def _properties(tool: Tool, toolset: ToolSet) -> Iterator[tuple[str, Span]]:
    """Every name that is a key of the tool's arguments, at any depth, with its place."""
    for parameter in tool.parameters:
        yield parameter.wire, parameter.span
    for key in reachable(input_types(tool), toolset):
        definition = toolset.by_key[key]
        # Names in an array, and that of a root model, are no keys.
        if isinstance(definition, ObjectDefinition) and definition.kind not in _WITHOUT_KEYS:
            for field in definition.fields:
                yield field.wire, field.span
