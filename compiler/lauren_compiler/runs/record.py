"""A run as it is kept: what it printed, and what it saw. Data with a checksum in front: half of it is none.

The data is in the form of `marshal`, which a process has loaded when it starts, and which reads thousands of names and
numbers in a moment. Like the bytecode that lies beside sources in the same form, it is as sure as its folder; unlike
that, it is never run.
"""

from __future__ import annotations

import marshal
import os
import zlib

from ..source.seen import KIND, OUTPUT, UNKNOWN, Seen, differing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from ..source.seen import Marks

_FIRST = b"lauren-compile run 3\n"
_VERSION = 2
"""Of marshal's formats, one that each Python reads and that is the same for equal data."""


class Run:
    """`key` (see key.py), a `stamp` that no other run has, what was printed on both streams, and what was seen: a list
    for each of `Seen`'s parts, and `names` in place of paths.

    They are lists, and not as many objects, because there are thousands, and to look at them is all that most runs do.
    They are of one folder after the other: `folders` says of which, whether links in it are followed, and how many.
    `changed` are the places in them of what is not as it was, once that has been looked at.
    """

    __slots__ = (
        "answers", "changed", "folders", "key", "marks", "names", "questions", "stamp", "stderr", "stdout",
    )  # fmt: skip

    def __init__(self, key: str, stamp: str, stdout: str, stderr: str) -> None:
        self.key = key
        self.stamp = stamp
        self.stdout = stdout
        self.stderr = stderr
        self.folders: list[tuple[str, bool, int]] = []
        self.questions: list[str] = []
        self.names: list[str] = []
        self.answers: list[str] = []
        self.marks: list[Marks | None] = []
        self.changed: list[int] = []

    @classmethod
    def of(cls, key: str, stamp: str, stdout: str, stderr: str, seen: Iterable[Seen]) -> Run:
        """The run that printed and saw this."""
        run = cls(key, stamp, stdout, stderr)
        all_seen = list(seen)
        # That a file could be read, or a folder listed, says what they are.
        looked_at = {each.path for each in all_seen if each.question != KIND}
        rows = [
            (*_parted(each.path), each.question != OUTPUT, each)
            for each in all_seen
            if each.question != KIND or each.path not in looked_at
        ]
        rows.sort(key=lambda row: (row[0], row[2], row[1], row[3].question))
        for folder, name, links, each in rows:
            if run.folders and run.folders[-1][:2] == (folder, links):
                run.folders[-1] = (folder, links, run.folders[-1][2] + 1)
            else:
                run.folders.append((folder, links, 1))
            run.questions.append(each.question)
            run.names.append(name)
            run.answers.append(each.answer)
            run.marks.append(each.marks)
        return run

    def after(
        self, new: Run, seen: Mapping[tuple[str, str], Seen], made: Iterable[Seen], removed: Collection[str]
    ) -> Run:
        """`new`, a run without any of that, with what this one saw and has not changed, what it has `seen` itself, and
        what it `made` of the output and `removed` from it.

        Where nothing had changed and it has seen something else, that was changed meanwhile: it is of no run.
        """
        found = {**seen, **{(each.question, each.path): each for each in made}}
        mine = {(each.question, each.path) for each in made}
        wanted = {path for _, path in found}
        gone = set(self.changed)
        looked_at: set[str] = set()
        new.folders, new.questions, new.names = self.folders, self.questions, self.names
        new.answers, new.marks = list(self.answers), list(self.marks)
        for place, (question, path) in enumerate(zip(self.questions, self.paths(), strict=True)):
            if path in removed:
                gone.add(place)
            if path not in wanted or (each := found.pop((question, path), None)) is None:
                continue
            if question != KIND:
                looked_at.add(path)
            is_other = place not in gone and (question, path) not in mine and each.answer != new.answers[place]
            new.answers[place], new.marks[place] = (UNKNOWN, None) if is_other else (each.answer, each.marks)
            gone.discard(place)
        found = {asked: each for asked, each in found.items() if asked[0] != KIND or asked[1] not in looked_at}
        if not found and not gone:
            return new
        kept = [each for place, each in enumerate(new.seen_all()) if place not in gone]
        return Run.of(new.key, new.stamp, new.stdout, new.stderr, [*kept, *found.values()])

    def look_again(self, now: int) -> None:
        """See what changed. `marks` become what tells so the next time, as far as any can."""
        self.changed = []
        paths: list[str] | None = None
        for place in self._marked():
            paths = paths or self.paths()
            seen = Seen(self.questions[place], paths[place], self.answers[place], self.marks[place])
            if seen.holds(now):
                self.marks[place] = seen.marks
            else:
                self.changed.append(place)

    def output_holds(self, now: int) -> bool:
        """Whether the files of the output are still what they were."""
        paths = self.paths()
        return all(
            Seen(OUTPUT, paths[place], self.answers[place], self.marks[place]).holds(now)
            for place in self._marked(output=True)
        )

    def _marked(self, *, output: bool = False) -> list[int]:
        """The places of what can't be told by its marks to be as it was: of the output alone, or of all."""
        found: list[int] = []
        start = 0
        for folder, links, count in self.folders:
            end = start + count
            if not (output and links):
                there = differing(folder, self.names[start:end], self.marks[start:end], links=links)
                found += [start + place for place in there]
            start = end
        return found

    def paths(self) -> list[str]:
        """The path of each place."""
        paths: list[str] = []
        for folder, _, count in self.folders:
            before = os.path.join(folder, "")
            paths += [before + name for name in self.names[len(paths) : len(paths) + count]]
        return paths

    def seen_all(self) -> list[Seen]:
        """All that was seen."""
        rows = zip(self.questions, self.paths(), self.answers, self.marks, strict=True)
        return [Seen(*row) for row in rows]

    def output(self) -> dict[str, str]:
        """The digests of the files of the output, by path."""
        rows = zip(self.questions, self.paths(), self.answers, strict=True)
        return {path: answer for question, path, answer in rows if question == OUTPUT}


def _parted(path: str) -> tuple[str, str]:
    """The folder of a path, and its name there; the whole of one that has no name."""
    folder, name = os.path.split(path)
    return (folder, name) if name and os.path.join(folder, "") + name == path else ("", path)


def written(run: Run) -> bytes:
    """The bytes of a run."""
    columns = run.folders, run.questions, run.names, run.answers, run.marks
    body = marshal.dumps((run.key, run.stamp, run.stdout, run.stderr, columns), _VERSION)
    return _FIRST + f"{zlib.crc32(body):08x}\n".encode() + body


def read(data: bytes) -> Run | None:
    """The run that `written` made `data` of; None for any other data."""
    start = len(_FIRST) + 9
    if not data.startswith(_FIRST) or data[len(_FIRST) : start] != f"{zlib.crc32(data[start:]):08x}\n".encode():
        return None
    key, stamp, stdout, stderr, columns = marshal.loads(data[start:])
    run = Run(key, stamp, stdout, stderr)
    run.folders, run.questions, run.names, run.answers, run.marks = columns
    return run
