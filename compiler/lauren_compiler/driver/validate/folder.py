"""All checks of one output folder, in order: manifest, files, digests, schemas, provider files, agents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from ...diagnostics.model import Diagnostic
from ...emit.manifest import schema_paths
from ...ir.equality import same
from ...schema.json_schema import schema_document
from ..folder import MANIFEST, OutputError, content, is_member, lookalikes, member
from .agents import check_agents
from .digests import check_files, check_generated, check_manifest_digests
from .documents import check_manifest, check_schema, parse
from .findings import Findings
from .providers import check_provider


class Validated(Struct, frozen=True):
    """What was found wrong, and how much was looked at."""

    diagnostics: tuple[Diagnostic, ...]
    tools: int
    agents: int
    files: int
    targets: int


def validate(out: Path, shown: str) -> Validated:
    """Holds the build in `out`, called `shown` in messages, against its manifest and the metaschema."""
    findings = Findings(shown)
    text = _read(out, MANIFEST, findings)
    if text is None:
        if not findings.all():  # else there is one, and why it can't be read has been said
            findings.invalid("", "there is no manifest.json: this folder holds no build")
        return Validated(findings.all(), 0, 0, 0, 0)
    is_json, manifest = parse(MANIFEST, text, findings)
    if not is_json or not check_manifest(manifest, findings):
        return Validated(findings.all(), 0, 0, 1, 0)
    found = {path: data for path in _candidates(out, manifest) if (data := _read(out, path, findings)) is not None}
    check_files(manifest["files"], found, findings)
    check_manifest_digests(manifest, findings)
    check_generated(manifest, found, findings)
    documents = _documents(found, findings)
    _check_tools(manifest, documents, findings)
    for target, about in manifest["targets"].items():
        if f"providers/{target}.json" in documents:
            check_provider(target, about, documents[f"providers/{target}.json"], findings)
        elif f"providers/{target}.json" not in found:
            findings.invalid(MANIFEST, f"there is no file for the target `{target}`")
    check_agents(manifest, found, documents, findings)
    sizes = (len(manifest["tools"]), len(manifest["agents"]), len(found) + 1, len(manifest["targets"]))
    return Validated(findings.all(), *sizes)


def _read(out: Path, path: str, findings: Findings) -> bytes | None:
    try:
        return content(member(out, path))
    except OutputError as error:
        findings.invalid(path, f"{path}: {error.reason}")
        return None


def _candidates(out: Path, manifest: Mapping[str, Any]) -> Iterator[str]:
    """The listed files, and those in the folders of a build that look like its own."""
    yield from (path for path in manifest["files"] if is_member(path))
    yield from lookalikes(out, manifest["files"])


def _documents(found: Mapping[str, bytes], findings: Findings) -> dict[str, Any]:
    documents: dict[str, Any] = {}
    for path, text in found.items():
        if path.endswith(".json"):
            is_json, document = parse(path, text, findings)
            if is_json:
                documents[path] = document
    return documents


def _check_tools(manifest: Mapping[str, Any], documents: Mapping[str, Any], findings: Findings) -> None:
    """Schemas are valid, and each schema file says what the manifest says."""
    tools = manifest["tools"]
    order = [(tool["name"], tool["module"], tool["qualname"]) for tool in tools]
    if order != sorted(order):
        findings.invalid(MANIFEST, "the tools are not in order of name, module and qualified name")
    for path, tool in zip(schema_paths(tools), tools, strict=True):
        for key in ("input_schema", "output_schema"):
            if key in tool:
                check_schema(MANIFEST, tool[key], f"the {key} of `{tool['name']}`", findings)
        if path not in manifest["files"]:
            findings.invalid(MANIFEST, f"there is no schema file for `{tool['name']}`")
        elif path in documents and not same(documents[path], schema_document(tool["input_schema"])):
            findings.invalid(path, f"{path} is not the input_schema of `{tool['name']}` in the manifest")
