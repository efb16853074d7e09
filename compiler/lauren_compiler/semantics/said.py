"""What is said of a type besides the type: texts, names, defaults, bounds, what only pydantic holds values to."""

from __future__ import annotations

from msgspec import Struct, field

from ..ir.dump import json_text
from ..ir.recipes import Recipe
from ..ir.types import Bounds
from ..ir.values import Factory, Value
from ..source.file import Pos
from ..syntax.declarations import Scope
from ..syntax.expressions import Expr
from .constants import NotConstant

NUMERIC = frozenset({"ge", "gt", "le", "lt", "multiple_of"})


def overlaid(lower: Bounds, upper: Bounds) -> Bounds:
    """The bounds of both; where both say something, the upper counts."""
    if not upper.given:
        return lower
    return Bounds(**{**dict(lower.given), **dict(upper.given)})  # type: ignore[arg-type]


def numberless(bounds: Bounds) -> Bounds:
    """The bounds without those of numbers: what a validator makes of a number may be any other."""
    return Bounds(**{name: value for name, value in bounds.given if name not in NUMERIC})  # type: ignore[arg-type]


class Told(Struct, frozen=True):
    """What tells the members of a union apart: a key, or (None) a function of the user's."""

    key: str | None
    pos: Pos


class FieldDefault(Struct, frozen=True):
    """A default inside a `Field(...)`: a value, a factory, or one that only running code would know.

    `named_at` is where that `Field` is named, if it stands elsewhere.
    """

    value: Value | Factory | NotConstant
    expr: Expr
    is_factory: bool = False
    named_at: Pos | None = None

    @property
    def pos(self) -> Pos:
        """Where what is wrong with it is told."""
        return self.expr.pos if self.named_at is None else self.named_at


class Metadata(Struct, frozen=True):
    """Later entries win over earlier ones. `required` is set by `Field(...)` with an Ellipsis.

    `keywords` are more of the schema, as JSON texts. `items` are what pydantic has to see, in order, None where a
    decoder can't make it again; it is only asked if it is `needed`: if something is in them that we can't hold a
    value to. That may be `own` code of the user's, `plain` if it replaces the type. `stated` is the type's schema,
    in JSON; `instead` what is taken before a validator makes it a value of the type.
    """

    description: str | None = None
    title: str | None = None
    alias: str | None = None
    default: FieldDefault | None = None
    required: bool = False
    broken: bool = False
    bounds: Bounds = field(default_factory=Bounds)
    reshaped: bool = False
    """Whether what is sent back differs from what was given: another name, or nothing at all."""
    keywords: tuple[tuple[str, str], ...] = ()
    items: tuple[Recipe | None, ...] = ()
    needed: bool = False
    own: bool = False
    plain: bool = False
    stated: str | None = None
    instead: tuple[Expr, Scope] | None = None
    discriminator: Told | None = None
    skipped: bool = False
    prioritised: bool = True
    """Whether its alias stands against an alias generator."""

    def merged(self, other: Metadata) -> Metadata:
        """This one overlaid with `other`."""
        bounds = numberless(other.bounds) if self.own and not self.early else other.bounds
        return Metadata(
            other.description if other.description is not None else self.description,
            other.title if other.title is not None else self.title,
            other.alias if other.alias is not None else self.alias,
            other.default or (None if other.required else self.default),
            other.required or (self.required and other.default is None),
            self.broken or other.broken,
            overlaid(self.bounds, bounds),
            self.reshaped or other.reshaped,
            tuple({**dict(self.keywords), **dict(other.keywords)}.items()),
            (*self.items, *other.items),
            self.needed or other.needed,
            self.own or other.own,
            self.plain or other.plain,
            other.stated or self.stated,
            other.instead or self.instead,
            other.discriminator or self.discriminator,
            self.skipped or other.skipped,
            self.prioritised and other.prioritised,
            self.serialized or other.serialized,
            self.early or other.early,
        )

    serialized: bool = False
    """Whether a serializer writes the value, in a form of its own."""
    early: bool = False
    """Whether the user's code runs before the type is looked at, and may be held to the bounds behind it."""

    @property
    def schema_keywords(self) -> str | None:
        """The keywords as one JSON object."""
        if not self.keywords:
            return None
        pairs = ", ".join(f"{json_text(name)}: {text}" for name, text in self.keywords)
        return f"{{{pairs}}}"


NOTHING_SAID = Metadata()
