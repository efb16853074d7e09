"""A run as it is kept: what it printed, and what it saw. A text with a checksum in front: half of one is none."""

from __future__ import annotations

import zlib

from ..source.seen import KIND, Seen, as_marked

_FIRST = b"lauren-compile run 1\n"
_COLUMNS = 4


class Run:
    """`key` (see key.py), what was printed on both streams, and what was seen: a list for each of `Seen`'s parts.

    They are lists, and not as many objects, because there are thousands, and to look at them is all that most runs do.
    """

    __slots__ = ("answers", "key", "marks", "paths", "questions", "stderr", "stdout")

    def __init__(self, key: str, stdout: str, stderr: str, columns: list[list[str]]) -> None:
        self.key = key
        self.stdout = stdout
        self.stderr = stderr
        self.questions, self.paths, self.answers, self.marks = columns

    @classmethod
    def of(cls, key: str, stdout: str, stderr: str, seen: list[Seen]) -> Run:
        """The run that printed and saw this."""
        # That a file could be read, or a folder listed, says what they are.
        looked_at = {each.path for each in seen if each.question != KIND}
        kept = [each for each in seen if each.question != KIND or each.path not in looked_at]
        parts = ("question", "path", "answer", "marks")
        return cls(key, stdout, stderr, [[getattr(each, part) for each in kept] for part in parts])

    def holds(self, now: int) -> bool:
        """Whether everything is as it was. `marks` become what tells so the next time, as far as any can."""
        for place in as_marked(self.questions, self.paths, self.marks):
            seen = Seen(self.questions[place], self.paths[place], self.answers[place], self.marks[place])
            if not seen.holds(now):
                return False
            self.marks[place] = seen.marks
        return True


def written(run: Run) -> bytes:
    """The text of a run. Raises ValueError for one that has no text: a path with a NUL."""
    columns = (run.questions, run.paths, run.answers, run.marks)
    fields = [run.key, run.stdout, run.stderr, *(field for column in columns for field in column)]
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
    key, stdout, stderr, *fields = body.decode("utf-8", "surrogatepass").split("\0")
    size = len(fields) // _COLUMNS
    return Run(key, stdout, stderr, [fields[place * size : (place + 1) * size] for place in range(_COLUMNS)])
