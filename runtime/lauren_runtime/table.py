"""The dispatch table of a build: which tools there are and where their parts lie.

A generated `dispatch.py` makes one. Making it imports nothing and reads nothing: decoders, tools and the manifest are
reached at the first call that needs them (loading.py, providers.py).
"""

from __future__ import annotations

from .errors import BuildMismatchError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any, Literal

ABI = 3
"""What generated code and this runtime agree on. A build with a higher number needs a newer runtime."""


class Entry:
    """One tool of a table; what the build knows of it and the runtime needs for a call.

    `decoder` is the module in `_tools`, `function` its quick function (`check_` and that: the complete one); `context`
    the parameter that takes the context: a name, or a position if it is positional-only. `hooks` names the decorator
    options whose callables the loaded object holds. `joined` says that a generator's items are texts. `sets` are the
    paths, in the arguments' JSON, of arrays whose order means nothing (cache keys). `decorator` names another
    framework's decorator that made the object; `attributes` are those of which the first that is there is called,
    `injected` the parameters that only the framework could fill. `shared` says that another agent has a tool of this
    name. `unknown` is what only a newer runtime understands; a table refuses it.
    """

    __slots__ = (
        "attributes",
        "binding",
        "cache_ttl",
        "context",
        "decoder",
        "decorator",
        "digest",
        "form",
        "function",
        "has_metadata",
        "hooks",
        "injected",
        "is_async",
        "is_generator",
        "joined",
        "label",
        "module",
        "name",
        "qualname",
        "requires_confirmation",
        "schema_digest",
        "sets",
        "shared",
        "signature",
        "timeout",
        "unknown",
    )

    def __init__(
        self,
        *,
        name: str,
        module: str,
        qualname: str,
        decoder: str,
        function: str,
        digest: str,
        schema_digest: str,
        binding: Literal["import", "bind"] = "import",
        form: Literal["function", "class"] = "function",
        is_async: bool = False,
        is_generator: bool = False,
        context: str | int | None = None,
        requires_confirmation: bool = False,
        cache_ttl: float | None = None,
        timeout: float | None = None,
        label: str | None = None,
        hooks: tuple[str, ...] = (),
        signature: str | None = None,
        has_metadata: bool = False,
        joined: bool = False,
        sets: tuple[tuple[str, ...], ...] = (),
        decorator: str | None = None,
        attributes: tuple[str, ...] = (),
        injected: tuple[str, ...] = (),
        shared: bool = False,
        **unknown: object,
    ) -> None:
        self.name = name
        self.module = module
        self.qualname = qualname
        self.decoder = decoder
        self.function = function
        self.digest = digest
        self.schema_digest = schema_digest
        self.binding = binding
        self.form = form
        self.is_async = is_async
        self.is_generator = is_generator
        self.context = context
        self.requires_confirmation = requires_confirmation
        self.cache_ttl = cache_ttl
        self.timeout = timeout
        self.label = label
        self.hooks = hooks
        self.signature = signature
        self.has_metadata = has_metadata
        self.unknown = unknown
        self.joined = joined
        self.sets = sets
        self.decorator = decorator
        self.attributes = attributes
        self.injected = injected
        self.shared = shared

    @property
    def key(self) -> str:
        """`module:qualname`, which names the tool's object."""
        return f"{self.module}:{self.qualname}"

    @property
    def display_label(self) -> str:
        """The label, else the name as a title."""
        return self.label or self.name.replace("_", " ").title()

    def __repr__(self) -> str:
        return f"<Entry {self.name} = {self.key}>"


class AgentEntry:
    """One agent of a table. `tools` are its tools' names, each with the tool's `key`; `folder` is that of its files."""

    __slots__ = ("folder", "module", "name", "qualname", "tools", "unknown")

    def __init__(
        self,
        *,
        name: str,
        module: str,
        qualname: str,
        tools: Mapping[str, str],
        folder: str | None = None,
        **unknown: object,
    ) -> None:
        self.name = name
        self.module = module
        self.qualname = qualname
        self.tools = tools
        self.folder = folder or name
        self.unknown = unknown

    @property
    def key(self) -> str:
        """`module:qualname`, which names the agent's class."""
        return f"{self.module}:{self.qualname}"

    def __repr__(self) -> str:
        return f"<AgentEntry {self.name} = {self.key}>"


