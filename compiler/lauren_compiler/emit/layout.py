"""Lays out generated Python as black does, so that black need not run in a build.

Only forms whose layout is simple are used: calls, displays and comprehensions. One that fits a line stays on it; else
each item gets its own line with a comma behind, which black takes as a wish to keep it so. Strings that are too long
for any line are left long, as black leaves them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import force_setattr

from .pyliteral import literal

WIDTH = 88
STEP = "    "


class Group(Struct, frozen=True):
    """`head(item, item)`, or with other brackets. A tuple of one keeps its comma. `flat` is all of it on one line."""

    head: str
    items: tuple[Expression, ...]
    brackets: str = "()"
    flat: str = ""

    def __post_init__(self) -> None:
        opening, closing = self.brackets[0], self.brackets[1]
        comma = "," if not self.head and self.brackets == "()" and len(self.items) == 1 else ""
        inside = ", ".join([item if isinstance(item, str) else item.flat for item in self.items])
        force_setattr(self, "flat", f"{self.head}{opening}{inside}{comma}{closing}")


class Labelled(Struct, frozen=True):
    """`name=value` or `key: value` inside a group."""

    label: str
    value: Expression

    @property
    def flat(self) -> str:
        """All of it on one line."""
        return self.label + flat(self.value)


class Comprehension(Struct, frozen=True):
    """`[element for target in source]`, or with braces."""

    element: str
    clause: str
    brackets: str = "[]"
    head: str = ""

    @property
    def flat(self) -> str:
        """All of it on one line."""
        return f"{self.head}{self.brackets[0]}{self.element} {self.clause}{self.brackets[1]}"


class Subscript(Struct, frozen=True):
    """`head[index]`: no comma behind the index when it breaks, for that would make it a tuple."""

    head: str
    index: str

    @property
    def flat(self) -> str:
        """All of it on one line."""
        return f"{self.head}[{self.index}]"


Expression: TypeAlias = str | Group | Labelled | Comprehension | Subscript


def call(name: str, *arguments: Expression) -> Group:
    """`name(arguments)`."""
    return Group(name, arguments)


def display(value: object) -> Expression:
    """The expression for a constant (see `pyliteral.literal`) that can break between its items."""
    if isinstance(value, tuple):
        return Group("", tuple(display(item) for item in value))  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return literal(value)


def flat(expression: Expression) -> str:
    """On one line."""
    return expression if isinstance(expression, str) else expression.flat


def statement(prefix: str, expression: Expression, suffix: str = "", indent: int = 1) -> list[str]:
    """The lines of `prefix` + expression + `suffix`, `indent` steps in."""
    margin = STEP * indent
    line = f"{margin}{prefix}{flat(expression)}{suffix}"
    if len(line) <= WIDTH:
        return [line]
    if isinstance(expression, Labelled):
        return statement(prefix + expression.label, expression.value, suffix, indent)
    if isinstance(expression, Subscript):
        return [f"{margin}{prefix}{expression.head}[", margin + STEP + expression.index, f"{margin}]{suffix}"]
    parts = [] if isinstance(expression, str) else _parts(expression, indent)
    if isinstance(expression, str) or not parts:
        return [line]
    opening, closing = expression.brackets[0], expression.brackets[1]
    return [f"{margin}{prefix}{expression.head}{opening}", *parts, f"{margin}{closing}{suffix}"]


def call_statement(prefix: str, name: str, *arguments: str, suffix: str = "", indent: int = 1) -> list[str]:
    """As `statement` of a `call`, for one that nearly always fits a line."""
    line = f"{STEP * indent}{prefix}{name}({', '.join(arguments)}){suffix}"
    return [line] if len(line) <= WIDTH else statement(prefix, call(name, *arguments), suffix, indent)


def _parts(expression: Group | Comprehension, indent: int) -> list[str]:
    if isinstance(expression, Comprehension):
        margin = STEP * (indent + 1)
        joined = f"{margin}{expression.element} {expression.clause}"
        return [joined] if len(joined) <= WIDTH else [margin + expression.element, margin + expression.clause]
    return [line for item in expression.items for line in statement("", item, ",", indent + 1)]


def named_number(name: str, text: str) -> list[str]:
    """`name = text` for a number; in parentheses where that lets it fit a line, and always if it has a sign."""
    line = f"{name} = {text}"
    if len(line) > WIDTH and (len(STEP + text) <= WIDTH or text.startswith("-")):
        return [f"{name} = (", STEP + text, ")"]
    return [line]


def assignment(name: str, text: str) -> list[str]:
    """`name = "text"`, in pieces if it does not fit a line."""
    line = f"{name} = {literal(text)}"
    if len(line) <= WIDTH:
        return [line]
    if len(STEP + literal(text)) <= WIDTH:
        return [f"{name} = (", STEP + literal(text), ")"]
    return [f"{name} = (", *(STEP + literal(piece) for piece in _pieces(text)), ")"]


def _pieces(text: str) -> Sequence[str]:
    """Stretches of `text` whose literals fit a line; an escape may take ten characters."""
    pieces = [""]
    for each in text:
        if len(STEP + literal(pieces[-1] + each)) > WIDTH:
            pieces.append("")
        pieces[-1] += each
    return pieces
