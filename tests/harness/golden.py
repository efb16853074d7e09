"""Expected texts in files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Goldens:
    """Expectations on disk; with `update` they become what is."""

    update: bool

    def check_text(self, path: Path, actual: str) -> None:
        """The file at `path` holds exactly `actual`."""
        if self.update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(actual, encoding="utf-8", newline="")
        assert path.exists(), f"{path} is missing; run pytest --update"
        assert actual == path.read_text(encoding="utf-8")

    def check_tree(self, folder: Path, actual: Mapping[str, bytes]) -> None:
        """`folder` holds exactly the files of `actual`, by POSIX path: neither other ones nor less."""
        if self.update:
            self._write_tree(folder, actual)
        found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
        assert sorted(actual) == sorted(found)
        for name, path in sorted(found.items()):
            assert actual[name].decode() == path.read_bytes().decode(), name

    def _write_tree(self, folder: Path, actual: Mapping[str, bytes]) -> None:
        for path in list(folder.rglob("*")):
            if path.is_file() and path.relative_to(folder).as_posix() not in actual:
                path.unlink()
        for name, content in actual.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
