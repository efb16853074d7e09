"""A tool as lauren-ai has it: its name, description and parameters, each with the rows of the table that made it so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from ...diagnostics.model import Sink
from ...ir.divergences import (
    CONTEXT,
    DESCRIPTION,
    IMPLICIT_OPTIONAL,
    KEYWORDS,
    OPTION,
    OPTIONAL,
    RECEIVER,
    UNEVALUATED,
    Divergence,
)
from ...ir.peers import NO_JSON, Finding, PeerParameter, PeerTool
from ...ir.tools import Tool
from ...ir.values import Constant, EnumMember, Mapping, Sequence
from ...semantics.availability import Availability
from ...semantics.types import TypeReader
from ...syntax.declarations import ClassDecl, ParamDecl, Scope
from ...syntax.docstrings.cleaning import cleandoc
from ...syntax.expressions import Attribute, Chain, Expr, ListDisplay, Name, Subscript, Tuple
from ...syntax.expressions import Constant as Literal
from ..arguments import Argument
from ..entry import Entry, entry_of
from ..makers import Makers
from ..naming import runtime_name
from ..registered import Candidate
from ..wrappers import tool_arguments
from .annotations import AnnotationReader, is_plain_member, string
from .docstrings import read as read_docstring
from .evaluation import Evaluation

_UNKNOWN_OPTIONS = ("timeout", "input_schema", "schema")
_CONTEXT = "ToolContext"
_PRIVATE = ("self", "cls")


class PeerReader:
    """Reads the tools of one program."""

    def __init__(self, types: TypeReader, makers: Makers) -> None:
        self._types = types
        self._makers = makers
        self._available = Availability(types.resolver)

    def read(self, candidates: Iterable[Candidate], tools: Iterable[Tool]) -> Iterator[PeerTool]:
        """What lauren-ai makes of those candidates that were compiled; other frameworks' are none of its."""
        compiled = {(tool.module, tool.qualname): tool for tool in tools if tool.foreign is None}
        for candidate in candidates:
            decl = candidate.decl
            tool = compiled.get((decl.scope.module.file.module, decl.qualname))
            entry = entry_of(decl, self._types, Sink()) if tool is not None else None
            if tool is not None and entry is not None and candidate.maker.framework is None:
                yield self._tool(candidate, tool, entry)

    def _tool(self, candidate: Candidate, tool: Tool, entry: Entry) -> PeerTool:
        decl = candidate.decl
        arguments = candidate.maker.arguments
        if candidate.maker.listed is not None:
            arguments = tool_arguments(candidate.maker, decl, self._makers, self._types.constants)
        given = {each.name: each for each in arguments if each.name is not None}
        findings = [
            Finding(OPTION, each.scope.module.file.span(each.pos))
            for name, each in given.items()
            if name in _UNKNOWN_OPTIONS
        ]
        first, texts = read_docstring(self._documentation(candidate, entry))
        stated = self._text(given.get("description"))
        findings.append(Finding(DESCRIPTION, tool.span))
        evaluation = Evaluation(entry.decl, self._at(candidate), self._types.resolver, self._available)
        settled = evaluation.failure is not None
        parameters = list(self._parameters(entry, texts, evaluation))
        if evaluation.failure is not None and not settled:  # a text in an alias that one of them names
            parameters = list(self._parameters(entry, texts, evaluation))
        if evaluation.failure is not None:
            findings.append(Finding(UNEVALUATED, evaluation.failure))
        return PeerTool(
            key=f"{tool.module}:{tool.qualname}",
            name=tool.name,
            own_name=self._text(given.get("name")) or runtime_name(decl.name, is_class=isinstance(decl, ClassDecl)),
            description=stated or first,
            parameters=tuple(parameters),
            span=tool.span,
            findings=tuple(findings),
        )

    def _at(self, candidate: Candidate) -> tuple[int, int] | None:
        """Where its module has come when the tool is made; None where all of it has run."""
        decl, maker = candidate.decl, candidate.maker
        if decl.scope.kind == "function" or maker.scope.module is not decl.scope.module:
            return None
        return max((decl.line, 0), maker.expr.pos[:2])

    def _text(self, given: Argument | None) -> str:
        value = None if given is None else self._types.constants.evaluate(given.value, given.scope)
        return value.value if isinstance(value, Constant) and isinstance(value.value, str) else ""

    def _documentation(self, candidate: Candidate, entry: Entry) -> str:
        """The docstring that it reads: a function's; of a class its own, an inherited one, else that of `run`."""
        decl = candidate.decl
        owners = self._types.resolver.linear_bases(decl) if isinstance(decl, ClassDecl) else [decl]
        for each in (*owners, entry.decl):
            if each.docstring is not None:
                return cleandoc(each.docstring.text)
        return ""

    def _parameters(self, entry: Entry, texts: dict[str, str], evaluation: Evaluation) -> Iterator[PeerParameter]:
        scope = entry.decl.signature_scope
        for number, parameter in enumerate(entry.decl.parameters):
            received = number < entry.skip
            if parameter.name in _PRIVATE or parameter.name.startswith("_") or (received and self._is_bound(entry)):
                if not received and parameter.name in _PRIVATE:
                    yield self._left_out(parameter, scope, RECEIVER)
                continue
            if received:
                yield self._made(parameter, scope, string(), [Finding(RECEIVER, self._span(parameter, scope))], True)
                continue
            yield from self._parameter(parameter, scope, texts, evaluation)

    def _is_bound(self, entry: Entry) -> bool:
        """Whether the receiver is bound when the tool is made: a class method's is."""
        from ..signature import receiver

        return receiver(entry.decl, self._types.resolver) == "class"

    def _left_out(self, parameter: ParamDecl, scope: Scope, row: Divergence) -> PeerParameter:
        """A parameter that it does not show."""
        span = self._span(parameter, scope)
        return PeerParameter(parameter.name, None, False, span, (Finding(row, span),))

    def _parameter(
        self, parameter: ParamDecl, scope: Scope, texts: dict[str, str], evaluation: Evaluation
    ) -> Iterator[PeerParameter]:
        reader = AnnotationReader(self._types, evaluation)
        blame = UNEVALUATED if evaluation.failure is not None else None
        expr = None if parameter.annotation is None else parameter.annotation.expr
        schema, optional = string(), False
        if expr is not None:
            if blame is not None and _is_text(expr, scope):
                reader.note(UNEVALUATED, expr, scope)
                reader.words += _words(expr)
            else:
                schema = reader.schema(expr, scope, blame)
                optional = reader.is_optional(expr, scope, blame)
        if any(_CONTEXT in word for word in reader.words):
            if not self._means_context(reader):
                yield self._left_out(parameter, scope, CONTEXT)
            return
        if texts.get(parameter.name):
            schema["description"] = texts[parameter.name]
        findings = list(reader.findings)
        if parameter.kind == "var_keyword":
            findings = [Finding(KEYWORDS, self._span(parameter, scope))]
        if parameter.default is not None:
            schema["default"] = self._default(parameter.default.expr, scope)
            findings += self._about_default(parameter, schema["default"], optional, scope)
        required = parameter.default is None and not optional
        yield self._made(parameter, scope, schema, findings, required)

    def _made(
        self, parameter: ParamDecl, scope: Scope, schema: dict[str, Any], findings: list[Finding], required: bool
    ) -> PeerParameter:
        span = self._span(parameter, scope)
        return PeerParameter(parameter.name, schema, required, span, tuple(dict.fromkeys(findings)))

    def _means_context(self, reader: AnnotationReader) -> bool:
        return "lauren.ToolContext" in reader.words

    def _default(self, expr: Expr, scope: Scope) -> Any:
        """The default as JSON has it, if it has a form of the object."""
        return _json(self._types.constants.evaluate(expr, scope), self._types)

    def _about_default(self, parameter: ParamDecl, made: Any, optional: bool, scope: Scope) -> Iterator[Finding]:
        assert parameter.default is not None
        span = scope.module.file.span(parameter.default.pos)
        if made is None:
            yield Finding(OPTIONAL if optional else IMPLICIT_OPTIONAL, span)

    def _span(self, parameter: ParamDecl, scope: Scope) -> Any:
        return scope.module.file.span(parameter.pos)


