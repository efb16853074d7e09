"""The table: ABI and digests, look-up, binding, selection, provider lists."""

from __future__ import annotations

import asyncio
import functools
import json
from pathlib import Path
from typing import Any

import pytest
from harness.hand_build import Build, run
from lauren_runtime import BuildMismatchError, Entry, Table, ToolCall, ToolExecutionError, ToolSetupError, load_build
from lauren_runtime.signature import digest_of
from lauren_runtime.table import ABI

SOURCE = """
@tool()
async def plain():
    return "plain"

def make(word):
    @tool(name="inner")
    async def inner():
        return word

    @tool()
    class Local:
        def run(self):
            return "local " + word

    return inner, Local

class Service:
    def __init__(self, word):
        self.word = word

    @tool()
    async def method(self):
        return self.word

@tool()
class Greeter:
    def __init__(self, word):
        self.word = word

    async def run(self):
        return self.word

class Loud(Greeter):
    async def run(self):
        return self.word.upper()
"""
BIND: dict[str, Any] = {"binding": "bind", "is_async": True}
TOOLS: dict[str, dict[str, Any]] = {
    "plain": {"is_async": True},
    "inner": {**BIND, "qualname": "make.<locals>.inner"},
    "local": {"binding": "bind", "form": "class", "qualname": "make.<locals>.Local"},
    "method": {**BIND, "qualname": "Service.method"},
    "greeter": {"form": "class", "qualname": "Greeter", "is_async": True},
}


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return Build(tmp_path, SOURCE, TOOLS)


def call(table: Table, name: str) -> Any:
    from lauren_runtime import ToolExecutor

    return run(ToolExecutor(table), name)


def test_a_newer_build_says_what_to_do(tmp_path: Path) -> None:
    newer = rf"built by a newer compiler: rebuild, or upgrade the runtime \(its ABI is {ABI + 1}"
    with pytest.raises(BuildMismatchError, match=newer):
        _ = Build(tmp_path, "", {}, abi=ABI + 1).table


def test_an_older_build_says_so(tmp_path: Path) -> None:
    with pytest.raises(BuildMismatchError, match="an older compiler: rebuild"):
        _ = Build(tmp_path, "", {}, abi=0).table


def test_what_only_a_newer_runtime_understands_says_the_same(tmp_path: Path) -> None:
    with pytest.raises(BuildMismatchError, match="a newer compiler: rebuild, or upgrade the runtime"):
        _ = Build(tmp_path, SOURCE, {"plain": {"is_async": True, "not_known_yet": 1}}).table


def test_look_up_is_by_name(build: Build) -> None:
    table = build.table
    assert table.names == tuple(TOOLS) == tuple(table)
    assert (len(table), "plain" in table, "nope" in table, table.get("nope")) == (5, True, False, None)
    assert isinstance(table["plain"], Entry)
    assert table["plain"].display_label == "Plain"
    with pytest.raises(KeyError):
        table["nope"]


def test_a_decoder_module_of_another_build_is_refused(tmp_path: Path) -> None:
    build = Build(tmp_path, SOURCE, {"plain": {"is_async": True}}, module_digest="d2")
    result = build.run("plain")
    assert isinstance(result.exception, ToolExecutionError)
    assert isinstance(result.exception.original, BuildMismatchError)
    assert "belongs to another build" in result.content
    assert "rebuild" in result.content


def test_a_tool_that_its_module_no_longer_has_is_a_stale_build(tmp_path: Path) -> None:
    build = Build(tmp_path, SOURCE, {"plain": {"is_async": True, "qualname": "gone"}})
    assert "has no gone, which tool 'plain' is: rebuild" in build.run("plain").content


def test_tools_are_imported_at_their_first_call(build: Build) -> None:
    executor = build.executor()
    assert not build.tools_are_loaded
    run(executor, "plain")
    assert build.tools_are_loaded


@pytest.mark.parametrize("name", ["inner", "local", "method"])
def test_an_unbound_tool_names_bind(build: Build, name: str) -> None:
    result = call(build.table, name)
    assert isinstance(result.exception, ToolExecutionError)
    assert isinstance(result.exception.original, ToolSetupError)
    assert "TABLE.bind(" in result.content


def test_functions_methods_classes_and_instances_can_be_bound(build: Build) -> None:
    tools, table = build.tools, build.table
    inner, local = tools.make("word")
    bound = table.bind(inner, tools.Service("mine").method, local(), tools.Greeter("hello"))
    assert [call(bound, name).content for name in ("inner", "local", "method", "greeter")] == [
        "word",
        "local word",
        "mine",
        "hello",
    ]
    assert call(table.bind(local), "local").content == "local word"
    assert call(table.bind(tools.Loud("hi")), "greeter").content == "HI"
    assert call(table, "inner").is_error  # the first table is as it was


