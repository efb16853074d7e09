"""The complete decoders' part in arrays and objects: the generated functions walk them, these check and build.

A JSON text is mended to the container it spells where only that container fits.
"""

from __future__ import annotations

from .keys import distinct
from .kinds import is_array, is_object
from .place import STRICT, Fault
from .repairs import apply_repairs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from .place import Place

_MOST_HINTS = 50


def members(value: object, at: Place, expected: str) -> dict[str, Any] | None:
    """The members of a JSON object, None with a fault if `value` is none."""
    if is_object(value):
        return value
    found: dict[str, Any] | None = _spelled(value, dict, at)
    if found is None:
        at.fail(expected, value)
    return found


def items(value: object, at: Place, expected: str, least: int = 0, most: int | None = None) -> list[Any] | None:
    """The items of a JSON array of that many, None with a fault if `value` is none."""
    found: list[Any] | None = value if is_array(value) else _spelled(value, list, at)
    if found is None:
        at.fail(expected, value)
    elif len(found) < least or (most is not None and len(found) > most):
        at.fail(expected, found)
        return None
    return found


def _spelled(value: object, kind: type[Any], at: Place) -> Any:
    if not (at.repair and isinstance(value, str)):
        return None
    from .texts import json_container

    found = json_container(value, kind, at)
    if found is not None:
        at.mend("text read as JSON", value, found)
    return found


def array_of(decode: Callable[[Any, Place], Any], value: object, at: Place, expected: str) -> list[Any]:
    """The decoded items of an array; none, with a fault, if `value` is none."""
    found = items(value, at, expected)
    if not found:
        return []
    path = at.path
    path.append(0)
    decoded: list[Any] = []
    for index, item in enumerate(found):
        path[-1] = index
        decoded.append(decode(item, at))
    path.pop()
    return decoded


def entries(
    value: object, at: Place, expected: str, key_of: Callable[[str, Place], object]
) -> Iterator[tuple[Any, Any]]:
    """Go through an object, its keys decoded by `key_of`; through nothing, with a fault, if `value` is none."""
    for name, item in (members(value, at, expected) or {}).items():
        at.path.append(name)
        yield key_of(name, at), item
        at.path.pop()


def unique(raw: list[Any], decoded: list[Any], at: Place, since: tuple[int, int], kind: type[Any]) -> object:
    """The set of the `decoded` items of the array `raw`; `since` is `marks(at)` from before they were decoded.

    Items equal as JSON, after their repairs, are a fault, or mended to the first of them. Items that Python cannot
    put into a set are faults; items that only Python holds equal (`1` and `true`) become one, as they do in any set.
    """
    at.loosen(STRICT)
    if len(at.faults) > since[0]:
        return None
    depth = len(at.path)
    mended = apply_repairs(raw, [repair.moved(depth, ()) for repair in at.repairs[since[1] :]])
    once = distinct(mended)
    if len(once) < len(mended):
        if not at.repair:
            return at.fail("items that are all different", raw)
        at.mend("equal items read as one", mended, once)
    return _hashed(decoded, at, kind)


def marks(at: Place) -> tuple[int, int]:
    """How many faults and repairs there are so far."""
    return (len(at.faults), len(at.repairs))


def _hashed(decoded: list[Any], at: Place, kind: type[Any]) -> object:
    try:
        return kind(decoded)
    except TypeError:
        return at.fail("items that can be in a set: no arrays, no objects", decoded)


def only(given: dict[str, Any], at: Place, known: tuple[str, ...], noun: str = "key") -> None:
    """Note a fault for each member that is not known, with the nearest name that is."""
    for name in given:
        if name not in known:
            _unknown(name, at, known, noun)


def renamed(found: dict[str, object], *names: tuple[str, str]) -> dict[str, object]:
    """The decoded members under their Python names, where these are others than their keys."""
    of_key = dict(names)
    return {of_key.get(key, key): value for key, value in found.items()}


def others(
    given: dict[str, Any], at: Place, known: tuple[str, ...], refused: tuple[str, ...]
) -> Iterator[tuple[str, Any]]:
    """Go through the arguments for `**kwargs`: those not `known`. Those `refused` are faults."""
    for name, item in given.items():
        if name in refused:
            _unknown(name, at, known, "parameter")
        elif name not in known:
            at.path.append(name)
            yield name, item
            at.path.pop()


def _unknown(name: str, at: Place, known: tuple[str, ...], noun: str) -> None:
    from .wording import nearest, quoted

    # Looking for a near name takes time: past the first mistakes it helps nobody.
    near = nearest(name, known) if len(at.faults) < _MOST_HINTS else None
    meant = "" if near is None else f"; did you mean {quoted(near)}?"
    words = f"there is no {noun} of this name{meant}"
    at.faults.append(Fault((*at.path, name), f"a known {noun}", quoted(name), tuple(known), words))


def positional(given: list[object], at: Place) -> tuple[object, ...]:
    """Positional arguments from those given and the `Gap`s between; gaps at the end are left out, as the call does."""
    while given and isinstance(given[-1], Gap):
        given.pop()
    for index, value in enumerate(given):
        if isinstance(value, Gap):
            given[index] = value.filled(at)
    return tuple(given)


class Gap:
    """An absent positional-only argument: its wire name, and its default if the build knows it."""

    __slots__ = ("default", "name")

    def __init__(self, name: str, *default: object) -> None:
        self.name = name
        self.default = default

    def filled(self, at: Place) -> object:
        """The default; without one, a fault."""
        if not self.default:
            words = "has to be given, because a later one is"
            at.faults.append(Fault((*at.path, self.name), "a value", "nothing", None, words))
            return None
        return self.default[0]
