"""`dispatch.py`, the table of a build, and the `__init__.py` beside it.

The table names everything and imports nothing but the runtime's classes: decoders, and the tools' own modules, are
loaded at the first call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from ..ir.agents import Agent
from ..ir.tools import Binding, Form, ParameterKind, Tool, ToolSet
from .agents import agent_folders
from .artifact import Artifact
from .decoders import Plan, planned, unordered
from .digest import module_digest, schema_digest, signature_digest
from .layout import Expression, Group, Labelled, call, display, statement
from .listing import ROWS, inside, listed
from .pyliteral import literal
from .render import Frames, fill

ABI = 3
"""What generated code and runtime agree on; `lauren_runtime.table.ABI` is the other half."""


_DIGEST, _MODULES = b'    digest="",\n', b"    modules={},\n"
"""Lines of the table as they are rendered, before what they are to say is filled in."""


class TableView(Struct, frozen=True):
    """The lines of the table but for what depends on the tools, and the names that they use of the runtime."""

    names: str
    lines: tuple[str, ...]


def render_init(frames: Frames | None = None) -> Artifact:
    """`__init__.py`."""
    return Artifact("__init__.py", (frames or Frames()).of_all("package_init.py.j2", None))


def render(toolset: ToolSet, entries: Sequence[Mapping[str, Any]], digest: str, wiring: str | None = None) -> Artifact:
    """`dispatch.py` of a whole tool set; `entries` are its tools' manifest entries, in their order."""
    plan = planned(toolset)
    modules = module_digests(entries)
    return table(plan.files, modules, listed(rows(toolset, entries, plan), ROWS), toolset.agents, digest, wiring)


def rows(toolset: ToolSet, entries: Iterable[Mapping[str, Any]], plan: Plan) -> list[bytes]:
    """The part of the table that each tool has."""
    both = zip(toolset.tools, entries, strict=True)
    return ["\n".join(_entry(tool, entry, plan, toolset)).lstrip().encode() for tool, entry in both]


def module_digests(entries: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """What the modules of decoders carry, by source module; `entries` are of whole modules, in order."""
    own: dict[str, list[Mapping[str, Any]]] = {}
    for entry in entries:
        own.setdefault(entry["module"], []).append(entry)
    return {module: module_digest(listed) for module, listed in own.items()}


def table(
    files: Mapping[str, str],
    modules: Mapping[str, str],
    rows: Sequence[bytes | memoryview],
    agents: Sequence[Agent],
    digest: str,
    wiring: str | None,
    frames: Frames | None = None,
) -> Artifact:
    """`dispatch.py`. `files` are the decoders' by source module, `modules` their digests; `rows` are the list of all
    tools, in pieces; `digest` is the build's, `wiring` that of `_wiring.py`, if there is one; `frames` have what need
    not be rendered."""
    blanks = (blank.decode().rstrip("\n") for blank in (_DIGEST, _MODULES, ROWS.empty))
    after = (*(() if wiring is None else (f"wiring={literal(wiring)}",)), *_agents(agents))
    # With a digest in it, the call is too long for one line; and so is a row.
    before = _arguments((f"abi={ABI}", "package=__package__", "file=__file__"))
    lines = ["TABLE = Table(", *before, *blanks, *_arguments(after), ")"]
    names = "AgentEntry, Entry, Table" if agents else "Entry, Table"
    frame = (frames or Frames()).of_all("dispatch.py.j2", TableView(names, tuple(lines)))
    loaded = [Labelled(f"{literal(files[module])}: ", literal(modules[module])) for module in sorted(files)]
    frame = fill(frame, _DIGEST, _text((f"digest={literal(digest)}",)))
    frame = fill(frame, _MODULES, _text((Labelled("modules=", Group("", tuple(loaded), "{}")),)))
    return Artifact("dispatch.py", inside(frame, ROWS, rows))


def _arguments(expressions: Iterable[Expression]) -> Iterator[str]:
    for each in expressions:
        yield from statement("", each, ",")


def _text(arguments: Iterable[Expression]) -> bytes:
    return "".join(f"{line}\n" for line in _arguments(arguments)).encode()


def _agents(agents: Sequence[Agent]) -> Iterator[Expression]:
    """The argument with the agents; none where there are none."""
    if agents:
        rows = [_agent(agent, folder) for agent, folder in zip(agents, agent_folders(agents), strict=True)]
        yield Labelled("agents=", Group("", tuple(rows)))


def _agent(agent: Agent, folder: str) -> Expression:
    tools = [Labelled(f"{literal(tool.name)}: ", literal(f"{tool.module}:{tool.qualname}")) for tool in agent.tools]
    arguments: list[Expression] = [
        Labelled("name=", literal(agent.name)),
        Labelled("module=", literal(agent.module)),
        Labelled("qualname=", literal(agent.qualname)),
        Labelled("tools=", Group("", tuple(tools), "{}")),
    ]
    if folder != agent.name:
        arguments.append(Labelled("folder=", literal(folder)))
    return call("AgentEntry", *arguments)


def _entry(tool: Tool, entry: Mapping[str, Any], plan: Plan, toolset: ToolSet) -> Iterator[str]:
    """The lines of a row. Two digests are too long for one line, so that each argument has its own."""
    required = {
        "name": tool.name,
        "module": tool.module,
        "qualname": tool.qualname,
        "decoder": plan.files[tool.module],
        "function": plan.functions[tool.order],
        "digest": entry["digest"],
        "schema_digest": schema_digest(entry["input_schema"]),
    }
    # By identity: 0 is a position and a lifetime, and equal to False.
    given = {
        key: value for key, value in _options(tool, toolset) if value is not None and value is not False and value != ()
    }
    yield "        Entry("
    for key, value in (required | given).items():
        if isinstance(value, tuple):
            yield from statement(f"{key}=", display(value), ",", indent=3)  # pyright: ignore[reportUnknownArgumentType]
        else:
            yield f"            {key}={literal(value)},"
    yield "        )"


def _options(tool: Tool, toolset: ToolSet) -> Iterable[tuple[str, object]]:
    """The keyword arguments of `Entry` that have defaults; what is None, False or empty is one."""
    options = tool.options
    yield "binding", tool.binding.value if tool.binding is Binding.BIND else None
    yield "form", tool.form.value if tool.form is Form.CLASS else None
    yield "is_async", tool.is_async
    yield "is_generator", tool.is_generator
    yield "context", _context(tool)
    yield "requires_confirmation", options.requires_confirmation
    yield "cache_ttl", options.cache_ttl
    yield "timeout", options.timeout
    yield "label", options.label
    yield "hooks", tuple(sorted(name for name, _ in options.hooks))
    yield "signature", signature_digest(tool.signature) if tool.signature is not None else None
    yield "has_metadata", options.metadata is not None
    yield "joined", tool.joined
    yield "sets", unordered(toolset, tool)
    yield "shared", toolset.is_its_agents_alone(tool)
    if tool.foreign is not None:
        yield "decorator", tool.foreign.decorator
        yield "attributes", tool.foreign.function
        yield "injected", tool.foreign.injected


def _context(tool: Tool) -> str | int | None:
    """The context parameter: by name, or by position if it has no name for a call."""
    if tool.context is None:
        return None
    if tool.context.kind is not ParameterKind.POSITIONAL_ONLY:
        return tool.context.name
    if tool.context.position is None:
        raise ValueError(f"the positional-only context parameter of {tool.name!r} has no position")
    return tool.context.position
