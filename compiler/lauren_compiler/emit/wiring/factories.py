"""The functions that make objects: each calls one constructor or factory with what it needs, and sets attributes.

def make_buy(new: Any, prices: Any, rate: Any) -> Any:
    return new(prices=prices, rate=rate)
"""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.graph import Construction, Default, Need, Source
from ..layout import Expression, Group, call, statement
from ..names import Namespace
from ..pyliteral import literal

_ANY = ": Any"


def factory(name: str, made: Construction, sources: Sequence[Source]) -> list[str]:
    """The lines of the function of that name. `sources` fill the needs of `made`, in order."""
    free = Namespace()
    target = free.fresh("new" if made.produces == "value" else "call")
    result = free.fresh("made") if made.fields else ""
    given: dict[int, str] = {
        index: free.fresh(need.name, fallback="item")
        for index, (need, source) in enumerate(zip(made.needs, sources, strict=True))
        if source is not None
    }
    count = len(made.parameters)
    arguments = [_argument(need, given.get(index), target, made.path) for index, need in enumerate(made.parameters)]
    lines = statement("def ", call(name, *(each + _ANY for each in (target, *given.values()))), " -> Any:", indent=0)
    built = Group(target, tuple(each for each in arguments if each is not None))
    if not made.fields:
        return [*lines, *statement("return ", built)]
    lines += statement(f"{result} = ", built)
    for index, need in enumerate(made.fields, start=count):
        value = given.get(index, "None" if need.default is Default.NONE else None)
        if value is not None:
            lines += _attribute(result, need.name, value)
    return [*lines, *statement("return ", result)]


def _argument(need: Need, value: str | None, target: str, path: str) -> Expression | None:
    """What is passed; None for what is left out. Parameters by position come first, as they do in any signature."""
    if value is None:
        if need.default is Default.OMITTED:
            return None
        owner = f"{target}.{path}" if path else target
        value = "None" if need.default is Default.NONE else f"{owner}.__defaults__[{need.index}]"
    if not need.by_name:
        return value
    if not need.name.isascii():
        return f"**{{{literal(need.name)}: {value}}}"
    return f"{need.name}={value}"


def _attribute(owner: str, name: str, value: str) -> list[str]:
    """Setting an attribute; by its text where the name could not stand in ASCII."""
    if name.isascii():
        return statement(f"{owner}.{name} = ", value)
    return statement("", call("setattr", owner, literal(name), value))
