"""Tools as classes: the container makes them, once, with what their constructors ask for, and ends what it made."""

import asyncio

from lauren import LaurenFactory, Scope, injectable, module, post_construct, pre_destruct
from lauren_ai import AgentModule, AgentRunner, Completion, LLMConfig, LLMModule, TokenUsage, agent, tool, use_tools


@injectable(scope=Scope.SINGLETON)
class Catalogue:
    """What the shop has."""

    def __init__(self) -> None:
        self.items: list[str] = []

    @post_construct
    async def open(self) -> None:
        self.items = ["desk lamp", "floor lamp", "chair"]
        print("opened")

    @pre_destruct
    async def close(self) -> None:
        print("closed")


@tool()
@injectable(scope=Scope.SINGLETON)
class SearchTool:
    """Search the catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._searches = 0

    async def run(self, query: str, limit: int = 10) -> dict[str, object]:
        self._searches += 1
        found = [item for item in self._catalogue.items if query in item]
        return {"found": found[:limit], "searches": self._searches}


@agent(system="You sell lamps.")
@use_tools(SearchTool)
class ShopAgent: ...


async def main() -> None:
    config, mock = LLMConfig.for_testing()
    llm = LLMModule.for_root(config, transport_override=mock)
    agents = AgentModule.for_root(agents=[ShopAgent], imports=[llm], injects=[Catalogue])

    @module(imports=[llm, agents])
    class App: ...

    app = LaurenFactory.create(App)
    await app.startup()
    runner = await app.container.resolve(AgentRunner[ShopAgent])
    for limit in (10, 1):
        mock.queue_tool_use("search_tool", {"query": "lamp", "limit": limit})
        mock.queue_response(Completion("1", "mock", "Here you are.", [], "end_turn", TokenUsage(5, 3)))
        await runner.run(ShopAgent, "Do you have lamps?")
        print(mock.calls[-1].messages[-1]["content"][0]["content"])
    await app.shutdown()


if __name__ == "__main__":
    asyncio.run(main())
