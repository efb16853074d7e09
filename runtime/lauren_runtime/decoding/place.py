"""Where a complete decoding stands: the path, what was found wrong, what was mended, how well the value fits.

One `Place` goes through all functions of one call. A function that cannot take a value notes a fault and returns None;
whoever needs to know whether something failed below compares the number of faults before and after.
"""

from __future__ import annotations

from .repairs import ABSENT, Repair
from .wording import described

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, TypeAlias, TypeVar

    Result = TypeVar("Result")
    Row: TypeAlias = tuple[str, Callable[[Any, "Place"], object], type | None, str | int]

_new = object.__new__
EXACT, STRICT, LAX = 2, 1, 0
"""How closely a value fits a type, as pydantic ranks it: see docs/decoding.md."""


OPTIONAL, DEFAULTED = 0, 1
"""What the absence of a member means: see `Place.take`."""


class Fault:
    """One thing wrong at one place; made into an `ArgumentError` when the call has failed for good.

    `words` say it where "expected …, got …" would be clumsy.
    """

    __slots__ = ("allowed", "expected", "got", "path", "words")

    def __init__(
        self,
        path: tuple[str | int, ...],
        expected: str,
        got: str,
        allowed: tuple[object, ...] | None = None,
        words: str | None = None,
    ) -> None:
        self.path = path
        self.expected = expected
        self.got = got
        self.allowed = allowed
        self.words = words

    def moved(self, depth: int, to: tuple[str | int, ...]) -> Fault:
        """The same fault of the same value at another place: the first `depth` steps replaced by `to`."""
        return Fault(to + self.path[depth:], self.expected, self.got, self.allowed, self.words)


class Place:
    """The state of one complete decoding. `value` is what `enter` and `step` went to."""

    # What few calls need is the class's until it is set.
    exactness = EXACT
    fields: int | None = None
    value: Any = None
    models = 0
    """How many models are open around here: what is in one is built with it."""
    memo: dict[object, Any] | None = None
    """What unions made of values."""
    spelled: dict[str, Any] | None = None
    """What texts spell."""

    def __init__(self, repair: bool) -> None:
        self.repair = repair
        self.path: list[str | int] = []
        self.faults: list[Fault] = []
        self.repairs: list[Repair] = []

    def fail(self, expected: str, got: Any, allowed: tuple[object, ...] | None = None) -> object:
        """Note that the value here does not fit. Returns None, to stand for the value."""
        fault = _new(Fault)  # quicker than the constructor
        fault.path = tuple(self.path)
        fault.expected = expected
        fault.got = described(got)
        fault.allowed = allowed
        fault.words = None
        self.faults.append(fault)
        return None

    def refuse(self, before: int, expected: str, got: Any) -> object:
        """Note that the value here does not fit, in place of the faults after the first `before`. Returns None."""
        del self.faults[before:]
        return self.fail(expected, got)

    def sent(self, value: Any, before: int) -> Any:
        """The JSON value that stands here: `value`, or what repairs after the first `before` made of it."""
        path = tuple(self.path)
        for repair in self.repairs[before:]:
            if repair.path == path:
                value = repair.after
        return value

    def mend(self, what: str, before: Any, after: Any) -> None:
        """Note a repair of the value here."""
        self.repairs.append(Repair(tuple(self.path), what, before, after))

    def loosen(self, exactness: int) -> None:
        """The value here fits no better than this."""
        if exactness < self.exactness:
            self.exactness = exactness

    def add_fields(self, count: int) -> None:
        """So many fields of an object were given."""
        self.fields = count + (self.fields or 0)

    def take(self, given: dict[str, Any], *rows: Row) -> dict[str, object]:
        """Decode the members of an object; those that are there, under their keys.

        A row has the key of a member, what decodes it, the type of values that are right as they are (None for none),
        and what is expected there. `OPTIONAL` in place of that: it may be absent; `DEFAULTED`: and null is mended to
        absent.
        """
        path = self.path
        found: dict[str, object] = {}
        for key, decode, exact, expected in rows:
            if key in given:
                value = given[key]
                if type(value) is exact:
                    found[key] = value
                    if exact is str and self.exactness > STRICT:
                        self.exactness = STRICT
                    continue
                path.append(key)
                if value is None and expected is DEFAULTED and self.repair:
                    self.mend("null stands for the default", None, ABSENT)
                else:
                    found[key] = decode(value, self)
                path.pop()
            elif type(expected) is str:
                words = f"required, but missing: {expected}"
                self.faults.append(Fault((*path, key), expected, "nothing", None, words))
        return found

    def enter(self, given: dict[str, Any], key: str, expected: str) -> bool:
        """Go to a member that has to be there. False, with a fault, if it is not."""
        if key in given:
            self.path.append(key)
            self.value = given[key]
            return True
        self.faults.append(Fault((*self.path, key), expected, "nothing", None, f"required, but missing: {expected}"))
        return False

    def enter_if_given(self, given: dict[str, Any], key: str) -> bool:
        """Go to a member that may be absent."""
        if key in given:
            self.path.append(key)
            self.value = given[key]
            return True
        return False

    def enter_unless_null(self, given: dict[str, Any], key: str) -> bool:
        """Go to a member that may be absent and can't be null: null is mended to absent."""
        if key not in given:
            return False
        self.path.append(key)
        self.value = given[key]
        if self.value is None and self.repair:
            self.mend("null stands for the default", None, ABSENT)
            self.path.pop()
            return False
        return True

    def step(self, items: list[Any], index: int) -> Any:
        """Go to an item of an array; returns it."""
        self.path.append(index)
        return items[index]

    def leave(self, result: Result) -> Result:
        """Go back to where `enter` or `step` came from."""
        self.path.pop()
        return result

    def each(self, items: Iterable[Any], start: int = 0) -> Iterator[Any]:
        """Go through the items of an array, the first of which has the index `start`."""
        path = self.path
        for index, item in enumerate(items, start):
            path.append(index)
            yield item
            path.pop()

    def rest(self, items: list[Any], start: int) -> Iterator[Any]:
        """Go through the items of an array from an index on."""
        return self.each(items[start:], start)

    def or_null(self, result: Result) -> Result:
        """What was just decoded could also have been null: a fault that was noted here says so."""
        fault = self.faults[-1] if self.faults else None
        if fault is not None and fault.words is None and fault.path == tuple(self.path):
            allowed = None if fault.allowed is None else (*fault.allowed, None)
            self.faults[-1] = Fault(fault.path, f"{fault.expected} or null", fault.got, allowed)
        return result
