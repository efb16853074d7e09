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
from ..ir.cards import Card
from ..ir.graph import Application
from ..ir.tools import ToolSet
from ..targets.registry import DEFAULT_TARGETS
from ..targets.writing import Written
from .unit import ToolText, Unit, files_of

Entry: TypeAlias = dict[str, Any]


class Files(Struct, frozen=True):
    """The files of a build: `artifacts`, `manifest.json` last, and those `kept` as they are, path to digest.

    The rest is what units are made of, each by the tools of the tool set in their order: entries in the manifest, rows
    of the table, the forms of each target; and where decoders are.
    """

    artifacts: tuple[Artifact, ...]
    kept: Mapping[str, str]
    digests: Mapping[str, str]
    entries: Sequence[Entry]
    schemas: Sequence[str]
    rows: Sequence[Laid]
    written: Mapping[str, Sequence[Written]]
    plan: Plan
    texts: Texts


def files(
    toolset: ToolSet, applications: tuple[Application, ...], units: Sequence[Unit], config: Config, sink: Sink
) -> Files | None:
    """The files of a build of `toolset` and the tools of `units`; None if a target has something against it."""
    others = [tool for unit in units for tool in unit.tools]
    entries: list[Entry] = manifest.entries(toolset)
    texts = manifest.shared_texts(entries)
    offers = targets.build(toolset, entries, config, texts, _others(others, config, texts))
    sink.extend(offers.diagnostics)
    if sink.has_errors:
        return None
    plan = decoders.planned(toolset, [unit.place.module for unit in units if unit.tools])
    rows = dispatch.rows(toolset, entries, plan)
    listed = [_Row(tool.order, entry, row) for tool, entry, row in zip(toolset.tools, entries, rows, strict=True)]
    listed += [_Row(tool.card.order, _entry(tool, texts), Laid((tool.row,))) for tool in others]
    listed.sort(key=lambda each: each.order)
    everything = [each.entry for each in listed]
    schemas = {each.order: path for each, path in zip(listed, manifest.schema_paths(everything), strict=True)}
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
    return Files(tuple(made), kept, digests, entries, own, rows, offers.written, plan, texts)


class _Row(NamedTuple):
    """A tool in the files of all tools."""

    order: tuple[str, str, str]
    entry: Entry
    row: Laid


def _entry(tool: ToolText, texts: Texts) -> Entry:
    """What is asked of a manifest entry whose text is known."""
    card = tool.card
    entry: Entry = {
        "name": card.name,
        "module": card.module,
        "qualname": card.qualname,
        "binding": card.binding.value,
        "digest": tool.digest,
    }
    texts.keep(entry, tool.entry)
    return entry


def _others(tools: Sequence[ToolText], config: Config, texts: Texts) -> dict[str, list[Written]]:
    """The tools of units in each target's form."""
    found: dict[str, list[Written]] = {}
    for number, name in enumerate(config.targets or DEFAULT_TARGETS):
        found[name] = [_offer(tool.card, tool, number, texts) for tool in tools]
    return found


def _offer(card: Card, tool: ToolText, number: int, texts: Texts) -> Written:
    offer = tool.offers[number]
    entry: Entry = {"name": card.name}
    texts.keep(entry, offer.entry)
    omitted = tuple({"tool": card.name, "code": code, "message": message} for code, message in offer.omissions)
    return Written(card, entry, (), omitted)
