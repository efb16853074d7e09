"""`model_config` of pydantic models, and the keywords of their class statements, with what bases say.

Source: pydantic's documentation of `ConfigDict`, and of how configuration is inherited.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...ir.types import Bounds
from ...ir.values import Constant, EnumMember, Value
from ...source.file import Pos
from ...syntax.declarations import Assignment, ClassDecl, Definition, Scope
from ...syntax.expressions import Attribute, Call, DictDisplay, Expr, Name
from ...syntax.expressions import Constant as ConstantExpr
from ..constants import NotConstant
from ..field_keywords import keywords_of
from ..said import overlaid
from ..symbols import KnownSymbol, ValueSymbol
from .linearization import direct_bases
from .model_config import AliasOf, ModelConfig

if TYPE_CHECKING:
    from ..types import TypeReader

_NAMES = frozenset({"populate_by_name", "validate_by_name"})
_CHANGING = frozenset({"str_strip_whitespace", "str_to_lower", "str_to_upper", "val_json_bytes"})
"""What pydantic does to values when it builds the model."""
_HARMLESS = frozenset(
    """
    allow_inf_nan arbitrary_types_allowed cache_strings coerce_numbers_to_str defer_build field_title_generator
    from_attributes hide_input_in_errors json_encoders loc_by_alias model_title_generator
    plugin_settings polymorphic_serialization protected_namespaces regex_engine revalidate_instances schema_generator
    ser_json_inf_nan serialize_by_alias smart_union strict underscore_attrs_are_private url_preserve_empty_path
    use_enum_values validate_assignment validate_default validate_return validation_error_cause
    """.split()
)
"""What changes neither the schema (apart from titles that it generates) nor which JSON is taken, for the types that are
covered.

`strict` only says what is no JSON of the type, which a decoder never takes; `coerce_numbers_to_str` would take more.
"""
_WRITING = frozenset(
    {"ser_json_timedelta", "ser_json_temporal", "ser_json_bytes", "json_schema_serialization_defaults_required"}
)
"""What changes what a model is written as."""
_LENGTHS = frozenset({"str_min_length", "str_max_length"})
_FLAGS = frozenset({"title", "frozen", "use_attribute_docstrings"}) | _NAMES | _CHANGING
_EXTRA = ("ignore", "forbid", "allow")
_WITHOUT_CHANGE = (Constant(None), Constant(False))


class _Entry(Struct, frozen=True):
    """`scope` is where its value is read."""

    value: Expr
    pos: Pos
    scope: Scope


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
    for key, entry in entries[order[0]].items():
        reader.read(key, entry)
    return reader.config if reader.sound else None


def read_given(
    types: TypeReader, owner: ClassDecl, value: Expr, via: tuple[Label, ...], scope: Scope | None = None
) -> ModelConfig | None:
    """The configuration that a class is given in a scope, that of its decorators if none is named; None, reported, if
    it holds what is not covered."""
    pairs = _pairs(types, value, scope if scope is not None else owner.scope)
    if pairs is None:
        place = owner.scope.module.file.span(value.pos)
        message = f"the configuration of `{owner.name}` can't be known from the source"
        types.sink.add(rules.TYPE_NOT_COVERED.at(place, message, label="not a `ConfigDict(...)`", labels=via))
        return None
    reader = _Reader(types, owner.name, via)
    for key, entry in pairs.items():
        reader.read(key, entry)
    return reader.config if reader.sound else None


def _own(types: TypeReader, owner: ClassDecl, via: tuple[Label, ...]) -> dict[str, _Entry] | None:
    """What one class says itself; None, reported, if that can't be known."""
    found = _old(types, owner)
    for binding in owner.body.bindings.get("model_config", ()):
        if types.resolver.conditions.reached(binding.guards, owner.body) is False:
            continue
        value = binding.value.expr if isinstance(binding, Assignment) and binding.value is not None else None
        pairs = None if found or value is None else _pairs(types, value, owner.body)
        if pairs is None:
            place = owner.scope.module.file.span(value.pos if value is not None else owner.name_pos)
            message = f"the `model_config` of `{owner.name}` can't be known from the source"
            help = "write `ConfigDict(...)` with its keys, or the name of one"
            label = "not a `ConfigDict(...)`"
            types.sink.add(rules.TYPE_NOT_COVERED.at(place, message, label=label, labels=via, help=help))
            return None
        found = pairs
    for name, word in owner.keywords.items():
        found[name] = _Entry(word.expr, word.pos, owner.body)
    return found


