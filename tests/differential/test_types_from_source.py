"""From source text to schema: equal to what pydantic makes of the same module when it is run."""

from __future__ import annotations

import inspect
import json
import re
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from harness import pydantic_oracle
from harness.annotations import CLASSES, IMPORTS, annotations
from harness.compiling import compile_source
from harness.running import running
from harness.type_modules import Module, modules
from hypothesis import HealthCheck, given, settings

FUTURE = "from __future__ import annotations\n"
ADDRESS = FUTURE + IMPORTS + "from lauren_runtime import tool\n\n\n"


@dataclass(frozen=True)
class Schemas:
    """Of the arguments and of the result."""

    arguments: Mapping[str, Any]
    result: Mapping[str, Any] | None

    def texts(self) -> list[str | None]:
        """What two pairs of equal schemas share."""
        return [
            None if document is None else pydantic_oracle.comparable(document)
            for document in (self.arguments, self.result)
        ]

    def without_repeated_references(self) -> Schemas:
        """The same with each reference in an `anyOf` once."""
        return Schemas(_distinct(self.arguments), _distinct(self.result))

    def without_order(self) -> Schemas:
        """The same with the members of every `anyOf` in order of their text."""
        return Schemas(_sorted(self.arguments), _sorted(self.result))


def _distinct(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_distinct(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: _distinct(part) for key, part in schema.items()}
    options = made.get("anyOf")
    if isinstance(options, list):
        kept = [one for at, one in enumerate(options) if "$ref" not in one or one not in options[:at]]
        if len(kept) == 1 and len(options) > 1:
            del made["anyOf"]
            return {**kept[0], **made}
        made["anyOf"] = kept
    return made


def expected(function: Any) -> Schemas:
    """pydantic's schemas of a function's parameters, as fields of a model, and of its result."""
    hints = typing.get_type_hints(function, include_extras=True)
    fields = {
        name: (hints[name], ... if parameter.default is inspect.Parameter.empty else parameter.default)
        for name, parameter in inspect.signature(function).parameters.items()
    }
    result = hints.get("return", type(None))
    nothing = result in (type(None), Any, object)
    return Schemas(pydantic_oracle.model_schema(fields), None if nothing else pydantic_oracle.result_schema(result))


def compiled(entry: Mapping[str, Any]) -> Schemas:
    """Ours, of a manifest entry."""
    arguments = dict(entry["input_schema"])
    assert arguments.pop("additionalProperties") is False
    return Schemas(arguments, entry.get("output_schema"))


@pytest.fixture(scope="module")
def every_spelling(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    """Tools `quoted_N` (classes below, annotations in quotes) and `plain_N` (classes above), one a spelling."""
    folder = tmp_path_factory.mktemp("spellings")
    sources = {"quoted": QUOTED, "plain": PLAIN}
    tools: dict[str, Any] = {}
    for name, source in sources.items():
        build = compile_source(source, folder, name)
        assert not build.errors, build.messages
        tools.update(build.tools)
    return tools


def _tools(prefix: str, *, quoted: bool) -> str:
    return "\n".join(
        f"@tool()\ndef {prefix}_{number}(p: {(text := repr(one) if quoted else one)}) -> {text}:\n    '''Does it.'''\n"
        for number, one in enumerate(annotations())
    )


PLAIN = IMPORTS + "from lauren_runtime import tool\n\n\n" + CLASSES + "\n\n" + _tools("plain", quoted=False)
QUOTED = ADDRESS + _tools("quoted", quoted=True) + "\n\n" + CLASSES


@pytest.mark.parametrize("prefix", ["plain", "quoted"])
def test_every_spelling(prefix: str, every_spelling: Mapping[str, Any]) -> None:
    with running(PLAIN if prefix == "plain" else QUOTED) as module:
        wrong = {
            one: (ours, theirs)
            for number, one in enumerate(annotations())
            if (ours := compiled(every_spelling[f"{prefix}_{number}"]).texts())
            != (theirs := expected(getattr(module, f"{prefix}_{number}")).texts())
        }
    assert wrong == {}


def compare(module: Module, folder: Path) -> None:
    """Compile a drawn module in an empty folder, and compare its tool's schemas with pydantic's."""
    for name, source in module.files.items():
        if name:
            (folder / f"{name}.py").write_text(source, encoding="utf-8")
    build = compile_source(module.source, folder)
    assert not build.errors, build.messages
    with running(*((name, source) if name else source for name, source in module.files.items())) as run:
        ours, theirs = compiled(build.tools["f"]), expected(run.f)
    if len(re.findall(r"Union\[|Optional\[| \| ", module.library + module.source)) > 1:
        # Of two unions in one module that are equal but for their order, `typing` may give the first for both.
        ours, theirs = ours.without_order(), theirs.without_order()
    # pydantic may name one definition twice among the options of a union, which says nothing more. Ours must not.
    theirs = theirs.without_repeated_references()
    assert ours.texts() == theirs.texts(), f"ours:   {ours.texts()}\ntheirs: {theirs.texts()}"


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(modules())
def test_drawn_modules(tmp_path_factory: pytest.TempPathFactory, module: Module) -> None:
    compare(module, tmp_path_factory.mktemp("drawn"))


def _sorted(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_sorted(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: sorted(_sorted(part), key=lambda one: json.dumps(one, sort_keys=True)) if key == "anyOf" else _sorted(part)
        for key, part in schema.items()
    }


def test_a_difference_in_one_type_is_seen(tmp_path: Path) -> None:
    source = ADDRESS + "@tool()\ndef f(p: list[int]) -> int:\n    '''Does it.'''\n"
    build = compile_source(source, tmp_path)
    with running(source.replace("list[int]", "list[str]")) as module:
        assert compiled(build.tools["f"]).texts() != expected(module.f).texts()
