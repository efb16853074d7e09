"""One annotation → the schema that lauren-ai makes of it.

It goes by the object that the annotation is when the tool is made: classes it knows by identity, forms of `typing` by
their origin; a class with annotations of its own is written out; everything else is a string.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from ...ir.divergences import (
    ANNOTATED,
    BYTES,
    CONTAINER,
    CONTEXT,
    DEPTH,
    ENUM,
    KEYS,
    LITERAL,
    NAMED,
    NULL,
    OBJECT,
    OPTIONAL,
    OTHER_FIELDS,
    TUPLE,
    UNEVALUATED,
    VALUE_TYPE,
    Divergence,
)
from ...ir.divergences import MODEL as MODEL_ROW
from ...ir.peers import LOST, MODEL, Finding
from ...ir.types import EnumDefinition, LiteralOf, ObjectDefinition, ObjectKind, Reference, Type
from ...ir.values import Constant as ConstantValue
from ...ir.values import EnumMember
from ...semantics import type_table as table
from ...semantics.attempts import attempt
from ...semantics.subject import Subject
from ...semantics.symbols import AliasSymbol, ClassSymbol, KnownSymbol, Symbol, TypeVariable, ValueSymbol
from ...semantics.types import TypeReader
from ...semantics.variables import variable_of, variables_in
from ...syntax import expressions as ex
from ...syntax.declarations import Scope
from .evaluation import Evaluation

Schema: TypeAlias = dict[str, Any]
Place: TypeAlias = tuple[ex.Expr, Scope]
_DEEPEST = 10
_STEPS = 100
_SCALARS: dict[str, Schema] = {
    "builtins.str": {"type": "string"},
    "typing.Text": {"type": "string"},
    "typing.LiteralString": {"type": "string"},
    "builtins.int": {"type": "integer"},
    "builtins.float": {"type": "number"},
    "builtins.bool": {"type": "boolean"},
    "typing.Any": {},
}
_LISTS = ("builtins.list", "typing.List")
_DICTS = ("builtins.dict", "typing.Dict")
_TUPLES = ("builtins.tuple", "typing.Tuple")
_QUALIFIERS = (
    *("typing.ClassVar", "typing.Final", "typing.Required", "typing.NotRequired", "typing.ReadOnly"),
    "dataclasses.InitVar",
)
_UNIONS = ("typing.Union", "typing.Optional")


def _place_of(expr: ex.Expr, scope: Scope) -> tuple[object, ...]:
    return scope.module.file.path, expr.pos


def string() -> Schema:
    """What lauren-ai makes of what it does not know."""
    return {"type": "string"}


class AnnotationReader:
    """Reads the annotations of one function. `findings` are the rows that applied, `words` what its text shows.

    Text is evaluated unless a row says why not: `blame` is that row.
    """

    def __init__(self, types: TypeReader, evaluation: Evaluation) -> None:
        self.types = types
        self.evaluation = evaluation
        self.findings: list[Finding] = []
        self.words: list[str] = []
        self._bound: dict[int, dict[TypeVariable, Place]] = {}
        """By id, the scopes that values of generic aliases are read in: what their variables stand for there."""
        self._inside: list[Scope] = []
        self._open: set[object] = set()
        """Where that stands of which the identity is being found out."""

    def note(self, row: Divergence, expr: ex.Expr, scope: Scope) -> None:
        """A row applies here."""
        self.findings.append(Finding(row, scope.module.file.span(expr.pos)))

    def is_optional(self, expr: ex.Expr, scope: Scope, blame: Divergence | None) -> bool:
        """Whether it is a union with None."""
        members = list(self._members(expr, scope, blame))
        return len(members) > 1 and any(_is_none(each) for each, _ in members)

    def schema(self, expr: ex.Expr, scope: Scope, blame: Divergence | None, depth: int = 0) -> Schema:
        """The schema of an annotation."""
        if depth > _DEEPEST:
            self.note(DEPTH, expr, scope)
            return string()
        expr, scope = self._followed(expr, scope, blame)
        members = list(self._members(expr, scope, blame))
        if len(members) > 1:
            return self._union(members, expr, scope, blame, depth)
        expr, scope = members[0] if members else (expr, scope)
        if isinstance(expr, ex.Constant):
            return self._constant(expr, scope, blame)
        if isinstance(expr, ex.Subscript):
            return self._subscript(expr, scope, blame, depth)
        return self._symbol(self._meaning(expr, scope), expr, scope, depth)

    def _constant(self, expr: ex.Constant, scope: Scope, blame: Divergence | None) -> Schema:
        """None, or a text that is not evaluated."""
        if isinstance(expr.value, str):
            self.words.append(expr.value)
            self.note(blame or UNEVALUATED, expr, scope)
        else:
            self.note(NULL, expr, scope)
        return string()

    def _union(self, members: list[Place], expr: ex.Expr, scope: Scope, blame: Divergence | None, depth: int) -> Schema:
        others = [each for each in members if not _is_none(each[0])]
        if len(others) < len(members):
            self.note(OPTIONAL, expr, scope)
            depth += 1
        if len(others) == 1:
            return self.schema(*others[0], blame, depth)
        return {"anyOf": [self.schema(*each, blame, depth + 1) for each in others]}

    def _members(self, expr: ex.Expr, scope: Scope, blame: Divergence | None) -> Iterator[Place]:
        """The members of a union, each once; what is no union is its only member."""
        seen: set[object] = set()
        for each in self._flat(expr, scope, blame, 0):
            identity = self._identity(*each, blame)
            if identity not in seen:
                seen.add(identity)
                yield each

    def _identity(self, expr: ex.Expr, scope: Scope, blame: Divergence | None) -> object:
        """What makes two members of a union one to Python: the object, and what is in its brackets.

        Of an alias that names itself there, Python leaves the text as it stands.
        """
        expr, scope = self._followed(expr, scope, blame)
        if isinstance(expr, ex.Constant):
            return type(expr.value).__name__, expr.value
        if isinstance(expr, ex.Subscript) and self._known(expr.value, scope) == "typing.Literal":
            return self.kind(expr, scope)
        if isinstance(expr, (ex.Subscript, ex.Chain)):
            return self._of_parts(expr, scope, blame)
        symbol = self._meaning(expr, scope)
        return getattr(symbol, "decl", None) or (symbol if isinstance(symbol, KnownSymbol) else _name_of(symbol))

    def _of_parts(self, expr: ex.Subscript | ex.Chain, scope: Scope, blame: Divergence | None) -> object:
        """The identity of what has others inside, which may lead back to it."""
        given = frozenset((each, *_place_of(*value)) for each, value in self._visible(scope).items())
        place = (*_place_of(expr, scope), given)
        if place in self._open:
            return place
        self._open.add(place)
        parts = (expr.value, *expr.arguments) if isinstance(expr, ex.Subscript) else expr.items
        found = tuple(self._identity(each, scope, blame) for each in parts)
        self._open.remove(place)
        return found

    def _flat(self, expr: ex.Expr, scope: Scope, blame: Divergence | None, steps: int) -> Iterator[Place]:
        expr, scope = self._followed(expr, scope, blame)
        items: tuple[ex.Expr, ...] | None = None
        if isinstance(expr, ex.Chain) and expr.op == "|":
            items = expr.items
        elif isinstance(expr, ex.Subscript) and self._known(expr.value, scope) in _UNIONS:
            items = expr.arguments
        if items is None or steps > _STEPS:
            yield expr, scope
            return
        for item in items:
            yield from self._flat(item, scope, blame, steps + 1)
        if isinstance(expr, ex.Subscript) and self._known(expr.value, scope) == "typing.Optional":
            yield ex.Constant(expr.pos, None), scope

    def _followed(self, expr: ex.Expr, scope: Scope, blame: Divergence | None) -> Place:
        """Through texts that are evaluated, `Annotated` that is stripped then, and other names for a type."""
        for _ in range(_STEPS):
            step = self._step(expr, scope, blame)
            if step is None:
                break
            expr, scope = step
        return expr, scope

    def _step(self, expr: ex.Expr, scope: Scope, blame: Divergence | None) -> Place | None:
        if isinstance(expr, ex.Constant):
            inner = self.evaluation.text(expr, scope) if blame is None else None
            return None if inner is None else (inner, scope)
        if isinstance(expr, ex.Subscript):
            if self._known(expr.value, scope) == "typing.Annotated" and blame is None:
                self.note(ANNOTATED, expr, scope)
                return expr.arguments[0], scope
            symbol = self._meaning(expr.value, scope)
            return self._alias(symbol, expr, scope) if isinstance(symbol, ValueSymbol) else None
        symbol = self._meaning(expr, scope)
        if isinstance(symbol, ValueSymbol) and isinstance(symbol.expr, (ex.Subscript, ex.Chain, ex.Constant)):
            return symbol.expr, symbol.scope
        variable = symbol if isinstance(symbol, TypeVariable) else variable_of(symbol, self.types.resolver)
        return None if variable is None else self._visible(scope).get(variable)

    def _alias(self, symbol: ValueSymbol, expr: ex.Subscript, scope: Scope) -> Place | None:
        """`X[int]` of an alias: its value, with the variables standing for what is in the brackets."""
        if not isinstance(symbol.expr, (ex.Subscript, ex.Chain)):
            return None
        variables = variables_in(symbol.expr, symbol.scope, self.types.resolver)
        if not variables:
            return symbol.expr, symbol.scope
        home = symbol.scope
        inside = Scope(home.kind, home.qualname, home, home.module) if home.kind == "module" else home
        self._inside.append(inside)  # so that its id stays its own
        given = ((each, scope) for each in expr.arguments)
        self._bound[id(inside)] = {**self._bound.get(id(inside), {}), **dict(zip(variables, given, strict=False))}
        return symbol.expr, inside

    def _visible(self, scope: Scope) -> dict[TypeVariable, Place]:
        """What variables stand for where a scope is read."""
        step: Scope | None = scope
        while step is not None and id(step) not in self._bound:
            step = step.parent
        return {} if step is None else self._bound[id(step)]

    def _meaning(self, expr: ex.Expr, scope: Scope) -> Symbol:
        return self.types.resolver.dealias(self.types.resolver.resolve(expr, scope))

    def _known(self, expr: ex.Expr, scope: Scope) -> str:
        symbol = self._meaning(expr, scope)
        return symbol.name if isinstance(symbol, KnownSymbol) else ""

    def kind(self, expr: ex.Expr, scope: Scope) -> Type | None:
        """What the compiler reads it as."""
        with attempt(self.types) as made:
            found = self.types.argument(expr, scope, Subject("a parameter"))
            made.succeeded = found is not None
        return found

    def _subscript(self, expr: ex.Subscript, scope: Scope, blame: Divergence | None, depth: int) -> Schema:
        name = self._known(expr.value, scope)
        arguments = expr.arguments
        if name in _LISTS:
            return {"type": "array", "items": self.schema(arguments[0], scope, blame, depth + 1)}
        if name in _DICTS and len(arguments) == 2:
            if self.kind(arguments[0], scope) not in (table.STRING, table.ANYTHING):
                self.note(KEYS, arguments[0], scope)
            return {"type": "object", "additionalProperties": self.schema(arguments[1], scope, blame, depth + 1)}
        if name in _TUPLES:
            return self._tuple(expr, scope, blame, depth)
        if name == "typing.Literal":
            return self._literal(expr, scope)
        if name == "typing.Annotated":
            self.note(ANNOTATED, expr, scope)
            return string()
        symbol = self._meaning(expr.value, scope)
        if isinstance(symbol, ClassSymbol):
            kind = self.kind(expr, scope)
            if isinstance(kind, Reference) and self._is_model(kind):
                self.note(MODEL_ROW, expr, scope)
                return {MODEL: kind.key}
        self.words.append(_name_of(symbol))
        if name in _QUALIFIERS:
            self.note(OTHER_FIELDS, expr, scope)
            return string()
        row = CONTAINER if name and name not in ("os.PathLike", "re.Pattern") else VALUE_TYPE if name else NAMED
        self.note(row, expr, scope)
        return string()

    def _tuple(self, expr: ex.Subscript, scope: Scope, blame: Divergence | None, depth: int) -> Schema:
        items = expr.arguments
        if len(items) == 2 and isinstance(items[1], ex.Constant) and items[1].value is ...:
            return {"type": "array", "items": self.schema(items[0], scope, blame, depth + 1)}
        self.note(TUPLE, expr, scope)
        if not items:
            return {"type": "array"}
        return {"type": "array", "prefixItems": [self.schema(each, scope, blame, depth + 1) for each in items]}

    def _literal(self, expr: ex.Subscript, scope: Scope) -> Schema:
        kind = self.kind(expr, scope)
        values = kind.values if isinstance(kind, LiteralOf) else ()
        given = [shown(each, self.types) for each in values]
        plain = [is_plain_member(each, self.types) for each in values]
        self.words += [each for each in given if isinstance(each, str)]
        if any(plain) or any(isinstance(each, bool) for each in given):
            self.note(LITERAL, expr, scope)
        if not any(plain) and all(isinstance(each, str) for each in given):
            return {"type": "string", "enum": given}
        if not any(plain) and all(isinstance(each, int) for each in given):
            return {"type": "integer", "enum": given}
        return {"enum": given}

    def _symbol(self, symbol: Symbol, expr: ex.Expr, scope: Scope, depth: int) -> Schema:
        if isinstance(symbol, KnownSymbol):
            return self._known_name(symbol.name, expr, scope)
        self.words.append(_name_of(symbol))
        if isinstance(symbol, (ClassSymbol, ValueSymbol)):
            kind = self.kind(expr, scope)
            definition = self.types.definitions.get(kind.key) if isinstance(kind, Reference) else None
            if isinstance(definition, EnumDefinition):
                self.note(ENUM, expr, scope)
                return _empty()
            if isinstance(kind, Reference) and isinstance(definition, ObjectDefinition):
                if self._is_model(kind):
                    self.note(MODEL_ROW, expr, scope)
                    return {MODEL: kind.key}
                from .fields import object_schema

                return object_schema(self, symbol, definition, expr, scope, depth)
        self.note(NAMED, expr, scope)
        return string()

    def _is_model(self, kind: Reference) -> bool:
        found = self.types.definitions.get(kind.key)
        return isinstance(found, ObjectDefinition) and found.kind in (ObjectKind.MODEL, ObjectKind.ROOT_MODEL)

    def _known_name(self, name: str, expr: ex.Expr, scope: Scope) -> Schema:
        self.words.append(name)
        if name in _SCALARS:
            return dict(_SCALARS[name])
        if name in _LISTS or name == "typing.Tuple":
            return {"type": "array"}
        if name in _DICTS:
            return {"type": "object"}
        if name == "builtins.bytes":
            self.note(BYTES, expr, scope)
            return {"type": "string", "contentEncoding": "base64"}
        if name == "builtins.object":
            self.note(OBJECT, expr, scope)
            return string()
        if name.startswith("lauren."):
            self.note(CONTEXT, expr, scope)
            return {LOST: True}
        if name == "types.NoneType":
            self.note(NULL, expr, scope)
            return string()
        containers = (*table.LISTS, *table.SETS, *table.FROZEN_SETS, *table.TUPLES, *table.DICTS)
        built = (*table.DEQUES, *table.ORDERED_DICTS, *table.COUNTERS, *table.DEFAULT_DICTS)
        row = CONTAINER if name in containers or name in built else NAMED if name == "typing.AnyStr" else VALUE_TYPE
        self.note(row, expr, scope)
        return {LOST: True}


def _is_none(expr: ex.Expr) -> bool:
    return isinstance(expr, ex.Constant) and expr.value is None


def _empty() -> Schema:
    return {"type": "object", "properties": {}, "required": []}


def _name_of(symbol: Symbol) -> str:
    """What the text of an object shows of what it is called."""
    if isinstance(symbol, ClassSymbol):
        return symbol.decl.key
    if isinstance(symbol, AliasSymbol):
        return symbol.decl.name
    return str(getattr(symbol, "name", ""))


def is_plain_member(value: object, types: TypeReader) -> bool:
    """Whether a member of an enum is no string or number by itself."""
    return isinstance(value, EnumMember) and value.enum in types.classes.plain_enums


def shown(value: object, types: TypeReader) -> Any:
    """A constant as it comes into JSON; of a member that is no string or number by itself, its text."""
    if isinstance(value, EnumMember):
        if is_plain_member(value, types):
            return f"{value.enum.rpartition(':')[2].rpartition('.')[2]}.{value.name}"
        return value.value.value
    return value.value if isinstance(value, ConstantValue) else None
