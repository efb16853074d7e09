"""Bases are put in the order that Python puts them in, or in none where Python refuses the class."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from lauren_compiler.semantics.classes.linearization import merged

BASES = st.lists(st.lists(st.integers(0, 30), max_size=4), min_size=1, max_size=14)
"""For each class the numbers of its bases, among the classes before it."""


@given(drawn=BASES)
def test_the_order_is_pythons(drawn: list[list[int]]) -> None:
    made: list[type] = []
    for numbers in drawn:
        bases = tuple(made[number % len(made)] for number in numbers) if made else ()
        ours = merged([*(base.__mro__[:-1] for base in bases), bases])
        try:
            made.append(type("C", bases, {}))
        except TypeError:
            assert ours is None or len(set(bases)) < len(bases)
        else:
            assert ours is not None
            assert (*ours, object) == made[-1].__mro__[1:]


def test_a_long_line_of_bases() -> None:
    line = tuple(range(20_000))
    assert merged([line, (0,)]) == line
    found = merged([line, ("other", 19_999), (0, "other")])
    assert found is not None
    assert [*found] == [*line[:-1], "other", 19_999]
