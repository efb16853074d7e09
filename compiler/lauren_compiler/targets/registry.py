"""The targets there are."""

from __future__ import annotations

from collections.abc import Mapping

from .anthropic import ANTHROPIC
from .base import Target
from .bedrock import BEDROCK
from .gemini import GEMINI
from .mcp import MCP
from .openai import OPENAI, OPENAI_RESPONSES

TARGETS: Mapping[str, Target] = {
    target.name: target for target in (ANTHROPIC, OPENAI, OPENAI_RESPONSES, GEMINI, BEDROCK, MCP)
}
DEFAULT_TARGETS: tuple[str, ...] = tuple(TARGETS)