def _old(types: TypeReader, owner: ClassDecl) -> dict[str, _Entry]:
    """What an inner class `Config` says, as models of version 1 had it."""
    found: dict[str, _Entry] = {}
    for binding in owner.body.bindings.get("Config", ()):
        inner = binding.decl if isinstance(binding, Definition) else None
        reached = types.resolver.conditions.reached(binding.guards, owner.body)
        if not isinstance(inner, ClassDecl) or reached is False:
            continue
        for member in inner.body.members:
            if isinstance(member, Assignment) and member.value is not None:
                found[member.name] = _Entry(member.value.expr, member.pos, inner.body)
    return found


def _pairs(types: TypeReader, value: Expr, scope: Scope, depth: int = 0) -> dict[str, _Entry] | None:
    """The entries of `ConfigDict(...)`, of a dict display or of a name for one; None if they can't be known."""
    if isinstance(value, DictDisplay):
        return _items(types, value, scope, depth)
    if isinstance(value, Call) and len(value.args) < 2:
        if types.resolver.dealias(types.resolver.resolve(value.func, scope)) not in _MAKERS:
            return None
        found = _pairs(types, value.args[0], scope, depth + 1) if value.args else {}
        for word in value.keywords:
            more = _pairs(types, word.value, scope, depth + 1) if word.name is None else None
            if found is None or (word.name is None and more is None):
                return None
            found.update({word.name: _Entry(word.value, word.pos, scope)} if word.name is not None else more or {})
        return found
    if isinstance(value, (Name, Attribute)) and depth < _MOST_STEPS:
        symbol = types.resolver.dealias(types.resolver.resolve(value, scope))
        if isinstance(symbol, ValueSymbol) and symbol.expr is not None:
            return _pairs(types, symbol.expr, symbol.scope, depth + 1)
    return None


_MAKERS = (KnownSymbol("pydantic.ConfigDict"), KnownSymbol("pydantic.with_config"), KnownSymbol("builtins.dict"))
_MOST_STEPS = 20


def _items(types: TypeReader, display: DictDisplay, scope: Scope, depth: int) -> dict[str, _Entry] | None:
    found: dict[str, _Entry] = {}
    for key, value in display.items:
        if key is None:
            more = _pairs(types, value, scope, depth + 1)
            if more is None:
                return None
            found.update(more)
        elif isinstance(key, ConstantExpr) and isinstance(key.value, str):
            found[key.value] = _Entry(value, value.pos, scope)
        else:
            return None
    return found


