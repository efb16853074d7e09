"""Digests: SHA-256 of canonical JSON (DESIGN, section 4)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from ..ir.tools import Signature
from .artifact import Artifact
from .json_text import canonical_json

__all__ = [
    "agent_digest",
    "build_digest",
    "canonical_json",
    "file_digests",
    "module_digest",
    "schema_digest",
    "sha256_hex",
    "signature_digest",
    "tool_digest",
]

_OUTSIDE = ("source", "digest")


def sha256_hex(value: bytes) -> str:
    """SHA-256 of `value`, in lower-case hexadecimal."""
    return hashlib.sha256(value).hexdigest()


def schema_digest(schema: Mapping[str, Any]) -> str:
    """The digest of an `input_schema`."""
    return _of(schema)


def tool_digest(entry: Mapping[str, Any]) -> str:
    """The digest of a manifest entry: of all of it but where it stands in the source and the digest itself."""
    return _of({key: value for key, value in entry.items() if key not in _OUTSIDE})


def agent_digest(entry: Mapping[str, Any]) -> str:
    """The digest of an agent's manifest entry, which holds its tools' digests: as that of a tool."""
    return tool_digest(entry)


def module_digest(entries: Iterable[Mapping[str, Any]]) -> str:
    """The digest that a `_tools` module carries: of its own tools, in the order of `entries`."""
    return _of([entry["digest"] for entry in entries])


def build_digest(tools: Iterable[str], files: Mapping[str, str]) -> str:
    """The digest of a build: of the digests of its `tools`, in order, and of `files` (path to digest).

    `dispatch.py` is left out of `files`, for it carries this digest.
    """
    listed = {path: digest for path, digest in files.items() if path != "dispatch.py"}
    return _of({"files": listed, "tools": list(tools)})


def file_digests(artifacts: Iterable[Artifact]) -> dict[str, str]:
    """The manifest's `files`: the digest of each artifact's bytes, in order of path."""
    return {artifact.path: artifact.digest for artifact in sorted(artifacts, key=lambda each: each.path)}


def signature_digest(signature: Signature) -> str:
    """The digest that the runtime compares with the loaded function's."""
    return _of(
        {
            "parameters": [list(parameter) for parameter in signature.parameters],
            "is_async": signature.is_async,
            "is_generator": signature.is_generator,
        }
    )


def _of(value: Any) -> str:
    return sha256_hex(canonical_json(value))
