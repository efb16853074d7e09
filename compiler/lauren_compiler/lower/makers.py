"""Which expressions make tools: `tool()` under any name, bound to a variable first, or a configured decorator.

@tool(name="x")                               the maker is the call
make = tool(); @make                          what `make` was bound to
confirmed = partial(tool, requires_confirmation=True); @confirmed()
@server.tool()                                a method, as configured, of the class `server` is an object of
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ..semantics.known import TOOL_SYSTEM_MODULES
from ..semantics.resolver import Resolver
from ..semantics.symbols import ClassSymbol, DynamicSymbol, FunctionSymbol, KnownSymbol, Symbol, Unresolved, ValueSymbol
from ..syntax.calls import CallSite, Spelling, calls_in
from ..syntax.declarations import ClassDecl, Definition, Deletion, Dynamic, FunctionDecl, Lazy, Scope
from ..syntax.expressions import Attribute, Call, Constant, Expr, Name
from ..syntax.scopes import scopes_in
from .arguments import Argument, arguments_of, overridden
from .configured import Configured, Listed
from .signature import receiver
from .telling import Telling

if TYPE_CHECKING:
    from ..config.decorators import Framework
    from ..semantics.instances import Instances
    from .computed_makers import ComputedMakers

TOOL = KnownSymbol("lauren.tool")
_PARTIAL = KnownSymbol("functools.partial")
_MEANT = ("`tool`", "import tool`", *(f"`{module}`" for module in TOOL_SYSTEM_MODULES))
"""What is proposed in place of a name that was to be the tool system's."""
_GETATTR, _STATIC = KnownSymbol("builtins.getattr"), KnownSymbol("builtins.staticmethod")


class Maker(Struct, frozen=True, eq=False):
    """An expression that, applied to a function or class, makes it a tool.

    `arguments` are those of the decorator. `listed` is the configured decorator, with `symbol` its definition; None for
    `tool` itself. `direct` is a decorator that takes the function itself: `@decorator`, without a call.
    """

    expr: Expr
    scope: Scope
    arguments: tuple[Argument, ...] = ()
    listed: Listed | None = None
    symbol: Symbol = TOOL
    direct: bool = False

    @property
    def framework(self) -> Framework | None:
        """The other framework whose decorator it is; None for `tool` and what wraps it."""
        return self.listed.entry.framework if self.listed is not None else None

    @property
    def bare(self) -> bool:
        """`@tool` without parentheses, which is an error."""
        return self.direct and self.listed is None


