"""From source text to decoded values, for generated modules: the schema's verdict, and pydantic's values."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from harness.generated import decode_of
from harness.ir_strategies import some_values
from harness.running import running
from harness.tool_sets import BOOLEAN, INTEGER, NUMBER
from harness.type_modules import LIBRARY, Module, modules
from harness.verdicts import REFUSED, ambiguous, fits, is_number, same
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from lauren_compiler.config import Config
from lauren_compiler.ir.types import Anything, DictOf, EnumDefinition, LiteralOf, SetOf, Type
from lauren_compiler.ir.walk import input_types, reachable, types_of, walk
from lauren_compiler.pipeline import Outcome, run
from lauren_runtime.errors import ToolInputError
from pydantic import TypeAdapter, ValidationError

# Of `re`, and of pydantic where it takes `false` for an address: they are no faults of a decoder.
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")

NUMBERS = itertools.count()
READ_KEYS = (INTEGER, NUMBER, BOOLEAN)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sources")


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(drawn=modules(), data=st.data())
def test_generated_modules(folder: Path, drawn: Module, data: st.DataObject) -> None:
    name = f"drawn{next(NUMBERS)}"
    path = folder / f"{name}.py"
    path.write_text(drawn.source, encoding="utf-8")
    (folder / f"{LIBRARY}.py").write_text(drawn.library, encoding="utf-8")
    outcome = run(Config(sources=(path,), roots=(folder,), project=folder, out=folder / "out"))
    assert outcome.artifacts, [found.message for found in outcome.diagnostics]
    types = all_types(outcome)
    # What the schema cannot say of a set or of keys is told in docs/decoding.md.
    assume(not any(isinstance(one, SetOf) and holds_anything(one.item, outcome) for one in types))
    assume(not any(isinstance(one, DictOf) and one.key in READ_KEYS for one in types))
    (tool,) = outcome.toolset.tools
    value = {each.wire: data.draw(some_values(each.type, outcome.toolset.by_key)) for each in tool.parameters}
    with running(*((each or name, source) for each, source in drawn.files.items())) as module:
        ours = decoded(outcome, name, value)
        valid = fits(value, outcome.toolset)
        assert (ours is not REFUSED) == valid
        hints = get_type_hints(module.f, include_extras=True)
        for each in tool.parameters if valid else ():
            theirs = [validated(hints[each.name], value[each.wire], strict) for strict in (False, True)]
            if theirs[0] is not REFUSED and not (numbers_in_constants(types, outcome) and ambiguous(value)):
                assert any(same(ours[each.name], one) for one in theirs), (ours, theirs)


def all_types(outcome: Outcome) -> list[Type]:
    (tool,) = outcome.toolset.tools
    roots = input_types(tool)
    inside = [one for key in reachable(roots, outcome.toolset) for one in types_of(outcome.toolset.by_key[key])]
    return [part for one in (*roots, *inside) for part in walk(one)]


def holds_anything(item: Type, outcome: Outcome) -> bool:
    inside = [one for key in reachable([item], outcome.toolset) for one in types_of(outcome.toolset.by_key[key])]
    return any(isinstance(part, Anything) for one in (item, *inside) for part in walk(one))


def numbers_in_constants(types: list[Type], outcome: Outcome) -> bool:
    literals = [value for one in types if isinstance(one, LiteralOf) for value in one.values]
    enums = [one for one in outcome.toolset.by_key.values() if isinstance(one, EnumDefinition)]
    values = [*literals, *(value for enum in enums for _, value in enum.members)]
    return any(map(is_number, values))


def decoded(outcome: Outcome, name: str, value: Any) -> Any:
    (text,) = (each.content for each in outcome.artifacts if each.path == f"_tools/{name}.py")
    names: dict[str, Any] = {"__name__": "generated"}
    exec(compile(text, "generated", "exec"), names)
    try:
        args, kwargs, repairs = decode_of(names, "f")(value, False)
    except ToolInputError:
        return REFUSED
    assert (args, repairs) == ((), ())
    return kwargs


def validated(annotation: Any, value: Any, strict: bool) -> Any:
    try:
        return TypeAdapter(annotation).validate_json(json.dumps(value), strict=strict or None)
    except ValidationError:
        return REFUSED
