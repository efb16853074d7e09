"""The neutral manifest, `manifest.json`, and the schema files beside it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..ir.tools import Binding, Tool, ToolSet
from ..schema.json_schema import DIALECT, Schemas
from .artifact import Artifact
from .digest import build_digest, file_digests, tool_digest
from .json_text import Texts, compact_json, readable_json, readable_text
from .names import file_stem

FORMAT = 1
PATH = "manifest.json"
_DIALECT = f'{{"$schema":"{DIALECT}",'.encode()


def entries(toolset: ToolSet) -> list[dict[str, Any]]:
    """The manifest's entry of each tool, in the order of the tool set."""
    schemas = Schemas(toolset)
    return [_entry(tool, schemas) for tool in toolset.tools]


def shared_texts(entries: Iterable[dict[str, Any]]) -> Texts:
    """The texts of the schemas in entries, which stand in other documents too."""
    texts = Texts()
    for entry in entries:
        texts.keep(entry["input_schema"], compact_json(entry["input_schema"]))
        if "output_schema" in entry:
            texts.keep(entry["output_schema"], compact_json(entry["output_schema"]))
    return texts


def schemas(entries: Sequence[Mapping[str, Any]], texts: Texts) -> list[Artifact]:
    """`schemas/<tool>.json` of each tool: the schema of its arguments."""
    return [schema(path, entry, texts) for path, entry in zip(schema_paths(entries), entries, strict=True)]


def schema(path: str, entry: Mapping[str, Any], texts: Texts) -> Artifact:
    """The schema file of one tool: a document of its own, which says what dialect it is in."""
    return Artifact(path, readable_text(_DIALECT + texts.text(entry["input_schema"])[1:]))


def schema_paths(entries: Sequence[Mapping[str, Any]]) -> list[str]:
    """The schema file of each entry. Of several with one name, only one that alone can be imported has it as it is."""
    # Some file systems do not tell `A` from `a`.
    uses = Counter(entry["name"].casefold() for entry in entries)
    imported = Counter(entry["name"].casefold() for entry in entries if entry["binding"] == Binding.IMPORT.value)
    paths: list[str] = []
    for entry in entries:
        name = entry["name"].casefold()
        alone = entry["binding"] == Binding.IMPORT.value and imported[name] == 1
        stem = file_stem(entry["name"], entry["module"], entry["qualname"], apart=uses[name] > 1 and not alone)
        paths.append(f"schemas/{stem}.json")
    return paths


def digest(entries: Iterable[Mapping[str, Any]], artifacts: Iterable[Artifact]) -> str:
    """The build's digest, from all artifacts but the manifest and `dispatch.py`, which carries it."""
    return build_digest(entries, file_digests(artifacts))


def render(
    entries: Sequence[Mapping[str, Any]],
    agents: Sequence[Mapping[str, Any]],
    targets: Mapping[str, Mapping[str, Any]],
    artifacts: Iterable[Artifact],
    texts: Texts,
) -> Artifact:
    """`manifest.json`, which lists every other file of the build (`artifacts`), and so is made and written last."""
    return of_files(entries, agents, targets, file_digests(artifacts), texts)


def of_files(
    entries: Sequence[Mapping[str, Any]],
    agents: Sequence[Mapping[str, Any]],
    targets: Mapping[str, Mapping[str, Any]],
    files: Mapping[str, str],
    texts: Texts,
) -> Artifact:
    """`manifest.json` of a build whose other files have these digests, in order of path."""
    document = {
        "format": FORMAT,
        "digest": build_digest(entries, files),
        "files": files,
        "tools": list(entries),
        "agents": list(agents),
        "targets": dict(targets),
    }
    return Artifact(PATH, readable_json(document, texts))


def _entry(tool: Tool, schemas: Schemas) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "name": tool.name,
        "description": tool.description,
        "input_schema": schemas.of_arguments(tool),
        "output_schema": schemas.of_result(tool),
        "module": tool.module,
        "qualname": tool.qualname,
        "binding": tool.binding.value,
        "form": tool.form.value,
        "is_async": tool.is_async,
        "is_generator": tool.is_generator or None,
        "context_parameter": None if tool.context is None else tool.context.name,
        "decorator": None if tool.foreign is None else tool.foreign.decorator,
        **_options(tool),
    }
    # What is None does not apply to this tool.
    entry = {key: value for key, value in entry.items() if value is not None}
    entry["source"] = {"path": tool.source.path, "line": tool.source.line}
    entry["digest"] = tool_digest(entry)
    return entry


def _options(tool: Tool) -> dict[str, Any]:
    options = tool.options
    return {
        "requires_confirmation": options.requires_confirmation,
        "cache_ttl": options.cache_ttl,
        "timeout": options.timeout,
        "label": options.label,
        "hooks": dict(options.hooks) or None,
        "metadata": None if options.metadata is None else json.loads(options.metadata),
    }
