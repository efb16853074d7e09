"""A file system that remembers what it was asked and what it answered."""

from __future__ import annotations

import time
from collections.abc import Iterable

from .filesystem import FileSystem
from .seen import CONTENT, KIND, NAMES, UNKNOWN, Seen, digest, is_settled, kind_of, look, marks_of, names_digest


class Recording:
    """Asks another file system, the disk's. `seen` are all answers so far; they were given at or after `since`.

    Answers are UNKNOWN, so that no later one is equal, where the same question had two.
    """

    def __init__(self, files: FileSystem) -> None:
        self._files = files
        self._seen: dict[tuple[str, str], Seen] = {}
        self.since = time.time_ns()

    def take(self, seen: Iterable[Seen]) -> None:
        """Remember what was seen before and still holds; what is asked again has the same answer."""
        for each in seen:
            self._note(each)

    @property
    def seen(self) -> Iterable[Seen]:
        """Each question with its answer."""
        return self._seen.values()

    def read(self, path: str) -> bytes:
        # Marks first: what is changed while it is read has others afterwards.
        marks = marks_of(path)
        try:
            found = self._files.read(path)
        except FileNotFoundError:
            self._kind(path)
            raise
        except OSError:
            self._add(CONTENT, path, UNKNOWN)
            raise
        self._add(CONTENT, path, digest(found), marks)
        return found

    def is_file(self, path: str) -> bool:
        self._kind(path)
        return self._files.is_file(path)

    def is_dir(self, path: str) -> bool:
        self._kind(path)
        return self._files.is_dir(path)

    def exists(self, path: str) -> bool:
        self._kind(path)
        return self._files.exists(path)

    def entries(self, path: str) -> tuple[str, ...]:
        marks = marks_of(path)
        found = self._files.entries(path)
        # What can't be listed has no names either.
        self._add(NAMES, path, names_digest(found) if found else look(NAMES, path).answer, marks)
        return found

    def fault(self, path: str) -> OSError | None:
        found = self._files.fault(path)
        if found is None:
            self._kind(path)
        else:
            self._add(KIND, path, UNKNOWN)
        return found

    def _kind(self, path: str) -> None:
        if (KIND, path) not in self._seen:
            self._add(KIND, path, kind_of(path))

    def _add(self, question: str, path: str, answer: str, marks: str = "") -> None:
        settled = marks if is_settled(marks, self.since) else ""
        self._note(Seen(question, path, answer, settled))

    def _note(self, seen: Seen) -> None:
        """Keep an answer. Where there is another already, something was changed meanwhile, and none is of this run."""
        asked = seen.question, seen.path
        before = self._seen.setdefault(asked, seen)
        if before.answer != seen.answer:
            self._seen[asked] = Seen(*asked, UNKNOWN)
