"""What `Annotated[...]` and `Field(...)` say besides the type: texts, names, defaults."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from ..diagnostics.model import Sink
from ..diagnostics.rules import tools as tool_rules
from ..diagnostics.rules import types as type_rules
from ..ir.bounds import whole_end
from ..ir.recipes import FIELD, Called, Recipe
from ..ir.types import Bounds, Definition
from ..ir.values import Constant, Construction, Factory, Text, Value
from ..source.file import Pos
from ..source.span import Span
from ..syntax.declarations import ClassDecl, FunctionDecl, Scope
from ..syntax.expressions import Attribute, Call, DictDisplay, Expr, Name
from ..syntax.expressions import Constant as ConstantExpr
from .constants import Constants, NotConstant
from .resolver import Resolver
from .said import NUMERIC, FieldDefault, Metadata
from .symbols import ClassSymbol, DynamicSymbol, FunctionSymbol, KnownSymbol, Symbol, Unresolved, ValueSymbol

_LONGEST_INTEGER = 14_000
"""In bits; Python writes no more than 4,300 digits."""
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


def _nothing() -> None:
    """What loads an annotation that stands nowhere it could be loaded from."""


class MetadataReader(Struct):
    """Reads the metadata of one annotation; problems go to `sink`."""

    resolver: Resolver
    constants: Constants
    sink: Sink
    definitions: Mapping[str, Definition]
    lenient: bool = False
    """Whether what a decoder can't make again need not be made: in a model's field, and behind a name."""
    stated: bool = False
    """Whether the schema of the annotation being read is stated."""
    written: Callable[[], Recipe | None] = _nothing
    """What loads the whole annotation being read, as the running program has it; None where nothing does."""
    left: bool = False
    """Whether something in the annotation last read `as_written` can be made by loading all of it, and no other way."""
    _depth: int = 0

    def read(self, items: Iterable[Expr], scope: Scope, *, plain_text: bool) -> Metadata:
        """The metadata behind a type; a plain string is a description if `plain_text`."""
        from .metadata_items import is_stated

        found = Metadata()
        items = tuple(items)
        before, self.stated = self.stated, any(is_stated(self, item, scope) for item in items)
        try:
            for item in items:
                found = found.merged(self._item(item, scope, plain_text))
        finally:
            self.stated = before
        return found

    @contextmanager
    def leniently(self, lenient: bool = True) -> Generator[None]:
        """While annotations are read that something else can make: a model, or a name for them."""
        before, self.lenient, self.written = (self.lenient, self.written), lenient, _nothing
        try:
            yield
        finally:
            self.lenient, self.written = before

    @contextmanager
    def as_written(self, written: Callable[[], Recipe | None]) -> Generator[None]:
        """While an annotation is read that can be loaded as a whole, if it has to be, by what `written` gives."""
        self.written, self.left = written, False
        try:
            yield
        finally:
            self.written = _nothing

    def can_leave(self) -> bool:
        """Whether what a decoder can't make again need not be made here."""
        if not self.lenient and self.written() is None:
            return False
        self.left = self.left or not self.lenient
        return True

    def field_call(self, expr: Expr | None, scope: Scope) -> Call | None:
        """`expr` if it is a call of pydantic's `Field`."""
        if isinstance(expr, Call):
            symbol = self.resolver.dealias(self.resolver.resolve(expr.func, scope))
            if symbol == KnownSymbol("pydantic.Field"):
                return expr
        return None

    def field_default(self, expr: Expr | None, scope: Scope) -> Metadata | None:
        """What a default says that is a call of pydantic's `Field`, or a name for one; None of any other.

        Of one that stands elsewhere, its default is told where it is named.
        """
        call, home = self.field_call(expr, scope), scope
        if call is None and isinstance(expr, (Name, Attribute)):
            symbol = self.resolver.dealias(self.resolver.resolve(expr, scope))
            if isinstance(symbol, ValueSymbol) and symbol.expr is not None:
                call, home = self.field_call(symbol.expr, symbol.scope), symbol.scope
        if call is None or expr is None:
            return None
        said = self.field(call, home)
        if said.default is None or expr is call:
            return said
        return replace(said, default=replace(said.default, named_at=expr.pos))

    def field(self, call: Call, scope: Scope) -> Metadata:
        """What one `Field(...)` says."""
        from .field_keywords import read_field

        return read_field(self, call, scope)

    def mapping(self, expr: Expr, scope: Scope) -> Metadata:
        """What `field(metadata={...})` of a dataclass says: pydantic reads its keys as keywords of `Field`."""
        found = Metadata()
        if not isinstance(expr, DictDisplay):
            return found
        from .field_keywords import is_field_keyword, read_keyword

        for key, value in expr.items:
            if isinstance(key, ConstantExpr) and isinstance(key.value, str) and is_field_keyword(key.value):
                found = found.merged(read_keyword(self, key.value, value, key.pos, scope))
        return found

    def not_covered(self, what: str, pos: Pos, scope: Scope) -> None:
        message = f"{what} is not covered by this version"
        self.sink.add(type_rules.TYPE_NOT_COVERED.at(self.span(scope, pos), message))

    def _item(self, item: Expr, scope: Scope, plain_text: bool) -> Metadata:
        call = self.field_call(item, scope)
        if call is not None:
            return self.field(call, scope)
        from .metadata_items import read_item

        known = read_item(self, item, scope)
        if known is not None:
            return known
        if isinstance(item, ConstantExpr) and item.value is ... and is_pydantic(scope):
            # How pydantic writes, for type checkers, types that it makes otherwise: `EmailStr = Annotated[str, ...]`.
            self.not_covered("this type, which pydantic makes at run time,", item.pos, scope)
            return Metadata(broken=True)
        value = self.constants.evaluate(item, scope)
        if isinstance(value, Constant) and isinstance(value.value, str):
            return Metadata(description=value.value) if plain_text else Metadata()
        if not isinstance(value, (NotConstant, Construction)):
            return Metadata()
        return self._unknown(item, scope)

    def bound(self, name: str, expr: Expr, scope: Scope) -> Metadata:
        """One bound; reported if it is no constant of the kind that its name takes."""
        value = self.constants.evaluate(expr, scope) if name != "pattern" else self._pattern(expr, scope)
        plain = value.value if isinstance(value, Constant) else value
        if plain is None:
            return Metadata()
        if isinstance(value, Text) and name in NUMERIC:
            return Metadata(items=(Called(FIELD, (), ((name, value),)),), needed=True)
        problem = value.why if isinstance(value, NotConstant) else self._unfit(name, plain)
        if problem is None:
            from .recipes import field_of

            bounds = Bounds(**{name: plain})  # type: ignore[arg-type]
            return Metadata(bounds=bounds, items=(field_of(bounds),))
        if isinstance(value, NotConstant) and value.unresolved is not None:
            self.sink.add(value.unresolved.diagnostic)
        else:
            message = f"the bound `{name}` can't be put into a schema"
            self.sink.add(type_rules.INVALID_TYPE_ARGUMENTS.at(self.span(scope, expr.pos), message, label=problem))
        return Metadata(broken=True)

    def _pattern(self, expr: Expr, scope: Scope) -> Value | NotConstant:
        """A pattern: a text, or what `re.compile` is given, which is the pattern of the object that it makes."""
        made, home = expr, scope
        if isinstance(expr, (Name, Attribute)):
            symbol = self.resolver.dealias(self.resolver.resolve(expr, scope))
            if isinstance(symbol, ValueSymbol) and symbol.expr is not None:
                made, home = symbol.expr, symbol.scope
        if isinstance(made, Call) and made.args:
            maker = self.resolver.dealias(self.resolver.resolve(made.func, home))
            if isinstance(maker, FunctionSymbol) and maker.decl.key == "re:compile":
                first, *flags = made.args
                if flags or made.keywords:
                    why = "a schema has no flags: write them into the pattern, as in `(?i)`"
                    return NotConstant(why, expr.pos)
                return self.constants.evaluate(first, home)
        return self.constants.evaluate(expr, scope)

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
        if not _is_of_theirs(symbol) and not (isinstance(symbol, ClassSymbol) and self.speaks_to_pydantic(symbol.decl)):
            return Metadata()
        if self.stated:
            return self.applied(item, scope)
        message = "what this metadata says to pydantic can't be known from the source"
        help = "state the schema beside it: `WithJsonSchema({...})`"
        self.sink.add(type_rules.TYPE_NOT_COVERED.at(self.span(scope, item.pos), message, help=help))
        return Metadata(broken=True)

    def applied(self, item: Expr, scope: Scope, *, own: bool = False) -> Metadata:
        """Metadata that pydantic has to see; reported if a decoder can't make it again, except where it need not."""
        from .recipes import RecipeMaker, Unmakeable

        try:
            return Metadata(items=(RecipeMaker(self.constants).value(item, scope),), needed=True, own=own)
        except Unmakeable as problem:
            if self.can_leave():
                return Metadata(items=(None,), needed=True, own=own)
            message = f"a decoder can't make this metadata again: {problem.why}"
            help = "name the whole annotation at the top of a module, `X = Annotated[...]`, and write `X`"
            self.sink.add(type_rules.TYPE_NOT_COVERED.at(self.span(scope, item.pos), message, help=help))
            return Metadata(broken=True)

    def _returned(self, call: Call, decl: FunctionDecl, scope: Scope) -> Metadata:
        """What a function of the user's gives as metadata; what of it can't be read is told at the call."""
        from .metadata_calls import returned

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
        self.sink.add(type_rules.UNKNOWN_METADATA.at(self.span(scope, item.pos), message, help=help))
        return Metadata()

    def speaks_to_pydantic(self, decl: ClassDecl) -> bool:
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

    def default(self, expr: Expr, scope: Scope) -> Metadata:
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

    def text(self, name: Literal["description", "title", "alias"], expr: Expr, scope: Scope) -> Metadata:
        value = self.constants.evaluate(expr, scope)
        if isinstance(value, Constant) and isinstance(value.value, str):
            texts = {name: value.value}
            return Metadata(texts.get("description"), texts.get("title"), texts.get("alias"))
        if name == "alias":
            from .field_keywords import read_alias

            if (path := read_alias(self, expr, scope)) is not None:
                return path
        if isinstance(value, Constant) and value.value is None:
            return Metadata()
        why = value.why if isinstance(value, NotConstant) else "it is no string"
        if name == "alias":
            message = f"the alias can't be known from the source: {why}"
            self.sink.add(type_rules.TYPE_NOT_COVERED.at(self.span(scope, expr.pos), message))
            return Metadata(broken=True)
        message = f"the {name} can't be known from the source and is left out: {why}"
        self.sink.add(tool_rules.DYNAMIC_DESCRIPTION.at(self.span(scope, expr.pos), message))
        return Metadata()

    @staticmethod
    def span(scope: Scope, pos: Pos) -> Span:
        return scope.module.file.span(pos)
