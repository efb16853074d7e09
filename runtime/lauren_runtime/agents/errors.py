"""What goes wrong with agents.

StartupError (errors.py)
└── AgentConfigError                 an agent, or its configuration, that cannot work

LaurenToolError (errors.py)
├── ToolConversationIntegrityError   a conversation in which calls and results do not match
├── ConversationStoreError           a run is over, but what was said in it could not be kept
└── ModelError (model_client.py)     the model gave no reply
"""

from __future__ import annotations

from ..errors import LaurenToolError, StartupError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class AgentConfigError(StartupError):
    """An agent, or its configuration, that cannot work."""

    code = "agent_config"


class ToolConversationIntegrityError(LaurenToolError):
    """A conversation in which calls and results do not match, one to one: no provider would take it."""


class ConversationStoreError(LaurenToolError):
    """A run is over, but what was said in it could not be kept. `response` is what came of the run."""

    response: Any = None

    def __init__(self, conversation_id: str) -> None:
        super().__init__(f"conversation {conversation_id!r} could not be saved")
        self.conversation_id = conversation_id
