"""Files of a build that wait for the last diagnostic: in memory as long as they are few, then in an unnamed temporary
file, for those of a large build take as much memory as all else that a run holds at once.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, overload

from .artifact import Artifact
from .listing import Part

_MOST = 1 << 20
"""In bytes: a build of a hundred tools comes to no temporary file."""
_CHUNK = 1 << 16


class Spool:
    """Holds artifacts. The first `most` bytes stay in memory; with None, all do."""

    def __init__(self, most: int | None = _MOST) -> None:
        self._left = most
        self._file: IO[bytes] | None = None
        self._end = 0
        self._place = 0
        """Where the file is read or written next."""

    def hold(self, artifact: Artifact) -> Artifact:
        """The same artifact, whose content may have moved."""
        if self._left is None:
            return artifact
        self._left -= sum(map(len, artifact.pieces))
        if self._left >= 0:
            return artifact
        try:
            return artifact.moved(self._put(artifact.pieces))
        except OSError:  # no temporary folder, or one that is full: memory has to do
            self._left = None
            return artifact

    def lengths(self, parts: Sequence[Part]) -> Sequence[Part]:
        """Stretches as long as the parts, if the files that they stand in may have moved; else the parts."""
        return parts if self._left is None else [range(len(part)) for part in parts]

    def read(self, start: int, size: int) -> bytes:
        """What was put there. Raises OSError."""
        found = self._at(start).read(size)
        self._place += len(found)
        if len(found) < size:
            raise OSError("the temporary file of the build was cut off")
        return found

    def _put(self, pieces: Iterable[bytes | memoryview]) -> Stretch:
        start, file = self._end, self._at(self._end)
        for chunk in _joined(pieces):
            rest = memoryview(chunk)
            while rest:
                count = file.write(rest)
                rest = rest[count:]
                self._place += count
        self._end = self._place
        return Stretch(self, start, self._end - start)

    def _at(self, place: int) -> IO[bytes]:
        """The file, which goes on at a place."""
        if self._file is None:
            import tempfile  # for large builds

            self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - as long as what it holds
            weakref.finalize(self, self._file.close)
        if place != self._place:
            self._place = self._file.seek(place)
        return self._file


IN_MEMORY = Spool(None)


class Stretch(Sequence[bytes]):
    """A stretch of a spool's file, in pieces that are read when they are asked for."""

    def __init__(self, spool: Spool, start: int, size: int) -> None:
        self._spool = spool
        self._start = start
        self._size = size

    def __len__(self) -> int:
        return -(-self._size // _CHUNK)

    @overload
    def __getitem__(self, index: int) -> bytes: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[bytes]: ...
    def __getitem__(self, index: int | slice) -> bytes | Sequence[bytes]:
        places = range(self._start, self._start + self._size, _CHUNK)[index]
        return self._read(places) if isinstance(places, int) else [self._read(place) for place in places]

    def _read(self, place: int) -> bytes:
        return self._spool.read(place, min(_CHUNK, self._start + self._size - place))


def _joined(pieces: Iterable[bytes | memoryview]) -> Iterator[bytes]:
    """The pieces in fewer, longer ones: a list of all tools has thousands."""
    waiting: list[bytes | memoryview] = []
    length = 0
    for piece in pieces:
        waiting.append(piece)
        length += len(piece)
        if length >= _CHUNK:
            yield b"".join(waiting)
            waiting, length = [], 0
    yield b"".join(waiting)
