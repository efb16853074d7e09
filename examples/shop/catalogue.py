"""A class whose constructor takes what the tool depends on; the schema is that of `run`."""

from typing import TypedDict

from lauren_runtime import Scope, injectable, tool


class Product(TypedDict):
    name: str
    price: float


class DatabaseService:
    """A catalogue held in memory, where a real shop has its database."""

    def __init__(self, products: list[Product]) -> None:
        self._products = products

    async def search(self, query: str, limit: int) -> list[Product]:
        words = query.lower().split()
        return [product for product in self._products if all(word in product["name"].lower() for word in words)][:limit]


@tool()
@injectable(scope=Scope.SINGLETON)
class SearchTool:
    """Search the product catalogue."""

    def __init__(self, db: DatabaseService) -> None:
        self._db = db

    async def run(self, query: str, max_results: int = 10) -> list[Product]:
        """Search for products matching query.

        Args:
            query: The search query.
            max_results: Maximum number of results (1-50).
        """
        return await self._db.search(query, limit=max_results)
