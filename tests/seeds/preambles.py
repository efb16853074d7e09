"""What the pages take for granted above each of their code blocks: imports and names a block uses without a word."""

TOOL = "from lauren_ai import tool\n"

PREAMBLES = {
    "reference_function": TOOL,
    "reference_class": TOOL + "from lauren import Scope, injectable\n\nclass SomeDep: ...\n",
    "guide_reminder": "",
    "guide_function": "",
    "guide_class": """
class DatabaseService:
    async def search(self, query: str, limit: int) -> list[dict]:
        return [{"query": query, "limit": limit}]
""",
    "guide_context": "",
    "guide_names": TOOL,
    "guide_approval": TOOL,
    "guide_cache": TOOL,
    "guide_cache_key": TOOL,
    "guide_result": TOOL
    + """
def do_thing(param: str) -> dict:
    if param == "bad":
        raise ValueError("no such thing")
    return {"done": param}
""",
    "guide_sharing": """
from lauren_ai import agent
@agent(model="m")
class UnauthenticatedCRMAgent: ...

@agent(model="m")
class AuthenticatedCRMAgent: ...

class LLMProvider: ...
""",
    "guide_skills": "",
    "guide_agent": "",
}
