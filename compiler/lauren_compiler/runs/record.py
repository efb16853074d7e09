"""A run as it is kept: what it printed, and what it saw. Data with a checksum in front: half of it is none.

The data is in the form of `marshal`, which a process has loaded when it starts. Like the bytecode that lies beside
sources in the same form, it is as sure as its folder; unlike that, it is never run.
"""

from __future__ import annotations

import marshal
import os
import zlib

from ..source.seen import KIND, OUTPUT, SEPARATOR, UNKNOWN, Seen, differing, kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from typing import TypeAlias

    Asked: TypeAlias = tuple[str, str]
    """A question and a path."""
    Group: TypeAlias = tuple[str, str, str, str, str]

_FIRST = b"lauren-compile run 3\n"
_VERSION = 2
"""Of marshal's formats, one that each Python reads, and that is the same for equal data."""


class Run:
    """`key` (see key.py), a `stamp` that no other run has, what was printed on both streams, and what was seen.

    A group is what was asked of names in one folder: the question, the folder, and then the names, the answers and the
    marks, each as one text with `SEPARATOR` between. There are thousands, to look at them is all that most runs do, and
    as many objects would take longer to make. `changed` is what is not as it was, once that has been looked at.
    """

    __slots__ = ("changed", "groups", "key", "stamp", "stderr", "stdout")

    def __init__(self, key: str, stamp: str, stdout: str, stderr: str, groups: list[Group] | None = None) -> None:
        self.key = key
        self.stamp = stamp
        self.stdout = stdout
        self.stderr = stderr
        self.groups = groups or []
        self.changed: list[Asked] = []

    def saw(self, seen: Iterable[Seen]) -> Run:
        """The run, having seen this. Raises ValueError for a path that no record can hold: one with a NUL."""
        grouped: dict[Asked, dict[str, Seen]] = {}
        for each in seen:
            folder, name = _parted(each.path)
            grouped.setdefault((each.question, folder), {})[name] = each
        looked_at = {
            each.path for (question, _), named in grouped.items() if question != KIND for each in named.values()
        }
        self.groups = []
        for (question, folder), named in sorted(grouped.items()):
            # That a file could be read, or a folder listed, says what they are.
            rows = [
                (name, each) for name, each in sorted(named.items()) if question != KIND or each.path not in looked_at
            ]
            if rows:
                self.groups.append(_group(question, folder, rows))
        return self

    def saw_after(self, before: Run, seen: Mapping[Asked, Seen], made: Iterable[Seen], removed: Collection[str]) -> Run:
        """The run, having seen what the one `before` did and has not changed, what it has `seen` itself, and what it
        `made` of the output and `removed` from it.

        Where nothing had changed and it has seen something else, that was changed meanwhile: it is of no run.
        """
        own = {(each.question, each.path): each for each in made}
        new: dict[Asked, dict[str, Seen]] = {}
        for each in {**seen, **own}.values():
            folder, name = _parted(each.path)
            new.setdefault((each.question, folder), {})[name] = each
        gone = {*before.changed, *((OUTPUT, path) for path in removed)}
        touched = {(question, _parted(path)[0]) for question, path in gone} | new.keys()
        self.groups = []
        for group in before.groups:
            asked = group[0], group[1]
            if asked not in touched:
                self.groups.append(group)
                continue
            rows = {name: each for name, each in _rows(group) if (each.question, each.path) not in gone}
            for name, each in new.pop(asked, {}).items():
                known = rows.get(name)
                is_other = known is not None and (each.question, each.path) not in own and known.answer != each.answer
                rows[name] = Seen(each.question, each.path, UNKNOWN) if is_other else each
            if rows:
                self.groups.append(_group(*asked, sorted(rows.items())))
        self.groups += [_group(*asked, sorted(named.items())) for asked, named in sorted(new.items())]
        return self

    def look_again(self, now: int) -> bool:
        """See what changed. Gives whether other marks tell from now on that something has not."""
        self.changed = []
        is_other = False
        for number, group in enumerate(self.groups):
            question, folder, listed, answers, marks = group
            names = listed.split(SEPARATOR)
            if question == KIND:
                kinds = zip(names, answers.split(SEPARATOR), strict=True)
                self.changed += [(KIND, path) for name, kind in kinds if kind_of(path := _joined(folder, name)) != kind]
                continue
            places = differing(question, folder, names, marks)
            if not places:
                continue
            rows = list(_rows(group))
            for place in places:
                each = rows[place][1]
                before = each.marks
                if not each.holds(now):
                    self.changed.append((question, each.path))
                is_other = is_other or each.marks != before
            self.groups[number] = _group(question, folder, rows)
        return is_other

    def output_holds(self, now: int) -> bool:
        """Whether the files of the output are still what they were."""
        for group in self.groups:
            if group[0] == OUTPUT:
                places = differing(OUTPUT, group[1], group[2].split(SEPARATOR), group[4])
                rows = list(_rows(group)) if places else []
                if not all(rows[place][1].holds(now) for place in places):
                    return False
        return True

    def output(self) -> dict[str, str]:
        """The digests of the files of the output, by path."""
        return {each.path: each.answer for group in self.groups if group[0] == OUTPUT for _, each in _rows(group)}


def _group(question: str, folder: str, rows: Iterable[tuple[str, Seen]]) -> Group:
    rows = list(rows)
    if any(SEPARATOR in name for name, _ in rows):
        raise ValueError("a path with a NUL")
    names = SEPARATOR.join([name for name, _ in rows])
    answers = SEPARATOR.join([each.answer for _, each in rows])
    return question, folder, names, answers, SEPARATOR.join([each.marks for _, each in rows])


def _rows(group: Group) -> Iterator[tuple[str, Seen]]:
    """What was seen, by name."""
    question, folder, *columns = group
    for name, answer, marks in zip(*(column.split(SEPARATOR) for column in columns), strict=True):
        yield name, Seen(question, _joined(folder, name), answer, marks)


def _parted(path: str) -> tuple[str, str]:
    """The folder of a path, and its name there; the whole of one that has no name."""
    folder, name = os.path.split(path)
    return (folder, name) if name and _joined(folder, name) == path else ("", path)


def _joined(folder: str, name: str) -> str:
    return f"{folder}{'' if not folder or folder.endswith(os.sep) else os.sep}{name}"


def written(run: Run) -> bytes:
    """The bytes of a run."""
    body = marshal.dumps((run.key, run.stamp, run.stdout, run.stderr, run.groups), _VERSION)
    return _FIRST + f"{zlib.crc32(body):08x}\n".encode() + body


def read(data: bytes) -> Run | None:
    """The run that `written` made `data` of; None for any other data."""
    start = len(_FIRST) + 9
    if not data.startswith(_FIRST) or data[len(_FIRST) : start] != f"{zlib.crc32(data[start:]):08x}\n".encode():
        return None
    return Run(*marshal.loads(data[start:]))
