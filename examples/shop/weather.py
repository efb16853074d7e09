"""The simplest form: an async function."""

from typing import Literal, TypedDict

from lauren_runtime import tool


class Weather(TypedDict):
    city: str
    temperature: int
    unit: str


@tool()
async def get_weather(city: str, unit: Literal["celsius", "fahrenheit"] = "celsius") -> Weather:
    """Return current weather for a city.

    Args:
        city: The city name to look up.
        unit: Temperature unit.
    """
    celsius = 12 + len(city)
    return {"city": city, "temperature": celsius if unit == "celsius" else celsius * 9 // 5 + 32, "unit": unit}
