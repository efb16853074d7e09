"""LC46x, LC47x: agents, their tools, and the modules that run them."""

from __future__ import annotations

from ..model import Level, Rule

UNDECIDABLE_AGENT = Rule(
    "LC460", "undecidable-agent", "an agent whose name or tools can't be known from the source", Level.WARNING
)
INVALID_AGENT_NAME = Rule("LC461", "invalid-agent-name", "an agent's name is none that a file can be found by")
DUPLICATE_AGENT_NAME = Rule("LC462", "duplicate-agent-name", "two agents have one name")
NOT_A_TOOL = Rule("LC463", "not-a-tool", "something that is given to an agent as a tool is none")
DUPLICATE_AGENT_TOOL = Rule("LC464", "duplicate-agent-tool", "two tools of one agent have one name")
DYNAMIC_AGENT_OPTION = Rule(
    "LC465", "dynamic-agent-option", "an agent's model or prompt is known only at run time", Level.NOTE
)
UNDECORATED_AGENT = Rule(
    "LC466", "undecorated-agent", "a class adds tools to an agent and is no agent by itself", Level.WARNING
)
INVALID_AGENT_OPTION = Rule("LC467", "invalid-agent-option", "an argument of `agent()` that it does not take")
DISAGREEING_MODULES = Rule(
    "LC468", "disagreeing-modules", "the modules that run an agent give it different tools", Level.WARNING
)
SHARED_LOCAL_AGENT_NAME = Rule(
    "LC469", "shared-local-agent-name", "an agent inside a function has the name of another agent", Level.WARNING
)
NOT_AN_AGENT = Rule("LC470", "not-an-agent", "something that is given to a module as an agent is none")
REFUSED_AGENT = Rule("LC471", "refused-agent", "an agent is left out because a tool of it is", Level.NOTE)
