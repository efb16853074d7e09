"""Models of pydantic: the generated functions check and mend their JSON, pydantic builds them of it.

A model in a model is built with the outer one, from the same JSON, so that every validator runs once. pydantic itself
is never imported here: it comes with the user's class.
"""

from __future__ import annotations

from .kinds import is_array, is_object
from .place import STRICT, Fault
from .repairs import apply_repairs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from .loading import Imported
    from .place import Place

_LONGEST_REASON = 300
_PREFIXES = ("Value error, ", "Assertion failed, ")


def enter_model(at: Place) -> tuple[int, int]:
    """Begin a model; returns the numbers of faults and repairs before it, for `build_model`."""
    at.models += 1
    return (len(at.faults), len(at.repairs))


def leave_model(at: Place, before: tuple[int, int]) -> bool:
    """End a model; whether it is to be built here: not if there are faults since `before`, nor inside another."""
    at.models -= 1
    return len(at.faults) == before[0] and not at.models


def mended_at(given: Any, at: Place, before: tuple[int, int]) -> Any:
    """A copy of the JSON value here, with the repairs made since `before`."""
    depth = len(at.path)
    return apply_repairs(given, [repair.moved(depth, ()) for repair in at.repairs[before[1] :]])


def build_model(given: Any, fields: dict[str, object], at: Place, before: tuple[int, int], loaded: Imported) -> object:
    """An instance of a model from its JSON object `given`, of which `fields` were read; of a root model, any JSON.

    None if there are faults since `before`, if pydantic refuses the object, which is a fault for each of its reasons,
    or if this is a part of another model.
    """
    at.add_fields(len(fields))
    at.loosen(STRICT)
    if not leave_model(at, before):
        return None
    mended = mended_at(given, at, before)
    return made(mended, *_validators(loaded.cls), at)


def made(value: Any, of_json: Callable[..., object], of_python: Callable[..., object], at: Place) -> object:
    """What pydantic's two ways to validate make of a JSON value; None, with a fault for each reason, if they refuse."""
    try:
        return _validated(value, of_json, of_python)
    except (ValueError, AssertionError) as refused:
        at.faults.extend(_faults(refused, value, tuple(at.path)))
        return None


def _validated(value: Any, validate: Callable[..., object], of_python: Callable[..., object]) -> object:
    """What pydantic makes of a JSON value. As JSON: only then an array is as good for a tuple or set as for a list.

    The value is exact already, so that pydantic may be lax (`1.0` is an integer); and the schema knows a field by one
    name only, even if its class would take two. Raises what pydantic raises.
    """
    import json

    # pydantic before 2.11 cannot be told which names to take.
    takes_names = "by_name" in (getattr(validate, "__kwdefaults__", None) or ())
    names = {"by_alias": True, "by_name": False} if takes_names else {}
    try:
        return validate(json.dumps(value, allow_nan=False), strict=False, **names)
    except ValueError as refused:
        kinds = {kind for _, _, kind in _reasons(refused, value)}
        if "json_invalid" in kinds:
            # Its parser takes fewer levels than the schema.
            return of_python(value, strict=False, **names)
        if "int_parsing_size" not in kinds:
            raise
        return validate(json.dumps(_with_integers(refused, value)), strict=False, **names)


def _validators(cls: Any) -> tuple[Any, Any]:
    """What makes instances of a model, or of a dataclass of pydantic's: of JSON text, and of a JSON value."""
    if hasattr(cls, "model_validate_json"):
        return cls.model_validate_json, cls.model_validate
    from importlib import import_module

    adapter = import_module("pydantic").TypeAdapter(cls)
    return adapter.validate_json, adapter.validate_python


def _with_integers(refused: Exception, value: Any) -> Any:
    """The value with integers for the numbers of integral value that pydantic finds too long for one, as `1e300`."""
    from .repairs import Repair

    longs: list[Repair] = []
    for place, _, kind in _reasons(refused, value):
        found = _at(place, value)
        if kind == "int_parsing_size" and isinstance(found, float) and found.is_integer():
            longs.append(Repair(place, "", found, int(found)))
    return apply_repairs(value, longs)


def _reasons(refused: Exception, value: Any) -> list[tuple[tuple[str | int, ...], str, str]]:
    """The place, the words and the kind of each reason that pydantic has, or of the one of another exception."""
    if not hasattr(refused, "error_count"):
        return [((), str(refused), "")]
    errors: Any = refused
    details = errors.errors(include_url=False, include_context=False, include_input=False)
    return [(_place(detail["loc"], value), detail["msg"], detail["type"]) for detail in details]


def _faults(refused: Exception, value: Any, path: tuple[str | int, ...]) -> list[Fault]:
    """A fault for each reason."""
    from .wording import described

    reasons = _innermost([(place, words) for place, words, _ in _reasons(refused, value)])
    return [
        Fault((*path, *place), "a value that the model takes", described(_at(place, value)), None, _words(words))
        for place, words in dict.fromkeys(reasons)
    ]


def _at(place: tuple[str | int, ...], value: Any) -> Any:
    for step in place:
        value = value[step]
    return value


def _innermost(reasons: list[tuple[tuple[str | int, ...], str]]) -> list[tuple[tuple[str | int, ...], str]]:
    """Without those at a place around another's: they are of a union's branches that the value is not meant for."""
    around = {place[:length] for place, _ in reasons for length in range(len(place))}
    return [(place, reason) for place, reason in reasons if place not in around]


def _place(steps: Iterable[str | int], value: Any) -> tuple[str | int, ...]:
    """The path in the JSON of pydantic's `loc`, which also names the branches of unions and the like."""
    path: list[str | int] = []
    for step in steps:
        known = _step(step, value)
        if known is not None:
            path.append(known)
            value = value[known]
    return tuple(path)


def _step(step: str | int, value: object) -> str | int | None:
    """The key or index that a step of a `loc` is in a JSON value, None for none. A key may be read as a number."""
    if is_object(value):
        key = str(step)
        return key if key in value else None
    return step if is_array(value) and isinstance(step, int) and 0 <= step < len(value) else None


def _words(reason: str) -> str:
    for prefix in _PREFIXES:
        reason = reason.removeprefix(prefix)
    return f"refused: {reason.strip()[:_LONGEST_REASON] or 'the values do not go together'}"
