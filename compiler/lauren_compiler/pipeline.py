"""The phases, in order: configuration in, artifacts and diagnostics out. Nothing is written here."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from . import targets
from .config import Config, shown
from .diagnostics.model import Diagnostic, Level, Sink
from .diagnostics.rules.agents import UNDECIDABLE_AGENT
from .diagnostics.rules.tools import UNDECIDABLE_TOOL
from .discover import find_sources
from .emit import agents, decoders, dispatch, manifest, wiring
from .emit.artifact import Artifact
from .injection.checks import check
from .injection.levels import as_configured
from .ir.graph import Application
from .ir.tools import Binding, ToolSet
from .ir.verify import verify
from .lower.program import Counts, Lowered, lower
from .semantics.load import Sources, load_sources, open_program
from .source.file import SourceFile
from .source.filesystem import Disk, FileSystem

_T = TypeVar("_T")
_STACK = 256 * 1024 * 1024
_RECURSION = 12_000


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run gives. `artifacts` is empty if there are errors. `sources` are all files read, by the path shown.

    Of the tools `found`, each is compiled, refused (with an error), or undecidable (with a warning); so is each agent.
    """

    artifacts: tuple[Artifact, ...]
    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, SourceFile]
    toolset: ToolSet
    tools: Counts
    agents: Counts
    modules: tuple[str, ...]

    @property
    def bound(self) -> tuple[str, ...]:
        """The names of the tools that need an object at run time, and stand in no provider's file."""
        return tuple(tool.name for tool in self.toolset.tools if tool.binding is Binding.BIND)

    @property
    def shared(self) -> tuple[str, ...]:
        """The names that several agents have each a tool of its own for, in their files only."""
        return tuple(dict.fromkeys(tool.name for tool in self.toolset.tools if self.toolset.is_its_agents_alone(tool)))


def run(config: Config, files: FileSystem | None = None, directory: Path | None = None) -> Outcome:
    """Compile `config.sources`. Paths are shown relative to `directory`, the working directory if not given."""
    return with_deep_stack(lambda: _run(config, files or Disk(), directory or Path.cwd()))


def _run(config: Config, files: FileSystem, directory: Path) -> Outcome:
    sink = Sink()

    def show(path: str) -> str:
        return shown(Path(path), directory)

    paths = find_sources(config, files, show, sink)
    sources: Sources = load_sources(paths, config, files, show, sink)
    program = open_program(sources, config, files, show, sink)
    lowered: Lowered = lower(program, sources, config, sink)
    if config.strict_discovery:
        sink = _strict(sink)
    verify(lowered.toolset)
    if lowered.peers:
        from .targets.peers import differences

        sink.extend(differences(lowered.peers, lowered.toolset))
    applications = check(lowered.graph, sink)
    sink, sound = as_configured(sink, config.levels)
    artifacts = _artifacts(lowered.toolset, applications if sound else (), config, sink)
    return Outcome(
        () if sink.has_errors else artifacts,
        tuple(sink),
        {**sources.texts, **program.texts},
        lowered.toolset,
        lowered.tools,
        lowered.agents,
        sources.names,
    )


def _strict(found: Sink) -> Sink:
    """The diagnostics with an error for each tool and agent that can't be decided."""
    strict = Sink()
    undecidable = (UNDECIDABLE_TOOL, UNDECIDABLE_AGENT)
    strict.extend(item.at_level(Level.ERROR) if item.rule in undecidable else item for item in found)
    return strict


def _artifacts(
    toolset: ToolSet, applications: tuple[Application, ...], config: Config, sink: Sink
) -> tuple[Artifact, ...]:
    """The files of a build, `manifest.json` last."""
    entries = manifest.entries(toolset)
    texts = manifest.shared_texts(entries)
    offers = targets.build(toolset, entries, config, texts)
    sink.extend(offers.diagnostics)
    if sink.has_errors:
        return ()
    files = [*manifest.schemas(entries, texts), *offers.artifacts, *decoders.render(toolset, entries)]
    wired = wiring.render(applications)
    files += [*wired.artifacts, dispatch.render_init()]
    files.append(dispatch.render(toolset, entries, manifest.digest(entries, files), wired.digest))
    return (*files, manifest.render(entries, agents.agent_entries(toolset, entries), offers.manifest, files, texts))


def with_deep_stack(work: Callable[[], _T]) -> _T:
    """Run `work` where nesting may go as deep as the parser allows: types and expressions are read recursively.

    Nothing looks for garbage meanwhile.
    """
    results: list[_T] = []
    failures: list[BaseException] = []

    def target() -> None:
        try:
            results.append(work())
        except BaseException as failure:
            failures.append(failure)

    before_stack = threading.stack_size(_STACK)
    before_limit = sys.getrecursionlimit()
    collecting = gc.isenabled()
    sys.setrecursionlimit(max(before_limit, _RECURSION))
    # A run fills memory with trees, all of which stay to its end: looking for garbage among them takes half its time.
    gc.disable()
    try:
        thread = threading.Thread(target=target, name="lauren-compile", daemon=True)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before_stack)
        sys.setrecursionlimit(before_limit)
        if collecting:
            gc.enable()
    if failures:
        raise failures[0]
    return results[0]
