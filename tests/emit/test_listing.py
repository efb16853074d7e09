"""The files that list all tools: put together of parts, and taken apart again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lauren_compiler.emit.listing import ROWS, TOOLS, Layout, Merge, cut, inside, layout_of, listed
from lauren_compiler.ir.cards import Card
from lauren_compiler.ir.tools import Binding, Form
from lauren_compiler.source.span import Span

LAYOUTS = (TOOLS, ROWS, layout_of(None), layout_of("functionDeclarations"))
PARTS = st.dictionaries(st.text("abc", min_size=1, max_size=3), st.binary(min_size=1, max_size=9), max_size=8)


def card(name: str) -> Card:
    return Card(name, "m", name, Binding.IMPORT, Form.FUNCTION, Span.of_file("m.py"))


def whole(parts: list[bytes], layout: Layout) -> bytes:
    return b"".join(inside(b"before\n" + layout.empty + b"\nafter", layout, listed(parts, layout)))


@given(PARTS, PARTS, st.sets(st.text("abc", min_size=1, max_size=3)), st.sampled_from(LAYOUTS))
def test_a_file_of_old_and_new_parts_is_that_of_all(
    old: dict[str, bytes], new: dict[str, bytes], absent: set[str], layout: Layout
) -> None:
    """As if nothing had been there before; some tools have no part."""
    before = {name: b"" if name in absent else old[name] for name in sorted(old)}
    there = [part for part in before.values() if part]
    text = whole(there, layout)
    kept = dict(zip(before, cut(text, [len(part) for part in before.values()], layout), strict=True))
    assert [bytes(text[each.start : each.stop]) for each in kept.values() if isinstance(each, range)] == there
    rest = [name for name in before if name not in new]
    changed = sorted(new)
    merge = Merge([card(name) for name in changed], [card(name) for name in rest])
    everything = {**before, **new}
    names = merge(changed, rest)
    assert names == sorted(everything)
    parts = [each for each in merge([new[name] for name in changed], [kept[name] for name in rest]) if each]
    found = b"".join(inside(b"before\n" + layout.empty + b"\nafter", layout, listed(parts, layout, text)))
    assert found == whole([everything[name] for name in names if everything[name]], layout)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("sizes", [[3], [4, 5, 1], [4, 4, 4], [4]])
def test_other_parts_than_are_there_are_not_found(layout: Layout, sizes: list[int]) -> None:
    text = whole([b"aaaa", b"bbbbb"], layout)
    with pytest.raises(ValueError, match=r"lists other tools|subsection not found"):
        cut(text, sizes, layout)


def test_neighbours_are_one_piece() -> None:
    text = whole([b"a", b"bb", b"ccc", b"d"], TOOLS)
    parts = cut(text, [1, 2, 3, 1], TOOLS)
    pieces = listed([parts[0], b"new", *parts[1:]], TOOLS, text)
    assert [bytes(piece) for piece in pieces[1:-1:2]] == [b"a", b"new", text[parts[1].start : parts[3].stop]]  # type: ignore[union-attr]
