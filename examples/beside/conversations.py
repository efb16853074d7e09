"""Conversations: runs with one `conversation_id` go on from one another; the test client runs an agent alone."""

import asyncio

from lauren_ai import Completion, InMemoryConversationStore, LLMConfig, TokenUsage, agent, tool, use_tools
from lauren_ai.testing import AgentTestClient


@tool()
async def look_up(word: str) -> str:
    """Look a word up."""
    return f"{word}: a word"


@agent(system="You know words.", conversation_store=InMemoryConversationStore())
@use_tools(look_up)
class Dictionary: ...


def answer(text: str) -> Completion:
    return Completion("1", "mock", text, [], "end_turn", TokenUsage(5, 3))


async def main() -> None:
    _, mock = LLMConfig.for_testing()
    client = AgentTestClient(Dictionary(), mock)
    for conversation in ("a", "a", "b"):
        mock.queue_tool_use("look_up", {"word": f"lamp {conversation}"})
        mock.queue_response(answer(f"A lamp, in {conversation}."))
        response = await client.run_async("What is a lamp?", conversation_id=conversation)
        last = client.calls[-1]
        print(response.content, [message["role"] for message in last.messages])
    client.reset()
    mock.queue_response(answer("Yes."))
    await client.run_async("And now?", conversation_id="a", metadata={"who": "ann"})
    print(len(client.calls), client.calls[0].system)


if __name__ == "__main__":
    asyncio.run(main())
