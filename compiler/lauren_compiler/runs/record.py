"""A run as it is kept: what it printed, and what it saw. A text with a checksum in front: half of one is none."""

from __future__ import annotations

import zlib

from ..source.seen import KIND, Seen, as_marked

_FIRST = b"lauren-compile run 2\n"
_COLUMNS = 4


class Run:
    """`key` (see key.py), a `stamp` that no other run has, what was printed on both streams, and what was seen: a list
    for each of `Seen`'s parts.

    They are lists, and not as many objects, because there are thousands, and to look at them is all that most runs do.
    `changed` are the places in them of what is not as it was, once that has been looked at.
    """

    __slots__ = ("answers", "changed", "key", "marks", "paths", "questions", "stamp", "stderr", "stdout")

    def __init__(self, key: str, stamp: str, stdout: str, stderr: str, columns: list[list[str]]) -> None:
        self.key = key
        self.stamp = stamp
        self.stdout = stdout
        self.stderr = stderr
        self.questions, self.paths, self.answers, self.marks = columns
        self.changed: list[int] = []

    @classmethod
    def of(cls, key: str, stamp: str, stdout: str, stderr: str, seen: list[Seen]) -> Run:
        """The run that printed and saw this."""
        # That a file could be read, or a folder listed, says what they are.
        looked_at = {each.path for each in seen if each.question != KIND}
        kept = [each for each in seen if each.question != KIND or each.path not in looked_at]
        parts = ("question", "path", "answer", "marks")
        return cls(key, stamp, stdout, stderr, [[getattr(each, part) for each in kept] for part in parts])

    def look_again(self, now: int) -> None:
        """See what changed. `marks` become what tells so the next time, as far as any can."""
        self.changed = []
        for place in as_marked(self.questions, self.paths, self.marks):
            seen = self.seen(place)
            if seen.holds(now):
                self.marks[place] = seen.marks
            else:
                self.changed.append(place)

    def seen(self, place: int) -> Seen:
        """What was seen, by its place in the lists."""
        return Seen(self.questions[place], self.paths[place], self.answers[place], self.marks[place])

    def unchanged(self) -> list[Seen]:
        """All that was seen and is still so."""
        gone = set(self.changed)
        rows = zip(self.questions, self.paths, self.answers, self.marks, strict=True)
        return [Seen(*row) for place, row in enumerate(rows) if place not in gone]


def written(run: Run) -> bytes:
    """The text of a run. Raises ValueError for one that has no text: a path with a NUL."""
    columns = (run.questions, run.paths, run.answers, run.marks)
    fields = [run.key, run.stamp, run.stdout, run.stderr, *(field for column in columns for field in column)]
    if any("\0" in field for field in fields):
        raise ValueError("a NUL in a text to be remembered")
    body = "\0".join(fields).encode("utf-8", "surrogatepass")
    return _FIRST + f"{zlib.crc32(body):08x}\n".encode() + body


def read(text: bytes) -> Run | None:
    """The run that `written` made `text` of; None for any other text."""
    if not text.startswith(_FIRST):
        return None
    checksum, _, body = text[len(_FIRST) :].partition(b"\n")
    if checksum != f"{zlib.crc32(body):08x}".encode():
        return None
    key, stamp, stdout, stderr, *fields = body.decode("utf-8", "surrogatepass").split("\0")
    size = len(fields) // _COLUMNS
    return Run(key, stamp, stdout, stderr, [fields[place * size : (place + 1) * size] for place in range(_COLUMNS)])
