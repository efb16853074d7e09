"""What a run gives, and what it leaves for the next one."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct

from ..config import Config
from ..diagnostics.model import Diagnostic, Sink
from ..emit.artifact import Artifact
from ..ir.cards import Card, Listed
from ..ir.tools import Binding, ToolSet
from ..lower.program import Counts
from ..source.file import SourceFile
from ..targets.listing import NO_SIZES, Sizes
from ..units.again import Earlier, can_be_shown
from ..units.building import Files
from ..units.making import units_of
from ..units.unit import Place, Unit
from .front import Front

NOTHING_KEPT: Mapping[str, str] = MappingProxyType({})
NOTHING_RENDERED: Mapping[str, bytes] = MappingProxyType({})


class Outcome(Struct, frozen=True):
    """What a run gives. `artifacts` is empty if there are errors. `sources` are all files read, by the path shown.

    Of the tools `found`, each is compiled, refused (with an error), or undecidable (with a warning); so is each agent.
    `kept` are files of the build that an earlier run wrote and that are to stay, path to digest. `units` are what the
    next run may take as it is; `places` are all sources, those of units and the others; `listing` tells where the files
    that list all tools have each, `frames` are what their other parts were made of, by key.
    """

    artifacts: tuple[Artifact, ...]
    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, SourceFile]
    toolset: ToolSet
    tools: Counts
    agents: Counts
    modules: tuple[str, ...]
    others: tuple[Card, ...] = ()
    kept: Mapping[str, str] = NOTHING_KEPT
    units: tuple[Unit, ...] = ()
    places: tuple[Place, ...] = ()
    listing: Sizes = NO_SIZES
    frames: Mapping[str, bytes] = NOTHING_RENDERED

    @property
    def bound(self) -> tuple[str, ...]:
        """The names of the tools that need an object at run time, and stand in no provider's file."""
        listed: list[Listed] = sorted((*self.toolset.tools, *self.others), key=lambda tool: tool.order)
        return tuple(tool.name for tool in listed if tool.binding is Binding.BIND)

    @property
    def shared(self) -> tuple[str, ...]:
        """The names that several agents have each a tool of its own for, in their files only."""
        return tuple(dict.fromkeys(tool.name for tool in self.toolset.tools if self.toolset.is_its_agents_alone(tool)))


class Made(Struct, frozen=True):
    """What the next run may build on."""

    units: tuple[Unit, ...] = ()
    places: tuple[Place, ...] = ()
    listing: Sizes = NO_SIZES
    frames: Mapping[str, bytes] = NOTHING_RENDERED


NOTHING_MADE = Made()


def outcome_of(
    built: Files | None,
    found: Front,
    sink: Sink,
    earlier: Earlier | None,
    made: Made,
) -> Outcome:
    """What a run of all phases gives, with the earlier one it was put together with."""
    lowered = found.lowered
    others = () if earlier is None else earlier.units
    return Outcome(
        artifacts=() if sink.has_errors or built is None else built.artifacts,
        diagnostics=tuple(sink),
        sources=found.texts,
        toolset=lowered.toolset,
        tools=lowered.tools,
        agents=lowered.agents,
        modules=tuple(sorted({*found.modules, *(unit.place.module for unit in others)})),
        others=() if earlier is None else tuple(earlier.listing.tools),
        kept=NOTHING_KEPT if built is None else built.kept,
        units=made.units,
        places=made.places,
        listing=made.listing,
        frames=made.frames,
    )


def made_of(built: Files, found: Front, config: Config, earlier: Earlier | None) -> Made:
    """What the next run may build on: all units, and the places of all sources; nothing if they do not stand apart."""
    if found.places is None or found.depends is None:
        return NOTHING_MADE
    kept = () if earlier is None else earlier.units
    places = {place.path: place for place in (found.places if earlier is None else earlier.places)}
    lowered = found.lowered
    made = (*kept, *units_of(lowered.parts, places, found.depends, lowered.toolset, built, config))
    units = tuple(unit for unit in made if can_be_shown(unit, places.values()))
    return Made(units, tuple(places.values()), built.listing.sizes(), built.frames.common)
