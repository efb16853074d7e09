"""What the text of a function's body says of it, before it is looked into: most bodies never need to be.

Where a body has no `class`, nothing in it is one; a name that does not stand in it is not used in it. The other way
round nothing follows: a word may stand in a string or a comment.
"""

from __future__ import annotations

import ast
from collections.abc import Set

from ..source.patterns import pattern
from .declarations import FunctionDecl, Lazy
from .own_parts import docstring_of

_WORD = pattern(r"\w+")
_CALLED_AGAIN = pattern(r"[)\]](?:\s|\\|#.*)*\(")
"""`f()(x)` and `f[0](x)`, also with comments and ends of lines in between."""

_WITHOUT_NAMES = (ast.Constant, ast.JoinedStr, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.BinOp, ast.Compare)


def body_text(decl: FunctionDecl) -> str:
    """The lines of a function's body, without the docstring."""
    body = decl.stem.body
    first = body[1] if len(body) > 1 and docstring_of(body) is not None else body[0]
    return decl.scope.module.file.stretch(first.lineno, decl.last_line)


def may_hold_classes(decl: FunctionDecl) -> bool:
    """Whether a class statement may stand in a function."""
    return "class" in body_text(decl)


def may_use(decl: FunctionDecl, names: Set[str]) -> bool:
    """Whether a function's body may use one of some names, or call what an expression gives: `f()(x)`."""
    text = body_text(decl)
    if text.isascii() and not any(map(text.__contains__, names)) and _CALLED_AGAIN.search(text) is None:
        return False
    # Python takes other spellings of a letter for the letter: `ﬁnd` is `find`.
    return not text.isascii() or not names.isdisjoint(_WORD.findall(text)) or _CALLED_AGAIN.search(text) is not None


def is_made_anew(value: Lazy) -> bool:
    """Whether a value is a constant, a display or the result of an operation: no other name for something."""
    return isinstance(value.node, _WITHOUT_NAMES)


def called(value: Lazy) -> tuple[str, ...] | None:
    """The parts of the dotted name that a value is a call of, the first "" if it begins with none; None for no call."""
    if not isinstance(value.node, ast.Call):
        return None
    function, parts = value.node.func, list[str]()
    while isinstance(function, ast.Attribute):
        parts.append(function.attr)
        function = function.value
    return (function.id if isinstance(function, ast.Name) else "", *reversed(parts))
