"""`@tool(input_schema={...})`: the schema of the arguments as its author writes it, matched with the parameters.

Each property goes to the parameter of its name, or into `**kwargs`. A parameter whose annotation can be read is decoded
as that type once the schema has taken the value; any other gets the JSON value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard

from msgspec import Struct
from msgspec.structs import replace

from ..diagnostics.model import Label, Sink
from ..diagnostics.rules import tools as rules
from ..ir.stated import misspelt, problems
from ..ir.tools import Parameter, ParameterKind
from ..ir.types import Anything, Default, Type
from ..semantics.attempts import attempt
from ..semantics.said import Metadata
from ..semantics.stated import stated
from ..semantics.subject import Subject
from ..semantics.types import TypeReader
from ..source.span import Span
from ..syntax.declarations import FunctionDecl, ParamDecl
from ..syntax.expressions import Expr
from .context import is_context
from .parameters import ParameterReader, Parameters

_ROOT = frozenset("type properties required additionalProperties $defs".split())
_DROPPED = frozenset("$schema title description $comment".split())
"""What the root may have besides; the schema of a tool says these things elsewhere, or not at all."""


class StatedInput(Struct, frozen=True):
    """A schema without `input_problems`, and where it stands."""

    schema: Mapping[str, Any]
    span: Span

    @property
    def properties(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.schema.get("properties", {})
        return found

    @property
    def required(self) -> tuple[str, ...]:
        return tuple(self.schema.get("required", ()))

    def part(self, schema: Any) -> dict[str, Any]:
        """A schema inside, with the definitions that it may refer to."""
        own: Mapping[str, Any] = schema if _is_object(schema) else {} if schema else {"not": {}}
        return {**own, "$defs": self.schema["$defs"]} if "$defs" in self.schema else dict(own)


def input_problems(schema: object) -> list[tuple[tuple[str, ...], str]]:
    """What is wrong with the schema of a tool's arguments, each with the keys that lead there."""
    if not _is_object(schema):
        return [((), "it takes a dict")]
    whole: dict[str, Any] = {key: part for key, part in schema.items() if key not in _DROPPED}
    if whole.get("type") != "object":
        return [(("type",), 'arguments are an object: write `"type": "object"`')]
    strange = [key for key in whole if key not in _ROOT]
    if strange:
        remark = "the keyword `{}` at the root is not covered: say it of a property"
        return [((), misspelt(key) or remark.format(key)) for key in strange]
    found = problems(whole)
    if found:
        return found
    lost = [name for name in whole.get("required", ()) if name not in whole.get("properties", {})]
    return [(("required",), f"`{name}` is required, but no property") for name in lost]


def _is_object(value: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


class StatedParameterReader(ParameterReader):
    """Reads the parameters of a function whose arguments have a stated schema."""

    def __init__(self, types: TypeReader, sink: Sink, decl: FunctionDecl, stated_input: StatedInput) -> None:
        super().__init__(types, sink, decl.signature_scope, {})
        self._decl = decl
        self._stated = stated_input

    def read(self, declared: tuple[ParamDecl, ...]) -> Parameters:
        found = super().read(declared)
        keywords = next((parameter for parameter in declared if parameter.kind == "var_keyword"), None)
        taken = {parameter.wire for parameter in found.visible}
        for name, schema in self._stated.properties.items():
            if name in taken:
                continue
            if keywords is None or name in (each.name for each in declared):
                place = self._scope.module.file.span(self._decl.name_pos)
                self._mismatch(found, f"the property `{name}` of the schema has no parameter", place)
            else:
                found.visible.append(self._keyword(name, schema, self._span(keywords)))
        others = self._stated.schema.get("additionalProperties")
        if keywords is None and others not in (None, False):
            self._mismatch(found, "the schema admits other properties, and no `**` parameter takes them", None)
        elif keywords is not None and others is not False:
            found.extra = self._type(True if others is None else others, None)
        return found

    def _one(self, parameter: ParamDecl, found: Parameters) -> None:
        annotation = parameter.annotation.expr if parameter.annotation is not None else None
        if annotation is not None and is_context(annotation, self._scope, self._types):
            self._context(parameter, found)
        elif parameter.kind == "var_positional":
            super()._one(parameter, found)
        elif parameter.kind != "var_keyword":
            self._stated_one(parameter, annotation, found)

    def _stated_one(self, parameter: ParamDecl, annotation: Expr | None, found: Parameters) -> None:
        """A parameter that is no property is the function's own affair, if it has a default."""
        name = parameter.name
        if name not in self._stated.properties:
            found.hidden.append(name)
            if parameter.default is None:
                message = f"parameter `{name}` has no default, and no property in the schema"
                self._mismatch(found, message, self._span(parameter))
            return
        inner, metadata = self._read_quietly(parameter, annotation)
        kind = self._type(self._stated.properties[name], inner)
        own = parameter.default.expr if parameter.default is not None else None
        said = self._types.metadata.field_default(own, self._scope)
        if said is not None:
            metadata, own = metadata.merged(said), None
        subject = Subject(f"parameter `{name}`")
        made = self._parameter(parameter, kind, replace(metadata, alias=None), own, subject)
        if made.required and name not in self._stated.required:
            message = f"parameter `{name}` has no default, so the schema has to require it"
            self._mismatch(found, message, self._span(parameter))
        found.visible.append(self._as_stated(made))

    def _as_stated(self, made: Parameter) -> Parameter:
        """What the schema says of a parameter's presence and texts, and no more."""
        required = made.wire in self._stated.required
        default = None if required else Default(None)
        passed = None if required else made.passed
        return replace(made, required=required, default=default, passed=passed, description=None, title=None)

    def _read_quietly(self, parameter: ParamDecl, annotation: Expr | None) -> tuple[Type | None, Metadata]:
        """What the annotation says, if it can be read; that is no fault if it can't."""
        if annotation is None:
            return None, Metadata()
        subject = Subject(f"parameter `{parameter.name}`")
        with attempt(self._types) as made:
            kind, metadata = self._types.read_annotated(annotation, self._scope, subject, plain_text=True)
            made.succeeded = kind is not None and not metadata.broken
        return (kind, metadata) if made.succeeded else (None, Metadata())

    def _type(self, schema: Any, inner: Type | None) -> Type:
        if schema is True and inner is None:
            return Anything()
        module, definitions = self._scope.module.file.module, self._types.definitions
        decoded = None if isinstance(inner, Anything) else inner
        whole = self._stated.part(schema)
        return stated(whole, module, self._decl.qualname, self._stated.span, definitions, inner=decoded)

    def _keyword(self, name: str, schema: Any, span: Span) -> Parameter:
        """A property that `**kwargs` takes."""
        required = name in self._stated.required
        kind = self._type(schema, None)
        default = None if required else Default(None)
        return Parameter(name, name, ParameterKind.KEYWORD_ONLY, kind, required, default, None, None, None, span)

    def _mismatch(self, found: Parameters, message: str, other: Span | None) -> None:
        labels = () if other is None else (Label(other, "this is the function's side"),)
        self._error(found, rules.SCHEMA_MISMATCH.at(self._stated.span, message, labels=labels))
