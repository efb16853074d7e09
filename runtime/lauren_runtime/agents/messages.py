"""Conversations, as no provider in particular has them.

A message is made of blocks, each a dict that JSON can hold:

| `type` | keys | in messages of |
|---|---|---|
| `text` | `text` | user, assistant |
| `tool_use` | `id`, `name`, `input` (arguments, or the text if they are no JSON object), `truncated` | assistant |
| `tool_result` | `tool_use_id`, `content` (text, or blocks), `is_error` | user |
| `image`, `document`, … | as tools return them | user, tool results |

What a provider wants to get back as it was (signatures of thoughts, encrypted reasoning) is kept beside the blocks, in
`native`, and used by the adapter of that provider alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from ..results import ToolCall, ToolResult
from ..surrogates import mended

Block: TypeAlias = dict[str, Any]
Role: TypeAlias = Literal["user", "assistant"]


@dataclass(frozen=True)
class Native:
    """A message as one provider has it. `form` names the provider's message format, such as `anthropic`."""

    form: str
    value: Any


@dataclass(frozen=True)
class Message:
    """What one side said, in blocks. `user`, `assistant` and `results` make them of what there is."""

    role: Role
    content: Sequence[Block] = ()
    native: Native | None = None

    @classmethod
    def user(cls, content: str | Sequence[Block]) -> Message:
        """What the user said."""
        return cls("user", _blocks(content))

    @classmethod
    def assistant(
        cls,
        text: str = "",
        calls: Iterable[ToolCall] = (),
        native: Native | None = None,
        truncated: str | Collection[str] | None = None,
    ) -> Message:
        """What the model said: text, then calls. `truncated` is the id of a call that was cut off, or several ids."""
        cut = (truncated,) if isinstance(truncated, str) else truncated or ()
        blocks = [_use_block(call, call.tool_use_id in cut) for call in calls]
        return cls("assistant", [*_blocks(text), *blocks], native)

    @classmethod
    def results(cls, results: Iterable[ToolResult]) -> Message:
        """What tools gave, in one message."""
        return cls("user", [result_block(each) for each in results])

    @property
    def text(self) -> str:
        """The texts, joined."""
        return "".join(each["text"] for each in self.content if each["type"] == "text")

    @property
    def calls(self) -> list[Block]:
        """The blocks of type `tool_use`."""
        return [each for each in self.content if each["type"] == "tool_use"]

    def mended(self) -> Message:
        """The message with texts that can be sent (surrogates.py)."""
        content = mended(list(self.content))
        native = self.native and Native(self.native.form, mended(self.native.value))
        return Message(self.role, content, native)

    def to_json(self) -> dict[str, Any]:
        """The message as stores may keep it."""
        made: dict[str, Any] = {"role": self.role, "content": list(self.content)}
        if self.native is not None:
            made["native"] = {"form": self.native.form, "value": self.native.value}
        return made

    @classmethod
    def from_json(cls, form: dict[str, Any]) -> Message:
        """The message of such a form. Raises KeyError if it is none."""
        native = form.get("native")
        return cls(form["role"], _blocks(form["content"]), native and Native(native["form"], native["value"]))


@dataclass(frozen=True)
class TokenUsage:
    """What was read and written, in the provider's tokens. Cached ones are part of `input_tokens`."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_input_tokens: int = 0
    raw: dict[str, Any] = field(default_factory=dict[str, Any], compare=False, repr=False)
    """The provider's own figures, of one reply."""

    @property
    def total_tokens(self) -> int:
        """Input and output."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: TokenUsage) -> TokenUsage:
        return TokenUsage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_input_tokens + other.cached_input_tokens,
        )


def call_of(block: Block) -> ToolCall:
    """The call of a `tool_use` block."""
    return ToolCall(block["id"], block["name"], block["input"])


def result_block(result: ToolResult) -> Block:
    """The `tool_result` block of a result."""
    return {
        "type": "tool_result",
        "tool_use_id": result.tool_use_id,
        "content": result.content,
        "is_error": result.is_error,
    }


def _blocks(content: str | Sequence[Block]) -> Sequence[Block]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return content


def _use_block(call: ToolCall, truncated: bool) -> Block:
    block = {"type": "tool_use", "id": call.tool_use_id, "name": call.name, "input": call.input}
    return {**block, "truncated": True} if truncated else block
