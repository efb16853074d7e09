"""What blocks hold, for adapters."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from inspect import signature
from json import dumps
from typing import Any, NamedTuple

from ..agents.messages import Block
from ..errors import ToolInputError
from ..json_text import arguments_of


class Image(NamedTuple):
    """A picture: its media type, such as `image/png`, and its bytes in base64."""

    media_type: str
    data: str

    @property
    def url(self) -> str:
        """The picture as a `data:` address."""
        return f"data:{self.media_type};base64,{self.data}"


def image_of(block: Block) -> Image | None:
    """The picture of a block, in MCP's form or Anthropic's; None if it holds none."""
    if block.get("type") != "image":
        return None
    source = inner(block, "source")
    data = block.get("data") or source.get("data")
    media_type = block.get("mimeType") or source.get("media_type")
    return Image(media_type, data) if isinstance(data, str) and isinstance(media_type, str) else None


def text_of(block: Block) -> str:
    """A block as text: its own, or its JSON, for providers that know no such block."""
    return str(block["text"]) if block.get("type") == "text" else dumps(block, ensure_ascii=False)


def parts_of(content: str | Sequence[Block]) -> list[Block]:
    """The content of a result as blocks."""
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)


def plain_text(content: str | Sequence[Block]) -> str:
    """The content of a result as one text, pictures left out."""
    return "\n".join(text_of(each) for each in parts_of(content) if image_of(each) is None)


def images_of(content: str | Sequence[Block]) -> list[Image]:
    """The pictures in the content of a result."""
    return [found for each in parts_of(content) if (found := image_of(each)) is not None]


def marked_text(result: Block) -> str:
    """The text of a result, for providers that have no field for errors."""
    text = plain_text(result["content"])
    return f"[error] {text}" if result["is_error"] else text


def arguments_text(use: Block) -> str:
    """The arguments of a call as text: what the model sent, where that is no object."""
    return use["input"] if isinstance(use["input"], str) else dumps(use["input"], ensure_ascii=False)


def arguments_object(use: Block) -> dict[str, Any]:
    """The arguments of a call for providers that take objects only; what was none is told by the call's result."""
    try:
        return arguments_of(use["input"])
    except ToolInputError:
        return {}


class Rules(NamedTuple):
    """What a provider takes as names of tools and ids of calls: characters, and how many of them."""

    name: str
    longest_name: int
    id: str = ""
    longest_id: int = 0

    def named(self, name: str) -> str:
        """The name of a tool as it may go back: a model may have made one up, and no request with it is taken."""
        if re.fullmatch(f"[{self.name}]{{1,{self.longest_name}}}", name):
            return name
        return re.sub(f"[^{self.name}]", "_", name)[: self.longest_name] or "_"

    def identified(self, tool_use_id: str) -> str:
        """The id of a call, of another provider maybe, as it may go back; the same for the call and its result."""
        if not self.longest_id or re.fullmatch(f"[{self.id}]{{1,{self.longest_id}}}", tool_use_id):
            return tool_use_id
        return f"call_{sha256(tool_use_id.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"


class Growing:
    """A text that comes in pieces, put together once: `+` would copy all of it for each."""

    def __init__(self, begin: str = "") -> None:
        self._pieces = [begin]

    def add(self, piece: str) -> None:
        """Take a piece. Raises TypeError for what is none: it came from a server."""
        self._pieces.append("" + piece)

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self._pieces)


def is_blank(text: object) -> bool:
    """Whether a text has nothing in it that shows: some providers take no such text."""
    return isinstance(text, str) and not text.strip()


def accepted(method: Callable[..., Any]) -> frozenset[str]:
    """The keywords of a package's method."""
    return frozenset(signature(method).parameters)


def in_body(fields: dict[str, Any], known: frozenset[str]) -> dict[str, Any]:
    """A request's fields as a method takes them that has only the `known` keywords, and `extra_body` for others."""
    further = {name: value for name, value in fields.items() if name not in known}
    if not further:
        return fields
    named = {name: value for name, value in fields.items() if name in known}
    given: dict[str, Any] = inner(named, "extra_body")
    return {**named, "extra_body": {**further, **given}}


def with_options(fields: dict[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """A request's fields with further ones laid over them. None leaves a field out."""
    laid: dict[str, Any] = {**fields, **options}
    return {name: value for name, value in laid.items() if value is not None}


def inner(whole: Mapping[str, Any], name: str) -> dict[str, Any]:
    """An object within another; an empty one if it is not there."""
    return whole.get(name) or {}


def inner_list(whole: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """The objects in a list within another; none if it is not there."""
    return whole.get(name) or []
