"""Tools → the files of a build. Those of units stand in the files of all tools as they did; their own are kept."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from .. import targets
from ..config import Config
from ..diagnostics.model import Sink
from ..emit import agents, decoders, dispatch, manifest, wiring
from ..emit.artifact import Artifact
from ..emit.decoders import Plan
from ..emit.digest import build_digest, file_digests
from ..emit.json_text import Texts
from ..emit.listing import ROWS, TOOLS, Merge, listed, part
from ..emit.render import Frames
from ..emit.spool import IN_MEMORY, Spool
from ..ir.cards import Listed, card_of
from ..ir.tools import Binding, ToolSet
from ..targets.checks import Finding
from ..targets.listing import MANIFEST, TABLE, Listing
from .unit import Unit, files_of

if TYPE_CHECKING:
    from ..ir.graph import Application

Entry: TypeAlias = dict[str, Any]
Order: TypeAlias = tuple[str, str, str]
"""Of a tool, as `Tool.order`."""


class Files(Struct, frozen=True):
    """The files of a build: `artifacts`, `manifest.json` last, and those `kept` as they are, path to digest.

    The rest is what units are made of: all tools as they stand in files; the digests of files, and of the modules of
    decoders; of the tools of the tool set, in their order, their schema files and what each target has against them;
    where decoders are; what was rendered.
    """

    artifacts: tuple[Artifact, ...]
    kept: Mapping[str, str]
    listing: Listing
    digests: Mapping[str, str]
    modules: Mapping[str, str]
    schemas: Sequence[str]
    against: Mapping[str, Sequence[Sequence[Finding]]]
    plan: Plan
    frames: Frames


def files(
    toolset: ToolSet,
    applications: tuple[Application, ...],
    units: Sequence[Unit],
    others: Listing,
    config: Config,
    sink: Sink,
    frames: Frames,
    spool: Spool = IN_MEMORY,
) -> Files | None:
    """The files of a build of `toolset` and the tools of `units`, which the listing of `others` is of; None if a target
    has something against it. `frames` have what need not be rendered; `spool` holds the files, and then the listing is
    for its sizes only. Raises MovedError if a unit can't stay as it is."""
    entries: list[Entry] = manifest.entries(toolset)
    texts = manifest.shared_texts(entries)
    offers = targets.build(toolset, entries, config, texts, others, spool)
    sink.extend(offers.diagnostics)
    if sink.has_errors:
        return None
    plan = decoders.planned(toolset, [unit.place.module for unit in units if unit.decoders])
    merge = Merge(toolset.tools, others.tools)
    everything: list[Listed] = merge(toolset.tools, others.tools)
    schemas = _schema_files(everything)
    kept = files_of(units)
    _check_places(units, plan, {schemas[tool.order] for tool in others.tools}, kept)
    own = [schemas[tool.order] for tool in toolset.tools]
    made = [spool.hold(manifest.schema(path, entry, texts)) for path, entry in zip(own, entries, strict=True)]
    parts = merge([part(entry, texts, TOOLS) for entry in entries], others.parts.get(MANIFEST, ()))
    rows = merge(dispatch.rows(toolset, entries, plan), others.parts.get(TABLE, ()))
    # All schemas are text by now, and may go: the decoders take as much memory. Of other tools, texts are all there is.
    entries, texts = manifest.heads(entries), texts if others.tools else Texts()
    wired = wiring.render(applications)
    made += [*offers.artifacts, *map(spool.hold, decoders.render(toolset, entries, plan, frames))]
    made += [*wired.artifacts, dispatch.render_init(frames)]
    digests = dict(sorted({**kept, **file_digests(made)}.items()))
    tools = merge([entry["digest"] for entry in entries], others.digests)
    digest = build_digest(tools, digests)
    modules = dispatch.module_digests(entries) | {unit.place.module: unit.digest for unit in units if unit.decoders}
    lines = listed(rows, ROWS, others.texts.get(TABLE, b""))
    table = dispatch.table(plan.files, modules, lines, toolset.agents, digest, wired.digest, frames)
    digests = dict(sorted({**digests, table.path: table.digest}.items()))
    about = agents.agent_entries(toolset, entries)
    whole = manifest.of_parts(
        listed(parts, TOOLS, others.texts.get(MANIFEST, b"")), about, offers.manifest, digests, digest, texts
    )
    made += map(spool.hold, (table, whole))
    cards = merge([card_of(tool) for tool in toolset.tools], others.tools)
    columns = {MANIFEST: spool.lengths(parts), TABLE: spool.lengths(rows), **offers.parts}
    listing = Listing(cards, tools, columns, offers.offers)
    return Files(tuple(made), kept, listing, digests, modules, own, offers.against, plan, frames)


class MovedError(Exception):
    """The files of a unit would be called otherwise in this build: a module or tool of a like name came or went."""


def _schema_files(tools: Sequence[Listed]) -> Mapping[Order, str]:
    """The schema file of each tool."""
    paths = manifest.files_for([(*tool.order, tool.binding is Binding.IMPORT) for tool in tools])
    return {tool.order: path for tool, path in zip(tools, paths, strict=True)}


def _check_places(units: Sequence[Unit], plan: Plan, schemas: set[str], kept: Collection[str]) -> None:
    """Raises MovedError if a unit's own files are not where they would be, which for its tools is at `schemas`.

    A path is of no other tool: it has the tool's name, and its place too where there are several of the name.
    """
    wanted = schemas.union([f"_tools/{plan.files[unit.place.module]}.py" for unit in units if unit.decoders])
    if wanted != set(kept):
        raise MovedError
