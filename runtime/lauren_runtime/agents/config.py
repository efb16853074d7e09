"""`AgentConfig`: how an agent runs. It knows which fields were given, so that one can be laid over another."""

from __future__ import annotations

from .errors import AgentConfigError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Literal, TypedDict, Unpack

    ToolErrorPolicy = Literal["return_error", "raise", "skip"]

    class AgentOptions(TypedDict, total=False):
        """The fields of `AgentConfig`, as keywords."""

        system_prompt: str
        max_turns: int
        max_tokens_per_turn: int
        max_total_tokens: int | None
        max_cost_usd: float | None
        temperature: float
        top_p: float | None
        parallel_tool_calls: bool
        tool_error_policy: ToolErrorPolicy
        request_options: Mapping[str, Any]


TOOL_ERROR_POLICIES = ("return_error", "raise", "skip")


class AgentConfig:
    """How an agent runs. Immutable.

    - system_prompt: for agents that have neither `system=` nor a docstring
    - max_turns: how many replies of the model one run may take
    - max_tokens_per_turn: the longest reply
    - max_total_tokens, max_cost_usd: what one run may use; None for no limit
    - temperature, top_p: sent to the model only if given
    - parallel_tool_calls: whether the calls of one reply run at the same time
    - tool_error_policy: what a failed call does: "return_error" tells the model, "raise" ends the run, "skip" tells the
      model that the call was left out
    - request_options: further fields of each request, as the provider names them

    Raises AgentConfigError for unknown fields and for values that cannot be meant.
    """

    __slots__ = (
        "given",
        "max_cost_usd",
        "max_tokens_per_turn",
        "max_total_tokens",
        "max_turns",
        "parallel_tool_calls",
        "request_options",
        "system_prompt",
        "temperature",
        "tool_error_policy",
        "top_p",
    )

    system_prompt: str
    max_turns: int
    max_tokens_per_turn: int
    max_total_tokens: int | None
    max_cost_usd: float | None
    temperature: float
    top_p: float | None
    parallel_tool_calls: bool
    tool_error_policy: ToolErrorPolicy
    request_options: Mapping[str, Any]
    given: frozenset[str]
    """The fields that were set; the others have their defaults."""

    def __init__(self, **fields: Unpack[AgentOptions]) -> None:
        for name, value in fields.items():
            _check(name, value)
        for name, default in _DEFAULTS.items():
            object.__setattr__(self, name, fields.get(name, default))
        object.__setattr__(self, "given", frozenset(fields))

    def over(self, below: AgentConfig | None) -> AgentConfig:
        """This one's given fields laid over those of another."""
        if below is None:
            return self
        return below.replaced(**self.as_given())

    def replaced(self, **fields: Unpack[AgentOptions]) -> AgentConfig:
        """The same with these fields. Raises as the constructor does."""
        changed: dict[str, Any] = {**self.as_given(), **fields}
        return AgentConfig(**changed)

    def as_given(self) -> dict[str, Any]:
        """The fields that were set, by name."""
        return {name: getattr(self, name) for name in _DEFAULTS if name in self.given}

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an AgentConfig does not change: use replaced({name}=...)")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AgentConfig) and self.as_given() == other.as_given()

    __hash__ = None  # type: ignore[assignment]  # it holds a dict

    def __repr__(self) -> str:
        return f"AgentConfig({', '.join(f'{name}={value!r}' for name, value in self.as_given().items())})"


_DEFAULTS: dict[str, Any] = {
    "system_prompt": "You are a helpful assistant.",
    "max_turns": 10,
    "max_tokens_per_turn": 4096,
    "max_total_tokens": None,
    "max_cost_usd": None,
    "temperature": 1.0,
    "top_p": None,
    "parallel_tool_calls": False,
    "tool_error_policy": "return_error",
    "request_options": {},
}
_POSITIVE = ("max_turns", "max_tokens_per_turn", "max_total_tokens", "max_cost_usd")
_WHOLE = ("max_turns", "max_tokens_per_turn", "max_total_tokens")
_OPTIONAL = ("max_total_tokens", "max_cost_usd", "top_p")


def _check(name: str, value: object) -> None:
    problem = _problem(name, value)
    if problem:
        raise AgentConfigError(f"{name}={value!r}: {problem}", detail={"field": name})


def _problem(name: str, value: object) -> str:
    """What is wrong with a field, if anything is."""
    if name not in _DEFAULTS:
        from difflib import get_close_matches  # only when it has already failed

        near = get_close_matches(name, _DEFAULTS, n=1)
        return f"there is no such field, did you mean {near[0]}?" if near else "an AgentConfig has no such field"
    if value is None and name in _OPTIONAL:
        return ""
    if name == "tool_error_policy":
        return "" if value in TOOL_ERROR_POLICIES else f"it is one of {', '.join(map(repr, TOOL_ERROR_POLICIES))}"
    if name == "system_prompt":
        return "" if isinstance(value, str) else "it is a text"
    if name == "parallel_tool_calls":
        return "" if isinstance(value, bool) else "it is True or False"
    if name == "request_options":
        return "" if hasattr(value, "keys") else "it is a dict"
    return _number_problem(name, value)


def _number_problem(name: str, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int if name in _WHOLE else (int, float)):
        return "it is a whole number" if name in _WHOLE else "it is a number"
    if name in _POSITIVE and not value > 0:
        return "it is more than zero"
    return "" if value >= 0 else "it is not less than zero"
