"""`tool`, `use_hooks`, `set_metadata`, `injectable`: what they record and what they refuse."""

from __future__ import annotations

import functools
from typing import Any

import pytest
from lauren_runtime import (
    TOOL_META,
    DecoratorUsageError,
    Scope,
    ToolHook,
    injectable,
    set_metadata,
    tool,
    use_hooks,
)
from lauren_runtime.marks import HOOKS_META, INJECTABLE_META, TOOL_METADATA


def test_a_decorated_function_is_the_same_object_and_still_callable() -> None:
    def f(x: int) -> int:
        return x + 1

    assert tool(name="g", label="G")(f) is f
    assert f(1) == 2
    meta = getattr(f, TOOL_META)
    assert (meta.name, meta.label, meta.description, meta.requires_confirmation) == ("g", "G", None, False)
    assert meta.confirmation_policy_error_default is True


def test_every_option_is_recorded() -> None:
    options: dict[str, Any] = {
        "name": "n", "description": "d", "requires_confirmation": True, "pre_hook": print, "post_hook": print,
        "error_hook": print, "cache_ttl": 3, "cache_key_fn": print, "confirmation_policy": bool,
        "confirmation_policy_error_default": False, "label": "l", "initial_state": dict, "initial_tool_state": dict,
        "dependency_factory": dict, "timeout": 1.5,
    }  # fmt: skip
    f = tool(**options)(lambda: None)
    assert {name: getattr(getattr(f, TOOL_META), name) for name in options} == options


def test_the_bare_form_is_refused_for_functions_and_classes() -> None:
    with pytest.raises(DecoratorUsageError, match=r"@tool\(\) with parentheses above .*bare"):

        @tool
        def bare() -> None: ...

    with pytest.raises(DecoratorUsageError, match="parentheses"):

        @tool
        class Bare:
            def run(self) -> None: ...


def test_positional_arguments_are_refused() -> None:
    with pytest.raises(DecoratorUsageError, match=r"keyword arguments only.*tool\(name='get_weather'\)"):
        tool("get_weather", "text")  # type: ignore[arg-type]


@pytest.mark.parametrize("namespace", [{}, {"run": 5}])
def test_a_class_needs_a_callable_run(namespace: dict[str, Any]) -> None:
    with pytest.raises(DecoratorUsageError, match="tool class K must define a method `run`"):
        tool()(type("K", (), namespace))


def test_one_object_cannot_be_two_tools() -> None:
    def f() -> None: ...

    tool(name="a")(f)
    with pytest.raises(DecoratorUsageError, match="is a tool already"):
        tool(name="b")(f)
    assert getattr(f, TOOL_META).name == "a"


def test_a_subclass_of_a_tool_class_can_be_a_tool_of_its_own() -> None:
    @tool(name="base")
    class Base:
        def run(self) -> None: ...

    @tool(name="sub")
    class Sub(Base): ...

    assert (getattr(Base, TOOL_META).name, getattr(Sub, TOOL_META).name) == ("base", "sub")


@pytest.mark.parametrize("target", [5, len, object()])
def test_what_cannot_be_marked_is_refused(target: object) -> None:
    with pytest.raises(DecoratorUsageError):
        tool()(target)


def test_partials_and_callable_instances_can_be_marked() -> None:
    class Callable_:
        def __call__(self) -> None: ...

    for target in (functools.partial(print, 1), Callable_()):
        assert getattr(tool(name="p")(target), TOOL_META).name == "p"


def test_marks_reach_the_function_inside_static_and_class_methods() -> None:
    class K:
        @tool(name="s")
        @set_metadata("a", 1)
        @staticmethod
        def s() -> None: ...

        @tool(name="c")
        @classmethod
        def c(cls) -> None: ...

    assert (getattr(K.s, TOOL_META).name, getattr(K.c, TOOL_META).name) == ("s", "c")
    assert getattr(K.s, TOOL_METADATA) == {"a": 1}


def test_a_tool_class_is_a_singleton_unless_marked_otherwise_in_either_order() -> None:
    class Plain:
        def run(self) -> None: ...

    class Below(Plain): ...

    class Above(Plain): ...

    tool()(Plain)
    tool()(injectable(scope=Scope.TRANSIENT)(Below))
    injectable(scope=Scope.REQUEST)(tool()(Above))
    scopes = [getattr(each, INJECTABLE_META).scope for each in (Plain, Below, Above)]
    assert scopes == [Scope.SINGLETON, Scope.TRANSIENT, Scope.REQUEST]


def test_scopes_are_ordered_and_have_labels() -> None:
    assert Scope.TRANSIENT < Scope.REQUEST < Scope.SINGLETON
    assert [scope.label for scope in Scope] == ["transient", "request", "singleton"]


def test_injectable_takes_no_positional_arguments() -> None:
    with pytest.raises(DecoratorUsageError, match="parentheses"):

        @injectable
        class K: ...


class First(ToolHook): ...


class Second(ToolHook): ...


def test_hooks_stand_above_or_below_and_stack_from_the_bottom() -> None:
    @use_hooks(Second)
    @tool()
    @use_hooks(First)
    def f() -> None: ...

    assert getattr(f, HOOKS_META) == (First, Second)


@pytest.mark.parametrize("hook", [5, int, First()])
def test_only_hook_classes_are_taken(hook: Any) -> None:
    with pytest.raises(DecoratorUsageError, match="subclasses of ToolHook"):
        use_hooks(hook)


def test_metadata_stacks_is_inherited_and_leaves_bases_alone() -> None:
    @set_metadata("top", 3)
    @tool()
    @set_metadata("low", 1)
    class Base:
        def run(self) -> None: ...

    @set_metadata("low", 2)
    @tool()
    class Sub(Base): ...

    assert getattr(Base, TOOL_METADATA) == {"low": 1, "top": 3}
    assert getattr(Sub, TOOL_METADATA) == {"low": 2, "top": 3}
