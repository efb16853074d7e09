"""What is laid out is what black would write."""

from __future__ import annotations

import ast

import black
from hypothesis import given, settings
from hypothesis import strategies as st
from lauren_compiler.emit.layout import Comprehension, Expression, Group, Labelled, assignment, call, display, statement
from lauren_compiler.emit.pyliteral import literal

atoms = st.one_of(
    st.sampled_from(["x", "some_longer_name", "at.value", "None", "1"]),
    st.text(st.sampled_from("ab '\"\\\n"), max_size=70).map(literal),
)


def groups(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    items = st.lists(inner, max_size=5).map(tuple)
    named = st.lists(inner.map(lambda one: Labelled("key=", one)), max_size=3).map(tuple)
    keyed = st.lists(inner.map(lambda one: Labelled('"key": ', one)), max_size=3).map(tuple)
    return st.one_of(
        st.builds(Group, st.just(""), items, st.sampled_from(["()", "[]"])),
        st.builds(Group, st.sampled_from(["f", "Entry", "at.leave"]), st.builds(lambda a, b: a + b, items, named)),
        st.builds(Group, st.just(""), keyed, st.just("{}")),
    )


expressions = st.recursive(atoms, groups, max_leaves=10)


def formatted(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"


@settings(max_examples=150, deadline=None)
@given(expressions, st.sampled_from(["x = ", "some_name: dict[str, object] = ", ""]))
def test_statements(expression: Expression, prefix: str) -> None:
    if not prefix and isinstance(expression, str):
        return
    text = formatted(statement(prefix, expression, indent=0))
    ast.parse(text)
    assert black.format_str(text, mode=black.Mode()) == text


@settings(max_examples=100, deadline=None)
@given(groups(atoms).filter(lambda one: isinstance(one, Group) and bool(one.head)), st.sampled_from([":", ""]))
def test_inside_functions(expression: Expression, suffix: str) -> None:
    lines = statement("if " if suffix else "return ", expression, suffix)
    text = formatted(["def f():", *lines, *(["        pass"] if suffix else [])])
    assert black.format_str(text, mode=black.Mode()) == text


@given(st.text(max_size=300))
def test_assignments(value: str) -> None:
    text = formatted(assignment("SOME_KEY", value))
    names: dict[str, str] = {}
    exec(text, names)
    assert names["SOME_KEY"] == value
    assert black.format_str(text, mode=black.Mode()) == text


def test_comprehensions() -> None:
    for width in range(20, 90):
        one = Comprehension(f"{'f' * (width // 2)}(item, at)", f"for item in {'g' * (width // 2)}(value, at)")
        text = formatted(["def f():", *statement("return ", one)])
        assert black.format_str(text, mode=black.Mode()) == text


def test_one_line_if_it_fits() -> None:
    assert statement("x = ", call("f", "a", "b"), indent=0) == ["x = f(a, b)"]
    assert statement("x = ", display(("a",)), indent=0) == ['x = ("a",)']
