"""What `Annotated[...]` and `Field(...)` say besides the type: texts, names, defaults."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from ..diagnostics.model import Sink
from ..diagnostics.rules import tools as tool_rules
from ..diagnostics.rules import types as type_rules
from ..ir.bounds import whole_end
from ..ir.types import Bounds
from ..ir.values import Constant, Construction, Factory, Value
from ..source.file import Pos
from ..source.span import Span
from ..syntax.declarations import ClassDecl, FunctionDecl, Scope
from ..syntax.expressions import Call, DictDisplay, Expr
from ..syntax.expressions import Constant as ConstantExpr
from .constants import Constants, NotConstant
from .metadata_calls import returned
from .resolver import Resolver
from .symbols import ClassSymbol, DynamicSymbol, FunctionSymbol, KnownSymbol, Symbol, Unresolved, ValueSymbol


def overlaid(lower: Bounds, upper: Bounds) -> Bounds:
    """The bounds of both; where both say something, the upper counts."""
    return Bounds(**{**dict(lower.given), **dict(upper.given)})  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class FieldDefault:
    """A default inside a `Field(...)`: a value, a factory, or one that only running code would know."""

    value: Value | Factory | NotConstant
    expr: Expr
    is_factory: bool = False


@dataclass(frozen=True, slots=True)
class Metadata:
    """Later entries win over earlier ones. `required` is set by `Field(...)` with an Ellipsis."""

    description: str | None = None
    title: str | None = None
    alias: str | None = None
    default: FieldDefault | None = None
    required: bool = False
    broken: bool = False
    bounds: Bounds = field(default_factory=Bounds)
    reshaped: bool = False
    """Whether what is sent back differs from what was given: another name, or nothing at all."""

    def merged(self, other: Metadata) -> Metadata:
        """This one overlaid with `other`."""
        return Metadata(
            other.description if other.description is not None else self.description,
            other.title if other.title is not None else self.title,
            other.alias if other.alias is not None else self.alias,
            other.default or (None if other.required else self.default),
            other.required or (self.required and other.default is None),
            self.broken or other.broken,
            overlaid(self.bounds, other.bounds),
            self.reshaped or other.reshaped,
        )


_TEXTS: dict[str, Literal["description", "title", "alias"]] = {
    "description": "description",
    "title": "title",
    "alias": "alias",
    "validation_alias": "alias",
}
_CONSTRAINTS = frozenset(
    """
    strict allow_inf_nan max_digits decimal_places examples json_schema_extra deprecated discriminator
    """.split()
)
BOUNDS = frozenset(Bounds.__dataclass_fields__)
_MAKERS: dict[str, tuple[str, ...]] = {
    "annotated_types.Ge": ("ge",),
    "annotated_types.Gt": ("gt",),
    "annotated_types.Le": ("le",),
    "annotated_types.Lt": ("lt",),
    "annotated_types.MultipleOf": ("multiple_of",),
    "annotated_types.MinLen": ("min_length",),
    "annotated_types.MaxLen": ("max_length",),
    "annotated_types.Len": ("min_length", "max_length"),
    "annotated_types.Interval": (),
    "pydantic.StringConstraints": (),
}
"""Metadata of other libraries that is bounds, with the names of its positional parameters."""
_LONGEST_INTEGER = 14_000
"""In bits; Python writes no more than 4,300 digits."""
_WITHOUT_EFFECT = frozenset({"repr", "init", "kw_only", "frozen", "serialization_alias", "exclude", "validate_default"})

_RESHAPING = frozenset({"serialization_alias", "validation_alias", "exclude"})


_MOST_CALLS = 20
"""Functions that call each other, before it is given up."""

_LIBRARIES = ("pydantic", "pydantic_core", "annotated_types", "msgspec")
"""Those whose metadata says what a type takes."""
_HOOKS = frozenset({"__get_pydantic_core_schema__", "__get_pydantic_json_schema__"})


def _is_of_theirs(symbol: Symbol) -> bool:
    module = ""
    if isinstance(symbol, KnownSymbol):
        module = symbol.name
    elif isinstance(symbol, (ClassSymbol, FunctionSymbol)):
        module = symbol.decl.scope.module.file.module
    return module.partition(".")[0] in _LIBRARIES


def is_pydantic(scope: Scope) -> bool:
    """Whether a scope is of pydantic's own source."""
    return scope.module.file.module.partition(".")[0] in ("pydantic", "pydantic_core", "pydantic_extra_types")


