"""Which expressions may give `tool` as the program runs, in a way that can't be followed: such a tool is reported.

@(tool if FAST else other)()            one of several
@DECORATORS["tool"]()                   out of a container
@kit.confirmed                          an attribute of an object
@import_module("lauren_ai").tool()      a module that is imported by a call
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..semantics.instances import Instances
from ..semantics.known import TOOL_SYSTEM_MODULES
from ..semantics.resolver import Resolver
from ..semantics.symbols import DynamicSymbol, FunctionSymbol, KnownSymbol, ModuleSymbol, Symbol, ValueSymbol
from ..syntax.declarations import Binding, Definition, Scope, SymbolImport
from ..syntax.expressions import (
    Attribute,
    Call,
    Chain,
    Conditional,
    Constant,
    DictDisplay,
    Expr,
    ListDisplay,
    Name,
    SetDisplay,
    Subscript,
    Tuple,
)

_MOST = 50
"""So many expressions are looked at for one decorator: more can't be told from code that never ends."""
_TAKERS = frozenset({"get", "pop", "setdefault", "__getitem__"})
_IMPORT = KnownSymbol("builtins.__import__")
_GETATTR, _VARS = KnownSymbol("builtins.getattr"), KnownSymbol("builtins.vars")
_MODULES = KnownSymbol("sys.modules")


