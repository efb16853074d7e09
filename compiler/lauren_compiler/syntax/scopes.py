"""Which names a block of statements binds, in which order and under which conditions.

    if TYPE_CHECKING:
        from shop import Item      →  SymbolImport("Item", guards: TYPE_CHECKING holds)
    def find(): ...                →  Definition("find")

Blocks of functions and classes are scopes of their own and are built when asked for.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from ..source.file import Pos
from .declarations import (
    AliasDecl,
    Assignment,
    Attempt,
    ClassDecl,
    Condition,
    Definition,
    Deletion,
    Dynamic,
    FunctionDecl,
    Guards,
    Lazy,
    ModuleImport,
    ParsedModule,
    Scope,
    SymbolImport,
    TryBlock,
    type_parameter_scope,
)
from .expressions import defer, position


def build_module(module: ParsedModule, body: list[ast.stmt]) -> Scope:
    """The scope of a whole module; also collects the parts of `__all__`."""
    scope = Scope("module", "", None, module)
    module.scope = scope
    _Walker(scope).block(body, None)
    return scope


def build_class(decl: ClassDecl) -> Scope:
    scope = Scope("class", decl.qualname, decl.signature_scope, decl.scope.module, decl)
    _Walker(scope).block(decl.node.body, None)
    return scope


def build_function(decl: FunctionDecl) -> Scope:
    scope = Scope("function", decl.qualname, decl.signature_scope, decl.scope.module, function=decl)
    walker = _Walker(scope)
    for parameter in decl.parameters:
        scope.add(Dynamic(parameter.name, parameter.pos, (0, 0), None, "a parameter"))
    walker.block(decl.node.body, None)
    return scope


class _Walker:
    """Fills one scope from the statements of its block and of the blocks inside it."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.since = (0, 0)

    def block(self, body: list[ast.stmt], guards: Guards | None) -> None:
        for node in body:
            self.since = (node.end_lineno or node.lineno, node.end_col_offset or 0)
            visit = _VISITORS.get(type(node))
            if visit is not None:
                visit(self, node, guards)

    def value(self, node: ast.expr | None) -> None:
        if node is not None and not isinstance(node, (ast.Constant, ast.Name)):
            self.scope.values.append(Lazy(node))

    def dynamic(self, target: ast.expr, guards: Guards | None, what: str) -> None:
        """Bind every name in an assignment target."""
        pending = [target]
        while pending:
            node = pending.pop()
            if isinstance(node, ast.Name):
                self.scope.add(Dynamic(node.id, position(node), self.since, guards, what))
            elif isinstance(node, (ast.Tuple, ast.List)):
                pending.extend(node.elts)
            elif isinstance(node, ast.Starred):
                pending.append(node.value)

    def assign(self, target: ast.expr, value: ast.expr, guards: Guards | None) -> None:
        if isinstance(target, ast.Name):
            lazy = Lazy(value)
            self.scope.add(Assignment(target.id, position(target), self.since, guards, lazy, None))
            if target.id == "__all__" and self.scope.kind == "module":
                self.scope.module.exports = [lazy]
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            for part, part_value in zip(target.elts, value.elts, strict=True):
                self.assign(part, part_value, guards)
        else:
            self.dynamic(target, guards, "an unpacking")


def _function(walker: _Walker, node: ast.FunctionDef | ast.AsyncFunctionDef, guards: Guards | None) -> None:
    scope = walker.scope
    pos = _name_position(scope, node, "def")
    for default in (*node.args.defaults, *node.args.kw_defaults):
        walker.value(default)
    scope.add(Definition(node.name, pos, walker.since, guards, FunctionDecl(node, scope, pos)))


def _class(walker: _Walker, node: ast.ClassDef, guards: Guards | None) -> None:
    scope = walker.scope
    pos = _name_position(scope, node, "class")
    for argument in (*node.bases, *(keyword.value for keyword in node.keywords)):
        walker.value(argument)
    scope.add(Definition(node.name, pos, walker.since, guards, ClassDecl(node, scope, pos)))