def test_wrapped_functions_can_be_bound(build: Build) -> None:
    inner, _ = build.tools.make("word")

    @functools.wraps(inner)
    async def wrapper() -> str:
        return "wrapped " + await inner()

    assert call(build.table.bind(wrapper), "inner").content == "wrapped word"


def test_binding_a_method_without_its_instance_is_refused(build: Build) -> None:
    with pytest.raises(ToolSetupError, match=r"needs an instance.*TABLE.bind\(instance.method\)"):
        build.table.bind(build.tools.Service.method)


def test_binding_the_object_of_methods_says_which(build: Build) -> None:
    for each in (build.tools.Service("mine"), build.tools.Service):
        with pytest.raises(ToolSetupError, match=r"its methods are: give those of an instance, `instance\.method`"):
            build.table.bind(each)


def test_binding_what_the_build_does_not_know_is_refused(build: Build) -> None:
    for stranger in (print, object(), lambda: None):
        with pytest.raises(ToolSetupError, match="is no tool of this build"):
            build.table.bind(stranger)


def test_two_tools_of_one_name_cannot_both_run(tmp_path: Path) -> None:
    tools = {"plain": {"is_async": True}, "inner": {**BIND, "name": "plain", "qualname": "make.<locals>.inner"}}
    build = Build(tmp_path, SOURCE, tools)
    inner, _ = build.tools.make("word")
    with pytest.raises(ToolSetupError, match="two tools named 'plain' could run"):
        build.table.bind(inner)
    assert call(build.table, "plain").content == "plain"
    assert call(build.table.select(inner).bind(inner), "plain").content == "word"


def test_select_takes_names_and_objects(build: Build) -> None:
    tools = build.tools
    service = tools.Service("mine")
    chosen = build.table.bind(service.method).select("plain", service.method)
    assert chosen.names == ("plain", "method")
    assert call(chosen, "method").content == "mine"
    assert call(chosen, "greeter").exception.known == ("plain", "method")
    assert build.table.select().names == ()
    for stranger in ("nope", print):
        with pytest.raises(ToolSetupError):
            build.table.select(stranger)


@pytest.fixture
def published(build: Build) -> Build:
    entries = {name: {"name": name, "schema": 1} for name in ("greeter", "plain", "inner", "method")}
    bind = [
        {"tool": f"{build.module}:{qualname}", "entry": entries[name]}
        for name, qualname in (("inner", "make.<locals>.inner"), ("method", "Service.method"))
    ]
    listed = ["greeter", "plain"]
    targets = {
        "flat": {"tools": listed, "group": None, "bind": bind},
        "grouped": {"tools": listed, "group": "functionDeclarations", "bind": bind},
    }
    flat = [entries[name] for name in listed]
    build.write_manifest(targets, {"flat": flat, "grouped": [{"functionDeclarations": flat}]})
    return build


def names(tools: list[Any]) -> list[str]:
    return [each["name"] for each in tools]


def test_provider_lists_are_of_what_can_run(published: Build) -> None:
    table, tools = published.table, published.tools
    assert names(table.provider_tools("flat")) == ["plain", "greeter"]
    bound = table.bind(tools.Service("x").method)
    assert names(bound.provider_tools("flat")) == ["plain", "method", "greeter"]
    assert names(bound.select("method").provider_tools("flat")) == ["method"]
    assert names(table.provider_tools("grouped")[0]["functionDeclarations"]) == ["plain", "greeter"]
    assert table.select().provider_tools("grouped") == [] == table.select().provider_tools("flat")
    assert json.loads(table.provider_json("flat")) == table.provider_tools("flat")
    assert not published.tools.__dict__.get("never")


def test_an_unknown_target_is_named(published: Build) -> None:
    with pytest.raises(KeyError, match=r"no target 'nope' .*flat, grouped"):
        published.table.provider_tools("nope")


def test_a_manifest_or_provider_file_of_another_build_is_refused(published: Build) -> None:
    table = published.table
    published.write("providers/flat.json", "[]")
    with pytest.raises(BuildMismatchError, match=r"providers/flat.json .* rebuild"):
        table.provider_tools("flat")
    published.write_manifest({}, {}, digest="b0")
    for read in (table.manifest, lambda: table.provider_tools("flat"), lambda: table.provider_json("flat")):
        with pytest.raises(BuildMismatchError, match="is of another build"):
            read()


