"""What need not be rendered again, and what has to be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lauren_compiler.emit import decoders, render
from lauren_compiler.emit.decoders.module import ModuleView, ToolView
from lauren_compiler.emit.decoders.scope import Function
from lauren_compiler.emit.render import Frames, fill, key_of, rendered

WORDS = st.text("abc \"\\'{}%#", max_size=8)
LINES = st.lists(WORDS, max_size=3).map(tuple)
FUNCTIONS = st.lists(st.builds(Function, WORDS, WORDS, LINES), max_size=2).map(tuple)
VIEWS = st.builds(
    ModuleView,
    WORDS,
    LINES,
    LINES,
    st.lists(LINES, max_size=2).map(tuple),
    st.lists(st.builds(ToolView, WORDS, WORDS, FUNCTIONS), max_size=2).map(tuple),
    FUNCTIONS,
)
TEMPLATE = "module.py.j2"


@given(VIEWS, VIEWS)
def test_views_have_one_key_if_they_are_equal(one: ModuleView, other: ModuleView) -> None:
    assert (key_of(TEMPLATE, one) == key_of(TEMPLATE, other)) is (one == other)
    assert key_of(TEMPLATE, one) != key_of("wiring.py.j2", one)


@given(VIEWS, st.from_regex(r"[0-9a-f]{64}", fullmatch=True))
def test_a_module_gives_back_what_it_was_made_of(view: ModuleView, digest: str) -> None:
    frame = rendered(TEMPLATE, view)
    text = fill(frame, b'\nDIGEST = ""\n', f'\nDIGEST = "{digest}"\n'.encode())
    assert decoders.frame_of(text, digest) == frame
    with pytest.raises(ValueError, match="not found"):
        decoders.frame_of(frame, digest)


def test_what_an_earlier_build_has_is_not_rendered(monkeypatch: pytest.MonkeyPatch) -> None:
    first = Frames()
    text = first.of_all("tools_init.py.j2", None)
    monkeypatch.setattr(render, "rendered", lambda template, view: b"anew")
    second = Frames(first.common.get)
    assert second.of_all("tools_init.py.j2", None) == text
    assert second.of_all("package_init.py.j2", None) == b"anew"
    assert second.of_file("a.py", "tools_init.py.j2", None) == text
    assert second.keys == {"a.py": key_of("tools_init.py.j2", None)}
    assert set(second.common.values()) == {text, b"anew"}
