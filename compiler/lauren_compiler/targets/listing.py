"""The tools of a build with all that stands of them in the files that list every tool."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

from msgspec import Struct

from ..emit.listing import ROWS, TOOLS, Layout, Part, cut, layout_of
from ..ir.cards import Card
from .registry import TARGETS

_T = TypeVar("_T")
MANIFEST, TABLE = "manifest.json", "dispatch.py"


class Offer(Struct, frozen=True, array_like=True):
    """A tool that does not stand in a target's file: `text` is what its entry would be, if that may be needed, and
    `omissions` are (code, message) of why no list of the target can hold it."""

    text: bytes
    omissions: tuple[tuple[str, str], ...]


NO_TEXTS: Mapping[str, bytes] = MappingProxyType({})


class Listing(Struct, frozen=True):
    """Tools in order. `digests` are those of their entries in the manifest; `parts` are what stands of them by file,
    nothing in a target's file that has not the tool: then `offers` has, by target, what there is of it. All are
    columns. `texts` are the files in which parts are stretches."""

    tools: Sequence[Card]
    digests: Sequence[str]
    parts: Mapping[str, Sequence[Part]]
    offers: Mapping[str, Sequence[Offer | None]]
    texts: Mapping[str, bytes] = NO_TEXTS

    def sizes(self) -> Sizes:
        """The same without the texts."""
        sizes = {path: [len(part) for part in parts] for path, parts in self.parts.items()}
        return Sizes(self.tools, self.digests, sizes, self.offers)

    def sent(self) -> Sent:
        """For another process, of a run that has built on no other."""
        parts = {path: [part for part in parts if isinstance(part, bytes)] for path, parts in self.parts.items()}
        return Sent(self.tools, self.digests, parts, self.offers)

    def without(self, modules: Collection[str]) -> Listing:
        """The tools of other modules."""
        return self.of([place for place, tool in enumerate(self.tools) if tool.module not in modules])

    def of(self, places: Sequence[int]) -> Listing:
        """Those at some places, in that order."""
        if not places:
            return NO_LISTING
        return Listing(
            _at(self.tools, places),
            _at(self.digests, places),
            {path: _at(parts, places) for path, parts in self.parts.items()},
            {target: _at(offers, places) for target, offers in self.offers.items()},
            self.texts,
        )


class Sizes(Struct, frozen=True, array_like=True):
    """A `Listing` whose texts stand in files: the length of each, by file."""

    tools: Sequence[Card]
    digests: Sequence[str]
    sizes: Mapping[str, Sequence[int]]
    offers: Mapping[str, Sequence[Offer | None]]

    def listing(self, texts: Mapping[str, bytes]) -> Listing:
        """With the texts of the files, by path. Raises ValueError if they list other tools."""
        parts = {path: cut(texts[path], sizes, layout_at(path)) for path, sizes in self.sizes.items()}
        return Listing(self.tools, self.digests, parts, self.offers, texts)


class Sent(Struct, frozen=True, array_like=True):
    """A `Listing` in which all parts are texts, for another process."""

    tools: Sequence[Card]
    digests: Sequence[str]
    parts: Mapping[str, Sequence[bytes]]
    offers: Mapping[str, Sequence[Offer | None]]


NO_LISTING = Listing((), (), {}, {})
NO_SIZES = Sizes((), (), {}, {})


def joined(listings: Sequence[Sent]) -> Listing:
    """One listing of all tools."""
    some = [each for each in listings if each.tools]
    if not some:
        return NO_LISTING
    tools = [tool for each in some for tool in each.tools]
    whole = Listing(
        tools,
        [digest for each in some for digest in each.digests],
        {path: [part for each in some for part in each.parts[path]] for path in some[0].parts},
        {target: [offer for each in some for offer in each.offers[target]] for target in some[0].offers},
    )
    orders = [tool.order for tool in tools]
    return whole.of(sorted(range(len(tools)), key=orders.__getitem__))


def _at(column: Sequence[_T], places: Sequence[int]) -> list[_T]:
    return [column[place] for place in places]


def file_of(target: str) -> str:
    """The file of a target."""
    return f"providers/{target}.json"


def layout_at(path: str) -> Layout:
    """How the list in a file is written."""
    if path in (MANIFEST, TABLE):
        return TOOLS if path == MANIFEST else ROWS
    return layout_of(TARGETS[path.removeprefix("providers/").removesuffix(".json")].group)


def paths(targets: Iterable[str]) -> list[str]:
    """The paths of all of them in a build for some targets."""
    return [MANIFEST, TABLE, *map(file_of, targets)]
