"""Tools whose results are cached, where the executor has a cache: by all arguments, or by a key of their own."""

from lauren_runtime import tool

RATES = {"EUR": 1.0, "GBP": 0.84, "JPY": 163.5, "USD": 1.08}


@tool(cache_ttl=300)
async def fetch_exchange_rate(base: str, quote: str) -> float:
    """Fetch the current exchange rate between two currencies.

    Args:
        base: Base currency code (e.g. USD).
        quote: Quote currency code (e.g. EUR).
    """
    return round(RATES[quote] / RATES[base], 4)


@tool(cache_ttl=60, cache_key_fn=lambda arguments: arguments["country"].lower())
async def get_currency(country: str) -> str | None:
    """Return the currency code of a country.

    Args:
        country: Name of the country, in any case.
    """
    return {"france": "EUR", "japan": "JPY", "united kingdom": "GBP"}.get(country.lower())
