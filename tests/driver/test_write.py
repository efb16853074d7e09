"""Writing a build: whole files, only changed ones, no foreign ones, nothing outside the folder."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from pathlib import Path

import pytest
from harness.outputs import HEADER, build_of, tree
from lauren_compiler.driver.folder import OutputError, is_member, mixture, refuse_sources
from lauren_compiler.driver.write import write
from lauren_compiler.emit.artifact import Artifact

FIRST = {"__init__.py": HEADER, "_tools/a.py": HEADER + b"A = 1\n", "schemas/a.json": b"{}\n"}
SECOND = {"__init__.py": HEADER, "_tools/b.py": HEADER + b"B = 1\n", "schemas/a.json": b'{"x": 1}\n'}


def test_a_build_is_all_there(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    done = write(out, build_of(FIRST))
    assert tree(out) == {artifact.path: artifact.content for artifact in build_of(FIRST)}
    assert sorted(done.written) == sorted([*FIRST, "manifest.json"])
    assert done.written[-1] == "manifest.json"


def test_only_what_changes_is_touched(tmp_path: Path) -> None:
    write(tmp_path, build_of(FIRST))
    for path in tmp_path.rglob("*"):
        os.utime(path, (1, 1))
    done = write(tmp_path, build_of({**FIRST, "schemas/a.json": b"[]\n"}))
    assert done.written == ("schemas/a.json", "manifest.json")
    assert done.unchanged == 2
    assert (tmp_path / "__init__.py").stat().st_mtime == 1
    assert write(tmp_path, build_of({**FIRST, "schemas/a.json": b"[]\n"})).written == ()


def test_orphans_go_and_nothing_else(tmp_path: Path) -> None:
    write(tmp_path, build_of({**FIRST, "agents/x/mcp.json": b"[]\n", "schemas/edited.json": b"{}\n"}))
    (tmp_path / "schemas" / "edited.json").write_bytes(b"mine now\n")
    (tmp_path / "schemas" / "notes.txt").write_bytes(b"mine\n")
    done = write(tmp_path, build_of(SECOND))
    assert done.removed == ("_tools/a.py", "agents/x/mcp.json")
    assert not (tmp_path / "agents").exists()
    expected = {artifact.path: artifact.content for artifact in build_of(SECOND)}
    assert tree(tmp_path) == {**expected, "schemas/edited.json": b"mine now\n", "schemas/notes.txt": b"mine\n"}


@pytest.mark.parametrize("path", ["../victim", "/etc/victim", "schemas/../../victim", "C:/victim", "a\\..\\victim", ""])
def test_a_hostile_manifest_removes_nothing_outside(tmp_path: Path, path: str) -> None:
    out = tmp_path / "out"
    out.mkdir()
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    listed = {path: hashlib.sha256(b"precious").hexdigest()}
    (out / "manifest.json").write_text(json.dumps({"format": 1, "files": listed}))
    assert not is_member(path)
    assert write(out, build_of(FIRST)).removed == ()
    assert victim.read_bytes() == b"precious"


def test_links_are_not_followed_out(tmp_path: Path) -> None:
    out, outside = tmp_path / "out", tmp_path / "outside"
    out.mkdir()
    outside.mkdir()
    (out / "schemas").symlink_to(outside)
    with pytest.raises(OutputError, match="link"):
        write(out, build_of(FIRST))
    assert list(outside.iterdir()) == []
    (out / "schemas").unlink()
    (outside / "a.json").write_bytes(b"{}\n")
    (out / "schemas").mkdir()
    (out / "schemas" / "a.json").symlink_to(outside / "a.json")
    write(out, build_of({**FIRST, "schemas/a.json": b"[]\n"}))
    assert (outside / "a.json").read_bytes() == b"{}\n"
    assert not (out / "schemas" / "a.json").is_symlink()


def test_orphans_behind_a_link_stay(tmp_path: Path) -> None:
    out, outside = tmp_path / "out", tmp_path / "outside"
    write(out, build_of(FIRST))
    outside.mkdir()
    (outside / "a.py").write_bytes(FIRST["_tools/a.py"])
    (out / "_tools" / "a.py").unlink()
    (out / "_tools").rmdir()
    (out / "_tools").symlink_to(outside)
    assert write(out, build_of({"__init__.py": HEADER})).removed == ("schemas/a.json",)
    assert (outside / "a.py").exists()


def test_foreign_files_are_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").write_bytes(b'"""My package."""\n')
    with pytest.raises(OutputError, match="not written by a build"):
        write(tmp_path, build_of(FIRST))
    assert tree(tmp_path) == {"__init__.py": b'"""My package."""\n'}


def test_a_foreign_manifest_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_bytes(b'{"name": "my web app"}')
    with pytest.raises(OutputError, match="not written by a build"):
        write(tmp_path, build_of(FIRST))


def test_a_half_merged_output_is_mended(tmp_path: Path) -> None:
    write(tmp_path, build_of({**FIRST, "dispatch.py": HEADER}))
    (tmp_path / "manifest.json").write_bytes(b"<<<<<<< HEAD\n{}\n=======\n")
    write(tmp_path, build_of({**FIRST, "dispatch.py": HEADER}))
    assert list(mixture(tmp_path)) == []


def test_a_failure_while_staging_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, build_of(FIRST))
    before = tree(tmp_path)
    real, written = os.write, 0

    def failing(handle: int, data: bytes) -> int:
        nonlocal written
        written += 1
        if written == 3:
            raise OSError(28, "No space left on device")
        return real(handle, data[:10])

    monkeypatch.setattr(os, "write", failing)
    with pytest.raises(OutputError, match="No space left"):
        write(tmp_path, build_of(SECOND))
    monkeypatch.undo()
    assert tree(tmp_path) == before


def test_a_file_that_is_written_in_pieces_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, data[:7]))
    files = {**FIRST, "schemas/empty.json": b""}
    write(tmp_path, build_of(files))
    assert tree(tmp_path) == {artifact.path: artifact.content for artifact in build_of(files)}


def test_a_manifest_with_a_lone_surrogate_lists_its_files(tmp_path: Path) -> None:
    write(tmp_path, build_of(FIRST))
    text = (tmp_path / "manifest.json").read_text()
    (tmp_path / "manifest.json").write_text(text.replace('"format"', '"name": "\\ud800", "format"'))
    assert write(tmp_path, build_of({"__init__.py": HEADER})).removed == ("_tools/a.py", "schemas/a.json")


def test_a_file_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "out").write_bytes(b"")
    with pytest.raises(OutputError):
        write(tmp_path / "out" / "deeper", build_of(FIRST))
    (tmp_path / "other" / "__init__.py").mkdir(parents=True)
    with pytest.raises(OutputError, match="no file"):
        write(tmp_path / "other", build_of(FIRST))


def test_sources_are_not_built_over(tmp_path: Path) -> None:
    source = tmp_path / "tools" / "a.py"
    source.parent.mkdir()
    source.touch()
    for out, sources in [(source, [source]), (tmp_path, [source]), (source.parent, [source.parent])]:
        with pytest.raises(OutputError):
            refuse_sources(out, sources)
    refuse_sources(source.parent / "lauren_build", [source.parent])


def test_concurrent_builds_leave_one_of_them_whole(tmp_path: Path) -> None:
    builds = [build_of({**FIRST, f"_tools/{n}.py": HEADER + str(n).encode()}) for n in range(4)]
    failures: list[BaseException] = []

    def work(artifacts: list[Artifact]) -> None:
        try:
            for _ in range(5):
                write(tmp_path, artifacts)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(artifacts,)) for artifacts in builds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert list(mixture(tmp_path)) == []
    found = tree(tmp_path)
    assert any(found == {artifact.path: artifact.content for artifact in artifacts} for artifacts in builds)
