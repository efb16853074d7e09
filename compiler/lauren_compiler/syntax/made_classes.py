"""Classes that a call makes, as the class statements that would make the same.

Point = attrs.make_class("Point", {"x": field(type=int)})     @attrs.make_class(these={"x": field(type=int)})
                                                              class Point: ...
Page = create_model("Page", size=(int, 3), __base__=Base)     class Page(Base):
                                                                  size: int = 3
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .declarations import Assignment, ClassDecl, Scope
from .expressions import position


def as_decorated(name: str, scope: Scope) -> ClassDecl | None:
    """The class that a variable is set to a call for: the call, without the class's name, is its decorator, and what
    came second is `these`. None if it has bases or a body."""
    call = _call_of(name, scope)
    if call is None or len(call.args) > 2:
        return None
    these = call.args[1] if len(call.args) == 2 else _keyword(call, "attrs")
    others = [word for word in call.keywords if word.arg not in ("attrs", "name")]
    if these is None or any(word.arg in (None, "bases", "class_body") for word in others):
        return None
    word = ast.copy_location(ast.keyword("these", these), these)
    return _statement(name, scope, call, [], [], [ast.Call(call.func, [], [word, *others])])


def as_annotated(name: str, scope: Scope) -> ClassDecl | None:
    """The class that a variable is set to a call for, whose keywords are its fields: types, or types with defaults.

    Without `__base__` its base is the function that is called. None if something else is said of it.
    """
    call = _call_of(name, scope)
    if call is None or len(call.args) != 1:
        return None
    fields = [word for word in call.keywords if word.arg is not None and not word.arg.startswith("__")]
    said = {word.arg: word.value for word in call.keywords if word not in fields}
    if not said.keys() <= {"__base__", "__config__", "__doc__", "__module__"}:
        return None
    body: list[ast.stmt] = []
    if "__doc__" in said:
        body.append(ast.copy_location(ast.Expr(said["__doc__"]), said["__doc__"]))
    if "__config__" in said:
        target = ast.copy_location(ast.Name("model_config", ast.Store()), said["__config__"])
        body.append(ast.copy_location(ast.Assign([target], said["__config__"]), said["__config__"]))
    body += [ast.copy_location(each, call) for each in _fields(fields)]
    base = said.get("__base__", call.func)
    bases = base.elts if isinstance(base, ast.Tuple) else [base]
    return _statement(name, scope, call, bases, body, [])


def _fields(words: list[ast.keyword]) -> Iterator[ast.stmt]:
    """`name=(type, default)`, of which `...` is none, and `name=type`."""
    for word in words:
        pair = word.value.elts if isinstance(word.value, ast.Tuple) and len(word.value.elts) == 2 else [word.value]
        value = pair[1] if len(pair) == 2 else None
        if isinstance(value, ast.Constant) and value.value is ...:
            value = None
        target = ast.copy_location(ast.Name(word.arg or "", ast.Store()), word)
        yield ast.copy_location(ast.AnnAssign(target, pair[0], value, 1), word)


def _call_of(name: str, scope: Scope) -> ast.Call | None:
    """The call that a variable is set to, where it is set once."""
    values = [each.value for each in scope.bindings.get(name, ()) if isinstance(each, Assignment)]
    node = values[0].node if len(values) == 1 and values[0] is not None else None
    return node if isinstance(node, ast.Call) and not any(isinstance(part, ast.Starred) for part in node.args) else None


def _keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((word.value for word in call.keywords if word.arg == name), None)


def _statement(
    name: str, scope: Scope, call: ast.Call, bases: list[ast.expr], body: list[ast.stmt], decorators: list[ast.expr]
) -> ClassDecl:
    (node,) = ast.parse("class Made: ...").body
    assert isinstance(node, ast.ClassDef)
    node.name, node.bases = name, bases
    node.body = body or [ast.copy_location(ast.Pass(), call)]
    node.decorator_list = [ast.copy_location(each, call) for each in decorators]
    return ClassDecl(ast.copy_location(node, call), scope, position(call))
