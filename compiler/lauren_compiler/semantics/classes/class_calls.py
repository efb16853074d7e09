"""Classes that a call makes: what holds for each way to make one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...syntax.expressions import Call
from ..symbols import ValueSymbol

if TYPE_CHECKING:
    from ..types import TypeReader


def is_local(types: TypeReader, symbol: ValueSymbol, call: Call, via: tuple[Label, ...]) -> bool:
    """Whether a class is made inside a function, which is reported: a decoder could not import it."""
    if "<locals>" not in symbol.qualname:
        return False
    message = f"`{symbol.name}` is defined inside a function, where a decoder can't import it from"
    types.sink.add(rules.LOCAL_CLASS.at(symbol.scope.module.file.span(call.pos), message, labels=via))
    return True
