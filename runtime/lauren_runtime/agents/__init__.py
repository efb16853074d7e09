"""Agents: classes that say which model, which prompt and which tools; and what runs them.

declaring, config, definition    what users write: `@agent(...)`, `@use_tools(...)`, `AgentConfig`; read from a class
messages, model_client           what is said, as no provider in particular has it; what stands before a model
runner, options, stream          `AgentRunner`: `run`, `run_stream`, `resume`
run, asking, batch, approving    one run: the loop, the model, the calls of one reply, those that a human has to allow
conversation, memory, integrity  what was said, where it is kept, and that each call has one result
resuming, ledger                 runs that broke off, and that are tried again
limits, lifecycle, signals       what a run may use; whom it calls, and tells
toolbox                          an agent's own tools, and the lists that providers are sent
module, membership, recipe,
supplied, tokens                 `AgentModule.for_root(...)`: agents and their runner in a container
scripted                         a model for tests
"""
