"""The JSON form of constants, as pydantic writes them into `const`, `enum` and `default`."""

from __future__ import annotations

import json
import math
from typing import Any, assert_never

from ..ir.values import Constant, Construction, EnumMember, Mapping, Sequence, Value

_TYPES = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "list": "array",
    "NoneType": "null",
}


class NotJson(Exception):
    """A constant without JSON form came this far: an earlier phase should have told the user."""


def json_of(value: Value) -> Any:
    """The JSON value of a constant; bytes are read as UTF-8, an enum member is its value, a tuple or set a list.

    Raises `NotJson` for NaN and infinities, for bytes that are no text, and for a constructed object, whose form only
    its class knows.
    """
    match value:
        case Constant():
            return _of_constant(value)
        case EnumMember():
            return _of_constant(value.value)
        case Sequence():
            return [json_of(item) for item in value.items]
        case Mapping():
            return {_key(key): json_of(item) for key, item in value.items}
        case Construction():
            raise NotJson(f"an object of {value.key} has no JSON form of its own")
        case _:
            assert_never(value)


def type_of(values: list[Any]) -> str | None:
    """The JSON type that all `values` have, None where they differ."""
    types = {type(value).__name__ for value in values}
    return _TYPES.get(types.pop()) if len(types) == 1 else None


def default_of(text: str) -> Any:
    """The value of a default's JSON text."""
    return json.loads(text)


def _of_constant(constant: Constant) -> Any:
    value = constant.value
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError as error:
            raise NotJson(f"{value!r} is no UTF-8 text") from error
    if isinstance(value, float) and not math.isfinite(value):
        raise NotJson(f"{value!r} is no JSON number")
    return value


def _key(value: Value) -> str:
    """A key as pydantic writes it: JSON's own word for null and booleans, else the text of the value."""
    plain = json_of(value)
    return plain if isinstance(plain, str) else json.dumps(plain)
