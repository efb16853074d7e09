"""What is told by CPython's layout of a container is what looking at each item tells, and no more."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lauren_runtime.decoding import layouts, quick
from lauren_runtime.decoding.layouts import MANY, are_short, is_keyed_by_texts
from lauren_runtime.decoding.quick import DOUBTS, record, record_of_reals, wholes


class Whole(int):
    pass


class Word(str):
    __slots__ = ()


INTEGERS = st.one_of(
    st.integers(-(2**31), 2**31 - 1),
    st.sampled_from([0, 1, -1, 105, 2**31 - 1, -(2**31), 2**31, -(2**31) - 1, 2**63, 10**400, 10**4300]),
)
OTHERS = st.sampled_from([True, False, None, 1.0, "i", "iiii", b"i", (), [], [1], {}, Whole(1), object(), 1j])
LISTS = st.one_of(
    st.lists(INTEGERS, max_size=MANY * 2),
    st.tuples(st.lists(INTEGERS, max_size=MANY), OTHERS, st.lists(INTEGERS, max_size=MANY)).map(
        lambda parts: [*parts[0], parts[1], *parts[2]]
    ),
)


def is_short(item: object) -> bool:
    return type(item) is int and -(2**31) <= item < 2**31


@given(LISTS)
def test_short_integers_are_told_by_what_marshal_writes(items: list[Any]) -> None:
    # Whoever runs this on a Python with another layout: it is no fault, but slower.
    assert layouts._SHORT_IS_KNOWN is (sys.implementation.name == "cpython")
    assert are_short(items) is (layouts._SHORT_IS_KNOWN and items != [] and all(map(is_short, items)))


def taken(check: Any, value: Any) -> bool:
    try:
        return check(value) is value
    except DOUBTS:
        return False


@given(LISTS)
def test_both_ways_of_looking_at_integers_agree(items: list[Any]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(quick, "MANY", 0)
        by_layout = taken(wholes, items)
        patch.setattr(quick, "MANY", sys.maxsize)
        assert taken(wholes, items) is by_layout
        assert by_layout is all(type(item) is int and abs(item) < 10**308 for item in items)


KEYS = st.text(max_size=3)
OTHER_KEYS = st.sampled_from([0, 1.5, None, (), b"a", True, Word("a"), frozenset()])


@given(st.sets(KEYS), st.integers(0, 1500), st.none() | OTHER_KEYS, st.booleans())
def test_keys_are_told_by_the_size_of_a_dict(names: set[str], more: int, other: Any, first: bool) -> None:
    texts: dict[Any, Any] = dict.fromkeys([*names, *map(str, range(more))])
    assert is_keyed_by_texts(texts) is (0 < len(texts) <= 1365)
    mixed = {other: 1, **texts} if first else {**texts, other: 1}
    assert not is_keyed_by_texts(mixed)
    del mixed[other]
    assert taken(record, mixed)


@given(st.dictionaries(KEYS | OTHER_KEYS, st.floats() | st.integers(), max_size=MANY * 2))
def test_both_ways_of_looking_at_keys_agree(value: dict[Any, Any]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for check in (record, record_of_reals):
            patch.setattr(quick, "MANY", 0)
            by_layout = taken(check, value)
            patch.setattr(quick, "MANY", sys.maxsize)
            assert taken(check, value) is by_layout
        assert taken(record, value) is all(isinstance(key, str) for key in value)


@pytest.mark.parametrize("change", ["grown", "parsed", "copied", "emptied and filled", "an object's"])
def test_dicts_of_texts_however_they_came_about(change: str) -> None:
    value: dict[str, int] = {}
    for number in range(1000):
        value[f"key {number}"] = number
    if change == "parsed":
        value = json.loads(json.dumps(value))
    elif change == "copied":
        value = dict(value)
    elif change == "emptied and filled":
        value.clear()
        value.update({f"other {number}": number for number in range(500)})
    elif change == "an object's":
        holder = type("Holder", (), {})()
        vars(holder).update(value)
        value = vars(holder)
    assert taken(record, value)


def test_where_the_layout_is_another_each_item_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layouts, "_SHORT_IS_KNOWN", False)
    monkeypatch.setattr(layouts, "_sizes", frozenset())
    many: list[Any] = list(range(1000))
    named: dict[Any, Any] = dict.fromkeys(map(str, many))
    assert taken(wholes, many)
    assert taken(record, named)
    assert not taken(wholes, [*many, True])
    assert not taken(record, {**named, 1: 1})


def test_a_layout_that_marshal_does_not_have_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    written = layouts.marshal.dumps

    class Other:
        """A marshal that writes integers of 64 bits."""

        @staticmethod
        def dumps(value: Any, version: int) -> bytes:
            wide = value if not isinstance(value, list) else [*map(float, value)]
            return written(wide, version).replace(b"g", b"i")

    class Forbidden:
        @staticmethod
        def dumps(value: Any, version: int) -> bytes:
            raise RuntimeError("an audit hook forbids it")

    for other in (Other, Forbidden):
        monkeypatch.setattr(layouts, "marshal", other)
        assert not layouts._is_short_known()
    assert not are_short([1] * 100)


def test_a_python_that_knows_no_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    """PyPy's `getsizeof` raises TypeError."""

    def getsizeof(_: object) -> int:
        raise TypeError

    monkeypatch.setattr(layouts, "_sizes", None)
    monkeypatch.setattr(layouts, "getsizeof", getsizeof)
    assert not is_keyed_by_texts({"a": 1.0})
    assert record_of_reals({"a": 1.0}) == {"a": 1.0}