class ComputedMakers:
    """Tells whether `tool`, or what it makes, may be the value of an expression.

    `is_factory` says whether a symbol is `tool` or a configured decorator, `is_maker` whether a call makes a decorator.
    """

    def __init__(
        self,
        resolver: Resolver,
        instances: Instances,
        is_factory: Callable[[Symbol], bool],
        is_maker: Callable[[Expr, Scope], bool],
    ) -> None:
        self._resolver = resolver
        self._instances = instances
        self._is_factory = is_factory
        self._is_maker = is_maker

    def may_be(self, expr: Expr, scope: Scope) -> bool:
        """Whether a decorator, or what is called for it, may be `tool`."""
        seen: set[int] = set()
        if isinstance(expr, Call) and self._gives(expr.func, scope, seen):
            return True
        return self._gives(expr, scope, seen)

    def _gives(self, expr: Expr, scope: Scope, seen: set[int]) -> bool:
        if id(expr) in seen or len(seen) >= _MOST:
            return False
        seen.add(id(expr))
        match expr:
            case Name() | Attribute():
                return self._named(expr, scope, seen)
            case Conditional(body=body, orelse=orelse):
                return self._gives(body, scope, seen) or self._gives(orelse, scope, seen)
            case Chain(op="and" | "or", items=items):
                return any(self._gives(item, scope, seen) for item in items)
            case Subscript(value=value, index=index):
                return self._held(value, index, scope, seen)
            case Call():
                return self._called(expr, scope, seen)
            case _:
                return False

    def _named(self, expr: Name | Attribute, scope: Scope, seen: set[int]) -> bool:
        symbol = self._resolver.dealias(self._resolver.resolve(expr, scope))
        if isinstance(expr, Attribute) and isinstance(symbol, DynamicSymbol) and not symbol.options:
            if expr.attr == "tool" and self._is_tool_system(expr.value, scope):
                return True
            owner = self._instances.class_of(expr.value, scope) if self._is_of_ours(expr.value, scope) else None
            if owner is None:
                return False
            symbol = self._resolver.class_member(owner, expr.attr, scope.module.file.span(expr.attr_pos))
        return self._means(symbol, seen)

    def _means(self, symbol: Symbol, seen: set[int]) -> bool:
        if self._is_factory(symbol):
            return True
        if isinstance(symbol, DynamicSymbol):
            return any(self._means(option, seen) for option in symbol.options)
        if not isinstance(symbol, ValueSymbol) or symbol.expr is None:
            return False
        return self._gives(symbol.expr, symbol.scope, seen)

    def _is_of_ours(self, value: Expr, scope: Scope) -> bool:
        """Whether a value is an object of a class of the sources, as far as can be told without reading libraries."""
        if not isinstance(value, (Name, Attribute)):
            return False
        symbol = self._resolver.dealias(self._resolver.resolve(value, scope))
        if not isinstance(symbol, ValueSymbol) or not isinstance(symbol.expr, Call):
            return False
        func = symbol.expr.func
        bindings = symbol.scope.module.scope.bindings.get(func.id, ()) if isinstance(func, Name) else ()
        return bool(bindings) and all(self._is_own(binding) for binding in bindings)

    def _is_own(self, binding: Binding) -> bool:
        if isinstance(binding, SymbolImport):
            return binding.level > 0 or self._resolver.program.source(binding.module) is not None
        return isinstance(binding, Definition)

    def _called(self, call: Call, scope: Scope, seen: set[int]) -> bool:
        """Whether what a call gives may be `tool`: taken out of something, or returned by a function."""
        if self._is_maker(call, scope):
            return True
        if not isinstance(call.func, (Name, Attribute)):
            return False
        if isinstance(call.func, Attribute) and call.func.attr in _TAKERS and call.args:
            return self._held(call.func.value, call.args[0], scope, seen)
        symbol = self._resolver.dealias(self._resolver.resolve(call.func, scope))
        if symbol == _GETATTR and len(call.args) > 1:
            return _may_be_tool(call.args[1]) and self._is_tool_system(call.args[0], scope)
        if isinstance(symbol, FunctionSymbol) and self._resolver.program.is_source(symbol.decl.scope.module):
            # A call of `tool` in the function is told where it stands.
            plain = [each.expr for each in symbol.decl.returned if not isinstance(each.expr, Call)]
            return any(self._gives(each, symbol.decl.body, seen) for each in plain)
        return False

    def _held(self, value: Expr, index: Expr, scope: Scope, seen: set[int]) -> bool:
        """Whether `value[index]` may be `tool`. A call that makes a decorator inside a display is told there."""
        if self._is_namespace(value, scope):
            return _may_be_tool(index)
        if isinstance(value, (Name, Attribute)):
            symbol = self._resolver.dealias(self._resolver.resolve(value, scope))
            if not isinstance(symbol, ValueSymbol) or symbol.expr is None:
                return False
            value, scope = symbol.expr, symbol.scope
        items = [item for item in _items(value, index) if not isinstance(item, Call)]
        return any(self._gives(item, scope, seen) for item in items)

    def _is_namespace(self, expr: Expr, scope: Scope) -> bool:
        """Whether this is `vars(module)` or `module.__dict__` of the tool system."""
        if isinstance(expr, Attribute) and expr.attr == "__dict__":
            return self._is_tool_system(expr.value, scope)
        if not isinstance(expr, Call) or len(expr.args) != 1 or not isinstance(expr.func, Name):
            return False
        return self._resolver.resolve(expr.func, scope) == _VARS and self._is_tool_system(expr.args[0], scope)

    def _is_tool_system(self, expr: Expr, scope: Scope) -> bool:
        """Whether an expression is a module of the tool system, imported by a statement or a call."""
        if isinstance(expr, (Name, Attribute)):
            symbol = self._resolver.dealias(self._resolver.resolve(expr, scope))
            if isinstance(symbol, ModuleSymbol):
                return symbol.name in TOOL_SYSTEM_MODULES
            if not isinstance(symbol, ValueSymbol) or symbol.expr is None:
                return False
            expr, scope = symbol.expr, symbol.scope
        if isinstance(expr, Call) and isinstance(expr.func, (Name, Attribute)) and expr.args:
            if not _is_one_of(expr.args[0], TOOL_SYSTEM_MODULES):
                return False
            return _imports(self._resolver.dealias(self._resolver.resolve(expr.func, scope)))
        if isinstance(expr, Subscript) and isinstance(expr.value, (Name, Attribute)):
            held = self._resolver.dealias(self._resolver.resolve(expr.value, scope))
            return held == _MODULES and _is_one_of(expr.index, TOOL_SYSTEM_MODULES)
        return False


def _imports(symbol: Symbol) -> bool:
    """Whether this is `__import__` or `importlib.import_module`, which is read from the library's source."""
    if isinstance(symbol, FunctionSymbol):
        return (symbol.decl.scope.module.file.module, symbol.decl.qualname) == ("importlib", "import_module")
    return symbol == _IMPORT


def _is_one_of(expr: Expr, names: frozenset[str]) -> bool:
    return isinstance(expr, Constant) and expr.value in names


def _may_be_tool(name: Expr) -> bool:
    """Whether the name of an attribute may be "tool": it is, or is computed."""
    return not isinstance(name, Constant) or name.value == "tool"


def _items(display: Expr, index: Expr) -> Iterator[Expr]:
    """The items of a display that an index may mean."""
    if isinstance(display, DictDisplay):
        for key, item in display.items:
            other = isinstance(key, Constant) and isinstance(index, Constant) and key.value != index.value
            if not other:
                yield item
    elif isinstance(display, (Tuple, ListDisplay, SetDisplay)):
        at = index.value if isinstance(index, Constant) else None
        if isinstance(at, int) and 0 <= at < len(display.items):
            yield display.items[at]
        else:
            yield from display.items
