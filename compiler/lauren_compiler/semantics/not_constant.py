"""What an expression is that has no constant value."""

from __future__ import annotations

from msgspec import Struct

from ..source.file import Pos
from .symbols import Unresolved


class NotConstant(Struct, frozen=True):
    """`why` completes "can't be known from the source: …"; `pos` is the part that is not constant.

    `unresolved` is set where a name leads nowhere.
    """

    why: str
    pos: Pos
    unresolved: Unresolved | None = None
