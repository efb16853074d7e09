"""Tools as functions: what the model is told of them, and what it gets back."""

import asyncio
from typing import Literal

from lauren import LaurenFactory, module
from lauren_ai import AgentModule, AgentRunner, Completion, LLMConfig, LLMModule, TokenUsage, agent, tool, use_tools


@tool()
async def get_weather(city: str, unit: Literal["celsius", "fahrenheit"] = "celsius") -> dict[str, object]:
    """Return the current weather of a city.

    Args:
        city: The city's name.
        unit: The unit of the temperature.
    """
    return {"city": city, "temperature": 22 if unit == "celsius" else 72}


@tool(name="list_cities", description="List the cities that are known.")
def cities(country: str = "Norway") -> str:
    return {"Norway": "Oslo, Bergen"}.get(country, "none")


@agent(system="You tell the weather.")
@use_tools(get_weather, cities)
class WeatherAgent: ...


async def main() -> None:
    config, mock = LLMConfig.for_testing()
    llm = LLMModule.for_root(config, transport_override=mock)
    agents = AgentModule.for_root(agents=[WeatherAgent], imports=[llm])

    @module(imports=[llm, agents])
    class App: ...

    mock.queue_tool_use("list_cities", {})
    mock.queue_tool_use("get_weather", {"city": "Oslo", "unit": "fahrenheit"})
    mock.queue_response(Completion("1", "mock", "72 degrees.", [], "end_turn", TokenUsage(5, 3)))
    app = LaurenFactory.create(App)
    await app.startup()
    runner = await app.container.resolve(AgentRunner[WeatherAgent])
    response = await runner.run(WeatherAgent, "How warm is it in Oslo?")
    for each in mock.calls[0].tools or []:
        schema = each["input_schema"]
        print(each["name"], "|", each["description"], "|", sorted(schema["properties"]), schema.get("required"))
    print(sorted(mock.calls[0].tools[0]["input_schema"]["properties"]["unit"].items()))
    for call in response.tool_calls_made:
        print(call.name, call.input)
    for asked in mock.calls[1:]:
        print(asked.messages[-1]["content"][0]["content"])
    print(response.content, response.turns, response.stop_reason)
    await app.shutdown()


if __name__ == "__main__":
    asyncio.run(main())
