"""`--target-runtime lauren-ai`: where it would show a model another tool than the build does, tool by tool.

Whether there is a difference is decided by the schemas, in their canonical form; what it comes from is told by the rows
of `ir/divergences.py` that applied when the other runtime's schema was derived.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..diagnostics.model import Diagnostic, Label, Rule
from ..diagnostics.rules.runtimes import OTHER_SCHEMA, OTHER_TEXT
from ..ir.divergences import CLASS_TEXT, DEFAULT, DESCRIPTION, OPTION, PARAMETER_TEXT, UNEVALUATED, Divergence
from ..ir.equality import same
from ..ir.peers import LOST, NO_JSON, Finding, PeerParameter, PeerTool
from ..ir.peers import MODEL as MODEL_KEY
from ..ir.tools import Tool, ToolSet
from ..ir.types import ObjectDefinition, Reference
from ..ir.walk import reachable
from ..schema.definitions import definition_names
from ..schema.json_schema import Schemas
from ..schema.objects import definition_schema
from ..schema.types import Naming
from ..source.span import Span
from .canonical import canonical

_SHOWN = 160
_NONE = object()


def differences(peers: Iterable[PeerTool], toolset: ToolSet) -> Iterator[Diagnostic]:
    """A diagnostic for each parameter, and each tool as a whole, that lauren-ai would have otherwise."""
    schemas = Schemas(toolset)
    tools = {(f"{tool.module}:{tool.qualname}", tool.name): tool for tool in toolset.tools}
    for peer in peers:
        tool = tools.get((peer.key, peer.name))
        if tool is not None:
            yield from _Comparison(peer, tool, schemas.of_arguments(tool), toolset).run()


def predicted(peer: PeerTool, tool: Tool, toolset: ToolSet) -> dict[str, Any]:
    """The input schema that lauren-ai has. In place of a model's stands `{MODEL: name}`, see `ir/peers.py`."""
    shown = [each for each in peer.parameters if each.schema is not None]
    schema: dict[str, Any] = {"type": "object", "properties": {each.name: each.schema for each in shown}}
    required = [each.name for each in shown if each.required]
    return {**schema, "required": required} if required else schema


