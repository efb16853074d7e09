"""Compiled tools in the real lauren-ai: their agents, loop, hooks, approval and cache; our schemas and decoding.

    from lauren_runtime.adapters.lauren_ai import tool_map, use_compiled

    executor = lauren_ai.ToolExecutor(tool_map(TABLE))
    use_compiled(TABLE, ResearchAgent)          # once the agent has its tools: when the application has started

A tool map of lauren-ai is a dict of name → (what to call, its ToolMeta). What is called here decodes the arguments as
the build says, and calls the tool with what came of it; arguments that do not fit raise ToolInputError, whose text
their loop gives the model. The rest of the ToolMeta is the tool's own.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from typing import Any, TypeAlias

from ..context import ToolContext
from ..dispatching import run_in_pool, run_on_loop, whole
from ..errors import LaurenToolError, ToolInputError, ToolSetupError, ToolTimeoutError
from ..json_form import form_of
from ..loading import callable_of, check_signature, decoder_of, tool_object
from ..marks import HOOKS_META, TOOL_META, TOOL_METADATA
from ..plan import Plan
from ..reporting import is_result
from ..table import Entry, Table

ToolMap: TypeAlias = dict[str, tuple[Any, Any]]
"""What lauren-ai calls a tool map: name → (what to call, its ToolMeta)."""
_CONTEXT = "lauren_runtime context"
"""The keyword under which their executor hands over the context; no parameter can be called so."""
_OWN_OPTIONS = (
    *(
        "confirmation_policy",
        "confirmation_policy_error_default",
        "pre_hook",
        "post_hook",
        "error_hook",
        "cache_key_fn",
    ),
    *("initial_state", "initial_tool_state", "dependency_factory"),
)


class ReportedError(LaurenToolError):
    """A tool returned an error result. Their loop knows errors by what is raised; the text is the result's."""


def tool_map(table: Table) -> ToolMap:
    """The tools of a table that can run, for lauren-ai's `ToolExecutor`.

    Classes that need something to be built are bound first (`TABLE.bind`). Raises ToolSetupError and BuildMismatchError
    as a first call would, and ToolSetupError for hooks of lauren_runtime's, which their loop does not know.
    """
    schemas = _schemas(table)
    return {
        entry.name: _compiled(table, entry, tool_object(table, entry), schemas)
        for entry in table.entries
        if table.can_run(entry)
    }


def use_compiled(table: Table, *agents: type) -> None:
    """Give agents the compiled form of their tools; those that the build does not know stay as they are.

    An agent has its tools once `AgentModule` has made its runner: call this after the start of the application, or,
    where all its tools are functions, after `AgentModule.for_root`. Raises as `tool_map` does, and ToolSetupError for a
    class that is no agent.
    """
    mark = import_module("lauren_ai._agents").AGENT_META
    for agent in agents:
        meta = getattr(agent, mark, None)
        if meta is None:
            raise ToolSetupError(f"{agent.__qualname__} is no agent of lauren-ai: decorate it with @agent(...)")
        meta.tools = compiled_tools(table, meta.tools)


def compiled_tools(table: Table, tools: Mapping[str, tuple[Any, Any]]) -> ToolMap:
    """Another tool map with the compiled form of each tool that the table has, under its compiled name.

    Raises as `tool_map` does.
    """
    schemas = _schemas(table)
    by_key = {entry.key: entry for entry in table.entries}
    found: ToolMap = {}
    for name, (loaded, meta) in tools.items():
        entry = by_key.get(_key(loaded))
        if entry is None:
            found[name] = (loaded, meta)
        else:
            found[entry.name] = _compiled(table, entry, loaded, schemas)
    return found


def _key(loaded: Any) -> str:
    named = loaded if hasattr(loaded, "__qualname__") else loaded.__class__
    return f"{named.__module__}:{named.__qualname__}"


