"""Units between runs, in the cache folder: one file for each command line, beside the run that saw what they are of.

A file is msgpack behind a line with its checksum; half of one, or one of another version, is none. It is data: that it
says nothing but what an earlier run found is as sure as the folder it lies in, like the output beside it.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Mapping, Sequence

import msgspec
from msgspec import Struct

from ..diagnostics.model import Diagnostic, Rule
from ..diagnostics.rules import find as find_rule
from ..emit import decoders
from ..emit.digest import sha256_hex
from ..runs.folder import path_of, put
from ..runs.record import Run
from ..source.seen import CONTENT
from ..targets.listing import Sizes
from .again import Earlier
from .unit import Place, Unit

_FIRST = b"lauren-compile units 3\n"
_FOLDER = "units"


class Kept(Struct, frozen=True, array_like=True):
    """What a run leaves for the next one with the same key: its units, all of its sources in order, and how its tools
    stand in the files that list all. `frames` are texts that files of all units were made of, by their keys. `stamp` is
    the run's, which has what it saw."""

    stamp: str
    units: Sequence[Unit]
    places: Sequence[Place]
    listing: Sizes
    frames: Mapping[str, bytes]


def keep(folder: str, key: str, kept: Kept) -> None:
    """Keep the units of a run. Raises OSError."""
    body = msgspec.msgpack.encode(kept)
    put(folder, _FOLDER, key, _first_lines(body), body)


def _first_lines(body: bytes | memoryview) -> bytes:
    return _FIRST + f"{zlib.crc32(body):08x}\n".encode()


def earlier(folder: str, run: Run, text_of: Callable[[str], bytes]) -> Earlier | None:
    """What can be taken from a run, if nothing but sources of it changed since; None if all has to be done anew.

    `text_of` gives a file of the output. Raises what it does.
    """
    if any(question != CONTENT for question, _ in run.changed):
        return None
    kept = _read(path_of(folder, _FOLDER, run.key))
    if kept is None or kept.stamp != run.stamp:
        return None
    paths = {path for _, path in run.changed}
    if not paths <= {place.path for place in kept.places}:
        return None
    units = tuple(unit for unit in kept.units if paths.isdisjoint(unit.depends))
    left = {unit.place.path for unit in units}
    stale = tuple(each for each in kept.places if each.path not in left)
    try:
        listing = kept.listing.listing({path: text_of(path) for path in kept.listing.sizes})
    except ValueError:
        return None
    old = {unit.frame: unit for unit in kept.units if unit.place.path not in left}
    return Earlier(
        units,
        stale,
        tuple(kept.places),
        listing.without({place.module for place in stale}),
        lambda key: kept.frames[key] if key in kept.frames else _frame(old.get(key), text_of),
    )


def _frame(unit: Unit | None, text_of: Callable[[str], bytes]) -> bytes | None:
    """What the module of a unit's decoders was made of; None if it is not there as it was."""
    if unit is None:
        return None
    (path, digest) = unit.files[-1]
    try:
        text = text_of(path)
    except OSError:
        return None  # whoever writes the output looks whether it is what it was
    return decoders.frame_of(text, unit.digest) if sha256_hex(text) == digest else None


def _read(path: str) -> Kept | None:
    try:
        if not os.path.isfile(path):  # to open a pipe is to wait for its other end
            return None
        with open(path, "rb") as file:
            text = file.read()
    except OSError:
        return None
    body = memoryview(text)[len(_first_lines(b"")) :]  # no copy: to fill new memory takes longer than all else here
    if not text.startswith(_first_lines(body)):
        return None
    try:
        kept = msgspec.msgpack.decode(body, type=Kept)
        units = [with_own_rules(unit) for unit in kept.units]
    except (msgspec.DecodeError, LookupError):
        return None
    return msgspec.structs.replace(kept, units=units)


def with_own_rules(unit: Unit) -> Unit:
    """Raises LookupError, as `with_rules` does."""
    if not unit.diagnostics:
        return unit
    return msgspec.structs.replace(unit, diagnostics=with_rules(unit.diagnostics))


def with_rules(diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The same with our own rules, which are told apart by identity. Raises LookupError for one that is none."""
    return tuple(msgspec.structs.replace(each, rule=_rule(each.rule.code)) for each in diagnostics)


def _rule(code: str) -> Rule:
    rule = find_rule(code)
    if rule is None:
        raise LookupError(code)
    return rule
