from lauren_ai import tool
from lauren import Scope, injectable

@tool()
@injectable(scope=Scope.SINGLETON)
class SearchTool:
    """Search the product catalogue."""

    def __init__(self, db: DatabaseService) -> None:
        self._db = db

    async def run(self, query: str, max_results: int = 10) -> list[dict]:
        """Search for products matching query.

        Args:
            query: The search query.
            max_results: Maximum number of results (1-50).
        """
        return await self._db.search(query, limit=max_results)
