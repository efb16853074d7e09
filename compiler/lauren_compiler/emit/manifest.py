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
from .listing import TOOLS, inside, listed, part
from .names import file_stem

FORMAT = 1
PATH = "manifest.json"
_DIALECT = f'{{"$schema":"{DIALECT}",'.encode()


def entries(toolset: ToolSet) -> list[dict[str, Any]]:
    """The manifest's entry of each tool, in the order of the tool set."""
    schemas = Schemas(toolset)
    return [_entry(tool, schemas) for tool in toolset.tools]


def heads(entries: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What the files that hold no schemas say of entries: modules and digests."""
    return [{"module": entry["module"], "digest": entry["digest"]} for entry in entries]


def shared_texts(entries: Iterable[dict[str, Any]]) -> Texts:
    """The texts of the schemas in entries, which stand in other documents too."""
    texts = Texts()
    for entry in entries:
        texts.keep(entry["input_schema"], compact_json(entry["input_schema"]))
        if "output_schema" in entry:
            texts.keep(entry["output_schema"], compact_json(entry["output_schema"]))
    return texts


def schema(path: str, entry: Mapping[str, Any], texts: Texts) -> Artifact:
    """The schema file of one tool: a document of its own, which says what dialect it is in."""
    return Artifact(path, readable_text(_DIALECT + texts.text(entry["input_schema"])[1:]))


def schema_paths(entries: Iterable[Mapping[str, Any]]) -> list[str]:
    """The schema file of each entry, as `files_for` has it."""
    imported = Binding.IMPORT.value
    return files_for(
        [(each["name"], each["module"], each["qualname"], each["binding"] == imported) for each in entries]
    )


def files_for(tools: Sequence[tuple[str, str, str, bool]]) -> list[str]:
    """The schema file of each tool, given by name, module, qualified name, and whether it can be imported.

    Of several with one name, only one that alone can be imported has it as it is.
    """
    # Some file systems do not tell `A` from `a`.
    names = [name.casefold() for name, _, _, _ in tools]
    if len(set(names)) == len(names):
        return [f"schemas/{name}.json" for name, _, _, _ in tools]
    uses = Counter(names)
    imported = Counter(name for name, (_, _, _, is_imported) in zip(names, tools, strict=True) if is_imported)
    paths: list[str] = []
    for folded, (name, module, qualname, is_imported) in zip(names, tools, strict=True):
        alone = is_imported and imported[folded] == 1
        stem = file_stem(name, module, qualname, apart=uses[folded] > 1 and not alone)
        paths.append(f"schemas/{stem}.json")
    return paths


def digest(entries: Iterable[Mapping[str, Any]], artifacts: Iterable[Artifact]) -> str:
    """The build's digest, from all artifacts but the manifest and `dispatch.py`, which carries it."""
    return build_digest(_digests(entries), file_digests(artifacts))


def render(
    entries: Sequence[Mapping[str, Any]],
    agents: Sequence[Mapping[str, Any]],
    targets: Mapping[str, Mapping[str, Any]],
    artifacts: Iterable[Artifact],
    texts: Texts,
) -> Artifact:
    """`manifest.json`, which lists every other file of the build (`artifacts`), and so is made and written last."""
    parts = [part(entry, texts, TOOLS) for entry in entries]
    files = file_digests(artifacts)
    return of_parts(listed(parts, TOOLS), agents, targets, files, build_digest(_digests(entries), files), texts)


def of_parts(
    tools: Sequence[bytes | memoryview],
    agents: Sequence[Mapping[str, Any]],
    targets: Mapping[str, Mapping[str, Any]],
    files: Mapping[str, str],
    digest: str,
    texts: Texts,
) -> Artifact:
    """`manifest.json` of the list of all tools, in pieces; `files` are the digests of all other files, in order of
    path, `digest` is the build's."""
    document = {
        "format": FORMAT,
        "digest": digest,
        "files": files,
        "tools": [],
        "agents": list(agents),
        "targets": dict(targets),
    }
    return Artifact(PATH, inside(readable_json(document, texts), TOOLS, tools))


def _digests(entries: Iterable[Mapping[str, Any]]) -> list[str]:
    return [entry["digest"] for entry in entries]


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
