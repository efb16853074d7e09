"""What pydantic is told of a class: the configuration of a model, or of a dataclass or TypedDict.

It reaches into what the fields hold, but not into a class that has a configuration of its own: a dataclass, TypedDict
or named tuple is another type inside a model that refuses unknown keys than elsewhere.

Source: pydantic's chapter on configuration, "Configuration propagation".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from ...ir.recipes import Loaded
from ...ir.types import Adapted, Bounded, Bounds, Described, FormatKind, Formatted, Scalar, ScalarKind, Type, Union
from ...ir.values import Value
from ..not_constant import NotConstant
from ..said import Metadata, overlaid

if TYPE_CHECKING:
    from ...source.span import Span

AliasOf: TypeAlias = Callable[[str], Value | NotConstant]
"""What an alias generator makes of the name of a field."""

_PATHS = frozenset(
    {
        FormatKind.PATH,
        FormatKind.POSIX_PATH,
        FormatKind.WINDOWS_PATH,
        FormatKind.PURE_PATH,
        FormatKind.PURE_POSIX_PATH,
        FormatKind.PURE_WINDOWS_PATH,
    }
)
_TEXTS = frozenset(
    """
    Base64Str Base64UrlStr ByteSize DirectoryPath EmailStr FilePath ImportString NameEmail NewPath SecretStr SocketPath
    StrictStr
    """.split()
)
"""Types of pydantic's own that are read from a `str` of the configured length."""


class ModelConfig(Struct, frozen=True):
    """What a configuration says. `by_name`: the constructor takes Python's names beside the aliases. `alias`: the name
    in JSON that a generator, which is written at `alias_place`, gives to a field without one. `reshaped`: a key that
    changes what the model is written as. `more` is what it adds to the schema. `ignoring`: it names types whose values
    are no fields. `by_alias`: aliases are taken. `lengths` hold for every text without its own.
    """

    extra: str = "ignore"
    title: str | None = None
    by_name: bool = False
    frozen: bool = False
    changing: bool = False
    documented: bool = False
    alias: AliasOf | None = None
    alias_place: Span | None = None
    reshaped: str | None = None
    more: Metadata = field(default_factory=Metadata)
    ignoring: bool = False
    by_alias: bool = True
    lengths: Bounds = field(default_factory=Bounds)

    @property
    def mark(self) -> str:
        """A text for what of it reaches other classes, empty if nothing does: it tells their definitions apart."""
        parts = [f"{name} {value}" for name, value in self.lengths.given]
        parts += [f"extra {self.extra}"] if self.extra != "ignore" else []
        parts += ["documented"] if self.documented else []
        if self.alias_place is not None:
            start = self.alias_place.start
            parts.append(f"alias {self.alias_place.path.replace('.', '_')} {start.line} {start.column}")
        return f"{{{', '.join(parts)}}}" if parts else ""

    def within(self, kind: Type) -> Type:
        """A type that is named in a field: texts have a length."""
        return _bounded(kind, self.lengths) if self.lengths.given else kind


def _bounded(kind: Type, lengths: Bounds) -> Type:
    match kind:
        case Scalar(ScalarKind.STRING):
            return Bounded(kind, lengths)
        case Formatted(form) if form in _PATHS:
            return Bounded(kind, lengths)
        case Bounded(Scalar(ScalarKind.STRING), bounds):
            return replace(kind, bounds=overlaid(lengths, bounds))
        case Union(members):
            return replace(kind, members=tuple(_bounded(member, lengths) for member in members))
        case Described(inner):
            return replace(kind, inner=_bounded(inner, lengths))
        case Adapted(inner, Loaded("pydantic", name)) if name in _TEXTS:
            return replace(kind, inner=_bounded(inner, lengths))
        case _:
            return kind
