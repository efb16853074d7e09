"""A build in shares: each process lowers and builds some of the modules, then what they made is put together.

A share is a build of its own modules; the others are sources that it reads when it is asked for what is in them. So a
run can be shared as far as each module comes to what it does by itself: see again.py.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ..diagnostics.model import Diagnostic
from ..source.file import SourceFile
from ..targets.listing import Sent
from .store import with_own_rules, with_rules
from .unit import Place, Unit


class Share(Struct, frozen=True, array_like=True):
    """What one process made: its units, of which `lasting` are the paths of those that the next run may take.

    `said` is all that was found, `common` the files of which something is said that no unit answers for, `files` are
    those that the units make, with their contents, `listing` has what stands of their tools in those that list all,
    `bases` the keys of the classes in other shares' modules that classes derive from, `sources` the files that
    diagnostics are about, `seen` what was asked of the disk.
    """

    units: tuple[Unit, ...]
    lasting: tuple[str, ...]
    said: tuple[Diagnostic, ...]
    common: tuple[str, ...]
    files: tuple[tuple[str, bytes], ...]
    listing: Sent
    bases: frozenset[str]
    sources: tuple[SourceFile, ...]
    seen: tuple[tuple[str, str, str, str], ...]


def encoded(share: Share) -> bytes:
    """A share as bytes, for another process."""
    return msgspec.msgpack.encode(share)


def decoded(data: bytes) -> Share:
    """The share that `encoded` made these bytes of. Raises msgspec.DecodeError."""
    share = msgspec.msgpack.decode(data, type=Share)
    units = tuple(with_own_rules(unit) for unit in share.units)
    return replace(share, units=units, said=with_rules(share.said))


def dealt(places: Sequence[Place], hands: int) -> list[tuple[tuple[Place, ...], tuple[Place, ...]]]:
    """The modules of each share, and all others: neighbours, which import each other most, stay together."""
    size = -(-len(places) // hands)
    cuts = range(0, len(places), size)
    return [(tuple(places[start : start + size]), (*places[:start], *places[start + size :])) for start in cuts]


def derive_from_each_other(shares: Sequence[Share], tool_classes: set[str]) -> bool:
    """Whether a class of one share may derive from a tool class of another, which is for neither to tell."""
    return any(not share.bases.isdisjoint(tool_classes) for share in shares)