class _Comparison:
    """Of one tool: `peer` is what lauren-ai makes of it, `tool` what is compiled, with the schema of its arguments."""

    def __init__(self, peer: PeerTool, tool: Tool, schema: Mapping[str, Any], toolset: ToolSet) -> None:
        self._peer = peer
        self._tool = tool
        self._toolset = toolset
        self._schema = schema

    def run(self) -> Iterator[Diagnostic]:
        """The diagnostics, those about the whole tool first."""
        refused = [each for each in self._peer.findings if each.row is OPTION]
        if refused:
            yield self._told(
                OTHER_SCHEMA, f"lauren-ai 1.6.0 does not take tool `{self._tool.name}`", refused[0].span, refused
            )
            return
        if self._peer.description != self._tool.description:
            message = f"lauren-ai 1.6.0 describes tool `{self._tool.name}` otherwise"
            found = [each for each in self._peer.findings if each.row is DESCRIPTION]
            yield self._told(
                OTHER_TEXT, message, self._peer.span, found, self._peer.description, self._tool.description
            )
        own = {parameter.name: parameter for parameter in self._tool.parameters}
        for each in self._peer.parameters:
            parameter = own.get(each.name)
            yield from self._parameter(each, None if parameter is None else parameter.wire)

    def _parameter(self, peer: PeerParameter, wire: str | None) -> Iterator[Diagnostic]:
        ours = None if wire is None else self._schema["properties"][wire]
        required = wire in self._schema.get("required", ())
        theirs = None if peer.schema is None else self._expanded(peer.schema)
        alike = ours is None if theirs is None else wire == peer.name and required is peer.required
        if theirs is not None and ours is not None:
            alike = alike and same(self._plain(theirs), self._plain(ours))
        if not alike:
            shown = [None if each is None else self._plain(each) for each in (theirs, ours)]
            rows = [each for each in peer.findings if each.row.told == "warning"]
            if (
                theirs is not None
                and ours is not None
                and not same(theirs.get("default", _NONE), ours.get("default", _NONE))
            ):
                rows.append(Finding(DEFAULT, peer.span))
            message = f"lauren-ai 1.6.0 shows parameter `{peer.name}` of tool `{self._tool.name}` otherwise"
            yield self._told(
                OTHER_SCHEMA, message, peer.span, rows, _text(shown[0], peer.required), _text(shown[1], required)
            )
        if theirs is None or ours is None:
            return
        if (row := self._other_text(theirs, ours, alike)) is not None:
            message = f"lauren-ai 1.6.0 describes parameter `{peer.name}` of tool `{self._tool.name}` otherwise"
            yield self._told(OTHER_TEXT, message, peer.span, [Finding(row, peer.span)])

    def _other_text(self, theirs: dict[str, Any], ours: dict[str, Any], same: bool) -> Divergence | None:
        """Which texts are others: the parameter's own, or, where all else is the same, those inside its type."""
        outer = ours.get("description"), theirs.get("description")
        if outer[0] != outer[1] and (outer[1] is not None or outer[0] in self._said()):
            return PARAMETER_TEXT
        definitions = self._schema.get("$defs", {})
        full = canonical(theirs, {}, texts=True), canonical(ours, definitions, texts=True)
        return CLASS_TEXT if same and full[0] != full[1] else None

    def _said(self) -> set[str | None]:
        """The texts of the tool's parameters themselves."""
        return {each.description for each in self._tool.parameters}

    def _plain(self, schema: dict[str, Any]) -> Any:
        return canonical(schema, self._schema.get("$defs", {}), texts=False)

    def _expanded(self, schema: Any) -> Any:
        """Their schema with pydantic's of each model in place; references inside it lead nowhere."""
        if isinstance(schema, list):
            return [self._expanded(each) for each in schema]  # pyright: ignore[reportUnknownVariableType]
        if not isinstance(schema, dict):
            return schema
        given: dict[str, Any] = schema  # pyright: ignore[reportUnknownVariableType]
        if MODEL_KEY not in given:
            return {key: self._expanded(value) for key, value in given.items()}
        rest = {key: value for key, value in given.items() if key != MODEL_KEY}
        definition = self._toolset.by_key.get(given[MODEL_KEY])
        if not isinstance(definition, ObjectDefinition):
            return {LOST: True, **rest}
        keys = reachable((Reference(given[MODEL_KEY]),), self._toolset)
        found = definition_schema(definition, self._toolset, Naming(definition_names(keys, self._toolset)))
        return {LOST: True, **rest} if '"$ref"' in json.dumps(found) else {**found, **rest}

    def _told(
        self,
        rule: Rule,
        message: str,
        span: Span,
        findings: Iterable[Finding],
        theirs: str | None = None,
        ours: str | None = None,
    ) -> Diagnostic:
        rows = dict.fromkeys(each.row for each in findings)
        notes = [f"{row.name}: it {row.theirs}; here: {row.ours}" for row in rows]
        if theirs is not None and ours is not None:
            notes.insert(0, f"there: {_short(theirs)}\nhere: {_short(ours)}")
        failures = [each.span for each in self._peer.findings if each.row is UNEVALUATED and UNEVALUATED in rows]
        labels = [
            Label(place, "this can't be evaluated when the decorator runs") for place in failures if place != span
        ]
        label = ", ".join(row.name for row in rows)
        return rule.at(span, message, label=label, labels=labels, notes=notes)


def _text(schema: Mapping[str, Any] | None, required: bool) -> str:
    if schema is None:
        return "not shown"
    told = dict(schema)
    if told.get("default") == NO_JSON:
        told["default"] = "a Python object"
    text = json.dumps(told, ensure_ascii=False).replace(f'"{LOST}": true', '"type": "string"')
    return f"{text}, {'required' if required else 'not required'}"


def _short(text: str) -> str:
    line = text.replace("\n", " ")
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"
