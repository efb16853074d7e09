"""What a target is: how it wants a tool written down, and what it refuses."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from msgspec import Struct

from .rewrite import Rewrite

Entry: TypeAlias = Mapping[str, Any]
"""A tool's entry in the manifest."""


class Certainty(enum.StrEnum):
    """How sure a limit is. What is only reported is left open by the provider's documents: it warns, never fails."""

    SPECIFIED = "specified"
    DOCUMENTED = "documented"
    REPORTED = "reported"

    @property
    def enforced(self) -> bool:
        return self is not Certainty.REPORTED


class Aspect(enum.StrEnum):
    """What a limit is about."""

    NAME = "name"
    DESCRIPTION = "description"
    PROPERTY = "property"
    ROOT = "root"
    COUNT = "count"


class Text(Struct, frozen=True):
    """A text must match `pattern` as a whole and have between `least` and `most` characters."""

    pattern: str | None = None
    least: int = 0
    most: int | None = None


class Forbidden(Struct, frozen=True):
    """Keywords that may not stand at a schema's root."""

    keywords: tuple[str, ...]


class AtMost(Struct, frozen=True):
    """A number of tools."""

    count: int


class Limit(Struct, frozen=True):
    """What a provider takes of `aspect`, where that was read (`source`) and when, and how sure it is."""

    aspect: Aspect
    bound: Text | Forbidden | AtMost
    source: str
    read: str
    certainty: Certainty


class Target(Struct, frozen=True):
    """A provider: `entry` writes a tool from its manifest entry and the schema of its arguments.

    `rewrites` say in the provider's terms what the neutral schema says, without loss. `group` is the key under which
    all entries stand together in one object, where the provider wants that.
    """

    name: str
    title: str
    entry: Callable[[Entry, Mapping[str, Any]], dict[str, Any]]
    limits: tuple[Limit, ...]
    rewrites: tuple[Rewrite, ...] = ()
    group: str | None = None


def described(entry: Entry) -> dict[str, Any]:
    """`{"description": ...}`, or nothing where the tool has none: no provider wants an empty one."""
    return {"description": entry["description"]} if entry["description"] else {}
