"""Modules: two agents in modules of their own share one tool, which a third module owns."""

import asyncio

from lauren import LaurenFactory, module, use_value
from lauren.exceptions import ModuleExportViolation
from lauren_ai import Completion, LLMConfig, LLMModule, TokenUsage, agent, tool, use_tools
from lauren_ai._agents._runner import AgentRunner
from lauren_ai._module import AgentModule


class Settings:
    def __init__(self, prefix: str) -> None:
        self.prefix = prefix


@tool()
class CounterTool:
    """Count the calls."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._count = 0

    async def run(self) -> str:
        self._count += 1
        return f"{self._settings.prefix}{self._count}"


@agent(system="You count up.")
@use_tools(CounterTool)
class First: ...


@agent(system="You count on.")
@use_tools(CounterTool)
class Second: ...


@module(providers=[use_value(provide=Settings, value=Settings("no. ")), CounterTool], exports=[CounterTool])
class CounterModule: ...


async def main() -> None:
    config, mock = LLMConfig.for_testing()
    llm = LLMModule.for_root(config, transport_override=mock)
    first = AgentModule.for_root(agents=[First], imports=[llm, CounterModule], shared_tools=[CounterTool])
    second = AgentModule.for_root(agents=[Second], imports=[llm, CounterModule], shared_tools=[CounterTool])

    @module(imports=[llm, first, second])
    class App: ...

    app = LaurenFactory.create(App)
    await app.startup()
    for each in (First, Second, First):
        mock.queue_tool_use("counter_tool", {})
        mock.queue_response(Completion("1", "mock", "Done.", [], "end_turn", TokenUsage(5, 3)))
        runner = await app.container.resolve(AgentRunner[each])
        await runner.run(each, "Count.")
        print(each.__name__, mock.calls[-1].messages[-1]["content"][0]["content"])
    await app.shutdown()

    unshared = AgentModule.for_root(agents=[Second], imports=[llm, CounterModule])

    @module(imports=[llm, first, unshared])
    class Broken: ...

    try:
        LaurenFactory.create(Broken)
    except ModuleExportViolation:
        print("a tool is declared once, or shared")


if __name__ == "__main__":
    asyncio.run(main())
