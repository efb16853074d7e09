"""Expressions as later phases see them: small trees with places, free of `ast`.

    dict[str, "Point"]  →  Subscript(Name("dict"), Tuple((Name("str"), Constant("Point"))))

Chains of one operator are flat (`a | b | c` is one `Chain`), so that depth means nesting only; what is nested deeper
than `MAX_DEPTH`, and what no later phase reads, becomes `Opaque` with the reason.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, TypeGuard

from msgspec import Struct, field

from ..ir.values import Value
from ..source.file import Pos

MAX_DEPTH = 250


class Expr(Struct, eq=False):
    """`pos` is where it stands in its file, as the parser counts."""

    pos: Pos


class _Late(ast.Load):
    """What is read when all has run."""


_LATE = _Late()


class Name(Expr, eq=False):
    """`deferred` if it is read when all has run: in a string annotation, or under the future import."""

    id: str
    deferred: bool = False


class Attribute(Expr, eq=False):
    value: Expr
    attr: str

    @property
    def attr_pos(self) -> Pos:
        """The place of the attribute's name alone (an identifier ends where the expression ends)."""
        return (self.pos[2], max(self.pos[3] - len(self.attr.encode()), 0), self.pos[2], self.pos[3])


class Subscript(Expr, eq=False):
    value: Expr
    index: Expr

    @property
    def arguments(self) -> tuple[Expr, ...]:
        """`X[a, b]` has two, `X[a]` and `X[(a, b),]` one more level each."""
        return self.index.items if isinstance(self.index, Tuple) else (self.index,)


class Call(Expr, eq=False):
    func: Expr
    args: tuple[Expr, ...]
    keywords: tuple[Keyword, ...]

    def keyword(self, name: str) -> Expr | None:
        """The value passed by that keyword, None if it is not."""
        return next((keyword.value for keyword in self.keywords if keyword.name == name), None)


class Keyword(Struct, eq=False):
    """`name` is None for `**value`."""

    name: str | None
    value: Expr
    pos: Pos


class Given(Expr, eq=False):
    """What a name stands for while something is gone through: a value that may have no literal."""

    value: Value


class Constant(Expr, eq=False):
    """A literal; for `...` the value is Ellipsis."""

    value: Any


class Chain(Expr, eq=False):
    """`a op b op c`, flattened where the operator is the same and grouping does not matter."""

    op: str
    items: tuple[Expr, ...]


class Unary(Expr, eq=False):
    op: str
    operand: Expr


class Conditional(Expr, eq=False):
    test: Expr
    body: Expr
    orelse: Expr


class Compare(Expr, eq=False):
    left: Expr
    op: str
    right: Expr


class Tuple(Expr, eq=False):
    items: tuple[Expr, ...]


class ListDisplay(Expr, eq=False):
    items: tuple[Expr, ...]


class SetDisplay(Expr, eq=False):
    items: tuple[Expr, ...]


class DictDisplay(Expr, eq=False):
    """A key is None for `**other`."""

    items: tuple[tuple[Expr | None, Expr], ...]


class Slice(Expr, eq=False):
    """`lower:upper` of a subscript; None for a bound that is left out."""

    lower: Expr | None
    upper: Expr | None


class Starred(Expr, eq=False):
    value: Expr


class Interpolation(Expr, eq=False):
    """`{value!conversion:spec}` in an f-string; both are empty where nothing is written."""

    value: Expr
    conversion: str
    spec: str


class FormattedString(Expr, eq=False):
    """An f-string: its constant parts, and an `Interpolation` (or a string that one was found to be) between them; None
    for a part whose format is computed."""

    parts: tuple[str | Expr | None, ...]


class Lambda(Expr, eq=False):
    """`least` and `most` count its positional parameters (None: any number), `names` are those that have a name;
    `needed` must be given by keyword."""

    least: int
    most: int | None
    needed: tuple[str, ...]
    names: tuple[str, ...]
    body: Expr


class Comprehension(Expr, eq=False):
    """`[element for target in source if test]`, with one `for`; of a dict, `element` is a tuple of key and value.

    `kind` is "list", "set", "dict" or "generator".
    """

    kind: str
    element: Expr
    target: Expr
    source: Expr
    tests: tuple[Expr, ...]

    @property
    def what(self) -> str:
        """A name for messages."""
        return "a generator expression" if self.kind == "generator" else "a comprehension"

    @property
    def evaluated_inside(self) -> tuple[Expr, ...]:
        """What Python evaluates at once besides `source`, with the names of `target` bound: nothing of a generator."""
        return () if self.kind == "generator" else (self.element, *self.tests)


