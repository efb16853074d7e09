"""`model_config` of pydantic models, and the keywords of their class statements, with what bases say.

Source: pydantic's documentation of `ConfigDict`, and of how configuration is inherited.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...ir.values import Constant, Value
from ...source.file import Pos
from ...syntax.declarations import Assignment, ClassDecl
from ...syntax.expressions import Call, DictDisplay, Expr
from ...syntax.expressions import Constant as ConstantExpr
from ..constants import NotConstant
from ..symbols import KnownSymbol
from .linearization import direct_bases

if TYPE_CHECKING:
    from ..types import TypeReader

_NAMES = frozenset({"populate_by_name", "validate_by_name"})
_CHANGING = frozenset({"str_strip_whitespace", "str_to_lower", "str_to_upper"})
"""What pydantic does to values when it builds the model."""
_HARMLESS = frozenset(
    """
    allow_inf_nan arbitrary_types_allowed cache_strings coerce_numbers_to_str defer_build from_attributes
    hide_input_in_errors protected_namespaces regex_engine revalidate_instances ser_json_inf_nan serialize_by_alias
    strict use_enum_values validate_assignment validate_default validate_return validation_error_cause
    """.split()
)
"""What changes neither the schema nor which JSON is taken, for the types that are covered.

`strict` only says what is no JSON of the type, which a decoder never takes; `coerce_numbers_to_str` would take more.
"""
_READ = frozenset({"extra", "title", "frozen"}) | _NAMES | _CHANGING
_EXTRA = ("ignore", "forbid", "allow")


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """What configuration says. `by_name`: the constructor takes Python's names beside the aliases."""

    extra: str = "ignore"
    title: str | None = None
    by_name: bool = False
    frozen: bool = False
    changing: bool = False


@dataclass(frozen=True, slots=True)
class _Entry:
    value: Expr
    pos: Pos
    owner: ClassDecl


def read_config(types: TypeReader, order: tuple[ClassDecl, ...], via: tuple[Label, ...]) -> ModelConfig | None:
    """The configuration of a model with this linearization; None, reported, if it holds what is not covered."""
    entries: dict[ClassDecl, dict[str, _Entry]] = {}
    for owner in reversed(order):
        found: dict[str, _Entry] = {}
        for base in direct_bases(owner, types.resolver):
            found.update(entries[base])
        own = _own(types, owner, via)
        if own is None:
            return None
        entries[owner] = {**found, **own}
    reader = _Reader(types, order[0].name, via)
    values = {key: reader.value(key, entry) for key, entry in entries[order[0]].items()}
    return reader.config(values) if reader.sound else None


def read_given(types: TypeReader, owner: ClassDecl, value: Expr, via: tuple[Label, ...]) -> ModelConfig | None:
    """The configuration that a decorator of a class is given; None, reported, if it holds what is not covered."""
    pairs = _pairs(types, value, owner)
    if pairs is None or any(name is None for name, _, _ in pairs):
        place = owner.scope.module.file.span(value.pos)
        message = f"the configuration of `{owner.name}` can't be known from the source"
        types.sink.add(rules.TYPE_NOT_COVERED.at(place, message, label="not a `ConfigDict(...)`", labels=via))
        return None
    reader = _Reader(types, owner.name, via)
    values = {name: reader.value(name, _Entry(item, pos, owner)) for name, item, pos in pairs if name is not None}
    return reader.config(values) if reader.sound else None


def _own(types: TypeReader, owner: ClassDecl, via: tuple[Label, ...]) -> dict[str, _Entry] | None:
    """What one class says itself; None, reported, if that can't be known."""
    found: dict[str, _Entry] = {}
    for binding in owner.body.bindings.get("model_config", ()):
        if types.resolver.conditions.reached(binding, owner.body) is False:
            continue
        value = binding.value.expr if isinstance(binding, Assignment) and binding.value is not None else None
        pairs = None if found or value is None else _pairs(types, value, owner)
        if pairs is None or any(name is None for name, _, _ in pairs):
            place = owner.scope.module.file.span(value.pos if value is not None else owner.name_pos)
            message = f"the `model_config` of `{owner.name}` can't be known from the source"
            types.sink.add(rules.TYPE_NOT_COVERED.at(place, message, label="not a `ConfigDict(...)`", labels=via))
            return None
        found = {name: _Entry(item, pos, owner) for name, item, pos in pairs if name is not None}
    for name, word in owner.keywords.items():
        found[name] = _Entry(word.expr, word.pos, owner)
    return found


def _pairs(types: TypeReader, value: Expr, owner: ClassDecl) -> list[tuple[str | None, Expr, Pos]] | None:
    """The keys, values and places in `ConfigDict(...)` or a dict display; the key is None for what is no name."""
    if isinstance(value, DictDisplay):
        return list(_items(value))
    if isinstance(value, Call) and not value.args:
        if types.resolver.dealias(types.resolver.resolve(value.func, owner.body)) in _MAKERS:
            return [(word.name, word.value, word.pos) for word in value.keywords]
    return None


_MAKERS = (KnownSymbol("pydantic.ConfigDict"), KnownSymbol("builtins.dict"))


def _items(display: DictDisplay) -> Iterator[tuple[str | None, Expr, Pos]]:
    for key, value in display.items:
        is_name = isinstance(key, ConstantExpr) and isinstance(key.value, str)
        yield (str(key.value) if is_name and isinstance(key, ConstantExpr) else None), value, value.pos


class _Reader:
    """Evaluates the configuration of one model."""

    def __init__(self, types: TypeReader, name: str, via: tuple[Label, ...]) -> None:
        self.types = types
        self.name = name
        self.via = via
        self.sound = True

    def value(self, key: str, entry: _Entry) -> Value | None:
        """The value of a key that is read; None for one without effect, or, reported, for one not covered."""
        if key in _HARMLESS:
            return None
        value = self.types.constants.evaluate(entry.value, entry.owner.body)
        if key in _READ and not isinstance(value, NotConstant):
            if key != "extra" or (isinstance(value, Constant) and value.value in _EXTRA):
                return value
        elif value in (Constant(None), Constant(False)) or (key == "validate_by_alias" and value == Constant(True)):
            return None
        self.sound = False
        place = entry.owner.scope.module.file.span(entry.pos)
        message = f"`{key}` in the configuration of `{self.name}` is not covered by this version"
        label = value.why if key in _READ and isinstance(value, NotConstant) else ""
        self.types.sink.add(rules.TYPE_NOT_COVERED.at(place, message, label=label, labels=self.via))
        return None

    @staticmethod
    def config(values: dict[str, Value | None]) -> ModelConfig:
        plain = {key: value.value for key, value in values.items() if isinstance(value, Constant)}
        title = plain.get("title")
        return ModelConfig(
            str(plain.get("extra", "ignore")),
            title if isinstance(title, str) else None,
            any(plain.get(key) for key in _NAMES),
            bool(plain.get("frozen")),
            any(plain.get(key) for key in _CHANGING),
        )
