"""The skills that come with the package: they are tools as others are.

lauren-ai 1.6.0 documents `lauren_ai.skills` and does not have it, nor a search.
"""

import asyncio

from lauren import LaurenFactory, module
from lauren_ai import AgentModule, AgentRunner, Completion, LLMConfig, LLMModule, TokenUsage, agent, use_tools
from lauren_ai.skills import HttpFetchTool, WebSearchTool


@agent(system="You are a research assistant.")
@use_tools(WebSearchTool, HttpFetchTool)
class Researcher: ...


async def main() -> None:
    config, mock = LLMConfig.for_testing()
    llm = LLMModule.for_root(config, transport_override=mock)
    researchers = AgentModule.for_root(agents=[Researcher], imports=[llm])

    @module(imports=[llm, researchers])
    class App: ...

    app = LaurenFactory.create(App)
    await app.startup()
    runner = await app.container.resolve(AgentRunner[Researcher])
    mock.queue_tool_use("http_fetch_tool", {"url": "http://127.0.0.1:9/"})
    mock.queue_response(Completion("1", "mock", "It is private.", [], "end_turn", TokenUsage(5, 3)))
    response = await runner.run(Researcher, "What does this machine serve?")
    print(sorted(each["name"] for each in mock.calls[0].tools or []))
    print(mock.calls[1].messages[-1]["content"][0]["is_error"], response.content)
    await app.shutdown()


if __name__ == "__main__":
    asyncio.run(main())