class Opaque(Expr, eq=False):
    """Anything else. `what` names it for messages: "a comprehension", "nested too deep"."""

    what: str
    too_deep: bool = field(default=False)


def equal(left: Expr, right: Expr) -> bool:
    """Whether two expressions are written alike, places apart."""
    pending: list[tuple[Any, Any]] = [(left, right)]
    while pending:
        one, other = pending.pop()
        if type(one) is not type(other):
            return False
        if isinstance(one, (Expr, Keyword)):
            names = [name for name in one.__struct_fields__ if name not in ("pos", "deferred")]
            pending.extend((getattr(one, name), getattr(other, name)) for name in names)
        elif is_tuple(one):
            if len(one) != len(other):
                return False
            pending.extend(zip(one, other, strict=True))
        elif one != other:
            return False
    return True


def is_tuple(value: object) -> TypeGuard[tuple[Any, ...]]:
    """Whether a part of an expression is a tuple of parts."""
    return isinstance(value, tuple)


_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitOr: "|",
    ast.BitAnd: "&",
    ast.BitXor: "^",
}
_UNARY: dict[type[ast.unaryop], str] = {ast.USub: "-", ast.UAdd: "+", ast.Not: "not", ast.Invert: "~"}
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
}
_ASSOCIATIVE = frozenset("+|&^")

_OPAQUE: dict[type[ast.expr], str] = {
    ast.Await: "an `await`",
    ast.Yield: "a `yield`",
    ast.YieldFrom: "a `yield`",
}


def position(node: ast.expr | ast.stmt | ast.keyword | ast.arg | ast.alias | ast.excepthandler) -> Pos:
    """The place of a node, as the parser counts."""
    return (node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)


def convert(node: ast.expr, depth: int = 0) -> Expr:
    """The `Expr` of a parsed expression."""
    if depth > MAX_DEPTH:
        return Opaque(position(node), "an expression nested too deep", too_deep=True)
    converter = _CONVERTERS.get(type(node))
    if converter is None:
        return Opaque(position(node), _OPAQUE.get(type(node), "an expression"))
    return converter(node, depth + 1)


def _name(node: ast.Name, depth: int) -> Expr:
    return Name(position(node), node.id, isinstance(node.ctx, _Late))


def _attribute(node: ast.Attribute, depth: int) -> Expr:
    return Attribute(position(node), convert(node.value, depth), node.attr)


def _subscript(node: ast.Subscript, depth: int) -> Expr:
    return Subscript(position(node), convert(node.value, depth), convert(node.slice, depth))


def _call(node: ast.Call, depth: int) -> Expr:
    keywords = tuple(Keyword(word.arg, convert(word.value, depth), position(word)) for word in node.keywords)
    return Call(position(node), convert(node.func, depth), _all(node.args, depth), keywords)


def _constant(node: ast.Constant, depth: int) -> Expr:
    return Constant(position(node), node.value)


def _chain(node: ast.BinOp, depth: int) -> Expr:
    op = _OPERATORS.get(type(node.op), "@")
    if op not in _ASSOCIATIVE:
        return Chain(position(node), op, (convert(node.left, depth), convert(node.right, depth)))
    items: list[ast.expr] = []
    left: ast.expr = node
    while isinstance(left, ast.BinOp) and _OPERATORS.get(type(left.op)) == op:
        items.append(left.right)
        left = left.left
    items.append(left)
    return Chain(position(node), op, tuple(convert(item, depth) for item in reversed(items)))


def _unary(node: ast.UnaryOp, depth: int) -> Expr:
    return Unary(position(node), _UNARY[type(node.op)], convert(node.operand, depth))


def _bool_op(node: ast.BoolOp, depth: int) -> Expr:
    return Chain(position(node), "and" if isinstance(node.op, ast.And) else "or", _all(node.values, depth))


def _compare(node: ast.Compare, depth: int) -> Expr:
    sides = _all([node.left, *node.comparators], depth)
    each = tuple(
        Compare(position(node), sides[index], _COMPARE[type(op)], sides[index + 1]) for index, op in enumerate(node.ops)
    )
    return each[0] if len(each) == 1 else Chain(position(node), "and", each)


def _conditional(node: ast.IfExp, depth: int) -> Expr:
    return Conditional(
        position(node), convert(node.test, depth), convert(node.body, depth), convert(node.orelse, depth)
    )


