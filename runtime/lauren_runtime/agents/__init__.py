"""Agents: classes that say which model, which prompt and which tools; and what runs them.

declaring, config  what users write: `@agent(...)`, `@use_tools(...)`, `AgentConfig`
"""
