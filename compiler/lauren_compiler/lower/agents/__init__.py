"""The front end of agents: `@agent(...)`, `@use_tools(...)` and `AgentModule.for_root(...)`, found by symbol.

decorations.py   what decorators and calls say of a class
options.py       name, model and prompt
entries.py       what is given as a tool → the tool, wherever it is defined
reading.py       these and the base classes' tools → a draft of an agent
modules.py       calls of `AgentModule.for_root`
offers.py        the tools that modules add
conflicts.py     equal names
lowering.py      all of it, in order → agents
presence.py      whether there is any of it
"""
