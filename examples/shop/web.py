"""A tool whose name and description for the model are not those of the function."""

from lauren_runtime import tool

PAGES = {
    "https://shop.example/returns": "How to return a product",
    "https://shop.example/delivery": "Delivery times and prices",
}


@tool(name="web_search", description="Search the web for current information.")
async def search(query: str) -> list[dict[str, str]]:
    return [{"url": url, "title": title} for url, title in PAGES.items() if query.lower() in title.lower()]