def test_a_build_without_its_json_files_says_so(published: Build) -> None:
    (published.folder / "providers" / "flat.json").unlink()
    with pytest.raises(BuildMismatchError, match=r"providers/flat.json is not in .* copy or package"):
        published.table.provider_tools("flat")
    (published.folder / "manifest.json").unlink()
    with pytest.raises(BuildMismatchError, match=r"manifest.json is not in"):
        published.table.manifest()


def test_a_build_can_be_loaded_by_its_folder(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    table = load_build(str(build.folder))
    assert table is load_build(str(build.folder))
    assert call(table, "plain").content == "plain"
    with pytest.raises(FileNotFoundError, match="holds no build"):
        load_build(str(build.folder / "nothing"))


def test_a_dispatch_file_loaded_alone_finds_its_decoders(build: Build) -> None:
    import runpy

    table = runpy.run_path(str(build.folder / "dispatch.py"))["TABLE"]
    assert table.package == ""
    assert call(table, "plain").content == "plain"


def f0() -> None: ...
async def f1(a: int, /, b: int = 1, *args: int, c: int, d: int = 2, **kw: int) -> Any:
    yield 1


def f2(a: int = 1) -> Any:
    yield a


@pytest.mark.parametrize(
    ("function", "parameters", "is_async", "is_generator"),
    [
        (f0, [], False, False),
        (
            f1,
            [
                ["a", "positional_only", False],
                ["b", "positional_or_keyword", True],
                ["args", "var_positional", False],
                ["c", "keyword_only", False],
                ["d", "keyword_only", True],
                ["kw", "var_keyword", False],
            ],
            True,
            True,
        ),
        (f2, [["a", "positional_or_keyword", True]], False, True),
    ],
)
def test_the_signature_digest_is_what_the_compiler_computes(
    function: Any, parameters: Any, is_async: bool, is_generator: bool
) -> None:
    from lauren_compiler.emit.digest import canonical_json, sha256_hex

    expected = sha256_hex(
        canonical_json({"parameters": parameters, "is_async": is_async, "is_generator": is_generator})
    )
    wrapper = functools.wraps(function)(lambda *args: None)
    assert digest_of(function) == digest_of(wrapper) == digest_of(classmethod(function)) == expected
    assert digest_of(len) is None


def test_a_changed_signature_says_to_rebuild_or_warns(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    build = Build(tmp_path, SOURCE, {"plain": {"is_async": True, "signature": "old"}})
    result = build.run("plain")
    assert isinstance(result.exception, ToolExecutionError)
    assert isinstance(result.exception.original, BuildMismatchError)
    assert f"the signature of {build.module}:plain changed" in result.content
    assert "rebuild" in result.content
    caplog.clear()
    assert build.run("plain", signature_mismatch="warn").content == "plain"
    assert "signature" in caplog.text


def test_the_signature_that_was_compiled_is_accepted(build: Build, tmp_path: Path) -> None:
    good = digest_of(build.tools.plain)
    assert Build(tmp_path, SOURCE, {"plain": {"is_async": True, "signature": good}}).run("plain").content == "plain"
    run_digest = digest_of(build.tools.Greeter.run)
    greeter = Build(tmp_path, SOURCE, {"greeter": {**TOOLS["greeter"], "signature": run_digest}})
    assert call(greeter.table.bind(greeter.tools.Greeter("x")), "greeter").content == "x"


def test_an_option_that_the_object_no_longer_has_is_a_stale_build(tmp_path: Path) -> None:
    build = Build(tmp_path, SOURCE, {"plain": {"is_async": True, "hooks": ("pre_hook",)}})
    assert "was compiled with pre_hook, which" in build.run("plain").content


def test_errors_of_the_tools_module_are_the_tools_failure(tmp_path: Path) -> None:
    build = Build(tmp_path, "raise RuntimeError('at import')", {"plain": {}})
    result = build.run("plain")
    assert isinstance(result.exception, ToolExecutionError)
    assert str(result.exception.original) == "at import"
    assert "at import" not in result.content


def test_a_failed_load_is_tried_again(tmp_path: Path) -> None:
    source = """
    import os
    if not os.environ.get('HAND_READY'):
        raise RuntimeError('not yet')

    @tool()
    async def plain():
        return 'now'
    """
    build = Build(tmp_path, source, {"plain": {"is_async": True}})
    executor = build.executor()
    with pytest.MonkeyPatch.context() as patch:
        assert run(executor, "plain").is_error
        patch.setenv("HAND_READY", "1")
        assert run(executor, "plain").content == "now"


def test_many_first_calls_at_once(build: Build) -> None:
    executor = build.executor()

    async def go() -> list[Any]:
        return await asyncio.gather(*[executor.execute(ToolCall(str(i), "plain", {})) for i in range(50)])

    assert [result.tool_use_id for result in asyncio.run(go())] == [str(i) for i in range(50)]