def _name_position(scope: Scope, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, word: str) -> Pos:
    """The place of the name in `async def name` or `class name`, which the parser does not give."""
    lines = scope.module.file.lines
    line = lines[node.lineno - 1] if node.lineno <= len(lines) else ""
    text = line.encode("utf-8", "surrogatepass")
    start = text.find(word.encode(), node.col_offset)
    start = node.col_offset if start < 0 else start + len(word)
    while start < len(text) and text[start : start + 1] in (b" ", b"\t", b"\x0c"):
        start += 1
    end = start
    while end < len(text) and (text[end] >= 0x80 or chr(text[end]).isalnum() or text[end] == 0x5F):
        end += 1
    return (node.lineno, start, node.lineno, end)


def _import(walker: _Walker, node: ast.Import, guards: Guards | None) -> None:
    for alias in node.names:
        if alias.asname:
            name, target = alias.asname, alias.name
        else:
            name = target = alias.name.partition(".")[0]
        walker.scope.add(ModuleImport(name, position(alias), walker.since, guards, target))


def _import_from(walker: _Walker, node: ast.ImportFrom, guards: Guards | None) -> None:
    module = walker.scope.module
    for alias in node.names:
        pos = position(alias)
        end = (pos[0], pos[1], pos[0], pos[1] + len(alias.name.encode()))
        name = alias.asname or alias.name
        binding = SymbolImport(name, pos, walker.since, guards, node.module or "", node.level, alias.name, end)
        if alias.name == "*":
            walker.scope.stars.append(binding)
        else:
            walker.scope.add(binding)
        if node.module == "__future__" and alias.name == "annotations":
            module.future_annotations = True


def _assign(walker: _Walker, node: ast.Assign, guards: Guards | None) -> None:
    walker.value(node.value)
    for target in node.targets:
        walker.assign(target, node.value, guards)


def _annotated(walker: _Walker, node: ast.AnnAssign, guards: Guards | None) -> None:
    walker.value(node.value)
    if isinstance(node.target, ast.Name):
        value = Lazy(node.value) if node.value else None
        pos = position(node.target)
        annotation = Lazy.annotation(node.annotation, walker.scope.module)
        walker.scope.add(Assignment(node.target.id, pos, walker.since, guards, value, annotation))
        if node.target.id == "__all__" and value and walker.scope.kind == "module":
            walker.scope.module.exports = [value]


def _augmented(walker: _Walker, node: ast.AugAssign, guards: Guards | None) -> None:
    walker.value(node.value)
    module = walker.scope.module
    if isinstance(node.target, ast.Name) and node.target.id == "__all__" and walker.scope.kind == "module":
        module.exports = [*(module.exports or []), Lazy(node.value)]
    else:
        walker.dynamic(node.target, guards, "an augmented assignment")


def _expression(walker: _Walker, node: ast.Expr, guards: Guards | None) -> None:
    walker.value(node.value)
    call = node.value
    if walker.scope.kind == "module" and isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
        owner = call.func.value
        if isinstance(owner, ast.Name) and owner.id == "__all__":
            module = walker.scope.module
            if call.func.attr == "extend" and len(call.args) == 1:
                module.exports = [*(module.exports or []), Lazy(call.args[0])]
            else:
                module.undecidable_exports = True


def _return(walker: _Walker, node: ast.Return, guards: Guards | None) -> None:
    walker.value(node.value)


def _delete(walker: _Walker, node: ast.Delete, guards: Guards | None) -> None:
    for target in node.targets:
        if isinstance(target, ast.Name):
            walker.scope.add(Deletion(target.id, position(target), walker.since, guards))


def _if(walker: _Walker, node: ast.If, guards: Guards | None) -> None:
    walker.value(node.test)
    step: ast.If | None = node
    while step is not None:
        test = Lazy(step.test)
        walker.block(step.body, Guards(Condition(test, True), guards))
        guards = Guards(Condition(test, False), guards)
        orelse = step.orelse
        if len(orelse) == 1 and isinstance(orelse[0], ast.If):
            step = orelse[0]
        else:
            walker.block(orelse, guards)
            step = None


