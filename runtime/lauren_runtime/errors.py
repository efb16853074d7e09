"""The exceptions of the runtime.

    LaurenToolError
    ├── StartupError             an application cannot be built; container/errors.py has its kinds
    │   └── DecoratorUsageError  a decorator used in a way it cannot work
    ├── BuildMismatchError       build, runtime and sources do not belong together: rebuild or upgrade
    ├── ToolSetupError           a tool has no object to run: not bound, or its class cannot be built
    ├── ToolNotFoundError        the table has no tool of that name
    ├── ToolInputError           the model's arguments do not fit; holds every `ArgumentError`
    ├── ToolExecutionError       the tool, one of its hooks or its loading failed; holds the original
    └── ToolTimeoutError         the tool took longer than its limit

`ToolExecutor.execute` reports the last four. `ToolPendingApprovalSignal` (approval.py) is none of them: it is no
failure.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


class LaurenToolError(Exception):
    """Base of all errors of this package."""


class StartupError(LaurenToolError):
    """An application cannot be built or started.

    `message` says why, `detail` gives the parts of it, `code` names the kind. Where one look found several errors, the
    first is raised: its `errors` are all of them, itself included, and its notes tell the others.
    """

    code = "startup_error"

    def __init__(self, message: str = "", *, detail: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.detail: dict[str, Any] = {} if detail is None else detail
        self.errors: tuple[StartupError, ...] = (self,)


class DecoratorUsageError(StartupError):
    """A decorator was used without parentheses, with positional arguments, twice, or on what it cannot mark."""

    code = "decorator_usage"


class BuildMismatchError(LaurenToolError):
    """The build does not belong to this runtime, to itself, or to the sources it runs. The text says what to do."""


class ToolSetupError(LaurenToolError):
    """A tool has no object to run. The text names what is missing and how to supply it."""


class ToolNotFoundError(LaurenToolError):
    """The table has no tool called `tool_name`; `known` are the names it has."""

    def __init__(self, tool_name: str, known: Sequence[str] = (), tool_use_id: str = "") -> None:
        self.tool_name = tool_name
        self.known = tuple(known)
        self.tool_use_id = tool_use_id
        super().__init__(f"There is no tool named {_shown(tool_name)}{_suggestion(tool_name, self.known)}")


_LONGEST_NAME = 100


def _shown(name: object) -> str:
    text = repr(name)
    return text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]}…"


def _suggestion(name: object, known: Sequence[str]) -> str:
    from difflib import get_close_matches  # only when a call has already failed

    near = get_close_matches(name[:_LONGEST_NAME], known, n=3, cutoff=0.75) if isinstance(name, str) else []
    if near:
        return f". Did you mean {' or '.join(repr(tool) for tool in near)}?"
    if known and len(known) <= 20:
        return f". The tools are: {', '.join(known)}"
    return "."


class ArgumentError:
    """One argument that does not fit, in words a model can act on.

    `path` is where (`items[0].label`; empty: the arguments as a whole), `expected` what would fit, `got` what came,
    `allowed` the values there are, where they are few. `message` is the sentence made of these, or the one given.
    """

    __slots__ = ("_message", "allowed", "expected", "got", "path")

    def __init__(
        self, path: str, expected: str, got: str = "", allowed: Sequence[object] = (), message: str | None = None
    ) -> None:
        self.path = path
        self.expected = expected
        self.got = got
        self.allowed = tuple(allowed) if allowed else ()
        self._message = message

    @property
    def message(self) -> str:
        """The whole sentence, path included."""
        if self._message is not None:
            return self._message
        where = f"{self.path}: " if self.path else ""
        got = f", got {self.got}" if self.got else ""
        allowed = f" (allowed: {', '.join(str(value) for value in self.allowed)})" if self.allowed else ""
        return f"{where}expected {self.expected}{got}{allowed}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ArgumentError):
            return NotImplemented
        return self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash((self.path, self.message))

    def __repr__(self) -> str:
        return f"ArgumentError({self.message!r})"

    def _fields(self) -> tuple[object, ...]:
        return (self.path, self.expected, self.got, self.allowed, self.message)


_MOST_SHOWN = 25


class ToolInputError(LaurenToolError):
    """The arguments of a call do not fit the tool; `errors` are all of them, in the order of the schema.

    As text it tells the first 25 and counts the rest.
    """

    def __init__(self, errors: Sequence[ArgumentError], tool_name: str = "", tool_use_id: str = "") -> None:
        # No `super().__init__`: it would only set `args` once more.
        self.errors = [*errors]
        self.tool_name = tool_name
        self.tool_use_id = tool_use_id

    def __str__(self) -> str:
        tool = f" for tool {self.tool_name!r}" if self.tool_name else ""
        if len(self.errors) == 1:
            return f"Invalid arguments{tool}:\n- {self.errors[0].message}"
        lines = [f"- {error.message}" for error in self.errors[:_MOST_SHOWN]]
        if len(self.errors) > _MOST_SHOWN:
            lines.append(f"- and {len(self.errors) - _MOST_SHOWN:,} more")
        return "\n".join([f"Invalid arguments{tool}:", *lines])


class ToolExecutionError(LaurenToolError):
    """A tool failed. `original` is what it raised, unwrapped; it is also the cause."""

    def __init__(self, tool_name: str, tool_use_id: str, original: BaseException) -> None:
        self.tool_name = tool_name
        self.tool_use_id = tool_use_id
        self.original = original
        super().__init__(tool_name, tool_use_id, original)
        self.__cause__ = original

    def __str__(self) -> str:
        return f"Tool {self.tool_name!r} failed: {type(self.original).__name__}: {_said_by(self.original)}"


def _said_by(error: BaseException) -> str:
    """What an exception says of itself, which is code of the user's that may fail too."""
    try:
        return str(error)
    except Exception as failure:
        return f"<its text can't be had: {type(failure).__name__}>"


class ToolTimeoutError(LaurenToolError):
    """A tool took longer than `timeout` seconds."""

    def __init__(self, tool_name: str, tool_use_id: str, timeout: float) -> None:
        self.tool_name = tool_name
        self.tool_use_id = tool_use_id
        self.timeout = timeout
        super().__init__(tool_name, tool_use_id, timeout)

    def __str__(self) -> str:
        return f"Tool {self.tool_name!r} did not finish within {self.timeout:g} seconds."
