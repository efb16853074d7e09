"""Generated modules and the table as text: formatted, typed, deep, and independent of order."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import black
import pytest
from harness import every_type
from harness.generated import decoder, importable, module, texts
from harness.tool_sets import INTEGER, NUMBER, STRING, constants, dataclass, field, parameter, to, tool, toolset
from lauren_compiler.emit import dispatch
from lauren_compiler.ir.tools import (
    Binding,
    ContextParameter,
    Form,
    Options,
    ParameterKind,
    Signature,
    SourceLocation,
    ToolSet,
)
from lauren_compiler.ir.types import Bounded, Bounds, DictOf, ListOf, LiteralOf, SetOf, Type, Union
from lauren_runtime.decoding import apply_repairs
from lauren_runtime.errors import ToolInputError

ROOT = Path(__file__).parents[2]


BOUNDED: list[Type] = [
    Bounded(INTEGER, Bounds(ge=1, lt=10**30, multiple_of=0.5)),
    Bounded(NUMBER, Bounds(gt=0.5, multiple_of=2)),
    Bounded(NUMBER, Bounds(le=2.5)),
    Bounded(STRING, Bounds(min_length=1, pattern="^[a-z]+$")),
    Bounded(ListOf(Bounded(INTEGER, Bounds(ge=1))), Bounds(max_length=3)),
    Bounded(SetOf(STRING), Bounds(min_length=1)),
    Bounded(DictOf(STRING, INTEGER), Bounds(min_length=1)),
    Union((Bounded(STRING, Bounds(max_length=5)), Bounded(INTEGER, Bounds(gt=3)))),
]


def build(tools: ToolSet) -> dict[str, str]:
    entries = [{"module": each.module, "digest": each.name, "input_schema": {}} for each in tools.tools]
    table = (dispatch.render_init(), dispatch.render(tools, entries, "d" * 64))
    return {**texts(tools), **{each.path: each.content.decode() for each in table}}


def several() -> ToolSet:
    """All types; and tools of two modules with every option."""
    options = Options(True, 60, "A label", 1.5, (("pre_hook", "shop:f"), ("cache_key_fn", "inline")), "{}")
    signature = Signature((("ctx", "positional_only", False), ("a", "keyword_only", False)), True, False)
    context = ContextParameter("ctx", ParameterKind.POSITIONAL_ONLY, 0)
    a, b = parameter("a", STRING), parameter("b", SetOf(INTEGER), "[]")
    return toolset(
        *every_type.every_type().tools,
        tool(
            "get-weather", a, b, module="shop.web", is_async=True, options=options, signature=signature, context=context
        ),
        tool(
            "bounds", *(parameter(f"p{index}", type_, "null") for index, type_ in enumerate(BOUNDED)), module="shop.web"
        ),
        tool("class", module="shop.web", form=Form.CLASS, extra=STRING, hidden=("_h",), is_generator=True),
        tool("bound", a, module="shop.web", qualname="f.<locals>.bound", binding=Binding.BIND),
        definitions=every_type.DEFINITIONS,
    )


def test_black_leaves_all_of_it() -> None:
    for path, text in build(several()).items():
        assert black.format_str(text, mode=black.Mode()) == text, path


@pytest.mark.parametrize(
    "command",
    [
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--no-incremental"],
        [sys.executable, "-m", "pyright", "-p", "."],
    ],
    ids=["mypy", "pyright"],
)
def test_type_checkers_have_nothing_to_say(command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path, text in build(several()).items():
        file = tmp_path / "made" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    runtime = str(ROOT / "runtime")
    settings = {"typeCheckingMode": "strict", "extraPaths": [runtime], "include": ["made"]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    monkeypatch.setenv("MYPYPATH", runtime)
    arguments = ["-p", "made"] if "mypy" in command else []
    run = subprocess.run([*command, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_table() -> None:
    text = build(several())["dispatch.py"]
    names: dict[str, Any] = {"__package__": "made", "__file__": "made/dispatch.py", "__name__": "made.dispatch"}
    exec(compile(text, "dispatch.py", "exec"), names)
    table = names["TABLE"]
    entry = table["get-weather"]
    assert (entry.decoder, entry.function, entry.module) == ("shop_web", "get_weather", "shop.web")
    assert (entry.context, entry.cache_ttl, entry.timeout, entry.label) == (0, 60, 1.5, "A label")
    assert entry.hooks == ("cache_key_fn", "pre_hook")
    assert entry.sets == (("b",),)
    assert entry.has_metadata
    assert entry.requires_confirmation
    assert len(entry.signature) == 64
    assert (table["class"].form, table["class"].function, table["bound"].binding) == ("class", "class_2", "bind")
    assert set(table.modules) == {"shop", "shop_web"}
    for path, source in build(several()).items():
        if path.startswith("_tools/shop"):
            assert f'DIGEST = "{table.modules[Path(path).stem]}"' in source


@pytest.mark.parametrize(
    ("type_", "paths"),
    [
        (SetOf(INTEGER), {("p",)}),
        (ListOf(SetOf(INTEGER)), {("p", "[]")}),
        (DictOf(STRING, SetOf(INTEGER)), {("p", "{}")}),
        (Union((SetOf(INTEGER), STRING)), {("p",)}),
        (Union((SetOf(INTEGER), ListOf(STRING))), set[Any]()),
        (to("Point"), set[Any]()),
        (to("Holder"), {("p", "Tags")}),
    ],
)
def test_arrays_without_order(type_: Type, paths: set[tuple[str, ...]]) -> None:
    holder = dataclass(
        "Holder", field("tags", SetOf(STRING), wire="Tags"), field("inner", Union((to("Holder"), STRING)), None)
    )
    tools = toolset(tool("f", parameter("p", type_)), definitions=[*every_type.DEFINITIONS, holder])
    text = build(tools)["dispatch.py"]
    names: dict[str, Any] = {"__package__": "made", "__file__": "", "__name__": "made.dispatch"}
    exec(text, names)
    assert set(names["TABLE"]["f"].sets) == paths


def test_a_positional_only_context_needs_its_position() -> None:
    made = tool("f", context=ContextParameter("ctx", ParameterKind.POSITIONAL_ONLY))
    with pytest.raises(ValueError, match="has no position"):
        build(toolset(made))


def test_types_as_deep_as_python_reads_them() -> None:
    deep: Type = INTEGER
    value: Any = "1"
    result: Any = 1
    for _ in range(190):
        deep, value, result = ListOf(deep), [value], [result]
    decode = decoder(deep)
    args, kwargs, repairs = decode({"p": value}, True)
    assert kwargs == {"p": result}
    assert decode(apply_repairs({"p": value}, repairs), False) == (args, kwargs, ())
    with pytest.raises(ToolInputError):
        decode({"p": value}, False)
    for text in texts(toolset(tool("f", parameter("p", deep)))).values():
        blocks = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.If | ast.For | ast.ListComp)]
        assert all(node.col_offset < 24 for node in blocks)


def test_functions_are_shared_by_the_tools_of_a_module() -> None:
    one, two = tool("one", parameter("p", ListOf(to("Point")))), tool("two", parameter("q", ListOf(to("Point"))))
    text = texts(toolset(one, two, definitions=every_type.DEFINITIONS))["_tools/shop.py"]
    assert text.count("def _check_point(") == text.count("def _quick_list_of_point(") == 1


def test_a_missing_class_breaks_its_own_tool_only() -> None:
    names = module(
        toolset(
            tool("bad", parameter("p", to("Point"))),
            tool("good", parameter("p", to("Tree"))),
            definitions=every_type.DEFINITIONS,
        )
    )
    with importable("shop", {"Tree": every_type.Tree}):
        assert names["good"]({"p": {}}, True)[1] == {"p": every_type.Tree()}
        with pytest.raises(ImportError, match="shop has no Point: rebuild"):
            names["bad"]({"p": {"x": 1}}, True)


def test_nothing_of_the_users_is_imported_before_it_is_needed() -> None:
    names = module(toolset(tool("f", parameter("p", to("Point"), None)), definitions=every_type.DEFINITIONS))
    with importable("shop", {}):
        assert names["f"]({}, True) == ((), {}, ())
        with pytest.raises(ToolInputError):
            names["f"]({"p": 5}, True)


def test_the_sample_of_the_page_is_what_is_generated() -> None:
    page = (ROOT / "docs" / "decoding.md").read_text("utf-8")
    (sample,) = page.split("<!-- sample -->\n```python\n")[1].split("\n```")[:1]
    unit = parameter("unit", LiteralOf(constants("celsius", "fahrenheit")), '"celsius"')
    weather = tool(
        "get_weather",
        parameter("city", STRING),
        unit,
        module="shop.weather",
        source=SourceLocation("shop/weather.py", 1),
    )
    assert sample in texts(toolset(weather))["_tools/shop_weather.py"]
