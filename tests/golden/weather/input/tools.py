from typing import Literal

from lauren_runtime import tool


@tool()
async def get_weather(city: str, unit: Literal["celsius", "fahrenheit"] = "celsius") -> dict[str, str]:
    """Return current weather for a city.

    Args:
        city: The city name to look up.
        unit: Temperature unit.
    """
    return {"city": city, "unit": unit}
