"""The JSON of constants in schemas, as pydantic writes them into `const` and `enum`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..ir.dump import NoJson, dump
from ..ir.types import Definition
from ..ir.values import Constant, EnumMember, Value

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


def json_of(value: Value, definitions: Mapping[str, Definition]) -> Any:
    """The JSON value of a literal or of an enum member's value; bytes are UTF-8 text. Raises `NotJson`."""
    constant = value.value if isinstance(value, EnumMember) else value
    if isinstance(constant, Constant) and isinstance(constant.value, bytes):
        try:
            return constant.value.decode()
        except UnicodeDecodeError as error:
            raise NotJson(f"{constant.value!r} is no UTF-8 text") from error
    dumped = dump(value, definitions)
    if isinstance(dumped, NoJson):
        raise NotJson(dumped.why)
    return dumped


def type_of(values: list[Any]) -> str | None:
    """The JSON type that all `values` have, None where they differ."""
    types = {type(value).__name__ for value in values}
    return _TYPES.get(types.pop()) if len(types) == 1 else None
