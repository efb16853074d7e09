"""Of which class a value is, as far as annotations and constructor calls say.

server = FastMCP("shop")            class_of(`server`)  →  FastMCP
def register(server: FastMCP): …    class_of(`server`)  →  FastMCP
"""

from __future__ import annotations

from ..syntax.annotations import parse_annotation
from ..syntax.attributes import attributes_set
from ..syntax.declarations import ClassDecl, Definition, FunctionDecl, Lazy, Scope
from ..syntax.expressions import Attribute, Call, Chain, Constant, Expr, Name, Subscript
from .resolver import Resolver
from .symbols import ClassSymbol, DynamicSymbol, FunctionSymbol, KnownSymbol, Symbol, Unresolved, ValueSymbol

_MAX_DEPTH = 12
_AROUND_ONE = frozenset({"typing.Optional", "typing.Union", "typing.Annotated", "typing.Final", "typing.ClassVar"})


class Instances:
    """Answers of which class values are."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._set: dict[int, list[tuple[str, Lazy | None, Lazy | None]]] = {}

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
            return self._of_value(symbol.annotation, symbol.expr, symbol.scope, depth + 1)
        if isinstance(symbol, DynamicSymbol) and isinstance(expr, Name):
            return self._of_parameter(symbol, scope, depth + 1)
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
        if not isinstance(symbol, FunctionSymbol) or symbol.decl.returns is None or symbol.decl.is_async:
            return None
        return self._named(symbol.decl.returns.expr, symbol.decl.signature_scope, depth)

    def _of_parameter(self, symbol: DynamicSymbol, scope: Scope, depth: int) -> ClassDecl | None:
        """The class that a parameter is annotated with, or that a method's first one is an object of."""
        decl = _function_with(symbol.name, scope)
        if decl is None:
            return None
        parameter = next(each for each in decl.parameters if each.name == symbol.name)
        if parameter.annotation is not None:
            return self._named(parameter.annotation.expr, decl.signature_scope, depth)
        return decl.scope.owner if parameter is decl.parameters[0] else None

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


def _methods(decl: ClassDecl) -> list[FunctionDecl]:
    return [
        binding.decl
        for binding in decl.body.members
        if isinstance(binding, Definition) and isinstance(binding.decl, FunctionDecl)
    ]
