"""Runs sources with `root(LLM)`, `AGENTS` and `TOOLS`, one JSON object a line; prints what came of each.

Every agent is asked to call every tool, by the runner that `AgentRunner[agent]` stands for. Run by an interpreter with
the real lauren and lauren-ai, or, with the runtime's folder as argument, with the stand-in for them; then the object's
`folder` holds the build of the source.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import types
from typing import Any

OURS = len(sys.argv) > 1
if OURS:
    sys.path.insert(0, sys.argv[1])
    from lauren_runtime import standin

    standin.install()

from lauren import LaurenFactory, module, use_value  # noqa: E402  which of them, is decided above
from lauren_ai import AgentRunner  # noqa: E402

logging.disable()


def outcome(given: dict[str, str]) -> dict[str, Any]:
    """`errors`: names of the kinds of error; or `told`: for each agent, what each tool gave it."""
    source = types.ModuleType(given["name"])
    sys.modules[source.__name__] = source
    try:
        exec(compile(given["source"], source.__name__, "exec"), vars(source))
        return asyncio.run(run(source, given["folder"]))
    except Exception as error:
        found = getattr(error, "errors", (error,))
        return {"errors": [type(each).__name__ for each in found], "message": str(error)}
    finally:
        del sys.modules[source.__name__]


async def run(source: Any, folder: str) -> dict[str, Any]:
    calls = [(f"t{number}", name) for number, name in enumerate(source.TOOLS)]
    client, llm = (our_models if OURS else their_models)(calls, folder)
    app = LaurenFactory.create(source.root(llm))
    await app.startup()
    told: dict[str, Any] = {}
    for agent in source.AGENTS:
        runner = await app.container.resolve(AgentRunner[agent], owning_module=app_root(app, agent))
        await runner.run(agent, "go")
        told[agent.__name__] = shown(client.results)
    await app.shutdown()
    return {"told": told}


def app_root(app: Any, agent: type) -> Any:
    """The root sees what the modules it imports export."""
    return getattr(app, "root_module", None)


def shown(results: list[dict[str, Any]]) -> list[str]:
    """What tools gave; of errors, that they are some."""
    return ["error" if each["is_error"] else str(each["content"]) for each in results]


def our_models(calls: list[tuple[str, str]], folder: str) -> tuple[Any, type]:
    from lauren_runtime import ModelClient, Table, ToolCall, load_build
    from lauren_runtime.testing import ScriptedModel

    def say(request: Any) -> Any:
        asked = any(block["type"] == "tool_result" for each in request.messages for block in each.content)
        return "done" if asked else [ToolCall(number, name, {}) for number, name in calls]

    client = ScriptedModel(*[say] * 100)
    given = [use_value(provide=ModelClient, value=client), use_value(provide=Table, value=load_build(folder))]
    return client, module(providers=given, exports=[ModelClient, Table])(type("LLM", (), {}))


def their_models(calls: list[tuple[str, str]], folder: str) -> tuple[Any, type]:
    from lauren_ai import Completion, LLMConfig, TokenUsage, ToolCall
    from lauren_ai._transport import Transport

    class Model:
        results: list[dict[str, Any]] = []

        async def complete(self, messages: Any, **_: Any) -> Any:
            last = messages[-1]
            content = last["content"] if isinstance(last, dict) else last.content
            if isinstance(content, list):
                self.results = [dict(each) for each in content]
                return Completion("c", "m", "done", [], "end_turn", TokenUsage(1, 1))
            made = [ToolCall(number, name, {}) for number, name in calls]
            return Completion("c", "m", "", made, "tool_use", TokenUsage(1, 1))

    client = Model()
    config = LLMConfig(provider="anthropic", model="m", api_key="k")
    given = [use_value(provide=Transport, value=client), use_value(provide=LLMConfig, value=config)]
    return client, module(providers=given, exports=[Transport, LLMConfig])(type("LLM", (), {}))


def main() -> None:
    for line in sys.stdin:
        print(json.dumps(outcome(json.loads(line))), flush=True)


main()
