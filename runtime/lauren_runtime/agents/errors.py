"""What goes wrong with agents.

StartupError (errors.py)
└── AgentConfigError                 an agent, or its configuration, that cannot work

LaurenToolError (errors.py)
└── ToolConversationIntegrityError   a conversation in which calls and results do not match
"""

from __future__ import annotations

from ..errors import LaurenToolError, StartupError


class AgentConfigError(StartupError):
    """An agent, or its configuration, that cannot work."""

    code = "agent_config"


class ToolConversationIntegrityError(LaurenToolError):
    """A conversation in which calls and results do not match, one to one: no provider would take it."""
