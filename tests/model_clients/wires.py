"""How each provider says things on the wire: what a scripted server answers, and what a request told.

Written from the providers' API references; the official packages read what is written here, and write what is read.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from harness import requires
from lauren_runtime.model_clients.anthropic import AnthropicModelClient
from lauren_runtime.model_clients.bedrock import BedrockModelClient
from lauren_runtime.model_clients.gemini import GeminiModelClient
from lauren_runtime.model_clients.openai import OpenAIModelClient
from lauren_runtime.model_clients.openai_responses import OpenAIResponsesModelClient

from .server import Answer, Asked, Server, sse


@dataclass
class Call:
    """A call as a model makes it; `arguments` is the text it wrote."""

    id: str | None
    name: str
    arguments: str = "{}"


@dataclass
class Told:
    """A result as a request told it."""

    id: str
    text: str
    is_error: bool


class Wire:
    """One provider: its client for a server, its answers, and its requests. `texts`: arguments travel as text."""

    name: str
    target: str
    texts = True
    has_ids = True

    def client(self, server: Server, retries: int = 0) -> Any:
        raise NotImplementedError

    def answer(self, text: str, calls: Sequence[Call], stop: str) -> dict[str, Any]:
        """A whole reply. `stop`: end, calls, length, or a word that no provider knows."""
        raise NotImplementedError

    def events(self, text: str, calls: Sequence[Call], stop: str) -> bytes:
        """The same, streamed."""
        raise NotImplementedError

    def results(self, asked: Asked) -> list[Told]:
        raise NotImplementedError

    def tools(self, asked: Asked) -> Any:
        return asked.body["tools"]

    def failure(self) -> dict[str, Any]:
        return {"error": {"type": "rate_limit_error", "message": "slow down", "code": 429}}

    def reply(self, stream: bool, text: str = "", calls: Sequence[Call] = (), stop: str = "end", **more: Any) -> Answer:
        if not stream:
            return Answer(json.dumps(self.answer(text, calls, stop)).encode(), **more)
        return Answer(self.events(text, calls, stop), self.stream_type, **more)

    stream_type = "text/event-stream"


class AnthropicWire(Wire):
    name = target = "anthropic"
    stops = {"end": "end_turn", "calls": "tool_use", "length": "max_tokens"}

    def client(self, server: Server, retries: int = 0) -> Any:
        package = requires.package("anthropic", "anthropic==2.14.0")
        return AnthropicModelClient(package.AsyncAnthropic(api_key="k", base_url=server.url, max_retries=retries))

    def answer(self, text: str, calls: Sequence[Call], stop: str) -> dict[str, Any]:
        content: list[Any] = [{"type": "text", "text": text}] if text else []
        content += [{"type": "tool_use", "id": c.id, "name": c.name, "input": json.loads(c.arguments)} for c in calls]
        return {
            "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-x", "content": content,
            "stop_reason": self.stops.get(stop, stop), "stop_sequence": None,
            "usage": {"input_tokens": 5, "output_tokens": 7, "cache_read_input_tokens": 3},
        }  # fmt: skip

    def events(self, text: str, calls: Sequence[Call], stop: str) -> bytes:
        start = {**self.answer("", (), stop), "stop_reason": None}
        made: list[Any] = [{"type": "message_start", "message": start}]
        blocks: list[tuple[Any, Any]] = [
            ({"type": "text", "text": ""}, [("text_delta", "text", p) for p in halves(text)])
        ]
        for c in calls:
            block = {"type": "tool_use", "id": c.id, "name": c.name, "input": {}}
            blocks.append((block, [("input_json_delta", "partial_json", p) for p in halves(c.arguments)]))
        for number, (block, deltas) in enumerate(blocks if text else blocks[1:]):
            made.append({"type": "content_block_start", "index": number, "content_block": block})
            for kind, name, piece in deltas:
                made.append({"type": "content_block_delta", "index": number, "delta": {"type": kind, name: piece}})
            made.append({"type": "content_block_stop", "index": number})
        delta = {"stop_reason": self.stops.get(stop, stop), "stop_sequence": None}
        made.append({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 7}})
        return sse(*made, {"type": "message_stop"}, named=True)

    def results(self, asked: Asked) -> list[Told]:
        found = asked.body["messages"][-1]["content"]
        return [Told(each["tool_use_id"], texts(each["content"]), each.get("is_error", False)) for each in found]


class OpenAIWire(Wire):
    name = target = "openai"
    stops = {"end": "stop", "calls": "tool_calls", "length": "length"}

    def client(self, server: Server, retries: int = 0) -> Any:
        package = requires.package("openai", "openai==3.57.0")
        return OpenAIModelClient(package.AsyncOpenAI(api_key="k", base_url=server.url, max_retries=retries))

    def answer(self, text: str, calls: Sequence[Call], stop: str) -> dict[str, Any]:
        made = [{"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.arguments}} for c in calls]
        message = {"role": "assistant", "content": text or None, **({"tool_calls": made} if made else {})}
        return {
            "id": "c", "object": "chat.completion", "created": 1, "model": "gpt-x",
            "choices": [{"index": 0, "finish_reason": self.stops.get(stop, stop), "message": message}],
            "usage": {"prompt_tokens": 8, "completion_tokens": 7, "total_tokens": 15,
                      "prompt_tokens_details": {"cached_tokens": 3}},
        }  # fmt: skip

    def events(self, text: str, calls: Sequence[Call], stop: str) -> bytes:
        whole = self.answer(text, calls, stop)
        base = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "gpt-x"}

        def chunk(delta: Any, reason: str | None = None) -> Any:
            return {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}

        made = [chunk({"role": "assistant", "content": ""}), *(chunk({"content": piece}) for piece in halves(text))]
        for number, c in enumerate(calls):
            begun = {"index": number, "id": c.id, "type": "function", "function": {"name": c.name, "arguments": ""}}
            made.append(chunk({"tool_calls": [begun]}))
            for piece in halves(c.arguments):
                made.append(chunk({"tool_calls": [{"index": number, "function": {"arguments": piece}}]}))
        made.append(chunk({}, self.stops.get(stop, stop)))
        return sse(*made, {**base, "choices": [], "usage": whole["usage"]}, done=True)

    def results(self, asked: Asked) -> list[Told]:
        last = [each for each in asked.body["messages"] if each["role"] == "tool"]
        return [Told(each["tool_call_id"], *unmarked(each["content"])) for each in last]


class OpenAIResponsesWire(Wire):
    name = target = "openai-responses"

    def client(self, server: Server, retries: int = 0) -> Any:
        package = requires.package("openai", "openai==3.57.0")
        return OpenAIResponsesModelClient(package.AsyncOpenAI(api_key="k", base_url=server.url, max_retries=retries))

    def answer(self, text: str, calls: Sequence[Call], stop: str) -> dict[str, Any]:
        part = {"type": "output_text", "text": text, "annotations": []}
        output: list[Any] = [
            {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [part]}
        ]
        output = output if text else []
        for c in calls:
            whole = "incomplete" if stop == "length" and c is calls[-1] else "completed"
            call = {"type": "function_call", "id": "fc", "call_id": c.id, "name": c.name, "arguments": c.arguments}
            output.append({**call, "status": whole})
        ended = stop in ("end", "calls")
        reason = {"length": "max_output_tokens"}.get(stop, stop)
        return {
            "id": "r", "object": "response", "created_at": 1, "model": "gpt-x", "output": output, "tools": [],
            "status": "completed" if ended else "incomplete", "parallel_tool_calls": True, "tool_choice": "auto",
            "incomplete_details": None if ended else {"reason": reason}, "error": None, "instructions": None,
            "metadata": {}, "temperature": 1, "top_p": 1,
            "usage": {"input_tokens": 8, "output_tokens": 7, "total_tokens": 15,
                      "input_tokens_details": {"cached_tokens": 3}, "output_tokens_details": {"reasoning_tokens": 0}},
        }  # fmt: skip

    def events(self, text: str, calls: Sequence[Call], stop: str) -> bytes:
        whole = self.answer(text, calls, stop)
        made: list[Any] = [{"type": "response.created", "response": {**whole, "output": [], "status": "in_progress"}}]
        about = {"item_id": "m", "output_index": 0, "content_index": 0, "logprobs": []}
        made += [{"type": "response.output_text.delta", "delta": piece, **about} for piece in halves(text)]
        made.append({"type": f"response.{whole['status']}", "response": whole})
        return sse(*({**each, "sequence_number": n} for n, each in enumerate(made)), named=True)

    def results(self, asked: Asked) -> list[Told]:
        last = [each for each in asked.body["input"] if each.get("type") == "function_call_output"]
        return [Told(each["call_id"], *unmarked(each["output"])) for each in last]


class GeminiWire(Wire):
    name = target = "gemini"
    texts = False
    has_ids = False
    stops = {"end": "STOP", "calls": "STOP", "length": "MAX_TOKENS"}

    def client(self, server: Server, retries: int = 0) -> Any:
        genai = requires.package("google.genai", "google-genai==3.6.1")
        options: dict[str, Any] = {"base_url": server.url}
        if retries:
            options["retry_options"] = genai.types.HttpRetryOptions(
                attempts=retries + 1, initial_delay=0.01, max_delay=0.1
            )
        return GeminiModelClient(genai.Client(api_key="k", http_options=genai.types.HttpOptions(**options)))

    def answer(self, text: str, calls: Sequence[Call], stop: str) -> dict[str, Any]:
        parts: list[Any] = [{"text": text}] if text else []
        for c in calls:
            call = {"name": c.name, "args": json.loads(c.arguments), **({"id": c.id} if c.id else {})}
            parts.append({"functionCall": call})
        candidate = {"content": {"role": "model", "parts": parts}, "finishReason": self.stops.get(stop, stop)}
        usage = {
            "promptTokenCount": 8,
            "candidatesTokenCount": 5,
            "thoughtsTokenCount": 2,
            "cachedContentTokenCount": 3,
        }
        return {"candidates": [candidate], "modelVersion": "gemini-x", "usageMetadata": usage}

    def events(self, text: str, calls: Sequence[Call], stop: str) -> bytes:
        whole = self.answer("", calls, stop)
        pieces = [{"candidates": [{"content": {"role": "model", "parts": [{"text": p}]}}]} for p in halves(text)]
        return sse(*pieces, whole)

    def results(self, asked: Asked) -> list[Told]:
        parts = asked.body["contents"][-1]["parts"]
        found = [part["functionResponse"] for part in parts if "functionResponse" in part]
        return [Told(each.get("id", ""), *output(each["response"])) for each in found]

    def tools(self, asked: Asked) -> Any:
        # The package writes this one name as Python does; in proto JSON both are the same field.
        text = json.dumps(asked.body["tools"]).replace('"parameters_json_schema"', '"parametersJsonSchema"')
        return json.loads(text)

    def failure(self) -> dict[str, Any]:
        return {"error": {"code": 429, "message": "slow down", "status": "RESOURCE_EXHAUSTED"}}


@cache
def _session() -> Any:
    """One for all clients: it keeps the description of the service, which takes long to read."""
    import botocore.session

    session = botocore.session.Session()
    session.set_credentials("a", "b")
    return session


class BedrockWire(Wire):
    name = target = "bedrock"
    stops = {"end": "end_turn", "calls": "tool_use", "length": "max_tokens"}
    stream_type = "application/vnd.amazon.eventstream"

    def client(self, server: Server, retries: int = 0) -> Any:
        requires.package("botocore", "botocore==1.44.8")
        import botocore.config

        config = botocore.config.Config(retries={"total_max_attempts": retries + 1, "mode": "standard"})
        about = {"region_name": "us-east-1", "endpoint_url": server.url, "config": config}
        return BedrockModelClient(_session().create_client("bedrock-runtime", **about))

    def answer(self, text: str, calls: Sequence[Call], stop: str) -> dict[str, Any]:
        content: list[Any] = [{"text": text}] if text else []
        for c in calls:
            content.append({"toolUse": {"toolUseId": c.id, "name": c.name, "input": json.loads(c.arguments)}})
        usage = {"inputTokens": 5, "outputTokens": 7, "totalTokens": 12, "cacheReadInputTokens": 3}
        message = {"role": "assistant", "content": content}
        reason = self.stops.get(stop, stop)
        return {"output": {"message": message}, "stopReason": reason, "usage": usage, "metrics": {"latencyMs": 1}}

    def events(self, text: str, calls: Sequence[Call], stop: str) -> bytes:
        whole = self.answer("", (), stop)
        made: list[tuple[str, Any]] = [("messageStart", {"role": "assistant"})]
        for piece in halves(text):
            made.append(("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": piece}}))
        for number, c in enumerate(calls, 1):
            start = {"toolUse": {"toolUseId": c.id, "name": c.name}}
            made.append(("contentBlockStart", {"contentBlockIndex": number, "start": start}))
            for piece in halves(c.arguments):
                delta = {"toolUse": {"input": piece}}
                made.append(("contentBlockDelta", {"contentBlockIndex": number, "delta": delta}))
            made.append(("contentBlockStop", {"contentBlockIndex": number}))
        made.append(("messageStop", {"stopReason": whole["stopReason"]}))
        made.append(("metadata", {"usage": whole["usage"], "metrics": {"latencyMs": 1}}))
        return b"".join(event_stream_message(kind, about) for kind, about in made)

    def results(self, asked: Asked) -> list[Told]:
        found = [each["toolResult"] for each in asked.body["messages"][-1]["content"]]
        return [Told(each["toolUseId"], texts(each["content"]), each["status"] == "error") for each in found]

    def tools(self, asked: Asked) -> Any:
        return asked.body["toolConfig"]["tools"]

    def failure(self) -> dict[str, Any]:
        return {"message": "slow down"}


def halves(text: str) -> list[str]:
    return [piece for piece in (text[: len(text) // 2], text[len(text) // 2 :]) if piece]


def texts(content: list[dict[str, Any]]) -> str:
    return "".join(each.get("text", "") for each in content)


def output(response: dict[str, str]) -> tuple[str, bool]:
    """The text of a result that stands under `output`, or as an error."""
    return response.get("output", response.get("error", "")), "error" in response


def unmarked(text: str) -> tuple[str, bool]:
    """The text of a result where errors are said in the text, and whether it is one."""
    return (text.removeprefix("[error] "), text.startswith("[error] "))


def event_stream_message(kind: str, payload: Any) -> bytes:
    """A message of Amazon's event streams: lengths, checksum, headers, payload, checksum."""
    headers = b""
    for name, value in ((":event-type", kind), (":content-type", "application/json"), (":message-type", "event")):
        headers += bytes([len(name)]) + name.encode() + b"\x07" + struct.pack(">H", len(value)) + value.encode()
    body = json.dumps(payload).encode()
    prelude = struct.pack(">II", len(headers) + len(body) + 16, len(headers))
    message = prelude + struct.pack(">I", zlib.crc32(prelude)) + headers + body
    return message + struct.pack(">I", zlib.crc32(message))


WIRES: dict[str, Wire] = {
    each.name: each for each in (AnthropicWire(), OpenAIWire(), OpenAIResponsesWire(), GeminiWire(), BedrockWire())
}
