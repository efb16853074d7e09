"""Files of a build that wait in a temporary file are what they were."""

from __future__ import annotations

import gc
import tempfile
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lauren_compiler.emit.artifact import Artifact
from lauren_compiler.emit.spool import IN_MEMORY, Spool, Stretch

PIECES = st.lists(st.binary(max_size=40).map(lambda text: text * 3000), max_size=4)


@given(st.lists(PIECES, max_size=6), st.integers(0, 200_000), st.data())
def test_what_is_held_is_the_same(contents: list[list[bytes]], most: int, data: st.DataObject) -> None:
    spool = Spool(most)
    artifacts = [Artifact(f"{number}.json", pieces) for number, pieces in enumerate(contents)]
    held = [spool.hold(each) for each in artifacts]
    for place in data.draw(st.permutations(range(len(held)))):  # as they are asked for, in no order
        wanted, found = artifacts[place], held[place]
        assert (found.path, found.digest, found.content) == (wanted.path, wanted.digest, wanted.content)
        assert b"".join(found.pieces) == wanted.content


def test_little_stays_in_memory_and_the_rest_does_not() -> None:
    spool = Spool(10)
    little, much = (spool.hold(Artifact("a", text)) for text in (b"0123456789", b"x"))
    assert little.text == b"0123456789"
    assert isinstance(much.text, Stretch)
    assert spool.lengths([b"abc", range(5, 9)]) == [range(3), range(4)]
    parts = [b"abc"]
    assert IN_MEMORY.lengths(parts) is parts
    assert IN_MEMORY.hold(Artifact("a", b"x" * (8 << 20))).text


def test_a_slice_is_of_pieces() -> None:
    text = bytes(range(256)) * 1024
    (pieces,) = (Spool(0).hold(Artifact("a", text)).pieces,)
    assert isinstance(pieces, Stretch)
    assert b"".join(pieces[1:]) == text[len(pieces[0]) :]
    assert pieces[-1] == text[-len(pieces[-1]) :]


def test_where_there_is_no_temporary_folder_all_stays_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(**_: Any) -> None:
        raise FileNotFoundError("no usable temporary directory")

    monkeypatch.setattr(tempfile, "TemporaryFile", fails)
    spool = Spool(0)
    artifact = Artifact("a", b"text")
    assert spool.hold(artifact) is artifact
    assert spool.hold(artifact) is artifact


class Full:
    """A file on a disk that is full after `room` bytes."""

    def __init__(self, file: Any, room: int) -> None:
        self._file, self._room = file, room

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def write(self, text: memoryview) -> int:
        if self._room == 0:
            raise OSError(28, "No space left on device")
        count: int = self._file.write(text[: self._room])
        self._room -= count
        return count


def test_on_a_full_disk_what_does_not_fit_stays_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    real = tempfile.TemporaryFile
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **options: Full(real(**options), 6))
    spool = Spool(0)
    artifacts = [Artifact("a", b"first"), Artifact("b", b"second"), Artifact("c", b"third")]
    held = [spool.hold(each) for each in artifacts]
    assert [each.content for each in held] == [b"first", b"second", b"third"]
    assert [isinstance(each.text, Stretch) for each in held] == [True, False, False]


def test_the_file_goes_with_what_it_holds(recwarn: pytest.WarningsRecorder) -> None:
    held = Spool(0).hold(Artifact("a", b"text"))
    gc.collect()
    assert held.content == b"text"
    del held
    gc.collect()
    assert not recwarn.list


def test_a_file_that_was_cut_off_is_told() -> None:
    spool = Spool(0)
    held = spool.hold(Artifact("a", b"text"))
    assert isinstance(held.text, Stretch)
    with pytest.raises(OSError, match="cut off"):
        spool.read(2, 5)
