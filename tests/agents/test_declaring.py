"""`@agent()`, `@use_tools()` and `AgentConfig`."""

from __future__ import annotations

from typing import Any

import pytest
from lauren_runtime import (
    AgentConfig,
    AgentConfigError,
    AgentMeta,
    DecoratorUsageError,
    Scope,
    agent,
    injectable,
    tool,
    use_tools,
)
from lauren_runtime.marks import AGENT_META, INJECTABLE_META, USE_TOOLS_META


@tool()
def search(q: str) -> str:
    return q


@tool()
class Fetch:
    def run(self, url: str) -> str:
        return url


def meta_of(cls: type) -> AgentMeta:
    meta: AgentMeta = getattr(cls, AGENT_META)
    return meta


def tools_of(cls: type) -> tuple[Any, ...]:
    tools: tuple[Any, ...] = getattr(cls, USE_TOOLS_META)
    return tools


@agent(model="m", max_turns=3)
@use_tools(search, None, Fetch)
class Above:
    """Answer briefly."""


@use_tools(search, Fetch)
@agent(name="b", system="Be kind.")
class Below:
    """Not the prompt."""


def test_either_order_gives_the_same_tools() -> None:
    assert tools_of(Above) == tools_of(Below) == (search, Fetch)


def test_what_an_agent_says_of_itself() -> None:
    above, below = meta_of(Above), meta_of(Below)
    assert (above.name, above.model, above.system) == ("Above", "m", "Answer briefly.")
    assert (below.name, below.model, below.system) == ("b", None, "Be kind.")
    assert (above.config.max_turns, above.config.given) == (3, {"max_turns"})
    assert "name='b'" in repr(below)


def test_an_agent_is_a_singleton_unless_it_says_otherwise() -> None:
    @agent()
    @injectable(scope=Scope.REQUEST)
    class Own: ...

    assert getattr(Own, INJECTABLE_META).scope is Scope.REQUEST
    assert getattr(Above, INJECTABLE_META).scope is Scope.SINGLETON


def test_a_subclass_has_the_mark_and_the_tools_and_adds_to_its_own_alone() -> None:
    class Silent(Above): ...

    @use_tools(Fetch, search)
    @agent()
    class Again(Above): ...

    @tool()
    def more() -> None: ...

    @use_tools(more)
    class More(Above): ...

    assert meta_of(Silent) is meta_of(Above)
    assert meta_of(Again).system is None  # a docstring is not inherited
    assert tools_of(Again) == (search, Fetch)
    assert tools_of(More) == (search, Fetch, more)
    assert tools_of(Above) == (search, Fetch)


def test_stacked_uses_add_up_the_lowest_first() -> None:
    @use_tools(Fetch)
    @use_tools(search)
    class Stacked: ...

    assert tools_of(Stacked) == (search, Fetch)


@pytest.mark.parametrize(
    ("use", "text"),
    [
        (lambda: agent(Above), "with parentheses"),  # type: ignore[arg-type]
        (lambda: agent("name"), "with parentheses"),  # type: ignore[arg-type]
        (lambda: agent()(search), "makes a class an agent, not <function"),  # type: ignore[type-var]
        (lambda: agent(config={}), "takes an AgentConfig, not {}"),  # type: ignore[arg-type]
        (lambda: use_tools(Above), "Above is not decorated with @tool.*parentheses"),
        (lambda: use_tools("search"), "takes tools, not 'search'$"),
        (lambda: use_tools([search]), r"write \*tools"),
        (lambda: use_tools(search)(search), "gives tools to an agent's class"),  # type: ignore[type-var]
    ],
)
def test_wrong_uses_are_refused(use: Any, text: str) -> None:
    with pytest.raises(DecoratorUsageError, match=text):
        use()


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("max_turn", 3, "no such field, did you mean max_turns"),
        ("zzz", 3, "has no such field"),
        ("max_turns", 0, "more than zero"),
        ("max_turns", True, "a whole number"),
        ("max_turns", 1.5, "a whole number"),
        ("temperature", -1, "not less than zero"),
        ("temperature", None, "a number"),
        ("temperature", float("nan"), "not less than zero"),
        ("tool_error_policy", "no_such_policy", "one of 'return_error', 'raise', 'skip'"),
        ("system_prompt", None, "a text"),
        ("parallel_tool_calls", 1, "True or False"),
        ("request_options", 1, "a dict"),
    ],
)
def test_what_a_configuration_refuses(field: str, value: Any, text: str) -> None:
    with pytest.raises(AgentConfigError, match=text) as caught:
        AgentConfig(**{field: value})
    assert caught.value.detail == {"field": field}


def test_a_configuration_laid_over_another_keeps_what_only_that_says() -> None:
    below = AgentConfig(max_turns=3, temperature=0.5, max_cost_usd=None)
    over = AgentConfig(temperature=0.0).over(below)
    assert (over.max_turns, over.temperature, over.max_tokens_per_turn) == (3, 0.0, 4096)
    assert over.given == {"max_turns", "temperature", "max_cost_usd"}
    assert below == AgentConfig(max_turns=3, max_cost_usd=None, temperature=0.5)
    assert below.over(None) is below
    assert below.replaced(max_turns=4).max_turns == 4
    assert repr(over) == "AgentConfig(max_turns=3, max_cost_usd=None, temperature=0.0)"
    with pytest.raises(AttributeError, match=r"use replaced\(max_turns=...\)"):
        below.max_turns = 5


def test_keywords_of_the_decorator_win_over_its_configuration() -> None:
    @agent(config=AgentConfig(max_turns=3, temperature=0.5), max_turns=7)
    class A: ...

    assert meta_of(A).config == AgentConfig(max_turns=7, temperature=0.5)
