from lauren_ai import tool

@tool()
async def get_weather(city: str, unit: str = "celsius") -> dict:
    """Return current weather for a city.

    Args:
        city: The city name to look up.
        unit: Temperature unit, either 'celsius' or 'fahrenheit'.
    """
    # ... call a real weather API
    return {"city": city, "temperature": 22, "unit": unit}
