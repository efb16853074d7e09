"""Instances of the user's classes, from decoded members: each by its own constructor, whose refusals are faults."""

from __future__ import annotations

from .place import STRICT, Fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .loading import Imported
    from .place import Place

_LONGEST_REASON = 300
_PLAIN: tuple[type[Exception], ...] = (ValueError, AssertionError)
_GUARDED = (*_PLAIN, TypeError)


def build(
    fields: dict[str, Any], at: Place, since: int, loaded: Imported, absent: dict[str, Any] | None = None
) -> object:
    """An instance of a dataclass from its decoded fields, and values of absent ones that its own defaults are not.

    None if there are more faults than `since`.
    """
    if len(at.faults) > since:
        return None
    at.add_fields(len(fields))
    at.loosen(STRICT)
    return constructed(lambda: loaded.cls(**fields, **(absent or {})), at)


def build_filled(
    fields: dict[str, Any], at: Place, since: int, loaded: Imported, absent: dict[str, Any] | None = None
) -> object:
    """As `build`, for a dataclass with a constructor of its own, which is not called: pydantic does it so."""
    if len(at.faults) > since:
        return None
    at.add_fields(len(fields))
    at.loosen(STRICT)
    return constructed(lambda: _filled(loaded.cls, {**fields, **(absent or {})}), at)


def _filled(cls: Any, given: dict[str, Any]) -> object:
    from dataclasses import MISSING, fields

    made: Any = cls.__new__(cls)
    for each in fields(cls):
        if each.name in given:
            value = given[each.name]
        elif each.default is not MISSING:
            value = each.default
        elif each.default_factory is not MISSING:
            value = each.default_factory()
        else:
            continue
        # A frozen class refuses to be assigned to.
        object.__setattr__(made, each.name, value)
    if hasattr(made, "__post_init__"):
        made.__post_init__()
    return made


def build_guarded(fields: dict[str, Any], at: Place, since: int, loaded: Imported) -> object:
    """An instance of an attrs class or a struct, as `build`: validators of attrs refuse by a TypeError too, and msgspec
    takes one of `__post_init__` for a refusal."""
    if len(at.faults) > since:
        return None
    at.add_fields(len(fields))
    at.loosen(STRICT)
    return constructed(lambda: loaded.cls(**fields), at, _GUARDED)


def build_items(values: list[Any], at: Place, since: int, loaded: Imported) -> object:
    """An instance of a named tuple from its decoded items; None if there are more faults than `since`."""
    at.loosen(STRICT)
    if len(at.faults) > since:
        return None
    return constructed(lambda: loaded.cls(*values), at)


def build_dict(fields: dict[str, Any], at: Place) -> object:
    """The dict of a TypedDict."""
    at.add_fields(len(fields))
    return fields


def constructed(make: Callable[[], object], at: Place, refusals: tuple[type[Exception], ...] = _PLAIN) -> object:
    """What the user's class makes of its fields; one of the `refusals` is a fault, in its own words.

    Nothing is made inside a model: pydantic makes it, from the JSON.
    """
    if at.models:
        return None
    try:
        return make()
    except refusals as refused:
        reason = _reason(refused).strip() or "the values do not go together"
        words = f"refused: {reason[:_LONGEST_REASON]}"
        place = (*at.path, *_attribute(refused))
        at.faults.append(Fault(place, "values that go together", "others", None, words))
        return None


def _reason(refused: Exception) -> str:
    """What an exception says: validators of attrs put the attribute and the value behind the message."""
    text = refused.args[0] if refused.args else None
    return text if isinstance(text, str) else str(refused)


def _attribute(refused: Exception) -> tuple[str, ...]:
    """The attribute that a validator of attrs refuses, if it names one."""
    alias = getattr(refused.args[1], "alias", None) if len(refused.args) > 1 else None
    return (alias,) if isinstance(alias, str) else ()
