"""Cached results: kept for a time, under the arguments or a key of one's own; errors are not kept."""

import asyncio

from lauren import LaurenFactory, module
from lauren_ai import AgentModule, AgentRunner, Completion, LLMConfig, LLMModule, TokenUsage, agent, tool, use_tools
from lauren_ai._tools._executor import InMemoryCacheBackend

ASKED: list[str] = []


@tool(cache_ttl=300)
async def exchange_rate(base: str, quote: str) -> dict[str, object]:
    """Tell an exchange rate.

    Args:
        base: A currency's code.
        quote: Another's.
    """
    ASKED.append(f"{base}/{quote}")
    if quote == "XXX":
        raise ValueError("no such currency")
    return {"rate": 1.5}


@tool(cache_ttl=60, cache_key_fn=lambda given: given["city"].lower())
async def weather(city: str) -> str:
    """Tell the weather of a city."""
    ASKED.append(city)
    return f"sun in {city}"


@agent(system="You know rates and weather.")
@use_tools(exchange_rate, weather)
class Reporter: ...


async def main() -> None:
    config, mock = LLMConfig.for_testing()
    llm = LLMModule.for_root(config, transport_override=mock)
    reporters = AgentModule.for_root(agents=[Reporter], imports=[llm], tool_cache=InMemoryCacheBackend())

    @module(imports=[llm, reporters])
    class App: ...

    app = LaurenFactory.create(App)
    await app.startup()
    runner = await app.container.resolve(AgentRunner[Reporter])
    for name, given in (
        ("exchange_rate", {"base": "USD", "quote": "EUR"}),
        ("exchange_rate", {"quote": "EUR", "base": "USD"}),
        ("exchange_rate", {"base": "USD", "quote": "XXX"}),
        ("exchange_rate", {"base": "USD", "quote": "XXX"}),
        ("weather", {"city": "Rome"}),
        ("weather", {"city": "ROME"}),
    ):
        mock.queue_tool_use(name, given)
        mock.queue_response(Completion("1", "mock", "Done.", [], "end_turn", TokenUsage(5, 3)))
        await runner.run(Reporter, "Tell me.")
        result = mock.calls[-1].messages[-1]["content"][0]
        print("error" if result["is_error"] else result["content"])
    print(ASKED)
    await app.shutdown()


if __name__ == "__main__":
    asyncio.run(main())
