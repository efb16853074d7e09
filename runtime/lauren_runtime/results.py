"""A call to a tool and its result."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


class ToolCall:
    """What a model asked for. `input` is the JSON object of arguments, or its text as the provider sent it."""

    __slots__ = ("input", "name", "tool_use_id")

    def __init__(self, tool_use_id: str, name: str, input: Mapping[str, Any] | str | bytes) -> None:
        self.tool_use_id = tool_use_id
        self.name = name
        self.input = input

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ToolCall):
            return NotImplemented
        return (self.tool_use_id, self.name, self.input) == (other.tool_use_id, other.name, other.input)

    __hash__ = None  # type: ignore[assignment]  # it holds a dict

    def __repr__(self) -> str:
        return f"ToolCall(tool_use_id={self.tool_use_id!r}, name={self.name!r}, input={self.input!r})"


def require_call(given: object) -> None:
    """Raise TypeError for what is no call: what has not the attributes that the executor reads."""
    missing = [name for name in ToolCall.__slots__ if not hasattr(given, name)]
    if missing:
        plain = given is None or isinstance(given, (str, int))
        shown = repr(given) if plain else f"an object of {type(given).__name__}"
        raise TypeError(f"a ToolCall is needed, got {shown}: write ToolCall(tool_use_id, name, input)")


class ToolResult:
    """What goes back to the model.

    `content` is text or a list of content blocks. `status` says how it came about: "executed", "error", "timed_out",
    "aborted" (by a before-hook), "suppressed" (an error, by a hook), "skipped" (an error, by `on_error="skip"`),
    "partial" (one item of a stream), or, of a call that needed approval, "rejected", "expired", "withdrawn" or
    "interrupted". `exception` is set on an error of the executor, `repairs` lists what was mended in
    the arguments, `cached` tells a cache hit.
    """

    __slots__ = ("cached", "content", "exception", "is_error", "repairs", "status", "tool_use_id")

    def __init__(
        self,
        tool_use_id: str,
        content: str | list[Any],
        is_error: bool = False,
        *,
        status: str | None = None,
        exception: BaseException | None = None,
        repairs: Sequence[Any] = (),
        cached: bool = False,
    ) -> None:
        self.tool_use_id = tool_use_id
        self.content = content
        self.is_error = is_error
        self.status = status or ("error" if is_error else "executed")
        self.exception = exception
        self.repairs = tuple(repairs)
        self.cached = cached

    @classmethod
    def ok(cls, content: Any, tool_use_id: str = "") -> ToolResult:
        """A success. Text stays as it is, so does a list of content blocks; everything else becomes JSON text.

        Raises ResultError (json_form.py) for what JSON cannot hold.
        """
        if type(content) is not str:
            from .json_form import content_of

            content = content_of(content)
        return cls(tool_use_id, content)

    @classmethod
    def error(cls, message: str, tool_use_id: str = "", *, status: str = "error") -> ToolResult:
        """A failure, told to the model in these words."""
        return cls(tool_use_id, message, True, status=status)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ToolResult):
            return NotImplemented
        return self._told() == other._told()

    __hash__ = None  # type: ignore[assignment]  # it is mutable

    def __repr__(self) -> str:
        extra = "".join(f", {name}={value!r}" for name, value in self._notable())
        return (
            f"ToolResult(tool_use_id={self.tool_use_id!r}, content={self.content!r}, is_error={self.is_error}{extra})"
        )

    def _told(self) -> tuple[object, ...]:
        """What the model or the loop sees of it; how it came about is no part of equality."""
        return (self.tool_use_id, self.content, self.is_error, self.status)

    def _notable(self) -> list[tuple[str, object]]:
        usual = "error" if self.is_error else "executed"
        found: list[tuple[str, object]] = [("status", self.status)] if self.status != usual else []
        found += [(name, value) for name in ("exception", "repairs", "cached") if (value := getattr(self, name))]
        return found


def executed(tool_use_id: str, content: str) -> ToolResult:
    """`ToolResult(tool_use_id, content)`, made quicker: what nearly every call ends with."""
    made = _new(ToolResult)
    made.tool_use_id = tool_use_id
    made.content = content
    made.is_error = False
    made.status = "executed"
    made.exception = None
    made.repairs = ()
    made.cached = False
    return made


def refused(tool_use_id: str, content: str, exception: BaseException) -> ToolResult:
    """The same of a call whose arguments do not fit."""
    made = _new(ToolResult)
    made.tool_use_id = tool_use_id
    made.content = content
    made.is_error = True
    made.status = "error"
    made.exception = exception
    made.repairs = ()
    made.cached = False
    return made


_new = object.__new__