class Makers:
    """Recognises makers."""

    def __init__(self, resolver: Resolver, known: Configured) -> None:
        self._resolver = resolver
        self._words = known.words
        self._known = frozenset(known.by_identity)
        self._none: dict[tuple[int, str], bool] = {}
        self.configured = known
        self.telling = Telling(resolver.program.finder, known)

    @cached_property
    def _instances(self) -> Instances:
        from ..semantics.instances import Instances  # which takes a method or something computed

        return Instances(self._resolver)

    @cached_property
    def _computed(self) -> ComputedMakers:
        from .computed_makers import ComputedMakers

        return ComputedMakers(
            self._resolver, self._instances, self._is_factory, lambda expr, scope: self.find(expr, scope) is not None
        )

    def find(self, expr: Expr, scope: Scope) -> Maker | None:
        """The maker an expression is; None if it is none."""
        expr = self._plain(expr, scope)
        if isinstance(expr, Call):
            factory = self._factory(expr.func, scope)
            if factory is None:
                return None
            given = overridden(factory.arguments, arguments_of(expr, scope))
            return replace(factory, expr=expr, scope=scope, arguments=given)
        if not isinstance(expr, (Name, Attribute)):
            return None
        symbol = self.meaning(expr, scope)
        if symbol == TOOL:
            return Maker(expr, scope, direct=True)
        listed = self._listed(symbol)
        if listed is not None:
            return Maker(expr, scope, (), listed, symbol, direct=True)
        if isinstance(symbol, ValueSymbol) and isinstance(symbol.expr, Call):
            inner = self.find(symbol.expr, symbol.scope)
            if inner is not None:
                return replace(inner, expr=expr, scope=scope)
            partial = self._partial(symbol.expr, symbol.scope)
            # A partial of a decorator still has to be called, unless it takes the function itself.
            return replace(partial, expr=expr, scope=scope, direct=True) if partial is not None else None
        return None

    def meaning(self, expr: Expr, scope: Scope) -> Symbol:
        """What a name means; if it is spelled as a configured method, of the object's class."""
        symbol = self._resolver.resolve(expr, scope)
        if isinstance(symbol, ValueSymbol) and isinstance(symbol.expr, Attribute) and symbol.expr is not expr:
            expr, scope = symbol.expr, symbol.scope
        if isinstance(expr, Attribute) and expr.attr in self._words:
            return self._instances.meaning(expr, scope)
        return self._resolver.dealias(symbol)

    def let_go(self) -> None:
        """Let go what is known by the identity of scopes and functions: of a module that is done they may be gone, and
        those of the next one be there in their place."""
        self._none.clear()
        for name in ("_instances", "_computed"):
            vars(self).pop(name, None)

    def is_none(self, site: CallSite, scope: Scope) -> bool:
        """Whether a call can't make a tool: what it calls is a parameter, a function or class that is not configured,
        or something that was looked at before under the same name. Most calls are told so, without following names."""
        spelled = site.spelling
        if spelled.root == "getattr" or not self._words.isdisjoint(spelled.attributes):
            return False
        if not spelled.root:  # `(…)()(function)` may still be one that is computed
            return not site.of_a_call
        owner = self._owner(spelled, scope)
        if not isinstance(owner, Scope):
            return owner is None
        if spelled.path and "partial" not in spelled.attributes and not self.telling.may_lead(spelled.root, owner):
            return True
        key = (id(owner), spelled.path)
        if not spelled.path or len(owner.bindings[spelled.root]) != 1:
            return False
        if key not in self._none:
            target = Lazy(site.node.func).expr
            self._none[key] = self._factory(target, scope) is None and self.find(target, scope) is None
        return self._none[key]

    def _owner(self, spelled: Spelling, scope: Scope) -> Scope | bool | None:
        """The scope whose binding of the root may lead to a maker; None if there is none, True if it can't be told."""
        name = spelled.root
        step: Scope | None = scope
        while step is not None:
            if name in step.outer_names or (step.stars and name not in step.bindings):
                return True
            for binding in step.bindings.get(name, ()):
                plain = isinstance(binding, Definition) and not self._may_hold(binding.decl, spelled.attributes)
                if not plain and not isinstance(binding, (Dynamic, Deletion)):
                    return step
            step = step.parent
        return None

    def _may_hold(self, decl: object, attributes: tuple[str, ...]) -> bool:
        """Whether a definition is a configured decorator, or a class with an attribute that may be a maker: that is no
        function of its own. The last attribute is taken first."""
        if id(decl) in self._known or not isinstance(decl, ClassDecl) or not attributes:
            return id(decl) in self._known
        found = decl.body.bindings.get(attributes[-1], ())
        own = (isinstance(each, Definition) and isinstance(each.decl, FunctionDecl) for each in found)
        return not all(own) if found else bool(decl.bases)

    def given(self, expr: Expr, scope: Scope) -> Symbol:
        """What something that is given to a maker means: of an attribute of an object, the method of its class."""
        if isinstance(expr, (Name, Attribute)):
            return self._instances.meaning(expr, scope)
        return self._resolver.resolve(expr, scope)

    def is_bound(self, expr: Expr, scope: Scope, decl: FunctionDecl | ClassDecl) -> bool:
        """Whether what gives a function gives it bound: a method of an object, or a class method of its class."""
        if isinstance(expr, Name):
            symbol = self._resolver.resolve(expr, scope)
            if isinstance(symbol, ValueSymbol) and symbol.expr is not None:
                expr, scope = symbol.expr, symbol.scope
        if not isinstance(expr, Attribute) or not isinstance(decl, FunctionDecl) or decl.scope.kind != "class":
            return False
        kind = receiver(decl, self._resolver)
        if len(decl.decorators) > (kind != "instance") or kind == "none":
            return False
        owner = self._resolver.dealias(self._resolver.resolve(expr.value, scope))
        return kind == "class" or not isinstance(owner, ClassSymbol)

    def is_partial(self, expr: Expr, scope: Scope) -> bool:
        """Whether an expression is a `functools.partial` of something that makes tools."""
        return isinstance(expr, Call) and self._partial(expr, scope) is not None

    def may_be(self, expr: Expr, scope: Scope) -> bool:
        """Whether an expression is a maker under some conditions that can't be decided."""
        target = expr.func if isinstance(expr, Call) else expr
        if not isinstance(target, (Name, Attribute)):
            return False
        symbol = self._resolver.resolve(target, scope)
        return isinstance(symbol, DynamicSymbol) and any(self._is_factory(option) for option in symbol.options)

    def may_be_computed(self, expr: Expr, scope: Scope) -> bool:
        """Whether an expression may be a maker in a way that is not followed."""
        target = expr.func if isinstance(expr, Call) else expr
        symbol = self._resolver.resolve(target, scope) if isinstance(target, Name) else None
        if isinstance(symbol, KnownSymbol) and not symbol.name.startswith("builtins."):
            return self._is_factory(symbol)  # as `dataclass` is not; only built-in functions take one out of others
        return self._computed.may_be(expr, scope)

    def library_wrapper(self, expr: Expr, scope: Scope) -> FunctionDecl | None:
        """The function of a library that a decorator is, if `tool` is called in it. In the sources such a call is told
        where it stands."""
        target = expr.func if isinstance(expr, Call) else expr
        if not isinstance(target, (Name, Attribute)):
            return None
        symbol = self.meaning(target, scope)
        if not isinstance(symbol, FunctionSymbol) or self._resolver.program.is_source(symbol.decl.scope.module):
            return None
        module = symbol.decl.scope.module
        if module.file.module in TOOL_SYSTEM_MODULES or not any(
            each in module.file.text for each in TOOL_SYSTEM_MODULES
        ):
            return None
        for inside in scopes_in(symbol.decl.body):
            for site in calls_in(inside):
                call = site.call
                if call is not None and (made := self.find(call, inside)) is not None and made.listed is None:
                    return symbol.decl
        return None

    def misspelt(self, expr: Expr, scope: Scope) -> Unresolved | None:
        """The problem of a decorator that is nearly `tool`: misspelt, not imported, or of a misspelt module."""
        target = expr.func if isinstance(expr, Call) else expr
        if not isinstance(target, (Name, Attribute)):
            return None
        symbol = self._resolver.resolve(target, scope)
        help = (symbol.diagnostic.help or "") if isinstance(symbol, Unresolved) else ""
        return symbol if isinstance(symbol, Unresolved) and any(meant in help for meant in _MEANT) else None

    def unknown_method(self, expr: Expr, scope: Scope) -> str | None:
        """The configured method that a decorator may be, by its name: an attribute of an object whose class the source
        does not say. None if it is none."""
        target = self._plain(expr.func if isinstance(expr, Call) else expr, scope)
        if not isinstance(target, Attribute) or target.attr not in self._words:
            return None
        if not isinstance(self._resolver.resolve(target, scope), DynamicSymbol):
            return None
        is_function = isinstance(self.given(target.value, scope), FunctionSymbol)
        if is_function or self._instances.class_of(target.value, scope) is not None:
            return None
        methods = [name for name in self.configured.methods if name.rpartition(".")[2] == target.attr]
        return methods[0] if methods else None

    def _listed(self, symbol: Symbol) -> Listed | None:
        """The entry that a symbol is; a method that overrides a configured one in a subclass counts as that."""
        found = self.configured.listed(symbol)
        if found is not None or not isinstance(symbol, FunctionSymbol) or symbol.decl.name not in self._words:
            return found
        owner = symbol.decl.scope.owner
        for base in self._resolver.linear_bases(owner)[1:] if owner is not None else ():
            span = symbol.decl.scope.module.file.span(symbol.decl.name_pos)
            below = self.configured.listed(self._resolver.class_member(base, symbol.decl.name, span))
            if below is not None:
                return below
        return None

    def _is_factory(self, symbol: Symbol) -> bool:
        symbol = self._resolver.dealias(symbol)
        return symbol == TOOL or self._listed(symbol) is not None

    def _factory(self, expr: Expr, scope: Scope) -> Maker | None:
        """What makes a maker when it is called: `tool`, a configured decorator, or a `partial` of one."""
        expr = self._plain(expr, scope)
        if isinstance(expr, Call):
            return self._partial(expr, scope)
        if not isinstance(expr, (Name, Attribute)):
            return None
        symbol = self.meaning(expr, scope)
        if symbol == TOOL:
            return Maker(expr, scope)
        listed = self._listed(symbol)
        if listed is not None:
            return Maker(expr, scope, (), listed, symbol)
        if isinstance(symbol, ValueSymbol) and isinstance(symbol.expr, Call):
            plain = self._plain(symbol.expr, symbol.scope)
            return self._partial(plain, symbol.scope) if isinstance(plain, Call) else self._factory(plain, symbol.scope)
        return None

    def _partial(self, call: Call, scope: Scope) -> Maker | None:
        """`partial(tool, …)`, as what it is a partial of, with the arguments given so far."""
        if not call.args or not isinstance(call.func, (Name, Attribute)):
            return None
        if self._resolver.dealias(self._resolver.resolve(call.func, scope)) != _PARTIAL:
            return None
        factory = self._factory(call.args[0], scope)
        if factory is None:
            return None
        return replace(factory, arguments=overridden(factory.arguments, arguments_of(call, scope)[1:]))

    def _plain(self, expr: Expr, scope: Scope) -> Expr:
        """`getattr(x, "name")` as `x.name`, `staticmethod(x)` as `x`."""
        if isinstance(expr, Call) and isinstance(expr.func, Name) and expr.func.id == "staticmethod":
            known = self._resolver.dealias(self._resolver.resolve(expr.func, scope)) == _STATIC
            return expr.args[0] if known and len(expr.args) == 1 else expr
        if not isinstance(expr, Call) or not isinstance(expr.func, Name) or len(expr.args) != 2:
            return expr
        name = expr.args[1]
        if not isinstance(name, Constant) or not isinstance(name.value, str) or expr.func.id != "getattr":
            return expr
        known = self._resolver.dealias(self._resolver.resolve(expr.func, scope)) == _GETATTR
        return Attribute(expr.pos, expr.args[0], name.value) if known else expr
