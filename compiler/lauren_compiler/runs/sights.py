"""What a run saw, put into its record: all of it, or what is new since the run before."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from ..source.seen import KIND, NUMBERS, OUTPUT, SEPARATOR, UNKNOWN, Seen, numbers_of
from .record import Run, group_of, parted

if TYPE_CHECKING:
    from .record import Asked, Group


def saw(run: Run, seen: Iterable[Seen]) -> Run:
    """The run, having seen this. Raises ValueError for a path that no record can hold: one with a NUL."""
    all_seen = list(seen)
    # That a file could be read, or a folder listed, says what they are.
    looked_at = {each.path for each in all_seen if each.question != KIND}
    grouped = _grouped(each for each in all_seen if each.question != KIND or each.path not in looked_at)
    run.groups = [group_of(*asked, sorted(named.items())) for asked, named in sorted(grouped.items())]
    return run


def saw_after(run: Run, before: Run, seen: Mapping[Asked, Seen], made: Iterable[Seen], removed: Collection[str]) -> Run:
    """The run, having seen what the one `before` did and has not changed, what it has `seen` itself, and what it `made`
    of the output and `removed` from it. Raises ValueError as `saw` does.

    Where nothing had changed and it has seen something else, that was changed meanwhile: it is of no run.
    """
    own = {(each.question, each.path): each for each in made}
    new = _grouped({**seen, **own}.values())
    gone: dict[Asked, set[str]] = {}
    for question, path in (*before.changed, *((OUTPUT, path) for path in removed)):
        folder, name = parted(path)
        gone.setdefault((question, folder), set()).add(name)
    groups: list[Group] = []
    for group in before.groups:
        asked = group[:2]
        if asked in new or asked in gone:
            columns = _Columns(group)
            columns.drop(gone.get(asked, ()))
            for name, each in sorted(new.pop(asked, {}).items()):
                columns.put(name, each, is_own=(each.question, each.path) in own)
            if columns.names:
                groups.append(columns.group())
        else:
            groups.append(group)
    run.groups = [*groups, *(group_of(*asked, sorted(named.items())) for asked, named in sorted(new.items()))]
    return run


def _grouped(seen: Iterable[Seen]) -> dict[Asked, dict[str, Seen]]:
    """What was seen, by question and folder, and by name there."""
    grouped: dict[Asked, dict[str, Seen]] = {}
    for each in seen:
        folder, name = parted(each.path)
        grouped.setdefault((each.question, folder), {})[name] = each
    return grouped


class _Columns:
    """A group that is changed. Its names are in order."""

    def __init__(self, group: Group) -> None:
        self._question, self._folder, names, answers, marks = group
        self.names = names.split(SEPARATOR)
        self._answers = answers.split(SEPARATOR)
        self._marks = list(marks)

    def drop(self, names: Iterable[str]) -> None:
        """Forget what was seen of some names."""
        for name in names:
            place = bisect_left(self.names, name)
            if self.names[place : place + 1] == [name]:
                del self.names[place], self._answers[place], self._marks[_own(place)]

    def put(self, name: str, seen: Seen, *, is_own: bool) -> None:
        """Note what was seen of a name, or made of it."""
        place = bisect_left(self.names, name)
        if self.names[place : place + 1] != [name]:
            self.names.insert(place, name)
            self._answers.insert(place, seen.answer)
            self._marks[place * NUMBERS : place * NUMBERS] = numbers_of(seen.marks)
            return
        is_other = not is_own and self._answers[place] != seen.answer
        self._answers[place], marks = (UNKNOWN, "") if is_other else (seen.answer, seen.marks)
        self._marks[_own(place)] = numbers_of(marks)

    def group(self) -> Group:
        """The group as it is now."""
        names, answers = SEPARATOR.join(self.names), SEPARATOR.join(self._answers)
        return self._question, self._folder, names, answers, self._marks


def _own(place: int) -> slice:
    """Where the marks of the name at a place are."""
    return slice(place * NUMBERS, (place + 1) * NUMBERS)
