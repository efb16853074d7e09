"""pydantic models: their schemas equal pydantic's, as an argument and as a result."""

from __future__ import annotations

import linecache
import sys
import types
import typing
from pathlib import Path
from typing import Any

import pytest
from harness import pydantic_oracle
from harness.compiling import compile_source
from harness.model_sources import SETUP, TOOL, models

# Models may say old things.
pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::pydantic.warnings.PydanticDeprecationWarning"
)

RESULTS = (0, 1, 2, 3, 4, 7, 8, 9, 10, 11, 14, 15, 16)


def evaluated(source: str, name: str = "models") -> Any:
    """The value of `A` in the module, run; pydantic finds its source, for docstrings below fields."""
    module = types.ModuleType(name)
    module.__file__ = f"{name}.py"
    sys.modules[module.__name__] = module
    linecache.cache[module.__file__] = (len(source), None, source.splitlines(keepends=True), module.__file__)
    exec(compile(source, module.__file__, "exec", dont_inherit=True), vars(module))
    return typing.get_type_hints(vars(module)["f"], include_extras=True)["p"]


@pytest.mark.parametrize("case", models(), ids=lambda case: " ".join(case.split())[:50])
def test_the_schema_of_a_model(case: str, tmp_path: Path) -> None:
    source = f"{SETUP}\n\n{case}\n\n{TOOL}"
    build = compile_source(source, tmp_path)
    assert not build.errors, build.messages
    arguments = dict(build.tools["f"]["input_schema"])
    del arguments["additionalProperties"]
    theirs = pydantic_oracle.model_schema({"p": (evaluated(source), ...)})
    assert pydantic_oracle.comparable(arguments) == pydantic_oracle.comparable(theirs)


@pytest.mark.parametrize("case", [models()[index] for index in RESULTS], ids=lambda case: " ".join(case.split())[:50])
def test_the_schema_of_a_result(case: str, tmp_path: Path) -> None:
    source = f"{SETUP}\n\n{case}\n\n{TOOL}".replace("-> None:\n    'Does", "-> A:\n    'Does")
    build = compile_source(source, tmp_path)
    assert not build.errors, build.messages
    result = pydantic_oracle.result_schema(evaluated(source))
    assert pydantic_oracle.comparable(build.tools["f"]["output_schema"]) == pydantic_oracle.comparable(result)
