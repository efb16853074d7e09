"""Decoders against what nobody here wrote: `jsonschema` for the verdict, pydantic for the value."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from harness.generated import decoder, one_tool
from harness.ir_strategies import BY_KEY, Both, typed_values
from harness.verdicts import MANY, REFUSED, accepted, ambiguous, is_number, like_a_named_tuple, same
from hypothesis import assume, given
from lauren_compiler.ir.types import EnumDefinition, LiteralOf, Type
from lauren_compiler.ir.walk import reachable, walk
from lauren_runtime.errors import ToolInputError
from pydantic import TypeAdapter, ValidationError

# Of `re`, and of pydantic where it takes `false` for an address: they are no faults of a decoder.
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")


def decoded(type_: Type, value: Any, repair: bool = False) -> Any:
    """What the decoder makes of it, or `REFUSED`."""
    try:
        _, kwargs, _ = decoder(type_)({"p": value}, repair)
    except ToolInputError:
        return REFUSED
    return kwargs["p"]


@MANY
@given(typed_values())
def test_accepts_what_the_schema_accepts(drawn: tuple[Both, Any]) -> None:
    both, value = drawn
    assert (decoded(both.type, value) is not REFUSED) == accepted(both.type, value)


@MANY
@given(typed_values())
def test_makes_of_it_what_pydantic_makes(drawn: tuple[Both, Any]) -> None:
    both, value = drawn
    assume(not (ambiguous(value) and any(map(is_number, constants_of(both.type)))))
    assume(not like_a_named_tuple(both.type, value))
    ours = decoded(both.type, value)
    theirs = [validated(both.annotation, value, strict) for strict in (False, True)]
    if ours is not REFUSED and theirs[0] is not REFUSED:
        # Lax first; where another branch of a union would have had to be coerced for that, the strict answer.
        assert any(same(ours, one) for one in theirs), (ours, theirs)


def validated(annotation: Any, value: Any, strict: bool) -> Any:
    try:
        return TypeAdapter(annotation).validate_json(json.dumps(value), strict=strict or None)
    except ValidationError:
        return REFUSED


def constants_of(type_: Type) -> Iterator[Any]:
    tools = one_tool(type_)
    types = [type_, *(part for key in reachable([type_], tools) for part in _inside(key))]
    for one in types:
        for part in walk(one):
            if isinstance(part, LiteralOf):
                yield from part.values
    for key in reachable([type_], tools):
        definition = BY_KEY[key]
        if isinstance(definition, EnumDefinition):
            yield from (value for _, value in definition.members)


def _inside(key: str) -> list[Type]:
    definition = BY_KEY[key]
    return [field.type for field in getattr(definition, "fields", ())]
