"""Whose the files in an output folder are: builds overwrite and remove what builds wrote, and nothing else.

What builds wrote is listed in the manifest. A build that was stopped between its first file and its manifest leaves its
own list, the journal. Generated Python says in its first line that it is, and JSON can't.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from ..emit.artifact import Artifact
from .folder import JOURNAL, MANIFEST, Members, OutputError, content, is_manifest, listed_files

_TABLE = "dispatch.py"
_LONGEST_LINE = 1000
"""More than any first line of a build's."""
_REFUSAL = "this file was not written by a build; move it or choose another folder"
_HIDDEN = "a Python file that no build wrote: in an output folder it is no source; move it or choose another folder"


def owned_files(out: Path) -> Mapping[str, frozenset[str]]:
    """The files that builds wrote into `out` or were about to, with the digests that they may have."""
    lists = [listed_files(content(out / name)) for name in (MANIFEST, JOURNAL)]
    paths = {path for files in lists for path in files}
    return {path: frozenset(files[path] for files in lists if path in files) for path in sorted(paths)}


def refuse_foreign(there: Members, artifacts: Mapping[str, Artifact], owned: Collection[str]) -> None:
    """Raises OutputError if a build would overwrite a file that no build wrote, or if Python of the user's is there.

    An empty file and one that is what the build writes anyway are no loss. Where only the manifest of a build is gone
    or garbled, its dispatch table tells that the folder is one.
    """
    out = there.out
    first_lines = {_first_line(made.pieces[0]) for path, made in artifacts.items() if path.endswith(".py")}
    manifest, table = content(out / MANIFEST), content(out / _TABLE)
    is_build = table is not None and _is_generated(table, first_lines)
    if manifest is not None and not is_manifest(manifest) and not is_build:
        raise OutputError(out / MANIFEST, _REFUSAL)
    adopted = is_build and (manifest is None or not is_manifest(manifest))
    for path, made in artifacts.items():
        found = None if path == MANIFEST or path in owned else there.content(path)
        if not found or found == made.content:
            continue
        if not (_is_generated(found, first_lines) if path.endswith(".py") else adopted):
            raise OutputError(out / path, _REFUSAL)
    for path in _python_files(out):
        if path not in owned and path not in artifacts and not _is_harmless(out / path, first_lines):
            raise OutputError(out / path, _HIDDEN)


def _is_harmless(file: Path, first_lines: Collection[bytes]) -> bool:
    """Whether a Python file is empty, or left from another build."""
    if file.is_symlink():
        return False
    found = content(file)
    return not found or _is_generated(found, first_lines)


def _is_generated(text: bytes, first_lines: Collection[bytes]) -> bool:
    first = _first_line(text)
    return first in first_lines or (b"lauren-compile" in first and b"Generated" in first)


def _first_line(text: bytes | memoryview) -> bytes:
    return bytes(text[:_LONGEST_LINE]).partition(b"\n")[0].rstrip()


def _python_files(out: Path) -> Iterator[str]:
    """Those that would be sources if the folder were not the output."""
    for folder, folders, names in os.walk(out):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "__pycache__")
        for name in sorted(names):
            if name.endswith(".py") and not name.startswith("."):
                yield (Path(folder) / name).relative_to(out).as_posix()