class _Reader:
    """Evaluates the configuration of one model into `config`; `sound` is False after an error."""

    def __init__(self, types: TypeReader, name: str, via: tuple[Label, ...]) -> None:
        self.types = types
        self.name = name
        self.via = via
        self.sound = True
        self.config = ModelConfig()

    def read(self, key: str, entry: _Entry) -> None:
        """One key; reported if what it says can't be known, or is not covered."""
        if key in _HARMLESS:
            return
        if key in _SPECIAL:
            _SPECIAL[key](self, entry)
            return
        if key in _LENGTHS:
            self.length(key, entry)
            return
        value = self.types.constants.evaluate(entry.value, entry.scope)
        if key in _WRITING:
            changes = value not in (*_WITHOUT_CHANGE, Constant("iso8601"), Constant("utf8"))
            self.config = replace(self.config, reshaped=f"`{key}` changes it") if changes else self.config
        elif key in _FLAGS and not isinstance(value, NotConstant):
            self._flag(key, value)
        elif value not in _WITHOUT_CHANGE and (key, value) not in _DEFAULTS:
            self.refuse(key, entry, value.why if isinstance(value, NotConstant) else "")

    def _flag(self, key: str, value: Value) -> None:
        plain = value.value if isinstance(value, Constant) else None
        if key == "title":
            self.config = replace(self.config, title=plain if isinstance(plain, str) else None)
        elif key in _NAMES:
            self.config = replace(self.config, by_name=self.config.by_name or bool(plain))
        elif key in _CHANGING:
            changes = bool(plain) and (key, plain) != ("val_json_bytes", "utf8")
            self.config = replace(self.config, changing=self.config.changing or changes)
        elif key == "frozen":
            self.config = replace(self.config, frozen=bool(plain))
        else:
            self.config = replace(self.config, documented=bool(plain))

    def extra(self, entry: _Entry) -> None:
        """What becomes of unknown keys."""
        value = self.types.constants.evaluate(entry.value, entry.scope)
        name = value.value.value if isinstance(value, EnumMember) else getattr(value, "value", None)
        if name not in _EXTRA:
            self.refuse("extra", entry, value.why if isinstance(value, NotConstant) else "")
            return
        self.config = replace(self.config, extra=str(name))

    def added(self, entry: _Entry) -> None:
        """`json_schema_extra`."""
        more = keywords_of(self.types.metadata, entry.value, entry.scope, None)
        self.sound = self.sound and not more.broken
        self.config = replace(self.config, more=more)

    def generator(self, entry: _Entry) -> None:
        """`alias_generator`."""
        found = self._generator(entry.value, entry.scope)
        if found is None:
            self.refuse("alias_generator", entry, "a call that can't be known", "give each field its `alias`")
            return
        place = entry.scope.module.file.span(entry.pos)
        self.config = replace(self.config, alias=found, alias_place=place)

    def _generator(self, value: Expr, scope: Scope) -> AliasOf | None:
        if isinstance(value, ConstantExpr) and value.value is None:
            return Constant
        target = value.func if isinstance(value, Call) else value
        symbol = self.types.resolver.dealias(self.types.resolver.resolve(target, scope))
        if isinstance(symbol, ValueSymbol) and isinstance(symbol.expr, Call) and not isinstance(value, Call):
            return self._generator(symbol.expr, symbol.scope)
        if not isinstance(value, Call):
            from ..functions import applied

            return lambda name: applied(value, Constant(name), scope, self.types.constants)
        if symbol != KnownSymbol("pydantic.AliasGenerator"):
            return None
        names: tuple[str, ...] = ("alias", "validation_alias", "serialization_alias")
        given: dict[str, Expr] = dict(zip(names, value.args, strict=False))
        given.update({word.name: word.value for word in value.keywords if word.name is not None})
        found = [self._generator(given[name], scope) for name in ("validation_alias", "alias") if name in given]
        return found[0] if found else Constant

    def ignored(self, entry: _Entry) -> None:
        """`ignored_types`."""
        self.config = replace(self.config, ignoring=True)

    def length(self, key: str, entry: _Entry) -> None:
        """`str_min_length` and `str_max_length`."""
        value = self.types.constants.evaluate(entry.value, entry.scope)
        given = value.value if isinstance(value, Constant) else ""
        if given is None or (key, given) == ("str_min_length", 0):
            return
        if not isinstance(given, int):
            self.refuse(key, entry, value.why if isinstance(value, NotConstant) else "it is no number")
            return
        bounds = Bounds(min_length=given) if key == "str_min_length" else Bounds(max_length=given)
        self.config = replace(self.config, lengths=overlaid(self.config.lengths, bounds))

    def by_alias(self, entry: _Entry) -> None:
        """`validate_by_alias`: decoders know a field by its alias, if it has one."""
        value = self.types.constants.evaluate(entry.value, entry.scope)
        if isinstance(value, NotConstant):
            self.refuse("validate_by_alias", entry, value.why)
        elif value not in (Constant(None), Constant(True)):
            self.config = replace(self.config, by_alias=False)

    def refuse(self, key: str, entry: _Entry, label: str = "", help: str | None = None) -> None:
        self.sound = False
        place = entry.scope.module.file.span(entry.pos)
        message = f"what `{key}` in the configuration of `{self.name}` says is not covered by this version"
        self.types.sink.add(rules.TYPE_NOT_COVERED.at(place, message, label=label, labels=self.via, help=help))


_SPECIAL: dict[str, Callable[[_Reader, _Entry], None]] = {
    "extra": _Reader.extra,
    "json_schema_extra": _Reader.added,
    "schema_extra": _Reader.added,
    "alias_generator": _Reader.generator,
    "validate_by_alias": _Reader.by_alias,
    "ignored_types": _Reader.ignored,
}
_DEFAULTS = (("json_schema_mode_override", Constant("validation")),)
