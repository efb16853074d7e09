"""Units between runs, in the cache folder: one file for each command line, with all that the run saw.

A file is msgpack behind a line with its checksum; half of one, or one of another version, is none. It is data: that it
says nothing but what an earlier run found is as sure as the folder it lies in, like the output beside it.
"""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec import Struct

from ..diagnostics.model import Diagnostic, Rule
from ..diagnostics.rules import find as find_rule
from ..runs.folder import path_of, put
from ..source.seen import CONTENT, OUTPUT, Seen, as_marked
from .again import Earlier
from .unit import Place, Unit

_FIRST = b"lauren-compile units 1\n"
_FOLDER = "units"


class Kept(Struct, frozen=True, array_like=True):
    """What a run leaves for the next one with the same key: its units, all of its sources, and what it saw."""

    key: str
    units: tuple[Unit, ...]
    places: tuple[Place, ...]
    seen: tuple[tuple[str, str, str, str], ...]


class Known(Struct, frozen=True):
    """What of an earlier run still holds: what it saw, but for the content of sources that `earlier` says changed."""

    earlier: Earlier
    seen: tuple[Seen, ...]

    @property
    def outputs(self) -> Iterator[Seen]:
        """The files that it wrote, which are as it left them."""
        return (each for each in self.seen if each.question == OUTPUT)


def keep(folder: str, key: str, units: Sequence[Unit], places: Sequence[Place], seen: Iterable[Seen]) -> None:
    """Keep the units of a run. Raises OSError."""
    rows = tuple((each.question, each.path, each.answer, each.marks) for each in seen)
    body = msgspec.msgpack.encode(Kept(key, tuple(units), tuple(places), rows))
    put(folder, _FOLDER, key, _FIRST + f"{zlib.crc32(body):08x}\n".encode() + body)


def known(folder: str, key: str) -> Known | None:
    """What can be taken from the last run of that key; None if there is none, or all has to be done anew."""
    kept = _read(path_of(folder, _FOLDER, key))
    if kept is None or kept.key != key:
        return None
    sources = {place.path for place in kept.places}
    seen, changed = _still(kept, time.time_ns())
    if any(each.question != CONTENT or each.path not in sources for each in changed):
        return None
    paths = {each.path for each in changed}
    units = tuple(unit for unit in kept.units if paths.isdisjoint(unit.depends))
    left = {unit.place.path for unit in units}
    return Known(Earlier(units, tuple(each for each in kept.places if each.path not in left)), seen)


def _still(kept: Kept, now: int) -> tuple[tuple[Seen, ...], list[Seen]]:
    """What was seen and is still so, and what is not."""
    questions, paths, _, marks = (list(column) for column in zip(*kept.seen, strict=True)) if kept.seen else ([],) * 4
    suspects = set(as_marked(questions, paths, marks))
    same: list[Seen] = []
    other: list[Seen] = []
    for place, row in enumerate(kept.seen):
        seen = Seen(*row)
        (same if place not in suspects or seen.holds(now) else other).append(seen)
    return tuple(same), other


def _read(path: str) -> Kept | None:
    try:
        if not os.path.isfile(path):  # to open a pipe is to wait for its other end
            return None
        with open(path, "rb") as file:
            text = file.read()
    except OSError:
        return None
    if not text.startswith(_FIRST):
        return None
    checksum, _, body = text[len(_FIRST) :].partition(b"\n")
    if checksum != f"{zlib.crc32(body):08x}".encode():
        return None
    try:
        kept = msgspec.msgpack.decode(body, type=Kept)
        units = tuple(msgspec.structs.replace(unit, diagnostics=_with_rules(unit.diagnostics)) for unit in kept.units)
    except (msgspec.DecodeError, LookupError):
        return None
    return msgspec.structs.replace(kept, units=units)


def _with_rules(diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The same with our own rules, which are told apart by identity. Raises LookupError for one that is none."""
    return tuple(msgspec.structs.replace(each, rule=_rule(each.rule.code)) for each in diagnostics)


def _rule(code: str) -> Rule:
    rule = find_rule(code)
    if rule is None:
        raise LookupError(code)
    return rule
