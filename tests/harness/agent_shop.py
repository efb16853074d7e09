"""A shop with agents of every kind that `AgentModule.for_root` has rules for, and their tools: to be compiled."""

SOURCE = '''
from lauren_runtime import (
    AgentRunner, BeforeToolHookDecision, Scope, ToolContext, ToolHook, ToolResult, agent, injectable, post_construct,
    pre_destruct, tool, use_hooks, use_tools,
)

LOG = []


@injectable()
class Database:
    @pre_destruct
    def close(self):
        LOG.append("database closed")


@tool()
def add(a: int) -> int:
    """Add one."""
    return a + 1


@tool()
class Check:
    """Count for all."""

    def __init__(self, database: Database) -> None:
        self.calls = 0
        LOG.append("Check made")

    async def run(self) -> int:
        self.calls += 1
        return self.calls


@injectable(scope=Scope.REQUEST)
class Session:
    def __init__(self, database: Database) -> None: ...

    @pre_destruct
    async def close(self):
        LOG.append("session closed")


@tool()
@injectable(scope=Scope.REQUEST)
class PerRun:
    """Count within a run."""

    def __init__(self, session: Session) -> None:
        self.calls = 0

    async def run(self) -> int:
        self.calls += 1
        return self.calls


@tool()
@injectable(scope=Scope.TRANSIENT)
class PerCall:
    """Count within a call."""

    def __init__(self, session: Session) -> None:
        self.calls = 0

    async def run(self) -> int:
        self.calls += 1
        return self.calls


@tool(cache_ttl=60)
def rate() -> int:
    """Tell the rate."""
    LOG.append("rate asked")
    return 7


@tool(requires_confirmation=True)
def pay() -> str:
    """Pay."""
    return "paid"


class Guard(ToolHook):
    def __init__(self, database: Database) -> None: ...

    def before_tool_call(self, ctx):
        LOG.append(f"guard {ctx.tool_name}")


class Global(ToolHook):
    def before_tool_call(self, ctx):
        LOG.append(f"global {ctx.tool_name}")


@tool()
@use_hooks(Guard)
def guarded() -> str:
    """Be guarded."""
    return "fine"


@tool()
class Asking:
    """Ask its own module's runner."""

    def __init__(self, runner: AgentRunner) -> None: ...

    async def run(self) -> str:
        return "asked"


@tool()
class Base:
    """Be a base."""

    async def run(self) -> str:
        return "base"


@injectable()
class Sub(Base): ...


@agent(model="m")
@use_tools(Check, add)
class A:
    """A's prompt."""


@use_tools(Check)
@agent()
class B: ...


@agent()
class Empty: ...


@agent()
@use_tools(PerRun, PerCall)
class Scoped: ...


@agent()
@use_tools(rate, guarded, pay)
class Various: ...


@agent()
@use_tools(Asking)
class Circular: ...


@agent()
class Holding:
    def __init__(self, runner: AgentRunner, database: Database) -> None:
        self.runner = runner

    def on_start(self, ctx):
        LOG.append(self.runner is ctx.runner)
'''
