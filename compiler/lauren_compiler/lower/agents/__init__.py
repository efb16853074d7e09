"""The front end of agents: `@agent(...)`, `@use_tools(...)` and `AgentModule.for_root(...)`, found by symbol.

modules.py      calls of `AgentModule.for_root`
"""
