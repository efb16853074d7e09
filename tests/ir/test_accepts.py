"""`accepts` decides which defaults a schema may show: its verdict is the schema's."""

from __future__ import annotations

from typing import Any

import pytest
from harness.generated import one_tool
from harness.ir_strategies import Both, typed_values
from harness.verdicts import MANY, accepted
from hypothesis import given
from lauren_compiler.ir.accepts import accepts

# Of `re`, and of pydantic where it takes `false` for an address: they are no faults of a decoder.
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")


@MANY
@given(typed_values())
def test_a_value_is_accepted_exactly_if_the_schema_accepts_it(drawn: tuple[Both, Any]) -> None:
    both, value = drawn
    tools = one_tool(both.type)
    assert accepts(both.type, value, tools.by_key) == accepted(both.type, value, formats=False)
