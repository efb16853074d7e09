@tool(cache_ttl=300)   # cache for 5 minutes
async def fetch_exchange_rate(base: str, quote: str) -> float:
    """Fetch the current exchange rate between two currencies.

    Args:
        base: Base currency code (e.g. USD).
        quote: Quote currency code (e.g. EUR).
    """
    ...
