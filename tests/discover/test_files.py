"""Which files are found, and what is said of those that can't be reached."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest
from lauren_compiler.config import Config
from lauren_compiler.diagnostics.model import Sink
from lauren_compiler.discover.files import find_sources
from lauren_compiler.source.filesystem import LARGEST, Disk, FileSystem, Memory

ROOT = Path("/project")
BUILD = json.dumps({"format": 1, "digest": "0" * 64}).encode()


def found(config: Config, files: FileSystem) -> tuple[list[str], list[str]]:
    """Sources and reports, by their paths."""
    sink = Sink()
    paths = find_sources(config, files, lambda path: path, sink)
    base = config.sources[0]
    assert all(each.rule.code == "LC101" for each in sink)
    return (
        [path.relative_to(base).as_posix() for path in paths],
        [f"{os.path.relpath(each.span.path, base)}: {each.message}" for each in sink],
    )


def in_memory(names: list[str], faults: dict[str, int] | None = None, **settings: Path) -> tuple[list[str], list[str]]:
    files = {str(ROOT / name): BUILD if name.endswith(".json") else b"" for name in names}
    memory = Memory(files, {str(ROOT / name): number for name, number in (faults or {}).items()})
    return found(Config(sources=(ROOT,), project=ROOT, **settings), memory)  # type: ignore[arg-type]


def test_what_is_never_a_source() -> None:
    names = ["a.py", "a.txt", ".venv/x.py", "node_modules/x.py", "env/pyvenv.cfg", "env/x.py", "b/c.py"]
    assert in_memory(names) == (["a.py", "b/c.py"], [])


def test_outputs_are_no_sources() -> None:
    names = [f"{folder}/{file}" for folder in ("new", "old", "gone") for file in ("dispatch.py", "tools.py")]
    places = {"out": ROOT / "new", "other_out": ROOT / "old"}
    assert in_memory(names, **places) == (["gone/dispatch.py", "gone/tools.py"], [])


@pytest.mark.parametrize(("manifest", "is_build"), [(BUILD, True), (b"{}", False), (b"[1]", False), (b"<<<", False)])
def test_a_build_elsewhere_is_known_by_its_manifest(manifest: bytes, is_build: bool) -> None:
    files = {f"/project/built/{name}": manifest for name in ("manifest.json", "dispatch.py")}
    sources, _ = found(Config(sources=(ROOT,)), Memory(files))
    assert sources == ([] if is_build else ["built/dispatch.py"])


def test_a_build_named_as_a_source_is_one() -> None:
    files = {f"/project/{name}": BUILD for name in ("manifest.json", "dispatch.py")}
    assert found(Config(sources=(ROOT,)), Memory(files)) == (["dispatch.py"], [])


def test_what_cannot_be_reached_is_reported() -> None:
    faults = {
        "deep/er": errno.ENAMETOOLONG,
        "gone.py": errno.ENOENT,
        "loop.py": errno.ELOOP,
        "pipe.py": errno.EINVAL,
        "closed": errno.EACCES,
        ".#a.py": errno.ENOENT,
        "gone": errno.ENOENT,
        "socket": errno.EINVAL,
    }
    sources, reports = in_memory(["a.py", "deep/b.txt"], faults)
    assert sources == ["a.py"]
    assert [report.partition(":")[0] for report in reports] == ["closed", "deep/er", "gone.py", "loop.py", "pipe.py"]


def test_a_closed_folder_of_the_configuration_is_reported() -> None:
    assert in_memory(["a.py"], {".": errno.EACCES}) == ([], [".: this path can't be read: Permission denied"])


def test_the_disk_and_its_twin_tell_the_same(tmp_path: Path) -> None:
    (tmp_path / "a.py").touch()
    (tmp_path / "gone.py").symlink_to("nowhere.py")
    (tmp_path / "loop.py").symlink_to("loop.py")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / ".#a.py").symlink_to("me@here.17")
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "zero.py").symlink_to("/dev/zero")
    sources, reports = found(Config(sources=(tmp_path,)), Disk())
    assert sources == ["a.py"]
    assert reports == [
        "gone.py: this path can't be read: No such file or directory",
        "loop.py: this path can't be read: Too many levels of symbolic links",
        "pipe.py: this path can't be read: it is no regular file",
        "zero.py: this path can't be read: it is no regular file",
    ]


def test_a_path_longer_than_the_system_takes_is_reported(tmp_path: Path) -> None:
    here = os.getcwd()
    os.chdir(tmp_path)
    try:
        for _ in range(40):
            os.mkdir("d" * 120)
            os.chdir("d" * 120)
        Path("lost.py").touch()
    finally:
        os.chdir(here)
    sources, (report,) = found(Config(sources=(tmp_path,)), Disk())
    assert sources == []
    assert report.endswith("this path can't be read: File name too long")


@pytest.mark.parametrize("where", ["disk", "memory"])
def test_a_file_has_a_largest_size(tmp_path: Path, where: str) -> None:
    file = tmp_path / "a.py"
    for size in (LARGEST, LARGEST + 1):
        with file.open("wb") as handle:
            handle.truncate(size)
        files: FileSystem = Disk() if where == "disk" else Memory({str(file): bytes(size)})
        if size == LARGEST:
            assert len(files.read(str(file))) == size
        else:
            with pytest.raises(OSError, match="it is larger than 64 MiB"):
                files.read(str(file))


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null"])
def test_a_device_is_not_read(path: str) -> None:
    with pytest.raises(OSError, match="it is no regular file"):
        Disk().read(path)