@dataclass(slots=True)
class MetadataReader:
    """Reads the metadata of one annotation; problems go to `sink`."""

    resolver: Resolver
    constants: Constants
    sink: Sink
    texts: bool = field(default=True)
    _depth: int = 0

    def read(self, items: Iterable[Expr], scope: Scope, *, plain_text: bool) -> Metadata:
        """The metadata behind a type; a plain string is a description if `plain_text`."""
        found = Metadata()
        for item in items:
            found = found.merged(self._item(item, scope, plain_text))
        return found

    def field_call(self, expr: Expr | None, scope: Scope) -> Call | None:
        """`expr` if it is a call of pydantic's `Field`."""
        if isinstance(expr, Call):
            symbol = self.resolver.dealias(self.resolver.resolve(expr.func, scope))
            if symbol == KnownSymbol("pydantic.Field"):
                return expr
        return None

    def field(self, call: Call, scope: Scope) -> Metadata:
        """What one `Field(...)` says."""
        found = Metadata()
        if call.args:
            found = self._default(call.args[0], scope)
        # `validation_alias` wins over `alias`, wherever they stand.
        for word in sorted(call.keywords, key=lambda word: word.name == "validation_alias"):
            name = word.name
            if name in _RESHAPING:
                found = replace(found, reshaped=True)
            if name == "default":
                found = found.merged(self._default(word.value, scope))
            elif name == "default_factory":
                found = found.merged(Metadata(default=FieldDefault(self.factory(word.value, scope), word.value, True)))
            elif name in _TEXTS:
                found = found.merged(self._text(_TEXTS[name], word.value, scope))
            elif name in BOUNDS:
                found = found.merged(self._bound(name, word.value, scope))
            elif name not in _WITHOUT_EFFECT:
                self._not_covered(f"`{name}=` of `Field(...)`" if name else "`**` in `Field(...)`", word.pos, scope)
                found = replace(found, broken=True)
        return found

    def mapping(self, expr: Expr, scope: Scope) -> Metadata:
        """What `field(metadata={...})` of a dataclass says: pydantic reads its keys as keywords of `Field`."""
        found = Metadata()
        if not isinstance(expr, DictDisplay):
            return found
        for key, value in expr.items:
            if isinstance(key, ConstantExpr) and key.value in _TEXTS:
                found = found.merged(self._text(_TEXTS[key.value], value, scope))
            elif isinstance(key, ConstantExpr) and key.value in BOUNDS:
                found = found.merged(self._bound(key.value, value, scope))
            elif isinstance(key, ConstantExpr) and key.value in _CONSTRAINTS:
                self._not_covered(f"`{key.value}` in the metadata of this field", key.pos, scope)
                found = replace(found, broken=True)
        return found

    def _not_covered(self, what: str, pos: Pos, scope: Scope) -> None:
        message = f"{what} is not covered by this version"
        self.sink.add(type_rules.TYPE_NOT_COVERED.at(self._span(scope, pos), message))

    def _item(self, item: Expr, scope: Scope, plain_text: bool) -> Metadata:
        call = self.field_call(item, scope)
        if call is not None:
            return self.field(call, scope)
        if isinstance(item, Call):
            symbol = self.resolver.dealias(self.resolver.resolve(item.func, scope))
            if symbol == KnownSymbol("typing.Doc") and len(item.args) == 1:
                return self._text("description", item.args[0], scope)
            if isinstance(symbol, KnownSymbol) and symbol.name in _MAKERS:
                return self._made(item, _MAKERS[symbol.name], scope)
        if isinstance(item, ConstantExpr) and item.value is ... and is_pydantic(scope):
            # How pydantic writes, for type checkers, types that it makes otherwise: `EmailStr = Annotated[str, ...]`.
            self._not_covered("this type, which pydantic makes at run time,", item.pos, scope)
            return Metadata(broken=True)
        value = self.constants.evaluate(item, scope)
        if isinstance(value, Constant) and isinstance(value.value, str):
            return Metadata(description=value.value) if plain_text else Metadata()
        if not isinstance(value, (NotConstant, Construction)):
            return Metadata()
        return self._unknown(item, scope)

    def _made(self, call: Call, names: tuple[str, ...], scope: Scope) -> Metadata:
        """What annotated_types' classes and `StringConstraints` say; `names` are their parameters, in order."""
        found = Metadata()
        given = [*zip(names, call.args, strict=False), *((word.name, word.value) for word in call.keywords)]
        for name, value in given:
            if name in BOUNDS:
                made = self._bound(name, value, scope)
                # `Len(0, 3)` stands for `MaxLen(3)` alone.
                found = found.merged(
                    Metadata() if len(names) > 1 and made.bounds.given == (("min_length", 0),) else made
                )
            else:
                self._not_covered(f"`{name}=` here" if name else "`**` here", value.pos, scope)
                found = replace(found, broken=True)
        return found

    def _bound(self, name: str, expr: Expr, scope: Scope) -> Metadata:
        """One bound; reported if it is no constant of the kind that its name takes."""
        value = self.constants.evaluate(expr, scope)
        plain = value.value if isinstance(value, Constant) else value
        if plain is None:
            return Metadata()
        problem = value.why if isinstance(value, NotConstant) else self._unfit(name, plain)
        if problem is None:
            return Metadata(bounds=Bounds(**{name: plain}))  # type: ignore[arg-type]
        if isinstance(value, NotConstant) and value.unresolved is not None:
            self.sink.add(value.unresolved.diagnostic)
        else:
            message = f"the bound `{name}` can't be put into a schema"
            self.sink.add(type_rules.INVALID_TYPE_ARGUMENTS.at(self._span(scope, expr.pos), message, label=problem))
        return Metadata(broken=True)

    @staticmethod
    def _unfit(name: str, value: object) -> str | None:
        """What is wrong with the value of a bound."""
        if name == "pattern":
            if not isinstance(value, str):
                return "a pattern is a string"
            try:
                re.compile(whole_end(value))
            except (re.error, RecursionError, OverflowError) as error:
                return f"Python can't compile it: {error}"
            return None
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return "a bound is a number"
        if isinstance(value, int) and value.bit_length() > _LONGEST_INTEGER:
            return "an integer of more than 4,200 digits is no bound"
        if isinstance(value, float) and not math.isfinite(value):
            return "a bound is a finite number"
        if name in ("min_length", "max_length") and (not isinstance(value, int) or value < 0):
            return "a length is a whole number, zero or more"
        return "a multiple is of more than zero" if name == "multiple_of" and value <= 0 else None

    def _unknown(self, item: Expr, scope: Scope) -> Metadata:
        """Metadata of other making says nothing about JSON, unless it is derived from that of pydantic's family."""
        target = item.func if isinstance(item, Call) else item
        symbol = self.resolver.dealias(self.resolver.resolve(target, scope))
        if isinstance(symbol, ValueSymbol) and isinstance(symbol.expr, Call) and not isinstance(item, Call):
            return self._item(symbol.expr, symbol.scope, plain_text=False)
        if isinstance(item, Call) and isinstance(symbol, FunctionSymbol) and not _is_of_theirs(symbol):
            return self._returned(item, symbol.decl, scope)
        if isinstance(symbol, DynamicSymbol) or (isinstance(item, Call) and isinstance(symbol, ValueSymbol)):
            return self._undecided(item, scope)
        if isinstance(symbol, Unresolved):
            # Nothing says that it is no bound; and at run time it would be missing.
            self.sink.add(symbol.diagnostic)
            return Metadata(broken=True)
        if _is_of_theirs(symbol) or (isinstance(symbol, ClassSymbol) and self._speaks_to_them(symbol.decl)):
            self._not_covered("this metadata, which may constrain the type,", item.pos, scope)
            return Metadata(broken=True)
        return Metadata()

    def _returned(self, call: Call, decl: FunctionDecl, scope: Scope) -> Metadata:
        """What a function of the user's gives as metadata; what of it can't be read is told at the call."""
        made = returned(call, decl, scope, self.constants)
        if made is None or self._depth > _MOST_CALLS:
            return self._undecided(call, scope)
        outer, self.sink = self.sink, Sink()
        self._depth += 1
        try:
            found = self._item(made.expr, made.scope, plain_text=False)
            unread = found.broken or bool(tuple(self.sink))
        finally:
            self.sink = outer
            self._depth -= 1
        return self._undecided(call, scope) if unread else found

    def _undecided(self, item: Expr, scope: Scope) -> Metadata:
        message = "what this metadata says of the type can't be known: bounds and texts in it are not in the schema"
        help = "write `Field(...)` or a class of annotated_types here, or in a function that does nothing but return it"
        self.sink.add(type_rules.UNKNOWN_METADATA.at(self._span(scope, item.pos), message, help=help))
        return Metadata()

    def _speaks_to_them(self, decl: ClassDecl) -> bool:
        """Whether a class is derived from one of theirs, or has a hook that pydantic asks."""
        pending, seen = [decl], {decl}
        while pending:
            owner = pending.pop()
            if not _HOOKS.isdisjoint(owner.body.bindings):
                return True
            for base in owner.bases:
                symbol = self.resolver.base_symbol(base.expr, owner)
                if _is_of_theirs(symbol):
                    return True
                if isinstance(symbol, ClassSymbol) and symbol.decl not in seen:
                    seen.add(symbol.decl)
                    pending.append(symbol.decl)
        return False

    def _default(self, expr: Expr, scope: Scope) -> Metadata:
        if isinstance(expr, ConstantExpr) and expr.value is ...:
            return Metadata(required=True)
        return Metadata(default=FieldDefault(self.constants.evaluate(expr, scope), expr))

    def factory(self, expr: Expr, scope: Scope) -> Factory | NotConstant:
        """What `default_factory=` names, if a decoder can call it."""
        symbol = self.resolver.dealias(self.resolver.resolve(expr, scope))
        if isinstance(symbol, KnownSymbol) and symbol.name.startswith("builtins."):
            return Factory("builtins", symbol.name.removeprefix("builtins."))
        if isinstance(symbol, (FunctionSymbol, ClassSymbol)) and "<locals>" not in symbol.decl.qualname:
            decl: FunctionDecl | object = symbol.decl
            if isinstance(decl, FunctionDecl) and (decl.is_async or decl.scope.kind == "class"):
                return NotConstant("it is no plain function", expr.pos)
            return Factory(symbol.decl.scope.module.file.module, symbol.decl.qualname)
        return NotConstant("only a named function or class can be called again by a decoder", expr.pos)

    def _text(self, name: Literal["description", "title", "alias"], expr: Expr, scope: Scope) -> Metadata:
        value = self.constants.evaluate(expr, scope)
        if isinstance(value, Constant) and isinstance(value.value, str):
            texts = {name: value.value}
            return Metadata(texts.get("description"), texts.get("title"), texts.get("alias"))
        if isinstance(value, Constant) and value.value is None:
            return Metadata()
        why = value.why if isinstance(value, NotConstant) else "it is no string"
        if name == "alias":
            message = f"the alias can't be known from the source: {why}"
            self.sink.add(type_rules.TYPE_NOT_COVERED.at(self._span(scope, expr.pos), message))
            return Metadata(broken=True)
        message = f"the {name} can't be known from the source and is left out: {why}"
        self.sink.add(tool_rules.DYNAMIC_DESCRIPTION.at(self._span(scope, expr.pos), message))
        return Metadata()

    @staticmethod
    def _span(scope: Scope, pos: Pos) -> Span:
        return scope.module.file.span(pos)
