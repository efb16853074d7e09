"""The arguments of a decorator, each with the scope that it is read in, and which parameters they go to."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from ..source.file import Pos
from ..source.span import Span
from ..syntax.declarations import FunctionDecl, ParamDecl, Scope
from ..syntax.expressions import Call, Expr, Starred


class Item(Struct, frozen=True, eq=False):
    """One item: an expression, and the scope that it is read in."""

    expr: Expr
    scope: Scope

    @property
    def span(self) -> Span:
        return self.scope.module.file.span(self.expr.pos)


class Argument(Struct, frozen=True, eq=False):
    """One argument. `name` is its keyword, None for a positional one; `stars` is 1 for `*value`, 2 for `**value`."""

    name: str | None
    value: Expr
    scope: Scope
    pos: Pos
    stars: int = 0

    @property
    def span(self) -> Span:
        """The place of the value."""
        return self.scope.module.file.span(self.value.pos)


class Bound(Struct):
    """Arguments by the parameter that takes them. `rest` go to the `**` parameter, or to none."""

    by_name: dict[str, Argument] = field(default_factory=dict[str, Argument])
    rest: list[Argument] = field(default_factory=list[Argument])


def arguments_of(call: Call, scope: Scope) -> tuple[Argument, ...]:
    """The arguments of a call, positional ones first."""
    return tuple(_arguments(call, scope))


def _arguments(call: Call, scope: Scope) -> Iterator[Argument]:
    for value in call.args:
        starred = value.value if isinstance(value, Starred) else None
        yield Argument(None, starred or value, scope, value.pos, 1 if starred is not None else 0)
    for word in call.keywords:
        yield Argument(word.name, word.value, scope, word.pos, 2 if word.name is None else 0)


def overridden(first: tuple[Argument, ...], later: tuple[Argument, ...]) -> tuple[Argument, ...]:
    """The arguments of `partial(f, *first)(*later)`: a keyword that is given again counts once."""
    if not first and not later:
        return ()
    again = {argument.name for argument in later if argument.name is not None}
    kept = tuple(argument for argument in first if argument.name not in again)
    return tuple(sorted((*kept, *later), key=lambda argument: argument.name is not None or argument.stars == 2))


def bound(arguments: tuple[Argument, ...], parameters: tuple[ParamDecl, ...], skip: int) -> Bound:
    """Which of a function's parameters, `skip` of them taken already, get which arguments."""
    found = Bound()
    positional = [each for each in parameters if each.kind in ("positional_only", "positional_or_keyword")][skip:]
    names = {each.name for each in parameters if each.kind in ("positional_or_keyword", "keyword_only")}
    for argument in arguments:
        if argument.stars:
            found.rest.append(argument)
        elif argument.name is None:
            if positional:
                found.by_name[positional.pop(0).name] = argument
        elif argument.name in names:
            found.by_name[argument.name] = argument
        else:
            found.rest.append(argument)
    return found


def defaults(decl: FunctionDecl) -> Iterator[tuple[str, Argument]]:
    """The defaults of a function's parameters."""
    for parameter in decl.parameters:
        if parameter.default is not None:
            value = parameter.default.expr
            yield parameter.name, Argument(parameter.name, value, decl.scope, value.pos)