class Table:
    """The tools of a build, perhaps selected and bound. Immutable: `bind` and `select` return new ones.

    `wiring` is the digest of the build's `_wiring.py`, if it has one.

    Raises BuildMismatchError when the build is newer than this runtime.
    """

    __slots__ = ("_by_name", "agents", "bound", "digest", "entries", "file", "modules", "package", "wiring")

    def __init__(
        self,
        *,
        abi: int,
        package: str | None,
        file: str,
        digest: str,
        modules: Mapping[str, str],
        entries: Sequence[Entry],
        agents: Sequence[AgentEntry] = (),
        bound: Mapping[str, Any] | None = None,
        wiring: str | None = None,
        **unknown: object,
    ) -> None:
        newer_parts = any(entry.unknown for entry in entries) or any(agent.unknown for agent in agents)
        if abi != ABI or unknown or newer_parts:
            newer = "an older compiler: rebuild" if abi < ABI else "a newer compiler: rebuild, or upgrade the runtime"
            raise BuildMismatchError(f"{file} was built by {newer} (its ABI is {abi}, this runtime's is {ABI})")
        self.package = package or ""
        self.file = file
        self.digest = digest
        self.modules = modules
        self.wiring = wiring
        self.entries = tuple(entries)
        self.agents = tuple(agents)
        self.bound: Mapping[str, Any] = bound or {}
        self._by_name = _index(self.entries, self.bound)

    def get(self, name: str) -> Entry | None:
        """The tool of that name, or None. An importable or bound tool comes before those that have no object yet.

        A name that several importable tools have is none of the table's: each is for its agents (`for_agent`).
        """
        return self._by_name.get(name)

    def __getitem__(self, name: str) -> Entry:
        return self._by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def names(self) -> tuple[str, ...]:
        """Tool names, in the build's order."""
        return tuple(self._by_name)

    def can_run(self, entry: Entry) -> bool:
        """Whether the table has, or can import, the tool's object."""
        return entry.binding == "import" or entry.key in self.bound

    def bind(self, *objects: Any) -> Table:
        """A table in which `objects` are the objects of their tools.

        Functions, bound methods, classes and instances of tool classes; each is matched by module and qualified name.
        Raises ToolSetupError for an object the build does not know, and where two tools of one name could then run.
        """
        from .binding import bind

        return bind(self, objects)

    def select(self, *tools: Any) -> Table:
        """A table of these tools only, given by name or by object. Raises ToolSetupError for one it does not have."""
        from .binding import select

        return select(self, tools)

    def for_agent(self, agent: Any) -> Table:
        """A table of one agent's own tools; the agent is given by name, or by its class or an instance of it.

        Raises ToolSetupError for one that the build has not.
        """
        from .agent_lists import for_agent

        return for_agent(self, agent)

    def manifest(self) -> dict[str, Any]:
        """The build's manifest.json. Raises BuildMismatchError if it belongs to another build."""
        from .providers import manifest

        return manifest(self)

    def provider_tools(self, target: str) -> list[Any]:
        """What goes into that provider's `tools` field, for the tools this table can run.

        Raises KeyError for a target the build has not, BuildMismatchError as `manifest` does.
        """
        from .providers import provider_tools

        return provider_tools(self, target)

    def provider_json(self, target: str) -> bytes:
        """`provider_tools(target)` as JSON text in UTF-8."""
        from .providers import provider_json

        return provider_json(self, target)

    def agent_tools(self, agent: Any, target: str) -> list[Any]:
        """What goes into that provider's `tools` field for one agent: those of its tools that this table can run.

        Raises as `for_agent` and `provider_tools` do.
        """
        from .agent_lists import agent_tools

        return agent_tools(self, agent, target)

    def agent_json(self, agent: Any, target: str) -> bytes:
        """`agent_tools(agent, target)` as JSON text in UTF-8; the build's own file if nothing was bound."""
        from .agent_lists import agent_json

        return agent_json(self, agent, target)

    def is_shared(self, name: str) -> bool:
        """Whether several importable tools have this name; `for_agent`, or `select` by object, tells which is meant."""
        return name not in self._by_name and any(entry.name == name for entry in self.entries)

    def replaced(self, entries: Sequence[Entry], bound: Mapping[str, Any]) -> Table:
        """The same build with these entries and objects."""
        return Table(
            abi=ABI,
            package=self.package,
            file=self.file,
            digest=self.digest,
            modules=self.modules,
            entries=entries,
            agents=self.agents,
            bound=bound,
            wiring=self.wiring,
        )

    def __repr__(self) -> str:
        return f"<Table of {len(self.entries)} tools, {self.file}>"


def _index(entries: Sequence[Entry], bound: Mapping[str, Any]) -> dict[str, Entry]:
    """Entries by name; of several with one name, the one that can run, and none where the build has several such."""
    seen: set[str] = set()
    shared: set[str] = set()
    for entry in entries:
        if entry.binding == "import":
            name = entry.name.casefold()
            (shared if name in seen else seen).add(name)
    found: dict[str, Entry] = {}
    for entry in entries:
        if shared and entry.binding == "import" and entry.name.casefold() in shared:
            continue
        if entry.name not in found or entry.binding == "import" or entry.key in bound:
            found[entry.name] = entry
    return found