def _schemas(table: Table) -> dict[str, Any]:
    """`module:qualname` → the manifest's entry."""
    return {f"{each['module']}:{each['qualname']}": each for each in table.manifest()["tools"]}


def _compiled(table: Table, entry: Entry, loaded: Any, schemas: Mapping[str, Any]) -> tuple[Any, Any]:
    if entry.form == "class" and isinstance(loaded, type):
        loaded = _built(entry, loaded)
    plan = Plan(entry, decoder_of(table, entry), loaded)
    plan.function = loaded.run if entry.form == "class" else callable_of(entry, loaded)
    check_signature(entry, plan.function, "error")
    plan.complete(plan.function, (), ())
    call = _calling(plan, isinstance(getattr(loaded, TOOL_META, None), _their_meta()))
    setattr(call, TOOL_METADATA, dict(getattr(loaded, TOOL_METADATA, {})))
    return call, _meta(entry, loaded, schemas[entry.key])


def _built(entry: Entry, cls: type) -> Any:
    try:
        return cls()
    except TypeError as error:
        raise ToolSetupError(
            f"tool {entry.name!r} ({entry.key}) cannot be built without arguments ({error}): give the table an "
            f"instance, TABLE.bind({cls.__qualname__}(...)), or let AgentModule build it and call use_compiled"
        ) from error


def _their_meta() -> Any:
    return import_module("lauren_ai._tools").ToolMeta


def _meta(entry: Entry, loaded: Any, described: Mapping[str, Any]) -> Any:
    """Their ToolMeta: name, description and schema as compiled, the rest the tool's own."""
    own: Any = getattr(loaded, TOOL_META, None)
    schema = import_module("lauren_ai._transport").ToolSchema
    changed = {
        "name": entry.name,
        "description": described["description"],
        "parameters": schema(
            name=entry.name, description=described["description"], input_schema=described["input_schema"]
        ),
        "is_async": True,
        "reads_context": True,
        "context_param_name": _CONTEXT,
        "requires_confirmation": entry.requires_confirmation,
        "cache_ttl": entry.cache_ttl,
    }
    if isinstance(own, _their_meta()):
        return dataclasses.replace(own, **changed)
    if getattr(loaded, HOOKS_META, ()):
        raise ToolSetupError(
            f"tool {entry.name!r} ({entry.key}) has hooks of lauren_runtime's, which lauren-ai does not run: "
            "decorate it with lauren_ai's tool and use_hooks"
        )
    options = {name: getattr(own, name) for name in _OWN_OPTIONS if hasattr(own, name)}
    return _their_meta()(**changed, **options, label=entry.label or "")


def _calling(plan: Plan, is_theirs: bool) -> Callable[..., Awaitable[Any]]:
    """What their executor calls, with the model's arguments and the context."""
    entry = plan.entry

    async def call(**given: Any) -> Any:
        theirs = given.pop(_CONTEXT)
        try:
            args, keywords, _ = plan.decode(given, True)
        except ToolInputError as error:
            error.tool_name, error.tool_use_id = entry.name, theirs.tool_use_id
            raise
        ours = ToolContext.adopted(theirs)
        ours.tool_name = entry.name
        args, keywords = plan.with_context(args, keywords, theirs if is_theirs else ours)
        work = (
            run_on_loop(plan.function, args, keywords, None)
            if entry.is_async
            else run_in_pool(None, plan.function, args, keywords, ours, None)
        )
        try:
            value = await asyncio.wait_for(work, entry.timeout)
        except TimeoutError:
            if entry.timeout is None:  # the tool's own
                raise
            ours.cancelled = True
            raise ToolTimeoutError(entry.name, theirs.tool_use_id, entry.timeout) from None
        return _told(value, entry)

    return call


def _told(value: Any, entry: Entry) -> Any:
    """What a tool gave, in a form that their results can hold; a stream as its whole."""
    value = whole(value, entry.joined)
    if not is_result(value):
        return form_of(value)
    if value.is_error:
        raise ReportedError(str(value.content))
    return value.content
