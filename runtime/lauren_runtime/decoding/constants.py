"""Literals and enums: tables from JSON constants to what stands for them in Python."""

from __future__ import annotations

from .bounds import FAR
from .keys import json_key
from .place import EXACT, LAX
from .quick import Doubt
from .texts import json_scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping
    from typing import Any

    from .loading import Imported
    from .place import Place


class Member:
    """An enum member, fetched by name from the loaded class."""

    __slots__ = ("loaded", "name")

    def __init__(self, loaded: Imported, name: str) -> None:
        self.loaded = loaded
        self.name = name

    def found(self) -> Any:
        """The member. Raises ImportError if the class no longer has it."""
        try:
            return self.loaded.cls[self.name]
        except KeyError:
            where = f"{self.loaded.module}:{self.loaded.qualname}"
            raise ImportError(f"{where} has no member {self.name}: rebuild with lauren-compile") from None


class Constants:
    """The values of a Literal or an enum: JSON values, or pairs of a JSON value and what it stands for (`members`).

    `table` (by `json_key`) and `texts` (of the strings alone, for the quick path) are made when first asked for,
    since only then the user's enums are loaded.
    """

    __slots__ = ("members", "table", "texts", "values")

    table: Mapping[Hashable, Any]
    texts: Mapping[str, Any]

    def __init__(self, *values: Any, members: tuple[tuple[Any, Any], ...] = ()) -> None:
        self.values = values
        self.members = members
        object.__setattr__(self, "__class__", _NotYetMade)

    @property
    def allowed(self) -> tuple[object, ...]:
        """The JSON values there are."""
        return (*self.values, *(value for value, _ in self.members))

    def quick(self, value: Any) -> Any:
        """What the JSON value stands for. Raises KeyError or TypeError if it stands for nothing."""
        if isinstance(value, float) and not -FAR < value < FAR:
            raise Doubt
        return self.table[json_key(value)]

    def check(self, value: Any, at: Place) -> object:
        """What the JSON value stands for; else a fault. Mends a number or boolean that was written as text."""
        if type(value) is str and not self.members and value in self.texts:
            return value
        found = self._found(value, at)
        if found is None and at.repair and isinstance(value, str):
            spelled = json_scalar(value)
            found = None if spelled is None else self._found(spelled, at)
            if found is not None:
                at.mend("text read as a constant", value, spelled)
        if found is None:
            return at.fail("one of the allowed values", value, self.allowed)
        return found[0]

    def key(self, name: str, at: Place) -> object:
        """The same for a key of an object."""
        if name in self.texts:
            at.loosen(LAX if self.members else EXACT)
            return self.texts[name]
        return at.fail("one of the allowed keys", name, self.allowed)

    def _found(self, value: Any, at: Place) -> tuple[Any] | None:
        key = json_key(value)
        if key not in self.table:
            return None
        meant = self.table[key]
        at.loosen(LAX if self.members and meant is not value else EXACT)
        return (meant,)


class _NotYetMade(Constants):
    """Ones whose tables are not made yet. A class with `__getattr__` costs at every look-up: it is one until then."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        if name not in ("table", "texts"):
            raise AttributeError(name)
        pairs = [(value, value) for value in self.values]
        pairs += [(value, meant.found() if isinstance(meant, Member) else meant) for value, meant in self.members]
        self.table = {json_key(value): meant for value, meant in pairs}
        self.texts = {value: meant for value, meant in pairs if isinstance(value, str)}
        object.__setattr__(self, "__class__", Constants)
        return getattr(self, name)
