"""A build in shares: each process lowers and builds some of the modules, then what they made is put together.

A share is a build of its own modules; the others are sources that it reads when it is asked for what is in them. So a
run can be shared as far as each module comes to what it does by itself: see again.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ..diagnostics.model import Diagnostic
from ..emit.artifact import Artifact
from ..source.file import SourceFile
from .documents import Documents
from .store import with_rules
from .unit import Offer, Place, ToolText, Unit


class Share(Struct, frozen=True, array_like=True):
    """What one process made: its units, of which `lasting` are the paths of those that the next run may take.

    `said` is all that was found, `common` the files of which something is said that no unit answers for, `files` are
    those that the units make, `documents` the texts of those that all tools share, `bases` the keys of the classes in
    other shares' modules that classes derive from, `sources` the files that diagnostics are about, `seen` what was
    asked of the disk.
    """

    units: tuple[Unit, ...]
    lasting: tuple[str, ...]
    said: tuple[Diagnostic, ...]
    common: tuple[str, ...]
    files: tuple[Artifact, ...]
    documents: dict[str, bytes]
    bases: frozenset[str]
    sources: tuple[SourceFile, ...]
    seen: tuple[tuple[str, str, str, str], ...]


def encoded(share: Share) -> bytes:
    """A share as bytes, for another process."""
    return msgspec.msgpack.encode(share)


def decoded(data: bytes) -> Share:
    """The share that `encoded` made these bytes of. Raises msgspec.DecodeError."""
    share = msgspec.msgpack.decode(data, type=Share)
    units = tuple(replace(unit, diagnostics=with_rules(unit.diagnostics)) for unit in share.units)
    return replace(share, units=units, said=with_rules(share.said))


def dealt(places: Sequence[Place], hands: int) -> list[tuple[tuple[Place, ...], tuple[Place, ...]]]:
    """The modules of each share, and all others: neighbours, which import each other most, stay together."""
    size = -(-len(places) // hands)
    cuts = range(0, len(places), size)
    return [(tuple(places[start : start + size]), (*places[:start], *places[start + size :])) for start in cuts]


def joined(shares: Sequence[Share]) -> tuple[list[Unit], Documents]:
    """The units of all shares, and the texts in which their parts stand."""
    paths = shares[0].documents.keys()
    starts = {path: list(accumulate((len(share.documents[path]) for share in shares), initial=0)) for path in paths}
    texts = {path: b"".join(share.documents[path] for share in shares) for path in paths}
    units = [
        _moved(unit, {path: starts[path][number] for path in paths})
        for number, share in enumerate(shares)
        for unit in share.units
    ]
    return units, Documents(texts)


def _moved(unit: Unit, by: Mapping[str, int]) -> Unit:
    return replace(unit, tools=tuple(_moved_tool(tool, list(by.values())) for tool in unit.tools))


def _moved_tool(tool: ToolText, by: Sequence[int]) -> ToolText:
    """`by` is how far, in the order of `documents.paths`."""
    manifest, table, *targets = by
    offers = tuple(
        Offer(None if offer.span is None else _shifted(offer.span, step), offer.text, offer.omissions)
        for offer, step in zip(tool.offers, targets, strict=True)
    )
    return ToolText(tool.card, tool.digest, _shifted(tool.entry, manifest), _shifted(tool.row, table), offers)


def _shifted(span: tuple[int, int], by: int) -> tuple[int, int]:
    return span[0] + by, span[1] + by


def derive_from_each_other(shares: Sequence[Share], tool_classes: set[str]) -> bool:
    """Whether a class of one share may derive from a tool class of another, which is for neither to tell."""
    return any(not share.bases.isdisjoint(tool_classes) for share in shares)
