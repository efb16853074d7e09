"""Records as stores find them: one that is damaged must not hide the others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from logging import getLogger
from typing import Protocol, runtime_checkable

from .records import Approval, Key

LOG = getLogger("lauren_runtime")


@dataclass(frozen=True, slots=True, kw_only=True)
class Damaged:
    """A call whose record can't be read; `why` says what is wrong with it. It can be neither decided nor run."""

    agent_run_id: str
    tool_use_id: str
    why: str


@runtime_checkable
class TellsDamage(Protocol):
    """A store whose `records` leaves damaged ones out, and that says which they are."""

    def damaged(self) -> list[Damaged]:
        """The calls whose records can't be read, open and closed ones."""
        ...


class Reader:
    """Reads rows of a store. Each damaged one is logged once."""

    def __init__(self) -> None:
        self._told: set[Key] = set()

    def records(self, rows: Iterable[tuple[Key, str | bytes | None]]) -> list[Approval]:
        """The records of rows, in their order, without those that can't be read."""
        found, damaged = read(rows)
        for each in damaged:
            key = each.agent_run_id, each.tool_use_id
            if key not in self._told:
                self._told.add(key)
                LOG.warning("the approval of call %r of run %r is left out: %s", key[1], key[0], each.why)
        return found


def read(rows: Iterable[tuple[Key, str | bytes | None]]) -> tuple[list[Approval], list[Damaged]]:
    """The records of rows, and what is damaged among them."""
    found: list[Approval] = []
    damaged: list[Damaged] = []
    for (run, call), text in rows:
        try:
            found.append(record_of((run, call), text))
        except ValueError as error:
            damaged.append(Damaged(agent_run_id=run, tool_use_id=call, why=str(error)))
    return found, damaged


def record_of(key: Key, text: str | bytes | None) -> Approval:
    """The record of a row. Raises ValueError for one that can't be read, or is another call's."""
    found = Approval.from_json(text if text is not None else "")
    if found.key != key:
        raise ValueError("what is stored is the approval of another call: somebody else wrote it, or it was damaged")
    return found


def text_of(column: bytes | str) -> str:
    """A name that a store gives as bytes, whatever they are."""
    return column if isinstance(column, str) else column.decode("utf-8", "replace")
