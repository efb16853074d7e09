"""The digests of a build: of files, tools, decoder modules, and of the whole.

Generated Python is read as text: the digests stand in lines of a form of their own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ...emit.digest import build_digest, tool_digest
from ..folder import MANIFEST, digest
from .findings import Findings

DISPATCH = "dispatch.py"
WIRING = "_wiring.py"

_DIGEST_LINE = re.compile(r'^DIGEST = "([0-9a-f]{64})"$', re.MULTILINE)
_TABLE_DIGEST = re.compile(r'^ +digest="([0-9a-f]{64})",$', re.MULTILINE)
_WIRING = re.compile(r'^ +wiring="([0-9a-f]{64})",$', re.MULTILINE)
_MODULES = re.compile(r"^ +modules=\{(.*?)\},?$", re.MULTILINE | re.DOTALL)
_MODULE = re.compile(r'"(\w+)": "([0-9a-f]{64})"')


def check_files(listed: Mapping[str, str], found: Mapping[str, bytes], findings: Findings) -> None:
    """Every listed file is there with the listed content, and nothing looks like one without being listed."""
    for path, expected in listed.items():
        if path not in found:
            findings.mixed(path, f"{path} is missing, and the manifest lists it")
        elif digest(found[path]) != expected:
            findings.mixed(path, f"{path} belongs to another build, or was changed after it")
    for path in sorted(set(found) - set(listed) - {MANIFEST}):
        findings.unlisted(path)


def check_manifest_digests(manifest: Mapping[str, Any], findings: Findings) -> None:
    """The digests of tools, and the build's own."""
    for tool in manifest["tools"]:
        if tool_digest(tool) != tool["digest"]:
            findings.invalid(MANIFEST, f"the digest of tool `{tool['name']}` is not that of its entry")
    if build_digest([entry["digest"] for entry in manifest["tools"]], manifest["files"]) != manifest["digest"]:
        findings.invalid(MANIFEST, "the manifest's digest is not that of its tools and files")


def check_generated(manifest: Mapping[str, Any], found: Mapping[str, bytes], findings: Findings) -> None:
    """The table carries the build's digest, and each decoder module the one that the table has for it."""
    table = found.get(DISPATCH, b"").decode("utf-8", "replace")
    carried = _TABLE_DIGEST.search(table)
    if carried is None or carried[1] != manifest["digest"]:
        findings.mixed(DISPATCH, "the dispatch table belongs to another build than the manifest")
    listed = _MODULES.search(table)
    modules = dict(_MODULE.findall(listed[1])) if listed else {}
    for name, expected in modules.items():
        path = f"_tools/{name}.py"
        own = _DIGEST_LINE.search(found.get(path, b"").decode("utf-8", "replace"))
        if own is None or own[1] != expected:
            findings.mixed(path, f"{path} belongs to another build than the dispatch table")
    wiring = _WIRING.search(table)
    own = _DIGEST_LINE.search(found.get(WIRING, b"").decode("utf-8", "replace"))
    if wiring is not None and (own is None or own[1] != wiring[1]):
        findings.mixed(WIRING, f"{WIRING} belongs to another build than the dispatch table")