def _is_text(expr: Expr, scope: Scope) -> bool:
    """Whether an annotation is kept as text."""
    return scope.module.future_annotations or (isinstance(expr, Literal) and isinstance(expr.value, str))


def _words(expr: Expr) -> Iterator[str]:
    """The identifiers and texts in an annotation that is text."""
    pending: list[Any] = [expr]
    while pending:
        part = pending.pop()
        if isinstance(part, Name):
            yield "lauren.ToolContext" if part.id == _CONTEXT else part.id
        elif isinstance(part, Literal) and isinstance(part.value, str):
            yield from ("lauren.ToolContext" if word == _CONTEXT else word for word in re.findall(r"\w+", part.value))
        elif isinstance(part, Attribute):
            yield "lauren.ToolContext" if part.attr == _CONTEXT else part.attr
            pending.append(part.value)
        elif isinstance(part, Subscript):
            pending += [part.value, part.index]
        elif isinstance(part, (Tuple, Chain, ListDisplay)):
            pending += part.items


def _json(value: object, types: TypeReader) -> Any:
    """The JSON of a Python object as `json` writes it; NO_JSON if it refuses."""
    if isinstance(value, EnumMember):
        return NO_JSON if is_plain_member(value, types) else value.value.value
    if isinstance(value, Constant):
        return NO_JSON if isinstance(value.value, bytes) else value.value
    if isinstance(value, Sequence) and value.kind in ("list", "tuple"):
        items = [_json(item, types) for item in value.items]
        return NO_JSON if NO_JSON in items else items
    if isinstance(value, Mapping):
        pairs = [(_json(key, types), _json(each, types)) for key, each in value.items]
        fits = all(isinstance(key, str) and key != NO_JSON and each != NO_JSON for key, each in pairs)
        return dict(pairs) if fits else NO_JSON
    return NO_JSON
