"""Tools → the files of a build. Those of units stand in the files of all tools as they did; their own are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct

from .. import targets
from ..config import Config
from ..diagnostics.model import Sink
from ..emit import agents, decoders, dispatch, manifest, wiring
from ..emit.artifact import Artifact
from ..emit.decoders import Plan
from ..emit.digest import build_digest, file_digests
from ..emit.json_text import Texts
from ..emit.layout import Laid
from ..ir.graph import Application
from ..ir.tools import ToolSet
from ..targets.registry import DEFAULT_TARGETS
from ..targets.writing import Written
from .documents import MANIFEST, ROWS, TABLE, Documents, file_of
from .unit import ToolText, Unit, files_of

Entry: TypeAlias = dict[str, Any]
Order: TypeAlias = tuple[str, str, str]
"""Of a tool, as `Tool.order`."""


class Files(Struct, frozen=True):
    """The files of a build: `artifacts`, `manifest.json` last, and those `kept` as they are, path to digest.

    The rest is what units are made of: of the tools of the tool set, in their order, their manifest entries, schema
    files and forms for each target; of all tools, in order, what each is in the order of; what the manifest says of
    each target; where decoders are.
    """

    artifacts: tuple[Artifact, ...]
    kept: Mapping[str, str]
    digests: Mapping[str, str]
    entries: Sequence[Entry]
    schemas: Sequence[str]
    written: Mapping[str, Sequence[Written]]
    order: Sequence[Order]
    targets: Mapping[str, Mapping[str, Any]]
    plan: Plan


def files(
    toolset: ToolSet,
    applications: tuple[Application, ...],
    units: Sequence[Unit],
    documents: Documents,
    config: Config,
    sink: Sink,
) -> Files | None:
    """The files of a build of `toolset` and the tools of `units`, whose parts stand in the `documents` of an earlier
    build; None if a target has something against it. Raises MovedError if a unit can't stay as it is."""
    entries: list[Entry] = manifest.entries(toolset)
    texts = manifest.shared_texts(entries)
    offers = targets.build(toolset, entries, config, texts, _offered(units, config, documents, texts))
    sink.extend(offers.diagnostics)
    if sink.has_errors:
        return None
    plan = decoders.planned(toolset, [unit.place.module for unit in units if unit.tools])
    rows = dispatch.rows(toolset, entries, plan)
    listed = [_Row(tool.order, entry, row) for tool, entry, row in zip(toolset.tools, entries, rows, strict=True)]
    listed += _others(units, documents, texts)
    listed.sort(key=lambda each: each.order)
    everything = [each.entry for each in listed]
    schemas = {each.order: path for each, path in zip(listed, manifest.schema_paths(everything), strict=True)}
    _check_places(units, plan, schemas)
    own = [schemas[tool.order] for tool in toolset.tools]
    wired = wiring.render(applications)
    made = [manifest.schema(path, entry, texts) for path, entry in zip(own, entries, strict=True)]
    made += [*offers.artifacts, *decoders.render(toolset, entries, plan), *wired.artifacts, dispatch.render_init()]
    kept = files_of(units)
    digests = {**kept, **file_digests(made)}
    digest = build_digest(everything, dict(sorted(digests.items())))
    made.append(
        dispatch.table(plan.files, everything, [each.row for each in listed], toolset.agents, digest, wired.digest)
    )
    digests = dict(sorted({**digests, **file_digests(made[-1:])}.items()))
    made.append(manifest.of_files(everything, agents.agent_entries(toolset, entries), offers.manifest, digests, texts))
    order = [each.order for each in listed]
    return Files(tuple(made), kept, digests, entries, own, offers.written, order, offers.manifest, plan)


class MovedError(Exception):
    """The files of a unit would be called otherwise in this build: a module or tool of a like name came or went."""


def _check_places(units: Sequence[Unit], plan: Plan, schemas: Mapping[Order, str]) -> None:
    """Raises MovedError if a unit's own files are not where they would be."""
    for unit in units:
        if not unit.tools:
            continue
        files = {path for path, _ in unit.files}
        wanted = {schemas[tool.card.order] for tool in unit.tools} | {f"_tools/{plan.files[unit.place.module]}.py"}
        if files != wanted:
            raise MovedError


class _Row(NamedTuple):
    """A tool in the files of all tools."""

    order: Order
    entry: Entry
    row: Laid


def _others(units: Sequence[Unit], documents: Documents, texts: Texts) -> list[_Row]:
    """The tools of units."""
    margin = ROWS.newline.lstrip(b"\n")
    return [
        _Row(
            tool.card.order,
            _entry(tool, documents, texts),
            Laid(((margin + documents.part(TABLE, tool.row)).decode(),)),
        )
        for unit in units
        for tool in unit.tools
    ]


def _entry(tool: ToolText, documents: Documents, texts: Texts) -> Entry:
    """What is asked of a manifest entry whose text is known."""
    card = tool.card
    entry: Entry = {
        "name": card.name,
        "module": card.module,
        "qualname": card.qualname,
        "binding": card.binding.value,
        "digest": tool.digest,
    }
    texts.keep(entry, documents.part(MANIFEST, tool.entry))
    return entry


def _offered(units: Sequence[Unit], config: Config, documents: Documents, texts: Texts) -> dict[str, list[Written]]:
    """The tools of units in each target's form."""
    return {
        name: [_offer(tool, number, name, documents, texts) for unit in units for tool in unit.tools]
        for number, name in enumerate(config.targets or DEFAULT_TARGETS)
    }


def _offer(tool: ToolText, number: int, target: str, documents: Documents, texts: Texts) -> Written:
    offer, name = tool.offers[number], tool.card.name
    entry: Entry = {"name": name}
    if offer.span is None:
        texts.keep(entry, offer.text.encode())
    else:
        texts.keep(entry, documents.part(file_of(target), offer.span))
    omitted = tuple({"tool": name, "code": code, "message": message} for code, message in offer.omissions)
    return Written(tool.card, entry, (), omitted)
