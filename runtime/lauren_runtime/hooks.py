"""Hook classes and their decisions."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Mapping
    from typing import Any

    from .context import ToolCallContext


HOOK_METHODS = ("before_tool_call", "after_tool_call", "on_tool_error")


class _Decision:
    """What a hook decided: an action and its value."""

    __slots__ = ("action", "value")

    def __init__(self, action: str, value: Any = None) -> None:
        self.action = action
        self.value = value

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.action}({self.value!r})"


class BeforeToolHookDecision(_Decision):
    """The decision of `before_tool_call`."""

    __slots__ = ()

    @classmethod
    def proceed(cls) -> BeforeToolHookDecision:
        """Go on; the same as returning None."""
        return cls("proceed")

    @classmethod
    def modify(cls, new_input: Mapping[str, Any]) -> BeforeToolHookDecision:
        """Go on with these arguments (JSON, wire names); they are decoded and validated anew."""
        return cls("modify", new_input)

    @classmethod
    def abort(cls, result: Any) -> BeforeToolHookDecision:
        """Do not run the tool; `result` is the call's result. A ToolResult may be an error."""
        return cls("abort", result)


class AfterToolHookDecision(_Decision):
    """The decision of `after_tool_call`."""

    __slots__ = ()

    @classmethod
    def proceed(cls) -> AfterToolHookDecision:
        """Keep the result; the same as returning None."""
        return cls("proceed")

    @classmethod
    def replace(cls, result: Any) -> AfterToolHookDecision:
        """Use `result` instead, None included; the next hook gets it."""
        return cls("replace", result)


class ErrorToolHookDecision(_Decision):
    """The decision of `on_tool_error`."""

    __slots__ = ()

    @classmethod
    def reraise(cls) -> ErrorToolHookDecision:
        """Leave the error as it is; the same as returning None."""
        return cls("reraise")

    @classmethod
    def suppress_with(cls, result: Any) -> ErrorToolHookDecision:
        """End the call as a success with this result; later error hooks are not asked."""
        return cls("suppress_with", result)


def outcome(decision: Any) -> tuple[str, Any]:
    """The action and value of a decision, whichever library's it is; None is to go on.

    Raises TypeError for what is no decision.
    """
    if decision is None:
        return ("proceed", None)
    if isinstance(decision, _Decision):
        return (decision.action, decision.value)
    for attribute, read in _LAUREN_AI:
        if hasattr(decision, attribute):
            return read(decision)
    raise TypeError(f"a hook returned {decision!r}, which is no decision")


def _before(decision: Any) -> tuple[str, Any]:
    if decision._aborted:
        return ("abort", decision._abort_result)
    modified = decision._modified_input
    return ("proceed", None) if modified is None else ("modify", modified)


def _after(decision: Any) -> tuple[str, Any]:
    nothing = type(decision._replacement) is object  # its mark for "no replacement", which may be None
    return ("proceed", None) if nothing else ("replace", decision._replacement)


def _error(decision: Any) -> tuple[str, Any]:
    return ("suppress_with", decision._fallback) if decision._suppressed else ("reraise", None)


_LAUREN_AI = (("_aborted", _before), ("_replacement", _after), ("_suppressed", _error))
"""How lauren-ai's own decisions are told and read."""


class ToolHook:
    """Base of hook classes: override what is needed, as plain or async methods.

    One instance serves all calls; what belongs to a call goes into `ctx.state`. A `before_tool_call` that raises ends
    the call with an error and the tool does not run; failures of the other two are logged.
    """

    def before_tool_call(
        self, ctx: ToolCallContext
    ) -> BeforeToolHookDecision | Awaitable[BeforeToolHookDecision | None] | None:
        """Before approval, cache and tool."""
        return None

    def after_tool_call(
        self, result: Any, ctx: ToolCallContext
    ) -> AfterToolHookDecision | Awaitable[AfterToolHookDecision | None] | None:
        """After a success, with what the tool returned (its JSON form if the tool is cached)."""
        return None

    def on_tool_error(
        self, error: Exception, ctx: ToolCallContext
    ) -> ErrorToolHookDecision | Awaitable[ErrorToolHookDecision | None] | None:
        """When the tool raised, or took too long."""
        return None
