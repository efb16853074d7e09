"""Which names a block of statements binds, in which order and under which conditions.

    if TYPE_CHECKING:
        from shop import Item      →  SymbolImport("Item", guards: TYPE_CHECKING holds)
    def find(): ...                →  Definition("find")

Blocks of functions and classes are scopes of their own and are built when asked for.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from ..source.file import Pos
from .bodies import may_hold_classes
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
    Loop,
    ModuleImport,
    ParsedModule,
    Scope,
    SymbolImport,
    TryBlock,
    Value,
    docstring_of,
)
from .expressions import defer, position
from .parameters import type_parameter_scope


def build_module(module: ParsedModule, body: list[ast.stmt]) -> Scope:
    """The scope of a whole module; also collects the parts of `__all__`."""
    scope = Scope("module", "", None, module)
    module.scope = scope
    docstring = docstring_of(body)
    module.docstring = None if docstring is None else docstring.text
    if "global " in module.file.text:
        nodes = (node for statement in body for node in ast.walk(statement) if isinstance(node, ast.Global))
        module.global_names = frozenset(name for node in nodes for name in node.names)
    _Walker(scope).block(body, None)
    return scope


def build_class(decl: ClassDecl) -> Scope:
    scope = Scope("class", decl.qualname, decl.signature_scope, decl.scope.module, decl)
    _Walker(scope).block(decl.head.body, None)
    return scope


def build_function(decl: FunctionDecl) -> Scope:
    scope = Scope("function", decl.qualname, decl.signature_scope, decl.scope.module, function=decl)
    walker = _Walker(scope)
    for parameter in decl.parameters:
        scope.add(Dynamic(parameter.name, parameter.pos, (0, 0), None, "a parameter"))
    walker.block(decl.node.body, None)
    return scope


def scopes_in(scope: Scope, entered: Callable[[Definition, Scope], bool] | None = None) -> Iterator[Scope]:
    """A scope and all inside it, in source order; those of definitions that are not `entered` left out."""
    pending = [scope]
    while pending:
        step = pending.pop()
        yield step
        inner = [
            binding.decl.body
            for binding in step.members
            if isinstance(binding, Definition) and isinstance(binding.decl, (FunctionDecl, ClassDecl))
            if entered is None or entered(binding, step)
        ]
        pending.extend(reversed(inner))


def classes_in(scope: Scope) -> Iterator[tuple[Scope, Definition, ClassDecl]]:
    """The classes in a scope, at any depth, each with where it is bound."""
    for inside in scopes_in(scope, lambda binding, _: _may_hold_classes(binding)):
        for binding in inside.members:
            if isinstance(binding, Definition) and isinstance(binding.decl, ClassDecl):
                yield inside, binding, binding.decl


def outer_in(scope: Scope) -> Iterator[FunctionDecl | ClassDecl]:
    """The functions and classes that stand in no function, as far as the classes around them were looked into."""
    for binding in scope.members:
        decl = binding.decl if isinstance(binding, Definition) else None
        if isinstance(decl, (FunctionDecl, ClassDecl)):
            yield decl
        if isinstance(decl, ClassDecl) and "body" in decl.__dict__:
            yield from outer_in(decl.body)


def close(scope: Scope) -> None:
    """Empty a scope and all inside it, with what was parsed of it."""
    for binding in scope.members:
        decl = binding.decl if isinstance(binding, Definition) else None
        if isinstance(decl, (FunctionDecl, ClassDecl)):
            if "body" in decl.__dict__:
                close(decl.body)
            vars(decl).clear()
            vars(decl.stem).clear()
    for part in (scope.bindings, scope.members, scope.stars, scope.values, scope.altered):
        part.clear()


def _may_hold_classes(binding: Definition) -> bool:
    return not isinstance(binding.decl, FunctionDecl) or may_hold_classes(binding.decl)


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

    def value(self, node: ast.expr | None, guards: Guards | None) -> None:
        """An expression of a statement, with the names that it binds itself (`name := value`)."""
        if node is None or isinstance(node, (ast.Constant, ast.Name)):
            return
        self.scope.values.append(Value(node, guards=guards))
        if ":=" in self.scope.module.file.text:
            for named, certain in _named_expressions(node):
                if certain:
                    self.assign(named.target, named.value, guards)
                else:
                    self.dynamic(named.target, guards, "an assignment expression")

    def dynamic(self, target: ast.expr, guards: Guards | None, what: str, loop: Loop | None = None) -> None:
        """Bind every name in an assignment target."""
        pending = [target]
        while pending:
            node = pending.pop()
            if isinstance(node, ast.Name):
                self.scope.add(Dynamic(node.id, position(node), self.since, guards, what, loop))
            elif isinstance(node, (ast.Tuple, ast.List)):
                pending.extend(node.elts)
            elif isinstance(node, ast.Starred):
                pending.append(node.value)
            elif isinstance(node, ast.Subscript):
                self.scope.altered.append(Lazy(node.value))

    def _export(self, value: Lazy) -> None:
        """`__all__ = value`, which may begin with what it was."""
        goes_on = any(isinstance(node, ast.Name) and node.id == "__all__" for node in ast.walk(value.node))
        before = self.scope.module.exports if goes_on else None
        self.scope.module.exports = [*(before or []), (value, True)]

    def assign(self, target: ast.expr, value: ast.expr, guards: Guards | None) -> None:
        if isinstance(target, ast.Name):
            lazy = Lazy(value)
            self.scope.add(Assignment(target.id, position(target), self.since, guards, lazy, None))
            if target.id == "__all__" and self.scope.kind == "module":
                self._export(lazy)
        elif (pairs := _parallel(target, value)) is not None:
            for part, part_value in pairs:
                self.assign(part, part_value, guards)
        else:
            self.dynamic(target, guards, "an unpacking")


def _parallel(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]] | None:
    """The parts of an unpacking, each with the part of a display that stands in its place; None for another value."""
    if not isinstance(target, (ast.Tuple, ast.List)) or not isinstance(value, (ast.Tuple, ast.List)):
        return None
    starred = any(isinstance(part, ast.Starred) for part in (*target.elts, *value.elts))
    if starred or len(target.elts) != len(value.elts):
        return None
    return list(zip(target.elts, value.elts, strict=True))


_BRANCHING = (ast.BoolOp, ast.IfExp, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _named_expressions(node: ast.expr) -> Iterator[tuple[ast.NamedExpr, bool]]:
    """The assignments inside an expression, each with whether it surely takes place; other scopes are not entered."""
    pending: list[tuple[ast.AST, bool]] = [(node, True)]
    while pending:
        part, certain = pending.pop()
        if isinstance(part, ast.NamedExpr):
            yield part, certain
        if isinstance(part, ast.Lambda):
            continue
        always = not isinstance(part, _BRANCHING)
        pending.extend((child, certain and always) for child in ast.iter_child_nodes(part))


def _function(walker: _Walker, node: ast.FunctionDef | ast.AsyncFunctionDef, guards: Guards | None) -> None:
    scope = walker.scope
    pos = _name_position(scope, node, "def")
    for default in (*node.args.defaults, *node.args.kw_defaults):
        walker.value(default, guards)
    scope.add(Definition(node.name, pos, walker.since, guards, FunctionDecl(node, scope, pos)))


def _class(walker: _Walker, node: ast.ClassDef, guards: Guards | None) -> None:
    scope = walker.scope
    pos = _name_position(scope, node, "class")
    for argument in (*node.bases, *(keyword.value for keyword in node.keywords)):
        walker.value(argument, guards)
    scope.add(Definition(node.name, pos, walker.since, guards, ClassDecl(node, scope, pos)))


def _name_position(scope: Scope, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, word: str) -> Pos:
    """The place of the name in `async def name` or `class name`, which the parser does not give."""
    file = scope.module.file
    line = file.line(node.lineno) if node.lineno <= file.line_count else ""
    # Between the word and the name is nothing but blanks, or the name is on another line.
    if line.isascii() and (at := line.find(node.name, line.find(word, node.col_offset) + len(word))) >= 0:
        return (node.lineno, at, node.lineno, at + len(node.name))
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
        walker.scope.add(ModuleImport(name, position(alias), walker.since, guards, target, alias.name))


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
    walker.value(node.value, guards)
    for target in node.targets:
        if isinstance(target, ast.Subscript):
            walker.value(target.value, guards)
        walker.assign(target, node.value, guards)


def _annotated(walker: _Walker, node: ast.AnnAssign, guards: Guards | None) -> None:
    walker.value(node.value, guards)
    if isinstance(node.target, ast.Name):
        value = Lazy(node.value) if node.value else None
        pos = position(node.target)
        annotation = Lazy.annotation(node.annotation, walker.scope.module)
        walker.scope.add(Assignment(node.target.id, pos, walker.since, guards, value, annotation))
        if node.target.id == "__all__" and value and walker.scope.kind == "module":
            walker.scope.module.exports = [(value, True)]


def _augmented(walker: _Walker, node: ast.AugAssign, guards: Guards | None) -> None:
    walker.value(node.value, guards)
    module = walker.scope.module
    if isinstance(node.target, ast.Name) and node.target.id == "__all__" and walker.scope.kind == "module":
        module.exports = [*(module.exports or []), (Lazy(node.value), True)]
    else:
        walker.dynamic(node.target, guards, "an augmented assignment")


def _expression(walker: _Walker, node: ast.Expr, guards: Guards | None) -> None:
    walker.value(node.value, guards)
    call = node.value
    if walker.scope.kind == "module" and isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
        owner = call.func.value
        if isinstance(owner, ast.Name) and owner.id == "__all__":
            _exports_call(walker.scope.module, call.func.attr, call)


def _exports_call(module: ParsedModule, method: str, call: ast.Call) -> None:
    """`__all__.extend(...)`, `.append(...)` or `.remove(...)`; another method leaves it undecided."""
    if method not in ("extend", "append", "remove") or len(call.args) != 1:
        module.undecidable_exports = True
        return
    (argument,) = call.args
    listed = argument if method == "extend" else ast.copy_location(ast.List([argument], ast.Load()), argument)
    module.exports = [*(module.exports or []), (Lazy(listed), method != "remove")]


def _return(walker: _Walker, node: ast.Return, guards: Guards | None) -> None:
    walker.value(node.value, guards)


def _delete(walker: _Walker, node: ast.Delete, guards: Guards | None) -> None:
    for target in node.targets:
        if isinstance(target, ast.Name):
            walker.scope.add(Deletion(target.id, position(target), walker.since, guards))
        elif isinstance(target, ast.Subscript):
            walker.scope.altered.append(Lazy(target.value))


def _if(walker: _Walker, node: ast.If, guards: Guards | None) -> None:
    walker.value(node.test, guards)
    step: ast.If | None = node
    while step is not None:
        test = Lazy(step.test)
        if step is not node:
            walker.value(step.test, guards)
        walker.block(step.body, Guards(Condition(test, True), guards))
        guards = Guards(Condition(test, False), guards)
        orelse = step.orelse
        if len(orelse) == 1 and isinstance(orelse[0], ast.If):
            step = orelse[0]
        else:
            walker.block(orelse, guards)
            step = None


def _while(walker: _Walker, node: ast.While, guards: Guards | None) -> None:
    walker.value(node.test, guards)
    walker.block(node.body, Guards(Condition(Lazy(node.test), True), guards))
    walker.block(node.orelse, guards)


def _for(walker: _Walker, node: ast.For | ast.AsyncFor, guards: Guards | None) -> None:
    walker.value(node.iter, guards)
    loop = Loop(Lazy(node.target), Lazy(node.iter)) if isinstance(node, ast.For) else None
    walker.dynamic(node.target, guards, "a loop", loop)
    walker.block(node.body, guards)
    walker.block(node.orelse, guards)


def _with(walker: _Walker, node: ast.With | ast.AsyncWith, guards: Guards | None) -> None:
    for item in node.items:
        walker.value(item.context_expr, guards)
        if item.optional_vars is not None:
            walker.dynamic(item.optional_vars, guards, "a `with`")
    walker.scope.managed.append(position(node))
    if any(_suppresses(item.context_expr) for item in node.items):
        _attempted(walker, node.body, guards)
    else:
        walker.block(node.body, guards)


def _suppresses(node: ast.expr) -> bool:
    """Whether an expression is `contextlib.suppress(...)` of an import that fails."""
    function = node.func if isinstance(node, ast.Call) else None
    name = getattr(function, "attr", None) or getattr(function, "id", None)
    failures = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}
    return name == "suppress" and any(getattr(each, "id", "") in failures for each in getattr(node, "args", ()))


def _attempted(walker: _Walker, body: list[ast.stmt], guards: Guards | None) -> tuple[TryBlock, Guards]:
    """The bindings of a body that ends where an import in it fails."""
    block = TryBlock()
    inside = Guards(Attempt(block, handler=False), guards)
    walker.block(body, inside)
    found = (binding for bindings in walker.scope.bindings.values() for binding in bindings)
    block.imports.extend(
        binding
        for binding in (*found, *walker.scope.stars)
        if isinstance(binding, (ModuleImport, SymbolImport)) and inside.guard in (binding.guards or ())
    )
    return block, inside


def _try(walker: _Walker, node: ast.Try, guards: Guards | None) -> None:
    block, body = _attempted(walker, node.body, guards)
    for handler in node.handlers:
        inside = Guards(Attempt(block, handler=True), guards)
        if handler.name:
            binding = Dynamic(handler.name, position(handler), walker.since, inside, "an exception handler")
            walker.scope.add(binding)
        walker.block(handler.body, inside)
    walker.block(node.orelse, body)
    walker.block(node.finalbody, guards)


def _match(walker: _Walker, node: ast.Match, guards: Guards | None) -> None:
    walker.value(node.subject, guards)
    for case in node.cases:
        # Which case is taken is for running code to know, but that it is one of them.
        inside = Guards(Condition(Lazy(node.subject), None), guards)
        for pattern in ast.walk(case.pattern):
            name = getattr(pattern, "name", None) or getattr(pattern, "rest", None)
            if isinstance(name, str):
                walker.scope.add(Dynamic(name, position(node.subject), walker.since, inside, "a pattern"))
        walker.block(case.body, inside)


def _assert(walker: _Walker, node: ast.Assert, guards: Guards | None) -> None:
    walker.value(node.test, guards)


def _raise(walker: _Walker, node: ast.Raise, guards: Guards | None) -> None:
    walker.value(node.exc, guards)


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