def _tuple(node: ast.Tuple, depth: int) -> Expr:
    return Tuple(position(node), _all(node.elts, depth))


def _list(node: ast.List, depth: int) -> Expr:
    return ListDisplay(position(node), _all(node.elts, depth))


def _set(node: ast.Set, depth: int) -> Expr:
    return SetDisplay(position(node), _all(node.elts, depth))


def _dict(node: ast.Dict, depth: int) -> Expr:
    pairs = zip(node.keys, node.values, strict=True)
    items = tuple((None if key is None else convert(key, depth), convert(value, depth)) for key, value in pairs)
    return DictDisplay(position(node), items)


def _starred(node: ast.Starred, depth: int) -> Expr:
    return Starred(position(node), convert(node.value, depth))


def _walrus(node: ast.NamedExpr, depth: int) -> Expr:
    return convert(node.value, depth)


def _slice(node: ast.Slice, depth: int) -> Expr:
    if node.step is not None:
        return Opaque(position(node), "a slice with a step")
    bounds = [None if bound is None else convert(bound, depth) for bound in (node.lower, node.upper)]
    return Slice(position(node), bounds[0], bounds[1])


def defer(node: ast.expr) -> ast.expr:
    """Mark the names of an expression that is read only when all has run."""
    pending: list[ast.AST] = [node]
    while pending:
        part = pending.pop()
        if isinstance(part, ast.Name):
            part.ctx = _LATE  # a mark of its own would take more memory than the node does
        elif isinstance(part, ast.Subscript):
            pending += (part.value, part.slice)
        elif not isinstance(part, ast.Constant):
            pending.extend(ast.iter_child_nodes(part))
    return node


def _lambda(node: ast.Lambda, depth: int) -> Expr:
    takes = node.args
    most = len(takes.posonlyargs) + len(takes.args)
    needed = (name.arg for name, default in zip(takes.kwonlyargs, takes.kw_defaults, strict=True) if default is None)
    names = tuple(each.arg for each in (*takes.posonlyargs, *takes.args))
    least = most - len(takes.defaults)
    body = convert(node.body, depth)
    return Lambda(position(node), least, None if takes.vararg else most, tuple(needed), names, body)


def _comprehension(node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, depth: int) -> Expr:
    first, *others = node.generators
    kind = _COMPREHENSIONS[type(node)]
    if others or first.is_async:
        return Opaque(position(node), "a comprehension")
    if isinstance(node, ast.DictComp):
        element: Expr = Tuple(position(node.key), (convert(node.key, depth), convert(node.value, depth)))
    else:
        element = convert(node.elt, depth)
    target, source = convert(first.target, depth), convert(first.iter, depth)
    return Comprehension(position(node), kind, element, target, source, _all(first.ifs, depth))


_COMPREHENSIONS: dict[type[ast.expr], str] = {
    ast.ListComp: "list",
    ast.SetComp: "set",
    ast.DictComp: "dict",
    ast.GeneratorExp: "generator",
}


def _formatted(node: ast.JoinedStr, depth: int) -> Expr:
    return FormattedString(position(node), tuple(_part(value, depth) for value in node.values))


def _part(node: ast.expr, depth: int) -> str | Interpolation | None:
    if isinstance(node, ast.Constant):
        return str(node.value)
    if not isinstance(node, ast.FormattedValue):
        return None
    spec = node.format_spec.values if isinstance(node.format_spec, ast.JoinedStr) else []
    texts = [part.value for part in spec if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    if len(texts) < len(spec):
        return None
    conversion = chr(node.conversion) if node.conversion > 0 else ""
    return Interpolation(position(node), convert(node.value, depth), conversion, "".join(texts))


def _all(nodes: list[ast.expr], depth: int) -> tuple[Expr, ...]:
    return tuple(convert(node, depth) for node in nodes)


_CONVERTERS: dict[type[ast.expr], Callable[[Any, int], Expr]] = {
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.Call: _call,
    ast.Constant: _constant,
    ast.BinOp: _chain,
    ast.UnaryOp: _unary,
    ast.BoolOp: _bool_op,
    ast.Compare: _compare,
    ast.IfExp: _conditional,
    ast.Tuple: _tuple,
    ast.List: _list,
    ast.Set: _set,
    ast.Dict: _dict,
    ast.Starred: _starred,
    ast.Lambda: _lambda,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.DictComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.NamedExpr: _walrus,
    ast.Slice: _slice,
    ast.JoinedStr: _formatted,
}
