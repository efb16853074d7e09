"""Annotations that a decoder takes from the running function, where they stand in quotes and name type parameters."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from harness.compiled_module import Compiled

SOURCE = """
from __future__ import annotations
from typing import Annotated
from pydantic import AfterValidator
from lauren_runtime import tool

@tool()
def f[T: int](p: Annotated[T, AfterValidator(lambda value: value + 1)]) -> None:
    'Take it.'

class Shelf[T: int]:
    @staticmethod
    @tool()
    def g(p: Annotated[T, AfterValidator(lambda value: value + 1)]) -> None:
        'Take it.'
"""


@pytest.mark.skipif(sys.version_info < (3, 12), reason="PEP 695 is of Python 3.12")
@pytest.mark.parametrize("tool", ["f", "g"])
def test_type_parameters_can_be_named(tmp_path: Path, tool: str) -> None:
    assert Compiled(SOURCE, tmp_path).value(1, tool=tool) == 2
