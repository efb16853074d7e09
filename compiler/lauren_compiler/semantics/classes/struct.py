"""Structs of msgspec: their fields as their metaclass collects them, their JSON as msgspec's decoder takes it.

Source: msgspec's chapter on structs; `tests/differential/test_structs.py` compares with `msgspec.json`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...ir.types import Default, Field, LiteralOf, ObjectDefinition, ObjectKind
from ...ir.values import Constant, Factory, Mapping, Sequence, Value
from ...source.file import Pos
from ...source.span import Span
from ...syntax.declarations import ClassDecl, Scope
from ...syntax.expressions import Call, Chain, Expr, Subscript
from ...syntax.expressions import Tuple as TupleExpr
from ..constants import NotConstant
from ..defaults import schema_default
from ..symbols import KnownSymbol
from .fields import description, field_subject, qualifier, typed
from .kinds import STRUCT_BASES, ancestry
from .linearization import linearized
from .members import Member, annotated_members, known_members
from .model_facts import ModelFacts
from .struct_config import StructConfig, struct_configs

if TYPE_CHECKING:
    from ..types import TypeReader

_UNSET_TYPE = "msgspec.UnsetType"
_ABSENT = frozenset({"msgspec.UNSET", "msgspec.NODEFAULT"})
_EMPTY = {"list": "[]", "dict": "{}", "set": "[]"}
"""What a factory makes, as msgspec's schema shows it."""


def read_struct(types: TypeReader, decl: ClassDecl, via: tuple[Label, ...]) -> ObjectDefinition | None:
    """The definition of a struct, its tag first, then the inherited fields; None, reported, if it can't be known."""
    order = linearized(decl, types.resolver)
    structs = tuple(owner for owner in order or () if STRUCT_BASES & ancestry(owner, types.resolver).known)
    if not structs:
        _invalid(types, decl, via, f"the bases of `{decl.name}` can't be brought into an order")
        return None
    configs = struct_configs(types, structs, via)
    own = next((owner for owner in order or () if "__init__" in owner.body.bindings), None)
    if own is not None:
        _invalid(types, own, via, f"struct `{own.name}` defines `__init__`, which msgspec refuses")
        return None
    if configs is None:
        return None
    found: dict[str, tuple[Field, bool]] = {}
    for owner in reversed(structs):
        if not _collect(types, decl, owner, configs[owner], found, via):
            return None
    positional = [field for field, keyword_only in found.values() if not keyword_only]
    fields = [*positional, *(field for field, keyword_only in found.values() if keyword_only)]
    config = configs[decl]
    tag = config.tagged(decl)
    problem = _problem(decl, positional, fields, tag)
    if problem is not None:
        _invalid(types, decl, via, problem)
        return None
    span = decl.scope.module.file.span(decl.name_pos)
    if tag is not None:
        fields.insert(0, _tag_field(*tag, span))
    changing = any("__post_init__" in owner.body.bindings for owner in order or ())
    types.classes.models[types.classes.key(decl)] = ModelFacts(False, changing, None)
    if config.flags["eq"] and not config.flags["frozen"] and "__hash__" not in decl.body.bindings:
        types.classes.unhashable.add(types.classes.key(decl))
    kind = ObjectKind.STRUCT_ARRAY if config.flags["array_like"] else ObjectKind.STRUCT
    closed = config.flags["forbid_unknown_fields"]
    module = decl.scope.module.file.module
    return ObjectDefinition(kind, module, decl.qualname, tuple(fields), description(decl), closed, span)


def _invalid(types: TypeReader, decl: ClassDecl, via: tuple[Label, ...], message: str) -> None:
    place = decl.scope.module.file.span(decl.name_pos)
    types.sink.add(rules.INVALID_CLASS.at(place, message, labels=via))


def _tag_field(key: str, value: str | int, span: Span) -> Field:
    """The member that tells the struct from others: in JSON only, written by msgspec itself."""
    return Field(key, key, LiteralOf((Constant(value),)), True, None, None, None, span, init=False)


def _problem(
    decl: ClassDecl, positional: list[Field], fields: list[Field], tag: tuple[str, str | int] | None
) -> str | None:
    """What msgspec refuses of a struct with these fields."""
    wires = [*(field.wire for field in fields), *((tag[0],) if tag is not None else ())]
    twice = next((wire for wire in wires if wires.count(wire) > 1), None)
    if twice is not None:
        return f"two fields of `{decl.name}` have the name `{twice}` in JSON"
    optional = next((index for index, field in enumerate(positional) if not field.required), len(positional))
    late = next((field for field in positional[optional:] if field.required), None)
    if late is not None:
        return f"`{late.name}` of `{decl.name}` has no default, and stands behind a field that has one"
    return None


def _collect(
    types: TypeReader,
    decl: ClassDecl,
    owner: ClassDecl,
    config: StructConfig,
    found: dict[str, tuple[Field, bool]],
    via: tuple[Label, ...],
) -> bool:
    """Add the fields that one class declares, each with whether it is keyword-only; False, reported, if one can't be
    read. A field that is declared again keeps its place."""
    members = known_members(types, owner, annotated_members(owner, types), "field", via)
    sound = members is not None
    for member in members or ():
        assert member.annotation is not None
        if qualifier(types, member.annotation, owner.body) == KnownSymbol("typing.ClassVar"):
            continue
        before = found.get(member.name)
        inherited = None if before is None else before[0].wire
        field = _Reader(types, decl, member, owner, config, inherited, via).field()
        sound = sound and field is not None
        if field is not None:
            found[member.name] = (field, config.keyword_only)
    return sound


