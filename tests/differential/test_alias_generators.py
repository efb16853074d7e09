"""Names of fields as pydantic's alias generators make them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lauren_compiler.semantics.classes.alias_generators import GENERATORS
from pydantic import alias_generators

NAMES = st.one_of(st.text("abXY_19", max_size=8), st.text("aB_-é9ßǅ", max_size=6), st.from_regex(r"[a-zA-Z_]\w*"))


@pytest.mark.parametrize("generator", sorted(GENERATORS))
def test_a_name(generator: str) -> None:
    theirs = getattr(alias_generators, generator.rpartition(".")[2])

    @settings(max_examples=500, deadline=None)
    @given(NAMES)
    def check(name: str) -> None:
        assert GENERATORS[generator](name) == theirs(name)

    check()
