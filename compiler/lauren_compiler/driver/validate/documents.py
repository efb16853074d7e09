"""Reading the JSON of a build strictly, and holding schemas against the metaschema."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError

from ... import resources
from ..folder import MANIFEST
from .findings import Findings

_MOST_NOTES = 20


def parse(path: str, text: bytes, findings: Findings) -> tuple[bool, Any]:
    """Whether `text` is JSON, as RFC 8259 has it and without duplicate keys, and its value."""
    try:
        return True, json.loads(text.decode("utf-8"), parse_constant=_no_constant, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        findings.invalid(path, f"{path} is not valid JSON: {error}")
        return False, None


def check_manifest(document: Any, findings: Findings) -> bool:
    """Whether the manifest has the parts that format 1 asks for; each fault is a note."""
    errors: list[ValidationError] = sorted(_manifest_validator().iter_errors(document), key=lambda each: each.json_path)
    if errors:
        notes = [f"{error.json_path}: {error.message[:200]}" for error in errors[:_MOST_NOTES]]
        findings.invalid(MANIFEST, "the manifest does not have the parts of format 1", notes=notes)
    return not errors


def check_schema(path: str, schema: Any, what: str, findings: Findings) -> None:
    """`schema` is a JSON Schema of draft 2020-12."""
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        findings.invalid(path, f"{what} is no valid JSON Schema: {error.json_path}: {error.message[:200]}")
    except RecursionError:
        findings.invalid(path, f"{what} is nested too deep to be validated")


@cache
def _manifest_validator() -> Any:
    return Draft202012Validator(json.loads(resources.manifest_schema()))


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _unique(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    document: dict[str, Any] = {}
    for key, value in pairs:
        if key in document:
            raise ValueError(f"the key {key!r} stands twice in one object")
        document[key] = value
    return document
