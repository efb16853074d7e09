"""The manifest's entries and digests."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from harness.every_type import every_type
from harness.tool_sets import INTEGER, STRING, parameter, tool, toolset
from lauren_compiler.emit import manifest
from lauren_compiler.emit.artifact import Artifact
from lauren_compiler.emit.digest import module_digest, schema_digest, signature_digest
from lauren_compiler.emit.json_text import Texts
from lauren_compiler.ir.tools import (
    Binding,
    ContextParameter,
    Form,
    Options,
    ParameterKind,
    Signature,
    SourceLocation,
    Tool,
)
from msgspec.structs import replace

PLAIN = tool("f", parameter("p", INTEGER), source=SourceLocation("pkg/shop.py", 7))
WHOLE = tool(
    "g",
    output=STRING,
    form=Form.CLASS,
    qualname="G",
    is_async=True,
    is_generator=True,
    context=ContextParameter("ctx", ParameterKind.KEYWORD_ONLY),
    options=Options(True, 60, "A label", 2.5, (("pre_hook", "shop:check"), ("cache_key_fn", "inline")), '{"k": [1]}'),
    description="",
)
FILES = (Artifact("schemas/f.json", b"{}"), Artifact("dispatch.py", b"TABLE"), Artifact("__init__.py", b""))


def digest(value: object) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def entry(one: Tool) -> dict[str, Any]:
    (only,) = manifest.entries(toolset(one))
    return only


def test_an_entry_of_a_plain_tool() -> None:
    expected = {
        "name": "f",
        "description": "Does it.",
        "input_schema": {
            "type": "object",
            "properties": {"p": {"type": "integer"}},
            "required": ["p"],
            "additionalProperties": False,
        },
        "module": "shop",
        "qualname": "f",
        "binding": "import",
        "form": "function",
        "is_async": False,
        "requires_confirmation": False,
    }
    found = entry(PLAIN)
    assert found == {**expected, "source": {"path": "pkg/shop.py", "line": 7}, "digest": digest(expected)}


def test_an_entry_with_everything() -> None:
    found = entry(WHOLE)
    expected = {
        "description": "",
        "output_schema": {"type": "string"},
        "form": "class",
        "is_async": True,
        "is_generator": True,
        "context_parameter": "ctx",
        "requires_confirmation": True,
        "cache_ttl": 60,
        "timeout": 2.5,
        "label": "A label",
        "hooks": {"pre_hook": "shop:check", "cache_key_fn": "inline"},
        "metadata": {"k": [1]},
    }
    assert {key: found[key] for key in expected} == expected


def test_a_tools_digest_is_of_what_it_is_and_not_of_where_it_stands() -> None:
    moved = replace(PLAIN, source=SourceLocation("elsewhere.py", 99))
    assert entry(moved)["digest"] == entry(PLAIN)["digest"]
    assert entry(replace(PLAIN, is_async=True))["digest"] != entry(PLAIN)["digest"]
    assert schema_digest(entry(PLAIN)["input_schema"]) == digest(entry(PLAIN)["input_schema"])


def test_the_manifest_lists_every_file_and_digests_all_but_the_one_that_carries_the_digest() -> None:
    entries = manifest.entries(toolset(PLAIN, WHOLE))
    targets = {"mcp": {"lossy": [], "omitted": []}}
    agents = [{"name": "a"}]
    artifact = manifest.render(entries, agents, targets, FILES, Texts())
    assert artifact.path == "manifest.json"
    document = json.loads(artifact.content)
    files = {one.path: hashlib.sha256(one.content).hexdigest() for one in FILES}
    kept = {path: value for path, value in files.items() if path != "dispatch.py"}
    expected = digest({"files": kept, "tools": [each["digest"] for each in entries]})
    assert document == {
        "format": 1,
        "digest": expected,
        "files": files,
        "tools": entries,
        "agents": agents,
        "targets": targets,
    }
    assert list(document["files"]) == sorted(files)
    assert manifest.digest(entries, FILES) == expected
    assert manifest.digest(entries, [one for one in FILES if one.path != "dispatch.py"]) == expected


def test_a_module_carries_the_digest_of_its_own_tools() -> None:
    entries = manifest.entries(toolset(PLAIN, WHOLE))
    assert module_digest(entries[:1]) == digest([entries[0]["digest"]]) != module_digest(entries)


def test_the_signature_digest() -> None:
    signature = Signature((("self", "positional_or_keyword", False), ("p", "keyword_only", True)), True, False)
    assert signature_digest(signature) == digest(
        {
            "parameters": [["self", "positional_or_keyword", False], ["p", "keyword_only", True]],
            "is_async": True,
            "is_generator": False,
        }
    )


def test_schema_files() -> None:
    entries = manifest.entries(every_type())
    texts = manifest.shared_texts(entries)
    files = [
        manifest.schema(path, each, texts) for path, each in zip(manifest.schema_paths(entries), entries, strict=True)
    ]
    assert [file.path for file in files] == [f"schemas/{each['name']}.json" for each in entries]
    for each, file in zip(entries, files, strict=True):
        document = json.loads(file.content)
        assert document.pop("$schema") == "https://json-schema.org/draft/2020-12/schema"
        assert document == each["input_schema"]


def test_tools_that_share_a_name_share_no_file() -> None:
    bound = [
        tool("f", qualname="outer.<locals>.f", binding=Binding.BIND),
        tool("F", qualname="other.<locals>.F", binding=Binding.BIND),
        tool("alone", qualname="outer.<locals>.alone", binding=Binding.BIND),
    ]
    entries = manifest.entries(toolset(PLAIN, *bound))
    paths = dict(zip([each["qualname"] for each in entries], manifest.schema_paths(entries), strict=True))
    assert paths == {
        "f": "schemas/f.json",
        "outer.<locals>.f": f"schemas/f--{hashlib.sha256(b'shop:outer.<locals>.f').hexdigest()[:8]}.json",
        "other.<locals>.F": f"schemas/F--{hashlib.sha256(b'shop:other.<locals>.F').hexdigest()[:8]}.json",
        "outer.<locals>.alone": "schemas/alone.json",
    }
