"""What a tool and its hooks are told about the call they are part of."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from .approvals.records import Approval


_FIELDS = (
    *("agent_context", "tool_use_id", "turn", "request", "execution_context", "metadata", "state"),
    *("tool_state", "dependencies", "extras", "tool_name"),
)


class ToolContext:
    """The context of one call, handed to the parameter annotated with it.

    agent_context: the running agent's, or None. tool_use_id: the provider's id of the call. turn: the agent loop's
    round, from 0. request, execution_context: those given, else the agent context's. metadata: the tool's
    `set_metadata` values. state: a dict for this call, shared with its hooks. tool_state: a dict for this tool, kept
    for the run. dependencies: what `dependency_factory` made for the run. extras: whatever the caller puts in.
    tool_name: the tool's name.

    `cancelled` turns true when the call was cancelled or ran out of time; a tool that runs in a thread, which nothing
    can stop from outside, should look at it from time to time.

    `approval` is the record of who allowed the call, where `Approvals` runs it.
    """

    cancelled: bool = False
    approval: Approval | None = None

    def __init__(
        self,
        agent_context: Any = None,
        tool_use_id: str = "",
        turn: int = 0,
        request: Any | None = None,
        execution_context: Any | None = None,
        metadata: dict[str, Any] | None = None,
        state: dict[str, Any] | None = None,
        *,
        tool_state: dict[str, Any] | None = None,
        dependencies: Any = None,
        extras: dict[str, Any] | None = None,
        tool_name: str = "",
    ) -> None:
        self.agent_context = agent_context
        self.tool_use_id = tool_use_id
        self.turn = turn
        self.request = getattr(agent_context, "request", None) if request is None else request
        if execution_context is None:
            execution_context = getattr(agent_context, "execution_context", None)
        self.execution_context = execution_context
        self.metadata: dict[str, Any] = {} if metadata is None else metadata
        self.state: dict[str, Any] = {} if state is None else state
        self.tool_state: dict[str, Any] = {} if tool_state is None else tool_state
        self.tool_state_given = tool_state is not None
        self.dependencies = dependencies
        self.extras: dict[str, Any] = {} if extras is None else extras
        self.tool_name = tool_name

    def get_metadata(self, key: str, default: Any = None) -> Any:
        """The tool's metadata under `key` (a stored None counts), else the agent context's, else `default`."""
        if key in self.metadata:
            return self.metadata[key]
        from_agent = getattr(self.agent_context, "get_metadata", None)
        return default if from_agent is None else from_agent(key, default)

    @property
    def runner(self) -> Any:
        """The agent context's runner, or None."""
        return getattr(self.agent_context, "runner", None)

    @property
    def message_bus(self) -> Any:
        """The agent context's message bus, or None."""
        return getattr(self.agent_context, "message_bus", None)

    @classmethod
    def adopted(cls, foreign: Any) -> ToolContext:
        """A context with what another library's holds. Raises TypeError for an object that is no context."""
        found = {name: getattr(foreign, name) for name in _FIELDS if hasattr(foreign, name)}
        if "agent_context" not in found:
            raise TypeError(f"the context of a call is a ToolContext, not {foreign!r}")
        return cls(**found)

    def enter(self, tool_use_id: str, tool_name: str, metadata: Mapping[str, Any]) -> None:
        """Make this the context of that call: its id, its name, a copy of its metadata (values already here win)."""
        self.tool_use_id = tool_use_id
        self.tool_name = tool_name
        self.metadata = {**metadata, **self.metadata}

    def copy(self) -> ToolContext:
        """One of the same class that shares this one's dicts; of a hook's context, one as tools get it."""
        kind = ToolContext if type(self) is ToolCallContext else type(self)
        made = kind.__new__(kind)
        made.__dict__.update(self.__dict__)
        return made

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}(tool_name={self.tool_name!r}, tool_use_id={self.tool_use_id!r}, turn={self.turn})"
        )


class ToolCallContext(ToolContext):
    """The context as hooks and policies see it.

    arguments: the decoded values by Python name. raw_input: what the model sent. tool_input: a copy of the JSON
    arguments under their wire names, repaired. cached: the result came from the cache.
    """

    cached: bool = False

    def __init__(
        self,
        agent_context: Any = None,
        tool_use_id: str = "",
        turn: int = 0,
        request: Any | None = None,
        execution_context: Any | None = None,
        metadata: dict[str, Any] | None = None,
        state: dict[str, Any] | None = None,
        *,
        tool_state: dict[str, Any] | None = None,
        dependencies: Any = None,
        extras: dict[str, Any] | None = None,
        tool_name: str = "",
        arguments: Mapping[str, Any] | None = None,
        raw_input: Any = None,
        tool_input: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(
            agent_context,
            tool_use_id,
            turn,
            request,
            execution_context,
            metadata,
            state,
            tool_state=tool_state,
            dependencies=dependencies,
            extras=extras,
            tool_name=tool_name,
        )
        self.arguments: Mapping[str, Any] = {} if arguments is None else arguments
        self.raw_input = raw_input
        self.tool_input: dict[str, Any] = {} if tool_input is None else tool_input

    @classmethod
    def derived(cls, given: ToolContext) -> ToolCallContext:
        """A context for one call with all that `given` holds; their dicts are the same objects."""
        made = cls.__new__(cls)
        made.__dict__.update({"arguments": {}, "raw_input": None, "tool_input": {}}, **given.__dict__)
        return made


def get_tool_context_from_func_args(*args: Any, **kwargs: Any) -> ToolContext | None:
    """The first ToolContext among positional, then keyword values; not inside containers. None if there is none."""
    for value in (*args, *kwargs.values()):
        if isinstance(value, ToolContext):
            return value
    return None