def _while(walker: _Walker, node: ast.While, guards: Guards | None) -> None:
    walker.value(node.test)
    walker.block(node.body, Guards(Condition(Lazy(node.test), True), guards))
    walker.block(node.orelse, guards)


def _for(walker: _Walker, node: ast.For | ast.AsyncFor, guards: Guards | None) -> None:
    walker.value(node.iter)
    walker.dynamic(node.target, guards, "a loop")
    walker.block(node.body, guards)
    walker.block(node.orelse, guards)


def _with(walker: _Walker, node: ast.With | ast.AsyncWith, guards: Guards | None) -> None:
    for item in node.items:
        walker.value(item.context_expr)
        if item.optional_vars is not None:
            walker.dynamic(item.optional_vars, guards, "a `with`")
    walker.block(node.body, guards)


def _try(walker: _Walker, node: ast.Try, guards: Guards | None) -> None:
    block = TryBlock()
    body = Guards(Attempt(block, handler=False), guards)
    walker.block(node.body, body)
    found = (binding for bindings in walker.scope.bindings.values() for binding in bindings)
    block.imports.extend(
        binding
        for binding in found
        if isinstance(binding, (ModuleImport, SymbolImport)) and body.guard in (binding.guards or ())
    )
    for handler in node.handlers:
        inside = Guards(Attempt(block, handler=True), guards)
        if handler.name:
            binding = Dynamic(handler.name, position(handler), walker.since, inside, "an exception handler")
            walker.scope.add(binding)
        walker.block(handler.body, inside)
    walker.block(node.orelse, body)
    walker.block(node.finalbody, guards)


def _match(walker: _Walker, node: ast.Match, guards: Guards | None) -> None:
    walker.value(node.subject)
    for case in node.cases:
        for pattern in ast.walk(case.pattern):
            name = getattr(pattern, "name", None) or getattr(pattern, "rest", None)
            if isinstance(name, str):
                walker.scope.add(Dynamic(name, position(node.subject), walker.since, guards, "a pattern"))
        walker.block(case.body, guards)


def _assert(walker: _Walker, node: ast.Assert, guards: Guards | None) -> None:
    walker.value(node.test)


def _raise(walker: _Walker, node: ast.Raise, guards: Guards | None) -> None:
    walker.value(node.exc)


def _outer(walker: _Walker, node: ast.Global | ast.Nonlocal, guards: Guards | None) -> None:
    word = "global" if isinstance(node, ast.Global) else "nonlocal"
    for name in node.names:
        walker.scope.outer_names[name] = word


def _type_alias(walker: _Walker, node: Any, guards: Guards | None) -> None:
    """`type X = …`; the node's class exists from Python 3.12 on."""
    scope = walker.scope
    name: str = node.name.id
    pos = position(node.name)
    inner = type_parameter_scope(node, scope) if node.type_params else scope
    decl = AliasDecl(name, scope.qualify(name), Lazy(defer(node.value)), scope, inner, pos)
    scope.add(Definition(name, pos, walker.since, guards, decl))


_Visitor = Callable[[_Walker, Any, Guards | None], None]
_VISITORS: dict[type[ast.stmt], _Visitor] = {
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.Import: _import,
    ast.ImportFrom: _import_from,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Expr: _expression,
    ast.Return: _return,
    ast.Delete: _delete,
    ast.If: _if,
    ast.While: _while,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Try: _try,
    ast.TryStar: _try,
    ast.Match: _match,
    ast.Assert: _assert,
    ast.Raise: _raise,
    ast.Global: _outer,
    ast.Nonlocal: _outer,
}
if (_TYPE_ALIAS := getattr(ast, "TypeAlias", None)) is not None:
    _VISITORS[_TYPE_ALIAS] = _type_alias
