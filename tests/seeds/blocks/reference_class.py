@tool()
@injectable(scope=Scope.SINGLETON)
class MyTool:
    """Description used as tool description."""

    def __init__(self, dep: SomeDep) -> None:
        self._dep = dep

    async def run(self, query: str) -> list[dict]:
        ...
