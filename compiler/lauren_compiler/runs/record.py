"""A run as it is kept: what it printed, and what it saw. Data with a checksum in front: half of it is none.

The data is in the form of `marshal`, which a process has loaded when it starts. Like the bytecode that lies beside
sources in the same form, it is as sure as its folder; unlike that, it is never run.
"""

from __future__ import annotations

import marshal
import os
import zlib

from ..source.seen import KIND, NUMBERS, OUTPUT, SEPARATOR, Seen, differing, kind_of, marks_from, numbers_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TypeAlias

    Asked: TypeAlias = tuple[str, str]
    """A question and a path."""
    Group: TypeAlias = tuple[str, str, str, str, list[int]]

_FIRST = b"lauren-compile run 6\n"
_VERSION = 2
"""Of marshal's formats, one that each Python reads, and that is the same for equal data."""


class Run:
    """`key` (see key.py), a `stamp` that no other run has, the `options` that the command line was read as, what was
    printed on both streams, the digest of its configuration's file and what that holds, and what was seen.

    A group is what was asked of names in one folder: the question, the folder, and then the names and the answers, each
    as one text with `SEPARATOR` between, and the numbers of all marks. There are thousands, to look at them is all that
    most runs do, and as many objects would take longer to make. `changed` is what is not as it was, once that has been
    looked at.
    """

    __slots__ = ("changed", "document", "groups", "key", "options", "stamp", "stderr", "stdout")

    def __init__(
        self,
        key: str,
        stamp: str,
        options: Mapping[str, object],
        stdout: str,
        stderr: str,
        document: tuple[str, dict[str, object]] | None = None,
        groups: list[Group] | None = None,
    ) -> None:
        self.key = key
        self.stamp = stamp
        self.options = options
        self.stdout = stdout
        self.stderr = stderr
        self.document = document
        self.groups = groups or []
        self.changed: list[Asked] = []

    def look_again(self, now: int) -> bool:
        """See what changed. Gives whether other marks tell from now on that something has not.

        Where something else changed already, the output is not looked at: that is for who builds on it, at the last
        moment (`output_holds`).
        """
        self.changed = []
        is_other = self._look(now, output=False)
        return is_other if self.changed else self._look(now, output=True) or is_other

    def output_holds(self, now: int) -> bool:
        """Whether the files of the output are still what they were."""
        self._look(now, output=True)
        return all(question != OUTPUT for question, _ in self.changed)

    def _look(self, now: int, *, output: bool) -> bool:
        """See what changed of the output, or of all else."""
        is_other = False
        for number, group in enumerate(self.groups):
            question, folder, listed, answers, marks = group
            if (question == OUTPUT) is not output:
                continue
            names = listed.split(SEPARATOR)
            if question == KIND:
                kinds = zip(names, answers.split(SEPARATOR), strict=True)
                self.changed += [(KIND, path) for name, kind in kinds if kind_of(path := _joined(folder, name)) != kind]
                continue
            places = differing(question, folder, names, marks)
            if not places:
                continue
            found, after = answers.split(SEPARATOR), list(marks)
            for place in places:
                own = slice(place * NUMBERS, (place + 1) * NUMBERS)
                each = Seen(question, _joined(folder, names[place]), found[place], marks_from(marks[own]))
                if not each.holds(now):
                    self.changed.append((question, each.path))
                after[own] = numbers_of(each.marks)
            if after != marks:
                is_other = True
                self.groups[number] = question, folder, listed, answers, after
        return is_other

    def output(self) -> dict[str, str]:
        """The digests of the files of the output, by path."""
        found: dict[str, str] = {}
        for question, folder, names, answers, _ in self.groups:
            if question == OUTPUT:
                before = _joined(folder, "")
                paths = [before + name for name in names.split(SEPARATOR)]
                found.update(zip(paths, answers.split(SEPARATOR), strict=True))
        return found


def group_of(question: str, folder: str, rows: Iterable[tuple[str, Seen]]) -> Group:
    """What was asked of names in a folder. Raises ValueError for a name that no group can hold: one with a NUL."""
    rows = list(rows)
    if any(SEPARATOR in name for name, _ in rows):
        raise ValueError("a path with a NUL")
    names = SEPARATOR.join([name for name, _ in rows])
    answers = SEPARATOR.join([each.answer for _, each in rows])
    return question, folder, names, answers, [number for _, each in rows for number in numbers_of(each.marks)]


def parted(path: str) -> tuple[str, str]:
    """The folder of a path, and its name there; the whole of one that has no name."""
    folder, name = os.path.split(path)
    return (folder, name) if name and _joined(folder, name) == path else ("", path)


def _joined(folder: str, name: str) -> str:
    return f"{folder}{'' if not folder or folder.endswith(os.sep) else os.sep}{name}"


def written(run: Run) -> bytes:
    """The bytes of a run."""
    body = marshal.dumps(
        (run.key, run.stamp, dict(run.options), run.stdout, run.stderr, run.document, run.groups), _VERSION
    )
    return _first_lines(body) + body


def _first_lines(body: bytes | memoryview) -> bytes:
    return _FIRST + f"{zlib.crc32(body):08x}\n".encode()


def read(data: bytes) -> Run | None:
    """The run that `written` made `data` of; None for any other data."""
    body = memoryview(data)[len(_first_lines(b"")) :]  # no copy: to fill new memory takes longer than to compare it
    return Run(*marshal.loads(body)) if data.startswith(_first_lines(body)) else None
