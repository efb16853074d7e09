"""Of which class a value is, as far as annotations, constructor calls and what calls pass say.

server = FastMCP("shop")            class_of(`server`)  →  FastMCP
def register(server: FastMCP): …    class_of(`server`)  →  FastMCP
def register(server): …             register(FastMCP("shop")) in the sources says so
"""

from __future__ import annotations

from ..syntax.annotations import parse_annotation
from ..syntax.attributes import attributes_set
from ..syntax.declarations import Assignment, ClassDecl, Definition, FunctionDecl, Lazy, Scope
from ..syntax.expressions import Attribute, Call, Chain, Constant, Expr, Name, Subscript
from ..syntax.scopes import scopes_in
from .call_sites import CallSites
from .resolver import Resolver
from .symbols import ClassSymbol, DynamicSymbol, FunctionSymbol, KnownSymbol, Symbol, Unresolved, ValueSymbol

_MAX_DEPTH = 12
_ANYTHING = (KnownSymbol("typing.Any"), KnownSymbol("builtins.object"))
_SELF = (KnownSymbol("typing.Self"),)
_AROUND_ONE = frozenset({"typing.Optional", "typing.Union", "typing.Annotated", "typing.Final", "typing.ClassVar"})


class Instances:
    """Answers of which class values are."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._set: dict[int, list[tuple[str, Lazy | None, Lazy | None]]] = {}
        self.sites = CallSites(resolver, self.meaning)
        self._given: dict[tuple[int, str], ClassDecl | None] = {}
        self._asked: set[object] = set()
        """The parameters and functions that are being worked out: what leads back to them says nothing new."""

    def class_of(self, expr: Expr, scope: Scope, depth: int = 0) -> ClassDecl | None:
        """The class of an expression's value; None if the source does not say."""
        if depth > _MAX_DEPTH:
            return None
        if isinstance(expr, Call):
            return self._made(expr, scope, depth + 1)
        if not isinstance(expr, (Name, Attribute)):
            return None
        symbol = self.meaning(expr, scope, depth + 1)
        if isinstance(symbol, ValueSymbol):
            found = self._of_value(symbol.annotation, symbol.expr, symbol.scope, depth + 1)
            return found or self._of_global(symbol.name, symbol.scope, depth + 1)
        if isinstance(symbol, DynamicSymbol) and isinstance(expr, Name):
            found = self._of_parameter(symbol, scope, depth + 1)
            return found or self._of_options(symbol, depth + 1) or self._of_global(expr.id, scope, depth + 1)
        if isinstance(symbol, DynamicSymbol) and isinstance(expr, Attribute):
            owner = self.class_of(expr.value, scope, depth + 1)
            return self._of_attribute(owner, expr.attr, depth + 1) if owner is not None else None
        return None

    def meaning(self, expr: Name | Attribute, scope: Scope, depth: int = 0) -> Symbol:
        """What a name means; an attribute of a value is looked for in the value's class."""
        symbol = self._resolver.resolve(expr, scope)
        if isinstance(symbol, ValueSymbol) and isinstance(symbol.expr, (Name, Attribute)) and depth <= _MAX_DEPTH:
            if symbol.expr is not expr:
                return self.meaning(symbol.expr, symbol.scope, depth + 1)
        if isinstance(symbol, DynamicSymbol) and isinstance(expr, Attribute) and depth <= _MAX_DEPTH:
            owner = self.class_of(expr.value, scope, depth + 1)
            if owner is not None:
                member = self._resolver.class_member(owner, expr.attr, scope.module.file.span(expr.attr_pos))
                return symbol if isinstance(member, (ValueSymbol, Unresolved)) else self._resolver.dealias(member)
        return self._resolver.dealias(symbol)

    def _of_value(self, annotation: Expr | None, value: Expr | None, scope: Scope, depth: int) -> ClassDecl | None:
        if annotation is not None and (named := self._named(annotation, scope, depth)) is not None:
            return named
        return self.class_of(value, scope, depth) if value is not None else None

    def _made(self, call: Call, scope: Scope, depth: int) -> ClassDecl | None:
        """The class that a call makes an object of: its own, or what the function says it returns."""
        if not isinstance(call.func, (Name, Attribute)):
            return None
        symbol = self.meaning(call.func, scope, depth)
        if isinstance(symbol, ClassSymbol):
            return symbol.decl
        if not isinstance(symbol, FunctionSymbol) or symbol.decl.is_async or symbol.decl.is_generator:
            return None
        returns = symbol.decl.returns
        if returns is None:
            return self._returned(symbol.decl, depth)
        if isinstance(call.func, Attribute) and self._means(returns.expr, symbol.decl.signature_scope, _SELF):
            owner = self._given_class(call.func.value, scope, depth)
            return owner or symbol.decl.scope.owner
        return self._named(returns.expr, symbol.decl.signature_scope, depth)

    def _given_class(self, expr: Expr, scope: Scope, depth: int = 0) -> ClassDecl | None:
        """The class that an expression names, or that its value is an object of."""
        symbol = self.meaning(expr, scope, depth) if isinstance(expr, (Name, Attribute)) else None
        return symbol.decl if isinstance(symbol, ClassSymbol) else self.class_of(expr, scope, depth)

    def _returned(self, decl: FunctionDecl, depth: int) -> ClassDecl | None:
        """The class of what a function without an annotation returns, if its `return` statements agree."""
        key = id(decl)
        if decl.decorators or key in self._asked:
            return None
        self._asked.add(key)
        values = [each.expr for each in decl.returned]
        found = self._agreed([(value, decl.body) for value in values], depth)
        self._asked.discard(key)
        return found

    def _agreed(self, values: list[tuple[Expr, Scope]], depth: int) -> ClassDecl | None:
        """The one class of all values, None aside."""
        classes = [self.class_of(value, scope, depth) for value, scope in values if not _is_none(value)]
        return classes[0] if classes and all(each is classes[0] for each in classes) else None

    def _of_options(self, symbol: DynamicSymbol, depth: int) -> ClassDecl | None:
        """The class of a variable that statements under conditions set, if they agree."""
        values = [each for each in symbol.options if isinstance(each, ValueSymbol)]
        if len(values) != len(symbol.options):
            return None
        return self._agreed([(each.expr, each.scope) for each in values if each.expr is not None], depth)

    def _of_global(self, name: str, scope: Scope, depth: int) -> ClassDecl | None:
        """The class of a module's variable that functions set by `global`, if all agree."""
        module = scope.module
        if name not in module.global_names:
            return None
        setters = [each for each in scopes_in(module.scope) if each.outer_names.get(name) == "global"]
        values = [
            (binding.value.expr, each)
            for each in (module.scope, *setters)
            for binding in each.bindings.get(name, ())
            if isinstance(binding, Assignment) and binding.value is not None
        ]
        return self._agreed(values, depth)

    def _of_parameter(self, symbol: DynamicSymbol, scope: Scope, depth: int) -> ClassDecl | None:
        """The class that a parameter is annotated with, or that a method's first one is an object of."""
        decl = _function_with(symbol.name, scope)
        if decl is None:
            return None
        parameter = next(each for each in decl.parameters if each.name == symbol.name)
        if parameter.annotation is not None:
            found = self._named(parameter.annotation.expr, decl.signature_scope, depth)
            if found is not None or not self._means(parameter.annotation.expr, decl.signature_scope, _ANYTHING):
                return found
        elif decl.scope.owner is not None and parameter is decl.parameters[0]:
            return decl.scope.owner
        return self._passed(decl, parameter.name)

    def _means(self, annotation: Expr, scope: Scope, names: tuple[KnownSymbol, ...]) -> bool:
        """Whether an annotation is one of some known names."""
        if isinstance(annotation, Constant) and isinstance(annotation.value, str):
            annotation = parse_annotation(annotation, scope.module.file) or annotation
        if not isinstance(annotation, (Name, Attribute)):
            return False
        return self._resolver.dealias(self._resolver.resolve(annotation, scope)) in names

    def _passed(self, decl: FunctionDecl, parameter: str) -> ClassDecl | None:
        """The class of what the first call that says so passes for a parameter.

        How deep that leads is bounded by the parameters there are: each is asked for once on the way.
        """
        key = (id(decl), parameter)
        if key in self._given or key in self._asked:
            return self._given.get(key)
        self._asked.add(key)
        given = (self.class_of(value, scope) for value, scope in self.sites.given(decl, parameter))
        found = next((each for each in given if each is not None), None)
        self._asked.discard(key)
        if found is not None or not self._asked:  # on the way from another, a loop may hide what there is
            self._given[key] = found
        return found

    def _of_attribute(self, owner: ClassDecl, name: str, depth: int) -> ClassDecl | None:
        """The class of an attribute of an object: as the class body says, or as a method sets it."""
        member = self._resolver.class_member(owner, name, owner.scope.module.file.span(owner.name_pos))
        if isinstance(member, ValueSymbol):
            return self._of_value(member.annotation, member.expr, member.scope, depth)
        if isinstance(member, FunctionSymbol):
            returns = member.decl.returns
            return self._named(returns.expr, member.decl.signature_scope, depth) if returns is not None else None
        for decl in self._resolver.linear_bases(owner):
            for method in _methods(decl):
                if (found := self._set_by(method, name, depth)) is not None:
                    return found
        return None

    def _set_by(self, method: FunctionDecl, name: str, depth: int) -> ClassDecl | None:
        if id(method) not in self._set:
            self._set[id(method)] = list(attributes_set(method))
        for attribute, annotation, value in self._set[id(method)]:
            if attribute == name:
                said = annotation.expr if annotation is not None else None
                found = self._of_value(said, value.expr if value is not None else None, method.body, depth)
                if found is not None:
                    return found
        return None

    def _named(self, annotation: Expr, scope: Scope, depth: int) -> ClassDecl | None:
        """The one class that an annotation names, None and generic arguments aside."""
        if depth > _MAX_DEPTH:
            return None
        if isinstance(annotation, Chain) and annotation.op == "|":
            return self._only(annotation.items, scope, depth)
        if isinstance(annotation, Subscript):
            owner = self._resolver.dealias(self._resolver.resolve(annotation.value, scope))
            if isinstance(owner, KnownSymbol) and owner.name in _AROUND_ONE:
                inner = annotation.arguments[:1] if owner.name == "typing.Annotated" else annotation.arguments
                return self._only(inner, scope, depth)
            return owner.decl if isinstance(owner, ClassSymbol) else None
        if isinstance(annotation, Constant) and isinstance(annotation.value, str):
            quoted = parse_annotation(annotation, scope.module.file)
            return self._named(quoted, scope, depth + 1) if quoted is not None else None
        if not isinstance(annotation, (Name, Attribute)):
            return None
        symbol = self._resolver.dealias(self._resolver.resolve(annotation, scope))
        if isinstance(symbol, ValueSymbol) and symbol.expr is not None:
            return self._named(symbol.expr, symbol.scope, depth + 1)
        return symbol.decl if isinstance(symbol, ClassSymbol) else None

    def _only(self, items: tuple[Expr, ...], scope: Scope, depth: int) -> ClassDecl | None:
        others = [item for item in items if not (isinstance(item, Constant) and item.value is None)]
        return self._named(others[0], scope, depth + 1) if len(others) == 1 else None


def _function_with(parameter: str, scope: Scope) -> FunctionDecl | None:
    """The innermost function around `scope` that has a parameter of that name."""
    step: Scope | None = scope
    while step is not None:
        if step.function is not None and any(each.name == parameter for each in step.function.parameters):
            return step.function
        step = step.parent
    return None


def _is_none(value: Expr) -> bool:
    return isinstance(value, Constant) and value.value is None


def _methods(decl: ClassDecl) -> list[FunctionDecl]:
    return [
        binding.decl
        for binding in decl.body.members
        if isinstance(binding, Definition) and isinstance(binding.decl, FunctionDecl)
    ]
