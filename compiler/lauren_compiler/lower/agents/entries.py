"""What is given to an agent as a tool → the function or class that is the tool, or why it is none."""

from __future__ import annotations

from msgspec import Struct

from ...diagnostics.model import Diagnostic, Label
from ...diagnostics.rules import agents as rules
from ...semantics.classes.kinds import ancestry
from ...semantics.resolver import Resolver
from ...semantics.symbols import (
    ClassSymbol,
    DynamicSymbol,
    FunctionSymbol,
    KnownSymbol,
    ModuleSymbol,
    Symbol,
    Unresolved,
    ValueSymbol,
)
from ...syntax.declarations import ClassDecl, FunctionDecl, Scope
from ...syntax.expressions import (
    Attribute,
    Call,
    Constant,
    DictDisplay,
    Expr,
    FormattedString,
    Lambda,
    ListDisplay,
    Name,
    Opaque,
    SetDisplay,
    Subscript,
    Tuple,
)
from ..arguments import Item
from ..collecting import Collector, State
from ..makers import Makers

_MAX_DEPTH = 20
_NO_TOOLS: dict[type[Expr], str] = {
    ListDisplay: "a list",
    Tuple: "a tuple",
    SetDisplay: "a set",
    DictDisplay: "a dict",
    FormattedString: "a string",
    Lambda: "a lambda",
}
_SEVERAL = (ListDisplay, Tuple, SetDisplay)


class Entry(Struct, frozen=True):
    """A tool's `decl`; or one that is `refused`, with an error; or the `problem` that there is none; or `why` it can't
    be known."""

    decl: FunctionDecl | ClassDecl | None = None
    problem: Diagnostic | None = None
    why: str = ""
    refused: FunctionDecl | ClassDecl | None = None


class Entries:
    """Looks entries up."""

    def __init__(self, resolver: Resolver, makers: Makers, collector: Collector) -> None:
        self._resolver = resolver
        self._makers = makers
        self._collector = collector

    def find(self, item: Item) -> Entry:
        """What an item of a list of tools is."""
        return self._of(item.expr, item.scope, item, 0)

    def _of(self, expr: Expr, scope: Scope, item: Item, depth: int) -> Entry:
        if depth > _MAX_DEPTH:
            return Entry(why="it is nested too deep, or defined by itself")
        if isinstance(expr, (Name, Attribute)):
            return self._named(self._makers.given(expr, scope), item, depth)
        if isinstance(expr, Call):
            return self._called(expr, scope, item, depth)
        if isinstance(expr, Subscript):
            return Entry(why="it is a class in brackets, or an item of something")
        if isinstance(expr, Constant):
            return self._none(item, f"`{expr.value!r}` is no tool")
        if type(expr) in _NO_TOOLS:
            star = "put a `*` before it: its items are the tools" if isinstance(expr, _SEVERAL) else None
            return self._none(item, f"{_NO_TOOLS[type(expr)]} is no tool", star)
        return Entry(why=f"it is {expr.what}" if isinstance(expr, Opaque) else "it is computed")

    def _named(self, symbol: Symbol, item: Item, depth: int) -> Entry:
        if isinstance(symbol, (FunctionSymbol, ClassSymbol)):
            return self._declared(symbol.decl, item)
        if isinstance(symbol, Unresolved):
            return Entry(problem=symbol.diagnostic)
        if isinstance(symbol, DynamicSymbol):
            return Entry(why=f"it is {symbol.why}")
        if isinstance(symbol, ModuleSymbol):
            return self._none(item, f"module `{symbol.name}` is no tool")
        if isinstance(symbol, KnownSymbol):
            return self._none(item, f"`{symbol.name.rpartition('.')[2]}` is no tool")
        if isinstance(symbol, ValueSymbol) and symbol.expr is not None:
            return self._of(symbol.expr, symbol.scope, item, depth + 1)
        return Entry(why="it is a variable that only running code sets")

    def _called(self, call: Call, scope: Scope, item: Item, depth: int) -> Entry:
        """`tool()(function)` is that tool; whatever else a call gives only running code knows."""
        maker = self._makers.find(call.func, scope)
        if maker is not None and not maker.direct and len(call.args) == 1:
            return self._of(call.args[0], scope, item, depth + 1)
        if maker is not None and maker.direct and maker.listed is not None and call.args:
            return self._of(call.args[0], scope, item, depth + 1)
        return Entry(why="it is what a call gives")

    def _declared(self, decl: FunctionDecl | ClassDecl, item: Item) -> Entry:
        state = self._collector.state(decl)
        if state is State.COMPILED:
            return Entry(decl)
        if state is State.REFUSED:
            return Entry(refused=decl)
        if state is State.UNDECIDABLE:
            return Entry(why=f"the tool `{decl.name}` itself is not decidable")
        base = self._tool_base(decl) if isinstance(decl, ClassDecl) else None
        if base is not None:
            message = f"`{decl.name}` is a subclass of a tool and no tool by itself"
            label = Label(base.scope.module.file.span(base.name_pos), "this is the tool")
            return self._none(item, message, "decorate it with `@tool()` too", (label,))
        if state is State.UNCLEAR:
            return Entry(why=f"whether `{decl.name}` is made a tool can't be told")
        label = Label(decl.scope.module.file.span(decl.name_pos), "no `@tool()` here")
        return self._none(item, f"`{decl.name}` is no tool", "decorate it with `@tool()`", (label,))

    def _tool_base(self, decl: ClassDecl) -> ClassDecl | None:
        bases = ancestry(decl, self._resolver).classes[1:]
        return next((base for base in bases if self._collector.state(base) is State.COMPILED), None)

    def _none(self, item: Item, message: str, help: str | None = None, labels: tuple[Label, ...] = ()) -> Entry:
        return Entry(problem=rules.NOT_A_TOOL.at(item.span, message, labels=labels, help=help))
