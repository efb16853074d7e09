"""What decoders are compared by: the schema's verdict, and equality that tells types apart."""

from __future__ import annotations

import dataclasses
import re
from collections import deque
from collections.abc import Iterator
from typing import Any, cast
from unittest import mock

from hypothesis import HealthCheck, settings
from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend
from lauren_compiler.ir.bounds import whole_end
from lauren_compiler.ir.formats import FORMATS, Format
from lauren_compiler.ir.tools import ToolSet
from lauren_compiler.ir.types import FormatKind, ObjectDefinition, ObjectKind, Type, Union
from lauren_compiler.ir.values import Constant
from lauren_compiler.ir.walk import reachable, types_of, walk
from lauren_compiler.schema.json_schema import input_schema
from msgspec.structs import replace

from .formats import CHECKER
from .generated import one_tool

MANY = settings(
    max_examples=80,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.function_scoped_fixture],
)
REFUSED = object()


def _pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Iterator[ValidationError]:
    """The `pattern` keyword with `$` for the very end, which Python's is not."""
    if isinstance(instance, str) and re.search(whole_end(pattern), instance) is None:
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


VALIDATOR = extend(Draft202012Validator, {"pattern": _pattern})


def accepted(type_: Type, value: Any, *, formats: bool = True) -> bool:
    """The verdict of the type's schema; with `formats`, strings must have the form that theirs says."""
    return fits({"p": value}, one_tool(type_), formats=formats)


def fits(arguments: Any, tools: ToolSet, *, formats: bool = True) -> bool:
    """The verdict of the schema of the first tool."""
    # A Decimal's string has no format in pydantic's schema.
    named = {FormatKind.DECIMAL: replace(FORMATS[FormatKind.DECIMAL], name="decimal")}
    with mock.patch.dict(cast("dict[FormatKind, Format]", FORMATS), named):
        schema = input_schema(tools.tools[0], tools)
    return bool(VALIDATOR(schema, format_checker=CHECKER if formats else None).is_valid(arguments))


def same(ours: Any, theirs: Any) -> bool:
    """Equal, of the same type, at every depth."""
    if type(ours) is not type(theirs):
        return False
    if isinstance(ours, (list, tuple, deque)):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    if getattr(ours, "default_factory", None) is not getattr(theirs, "default_factory", None):
        return False
    if isinstance(ours, dict):
        return list(ours) == list(theirs) and all(same(ours[key], theirs[key]) for key in ours)
    if dataclasses.is_dataclass(ours) and not isinstance(ours, type):
        return same(vars(ours), vars(theirs))
    return bool(ours == theirs)


def ambiguous(value: Any) -> bool:
    """Whether a boolean, or a number that Python holds equal to one, is in a JSON value.

    pydantic looks constants up in a dict of Python's, to which `True` is 1; JSON Schema tells them apart.
    """
    if isinstance(value, dict):
        return any(map(ambiguous, value.values()))
    if isinstance(value, list):
        return any(map(ambiguous, value))
    return isinstance(value, (int, float)) and value in (0, 1)


def is_number(constant: Any) -> bool:
    """Whether a constant is a number or a boolean."""
    return isinstance(constant, Constant) and isinstance(constant.value, (int, float))


def like_a_named_tuple(type_: Type, value: Any) -> bool:
    """Whether pydantic may read an object in the value as a named tuple, which its schema says is an array.

    That makes a difference where a union has a member for the object; by itself such a value is refused.
    """
    tools = one_tool(type_)
    keys = reachable([type_], tools)
    types = [type_, *(inner for key in keys for inner in types_of(tools.by_key[key]))]
    if not any(isinstance(part, Union) for one in types for part in walk(one)):
        return False
    tuples = [
        each
        for key in keys
        if isinstance(each := tools.by_key[key], ObjectDefinition) and each.kind is ObjectKind.NAMED_TUPLE
    ]
    return any(_names_fields(each, found) for each in tuples for found in _objects(value))


def _names_fields(definition: ObjectDefinition, given: dict[str, Any]) -> bool:
    required = {each.name for each in definition.fields if each.required}
    return required <= given.keys() <= {each.name for each in definition.fields}


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    if isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _objects(item)
