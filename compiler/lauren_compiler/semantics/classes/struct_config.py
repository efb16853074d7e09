"""What a msgspec struct's class statement says besides its fields: tag, names, whether it is an array.

Source: msgspec's chapter on structs; `tests/differential/test_structs.py` compares.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct, field

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...ir.values import Constant
from ...ir.values import Mapping as MappingValue
from ...syntax.declarations import ClassDecl
from ...syntax.expressions import Expr
from ..constants import NotConstant
from .renaming import RENAMES

if TYPE_CHECKING:
    from ..types import TypeReader

_FLAGS = ("forbid_unknown_fields", "array_like", "frozen", "eq")


class StructConfig(Struct, frozen=True):
    """`tag` is True for the class's name; `renames` gives other names to those it has, `style` to all others."""

    tag: str | int | bool | None = None
    tag_field: str | None = None
    style: str | None = None
    renames: Mapping[str, str] | None = None
    flags: Mapping[str, bool] = field(default_factory=dict[str, bool])
    keyword_only: bool = False

    def wire(self, name: str, inherited: str | None) -> str:
        """The name of a field in JSON that gives none itself; `inherited` is the one that it has in a base.

        Where nothing is renamed, a field that is declared again keeps that name.
        """
        if self.style is not None:
            return RENAMES[self.style](name)
        return (inherited or name) if self.renames is None else self.renames.get(name, name)

    def tagged(self, decl: ClassDecl) -> tuple[str, str | int] | None:
        """The key and the value by which the class is told from others; None if it has no tag."""
        tag = True if self.tag is None and self.tag_field is not None else self.tag
        if tag is None:
            return None
        return self.tag_field or "type", decl.qualname if tag is True else tag


def struct_configs(
    types: TypeReader, order: tuple[ClassDecl, ...], via: tuple[Label, ...]
) -> dict[ClassDecl, StructConfig] | None:
    """What holds for each of the structs of an order, bases behind what derives from them; None, reported, if it can't
    be known."""
    found: dict[ClassDecl, StructConfig] = {}
    current = StructConfig()
    for owner in reversed(order):
        read = _Reader(types, owner, via).over(current)
        if read is None:
            return None
        found[owner] = current = read
    return found


class _Reader:
    """Reads the keywords of one class statement."""

    def __init__(self, types: TypeReader, owner: ClassDecl, via: tuple[Label, ...]) -> None:
        self.types = types
        self.owner = owner
        self.via = via
        self.sound = True

    def over(self, base: StructConfig) -> StructConfig | None:
        """The base's configuration with what this class says laid over it; None, reported, if that can't be known."""
        flags = {name: self._flag(name, base.flags.get(name, name == "eq")) for name in _FLAGS}
        tag = self._tag(base.tag)
        tag_field = self._text("tag_field", base.tag_field)
        if tag is False:
            # It forgets the key too, for those that derive from it as well.
            tag, tag_field = None, None
        style, renames = self._renames(base)
        keyword_only = self._flag("kw_only", False)
        return StructConfig(tag, tag_field, style, renames, flags, keyword_only) if self.sound else None

    def _value(self, name: str) -> object:
        """The value of a keyword, None if it is not given, NotConstant or what is no plain value as it is."""
        word = self.owner.keywords.get(name)
        if word is None:
            return None
        value = self.types.constants.evaluate(word.expr, self.owner.signature_scope)
        return value.value if isinstance(value, Constant) else value

    def _flag(self, name: str, inherited: bool) -> bool:
        value = self._value(name)
        if value is None or isinstance(value, bool):
            return inherited if value is None else value
        self._unknown(name, value)
        return inherited

    def _text(self, name: str, inherited: str | None) -> str | None:
        value = self._value(name)
        if value is None or isinstance(value, str):
            return inherited if value is None else value
        self._unknown(name, value)
        return None

    def _tag(self, inherited: str | int | bool | None) -> str | int | bool | None:
        value = self._value("tag")
        if value is None or isinstance(value, (str, int)):
            return inherited if value is None else value
        self._unknown("tag", value)
        return None

    def _renames(self, base: StructConfig) -> tuple[str | None, Mapping[str, str] | None]:
        value = self._value("rename")
        if "rename" not in self.owner.keywords:
            return base.style, base.renames
        if value is None or (isinstance(value, str) and value in RENAMES):
            return value, None
        pairs = value.items if isinstance(value, MappingValue) else ()
        plain = {
            key.value: name.value for key, name in pairs if isinstance(key, Constant) and isinstance(name, Constant)
        }
        names = {key: name for key, name in plain.items() if isinstance(key, str) and isinstance(name, str)}
        if not isinstance(value, MappingValue) or len(names) < len(value.items):
            self._unknown("rename", value)
        return None, names

    def _unknown(self, name: str, value: object) -> None:
        self.sound = False
        expr: Expr = self.owner.keywords[name].expr
        place = self.owner.scope.module.file.span(expr.pos)
        label = value.why if isinstance(value, NotConstant) else ""
        message = f"`{name}` of the struct `{self.owner.name}` can't be known from the source"
        self.types.sink.add(rules.INVALID_CLASS.at(place, message, label=label, labels=self.via))
