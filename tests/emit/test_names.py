"""Names that are made up never clash, and are the same for the same input."""

from __future__ import annotations

import builtins
import keyword

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lauren_compiler.emit.names import Namespace, module_files, snake


@given(st.lists(st.text(max_size=60)))
def test_fresh_names(wanted: list[str]) -> None:
    first, second = Namespace(("taken",)), Namespace(("taken",))
    names = [first.fresh(one) for one in wanted]
    assert names == [second.fresh(one) for one in wanted]
    assert len(set(names)) == len(names)
    for name in names:
        assert name.isidentifier()
        assert name.isascii()
        assert not keyword.iskeyword(name)
        assert not keyword.issoftkeyword(name)
        assert not hasattr(builtins, name)
        assert name != "taken"


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("city", "city"),
        ("class", "class_2"),
        ("match", "match_2"),
        ("type", "type_2"),
        ("list", "list_2"),
        ("_", "value"),
        ("", "value"),
        ("9lives", "value_9lives"),
        ("naïve", "na_ve"),
        ("x" * 100, "x" * 40),
    ],
)
def test_readable(wanted: str, name: str) -> None:
    assert Namespace().fresh(wanted) == name


def test_a_clash_is_numbered_and_a_claim_refused() -> None:
    names = Namespace()
    assert [names.fresh("a"), names.fresh("a"), names.fresh("a")] == ["a", "a_2", "a_3"]
    with pytest.raises(ValueError, match="already taken"):
        names.claim("a_2")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("HTTPPoint", "http_point"),
        ("getWeather", "get_weather"),
        ("get-weather", "get_weather"),
        ("É", ""),
        ("a__b", "a__b"),
    ],
)
def test_snake(text: str, words: str) -> None:
    assert snake(text) == words


@given(st.lists(st.text(max_size=8)), st.lists(st.text(max_size=8)))
def test_an_inner_name_hides_no_outer_one(outer: list[str], inner: list[str]) -> None:
    module = Namespace(("taken",))
    names = {module.fresh(one) for one in outer}
    function = Namespace(("here",), module)
    own = [function.fresh(one) for one in inner]
    assert names.isdisjoint(own)
    assert not {"taken", "here", "print", "class", "match"}.intersection(own)
    assert len(set(own)) == len(own)


def test_files_of_modules() -> None:
    files = module_files(
        ["shop.weather", "shop_weather", "Shop.Weather", "con", "lpt1", "class", "__init__", "é", "a" * 300]
    )
    assert files["shop.weather"] == "shop_weather"
    folded = [name.lower() for name in files.values()]
    assert len(set(folded)) == len(files)
    assert not {"con", "lpt1", "class", "__init__"} & set(folded)
    assert all(name.isascii() and name.isidentifier() and len(name) < 120 for name in files.values())


@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1), unique=True), st.randoms())
def test_files_do_not_depend_on_order(modules: list[str], random: object) -> None:
    files = module_files(modules)
    shuffled = sorted(modules, key=lambda name: hash((name, id(random))))
    assert module_files(shuffled) == files
    assert len({name.lower() for name in files.values()}) == len(modules)


def test_a_thousandfold_name_is_numbered_without_counting_anew() -> None:
    class Counted(set[str]):
        looks = 0

        def __contains__(self, name: object) -> bool:
            Counted.looks += 1
            return super().__contains__(name)

    namespace = Namespace()
    namespace._taken = Counted(namespace._taken)
    names = [namespace.fresh("shop") for _ in range(1000)]
    assert (names[0], names[-1], len(set(names))) == ("shop", "shop_1000", 1000)
    assert Counted.looks < 5000
