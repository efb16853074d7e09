"""What is kept of what a run saw: by folder, and as what changed since the run before."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from lauren_compiler.runs import record
from lauren_compiler.runs.record import Run
from lauren_compiler.runs.sights import saw, saw_after
from lauren_compiler.source.seen import (
    CONTENT,
    KIND,
    NAMES,
    NUMBERS,
    OUTPUT,
    SEPARATOR,
    UNKNOWN,
    Seen,
    marks_from,
    numbers_of,
)

PATHS = st.sampled_from(["/", "/a", "/a/b", "/a/c", "/a/b/d", "/a/b/e f", "/\udcff/é", "rel", "/a//b", "/x/.."])
ASKED = st.tuples(st.sampled_from([KIND, CONTENT, NAMES, OUTPUT]), PATHS)
ANSWERS = st.dictionaries(ASKED, st.sampled_from(["1", "2", "missing"]), max_size=10)


def seen(answers: dict[tuple[str, str], str]) -> dict[tuple[str, str], Seen]:
    return {asked: Seen(*asked, answer, "1 2 3 4") for asked, answer in answers.items()}


def run() -> Run:
    document = ("1", {"tool": {"a": [1, 0.5, True]}})
    return Run("key", "stamp", {"command": "build", "jobs": None, "paths": ["a"]}, "out", "err", document)


def rows(of: Run) -> dict[tuple[str, str], tuple[str, str]]:
    found = [
        ((question, record._joined(folder, name)), (answer, marks_from(marks[4 * place : 4 * place + 4])))
        for question, folder, names, answers, marks in of.groups
        for place, (name, answer) in enumerate(zip(names.split(SEPARATOR), answers.split(SEPARATOR), strict=True))
    ]
    assert len(dict(found)) == len(found)
    return dict(found)


def expected(answers: dict[tuple[str, str], str]) -> dict[tuple[str, str], tuple[str, str]]:
    looked_at = {path for question, path in answers if question != KIND}
    return {
        asked: (answer, "1 2 3 4") for asked, answer in answers.items() if asked[0] != KIND or asked[1] not in looked_at
    }


@given(ANSWERS)
def test_all_that_was_seen_is_kept(answers: dict[tuple[str, str], str]) -> None:
    kept = saw(run(), seen(answers).values())
    assert rows(kept) == expected(answers)
    again = record.read(record.written(kept))
    assert again is not None
    assert (again.key, again.stamp, again.options, again.document) == (
        kept.key,
        kept.stamp,
        kept.options,
        kept.document,
    )
    assert (again.stdout, again.stderr, again.groups) == (kept.stdout, kept.stderr, kept.groups)


@given(ANSWERS, ANSWERS, ANSWERS, st.sets(PATHS), st.data())
def test_a_later_run_saw_what_has_not_changed(
    first: dict[tuple[str, str], str],
    second: dict[tuple[str, str], str],
    made: dict[tuple[str, str], str],
    removed: set[str],
    data: st.DataObject,
) -> None:
    first, second = ({asked: each for asked, each in some.items() if asked[0] != KIND} for some in (first, second))
    made = {asked: each for asked, each in made.items() if asked[0] == OUTPUT}
    before = saw(run(), seen(first).values())
    before.changed = data.draw(st.lists(st.sampled_from(sorted(first)), unique=True)) if first else []
    later = saw_after(run(), before, seen(second), seen(made).values(), removed)
    gone = {*before.changed, *((OUTPUT, path) for path in removed)}
    left = {asked: answer for asked, answer in first.items() if asked not in gone}
    whole = expected({**left, **second, **made})
    for asked, answer in left.items():
        if asked in second and asked not in made and second[asked] != answer:
            whole[asked] = (UNKNOWN, "")
    assert rows(later) == whole


@given(
    st.just("") | st.lists(st.integers(1, 2**128), min_size=4, max_size=4).map(lambda each: " ".join(map(str, each)))
)
def test_marks_are_numbers(marks: str) -> None:
    assert len(numbers_of(marks)) == NUMBERS
    assert marks_from(numbers_of(marks)) == marks
