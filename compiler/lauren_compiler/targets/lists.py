"""The list of all tools for one target, and what the manifest says of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from ..diagnostics.model import Sink
from ..emit.json_text import Texts
from ..emit.listing import Part, layout_of, part
from ..ir.cards import Listed
from ..ir.tools import Binding, ToolSet
from .base import AtMost, Target
from .checks import too_many
from .listing import Listing, Offer, file_of
from .writing import Written, diagnostic, omission


class Slot(NamedTuple):
    """A tool on its way into the list: its part, and the value of which that is the text, if it is known; whether it is
    for no list, whatever the target takes; what the target has against it by itself."""

    text: Part
    entry: dict[str, Any] | None
    apart: bool
    omissions: tuple[tuple[str, str], ...]

    def whole(self, text: bytes) -> bytes:
        """The part, which may stand in a file of this text."""
        return self.text if isinstance(self.text, bytes) else text[self.text.start : self.text.stop]


class List(Struct, frozen=True):
    """What the file has of each tool, in order, what there is of those that it has not, what the manifest says."""

    parts: Sequence[Part]
    offers: Sequence[Offer | None]
    about: dict[str, Any]


def new_slots(target: Target, toolset: ToolSet, made: Sequence[Written], texts: Texts) -> list[Slot]:
    """Of the tools of a tool set."""
    layout = layout_of(target.group)
    return [
        Slot(
            part(each.entry, texts, layout),
            each.entry,
            each.tool.binding is Binding.BIND or toolset.is_its_agents_alone(each.tool),
            tuple((omitted["code"], omitted["message"]) for omitted in each.omitted),
        )
        for each in made
    ]


def old_slots(target: str, listing: Listing) -> list[Slot]:
    """Of tools that stood in another build's list, or beside it."""
    if not listing.tools:
        return []
    rows = zip(listing.tools, listing.parts[file_of(target)], listing.offers[target], strict=True)
    return [
        Slot(text, None, False, ())
        if offer is None
        else Slot(offer.text, None, tool.binding is Binding.BIND, offer.omissions)
        for tool, text, offer in rows
    ]


def of_all(
    target: Target,
    tools: Sequence[Listed],
    slots: Sequence[Slot],
    text: bytes,
    texts: Texts,
    sink: Sink,
    *,
    named: bool,
) -> List:
    """The list of `tools`, whose slots these are; parts may stand in a file of this `text`.

    What the target has against their number goes to `sink`.
    """
    omissions = {place: slot.omissions for place, slot in enumerate(slots) if slot.omissions}
    for place, omitted in _beyond(target, tools, slots, sink, named=named):
        omissions[place] = (*omissions.get(place, ()), omitted)
    outside = {place for place, slot in enumerate(slots) if slot.apart}.union(omissions)
    parts: list[Part] = [slot.text for slot in slots]
    offers: list[Offer | None] = [None] * len(slots)
    for place in outside:
        parts[place] = b""
        offers[place] = Offer(slots[place].whole(text), slots[place].omissions)
    # `lossy`: nothing is lost in the forms written so far.
    about = {
        "lossy": [],
        "omitted": [
            {"tool": tools[place].name, "code": code, "message": message}
            for place in sorted(omissions)
            for code, message in omissions[place]
        ],
        "tools": [tool.name for tool, each in zip(tools, parts, strict=True) if each],
        "group": target.group,
        "bind": [
            {
                "tool": f"{tools[place].module}:{tools[place].qualname}",
                "entry": slots[place].entry or texts.standing(slots[place].whole(text)),
            }
            for place in sorted(outside - omissions.keys())
        ],
    }
    return List(parts, offers, about)


def _beyond(
    target: Target, tools: Sequence[Listed], slots: Sequence[Slot], sink: Sink, *, named: bool
) -> Iterator[tuple[int, tuple[str, str]]]:
    """The places of tools that are left out for the number of those before them, with why."""
    limit = next((limit for limit in target.limits if isinstance(limit.bound, AtMost)), None)
    if limit is None or not isinstance(limit.bound, AtMost) or len(slots) <= limit.bound.count:
        return
    places = [place for place, slot in enumerate(slots) if not slot.apart]
    taken = [place for place in places if not slots[place].omissions][: limit.bound.count]
    over = [place for place in places if place > taken[-1]] if len(taken) == limit.bound.count else []
    if not over:
        return
    # What a target has against a number of tools is one fault, told at the first that is too many.
    (finding,) = too_many(tools[over[0]], limit.bound.count + 1, target)
    sink.add(diagnostic(finding, [tools[place] for place in over], file_of(target.name), named=named))
    if limit.certainty.enforced:
        omitted: Mapping[str, Any] = omission(tools[over[0]], finding)
        yield from ((place, (omitted["code"], omitted["message"])) for place in over)