class _Reader:
    """Reads one field of a struct."""

    def __init__(
        self,
        types: TypeReader,
        decl: ClassDecl,
        member: Member,
        owner: ClassDecl,
        config: StructConfig,
        inherited: str | None,
        via: tuple[Label, ...],
    ) -> None:
        self.types = types
        self.member = member
        self.owner = owner
        self.scope: Scope = owner.body
        self.config = config
        self.inherited = inherited
        self.subject = field_subject(decl.name, member.name, via)

    def field(self) -> Field | None:
        """The field; None, reported, if it can't be known."""
        assert self.member.annotation is not None
        annotation = self._present(self.member.annotation)
        if annotation is None:
            return None
        kind, metadata = typed(self.types, annotation, self.scope, self.subject, None, annotation.pos)
        call = self._field_call()
        wire = self._wire(call)
        default, pos = self._default(call)
        if kind is None or wire is None or metadata.broken:
            return None
        if metadata.default is not None or metadata.required or metadata.alias is not None:
            message = f"`Field(...)` says nothing to msgspec of {self.subject.text}, beside bounds and texts"
            self.types.report(rules.TYPE_NOT_COVERED, annotation.pos, self.scope, self.subject, message)
            return None
        shown: Default | None = None
        if isinstance(default, Factory) and default.module == "builtins" and default.qualname in _EMPTY:
            shown = Default(_EMPTY[default.qualname])
        elif isinstance(default, (Sequence, Mapping)) and self._is_shared(default):
            self._refuse(pos, f"the default of {self.subject.text} is a collection that all instances would share")
            return None
        elif isinstance(default, Default):
            shown = default
        elif default is not None:
            definitions, sink = self.types.definitions, self.types.sink
            shown = schema_default(default, kind, pos, self.scope, self.subject.text, definitions, sink)
        factory = default if isinstance(default, Factory) else None
        texts = (metadata.description, metadata.title)
        span = self.scope.module.file.span(self.member.pos)
        return Field(self.member.name, wire, kind, default is None, shown, *texts, span, factory)

    def _present(self, annotation: Expr) -> Expr | None:
        """The annotation of a value that is there: without `UnsetType` and `Final`."""
        unquoted = self.types.unquoted(annotation, self.scope, self.subject)
        if isinstance(unquoted, Subscript):
            name = self._known(unquoted.value)
            if name == "typing.Final":
                return self._present(unquoted.index)
            if name == "typing.Optional":
                inner = self._present(unquoted.index)
                return inner and replace(unquoted, index=inner)
            if name == "typing.Annotated" and len(unquoted.arguments) > 1:
                inner = self._present(unquoted.arguments[0])
                pos = unquoted.index.pos
                return inner and replace(unquoted, index=TupleExpr(pos, (inner, *unquoted.arguments[1:])))
            if name == "typing.Union":
                members = self._set_members(unquoted.arguments)
                return members[0] if len(members) == 1 else replace(unquoted, index=TupleExpr(unquoted.pos, members))
        if isinstance(unquoted, Chain) and unquoted.op == "|":
            members = self._set_members(unquoted.items)
            return members[0] if len(members) == 1 else replace(unquoted, items=members)
        return unquoted

    def _set_members(self, members: tuple[Expr, ...]) -> tuple[Expr, ...]:
        return tuple(member for member in members if self._known(member) != _UNSET_TYPE) or members

    def _known(self, expr: Expr) -> str:
        symbol = self.types.resolver.dealias(self.types.resolver.resolve(expr, self.scope))
        return symbol.name if isinstance(symbol, KnownSymbol) else ""

    def _field_call(self) -> Call | None:
        value = self.member.value
        return value if isinstance(value, Call) and self._known(value.func) == "msgspec.field" else None

    def _wire(self, call: Call | None) -> str | None:
        """The name in JSON; None, reported, if it can't be known."""
        expr = call.keyword("name") if call is not None else None
        value = self.types.constants.evaluate(expr, self.scope) if expr is not None else Constant(None)
        if isinstance(value, Constant) and (value.value is None or isinstance(value.value, str)):
            return self.config.wire(self.member.name, self.inherited) if value.value is None else value.value
        assert expr is not None
        self._refuse(expr.pos, f"the name of {self.subject.text} in JSON can't be known from the source")
        return None

    def _default(self, call: Call | None) -> tuple[Value | Factory | NotConstant | Default | None, Pos]:
        """The default, or what makes it, or `Default(None)` for a field that may stay unset; None for no default."""
        expr = self.member.value
        if call is not None:
            factory = call.keyword("default_factory")
            if factory is not None and self._known(factory) not in _ABSENT:
                made = self.types.metadata.factory(factory, self.scope)
                return (made if isinstance(made, Factory) else Factory("", "")), factory.pos
            expr = call.keyword("default")
        if expr is None:
            return None, self.member.pos
        name = self._known(expr)
        if name in _ABSENT:
            return (Default(None) if name == "msgspec.UNSET" else None), expr.pos
        return self.types.constants.evaluate(expr, self.scope), expr.pos

    def _is_shared(self, default: Sequence | Mapping) -> bool:
        """Whether msgspec refuses a default: it copies an empty collection, no other that can change."""
        return bool(default.items) and (isinstance(default, Mapping) or default.kind in ("list", "set"))

    def _refuse(self, pos: Pos, message: str) -> None:
        self.types.report(rules.INVALID_CLASS, pos, self.scope, self.subject, message)
