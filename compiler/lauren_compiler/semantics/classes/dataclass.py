"""Dataclasses, as `dataclasses.fields` and the generated `__init__` see them, and pydantic's own kind of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...ir.types import Field, ObjectDefinition, ObjectKind
from ...syntax.declarations import ClassDecl
from .class_config import class_config
from .dataclass_fields import Declared, collect, exclude, read_field
from .dataclass_rules import class_is_allowed, fields_in_order
from .fields import constant_flag, description
from .kinds import PYDANTIC_MAKER, Ancestry, dataclass_maker, decorator_call
from .linearization import linearized
from .model_config import ModelConfig
from .model_facts import ModelFacts
from .plain_dataclass import is_plain

if TYPE_CHECKING:
    from ..types import TypeReader


_DEFAULT_FLAGS = {"init": True, "eq": True, "unsafe_hash": False, "frozen": False, "kw_only": False}


def read_dataclass(
    types: TypeReader, decl: ClassDecl, found: Ancestry, via: tuple[Label, ...]
) -> ObjectDefinition | None:
    """The definition of a dataclass, inherited fields first; None, reported, if it can't be built from its fields.

    A constructor of its own is passed by, as pydantic does; a note says so.
    """
    order = linearized(decl, types.resolver) or found.classes
    flags = {owner: _flags(types, owner, via) for owner in order if dataclass_maker(owner, types.resolver)}
    own_init = _own_constructor(types, decl, order, flags, via)
    if None in flags.values() or own_init is None:
        return None
    allowed = [_is_allowed(types, owner, flags, via) for owner in flags]
    if not all(allowed):
        return None
    nearest = next(owner for owner in order if owner in flags)
    by_pydantic = dataclass_maker(nearest, types.resolver) == PYDANTIC_MAKER
    config = _config_of_pydantic(types, order, via) if by_pydantic else class_config(types, decl, order, via)
    if config is None:
        return None
    with types.configured(config):
        declared, sound = _declared(types, decl, order, flags, via)
        fields = _fields(types, decl, declared, via, by_pydantic=by_pydantic)
    if fields is None or not sound:
        return None
    own = flags.get(decl)
    if own is not None and own["eq"] and not own["frozen"] and not own["unsafe_hash"]:
        if "__hash__" not in decl.body.bindings:
            types.classes.unhashable.add(types.classes.key(decl))
    known = tuple(field for field, _ in fields)
    reshaped = any(differs for _, differs in fields)
    if by_pydantic:
        from .pydantic_dataclass import pydantic_definition

        return pydantic_definition(types, decl, order, known, reshaped, config)
    changing = own_init or any("__post_init__" in owner.body.bindings for owner in order)
    changing = changing or any(field.passed is not None for field in known)
    why = "a field has another name in what it is written as, or none" if reshaped else None
    types.classes.models[types.classes.key(decl)] = ModelFacts(False, changing, why)
    kind = ObjectKind.FILLED_DATACLASS if own_init else ObjectKind.DATACLASS
    file = decl.scope.module.file
    text, title = config.more.description or description(decl), config.more.title or config.title
    return ObjectDefinition(
        kind,
        file.module,
        decl.qualname,
        known,
        text,
        config.extra == "forbid",
        file.span(decl.name_pos),
        title,
        config.extra == "allow",
        keywords=config.more.schema_keywords,
        plain=not own_init and all(item.init for item in declared) and is_plain(found, known, types.resolver),
    )


def _config_of_pydantic(types: TypeReader, order: tuple[ClassDecl, ...], via: tuple[Label, ...]) -> ModelConfig | None:
    from .pydantic_dataclass import config_of

    return config_of(types, order, via)


def _declared(
    types: TypeReader,
    decl: ClassDecl,
    order: tuple[ClassDecl, ...],
    flags: Mapping[ClassDecl, dict[str, bool] | None],
    via: tuple[Label, ...],
) -> tuple[list[Declared], bool]:
    """What the class and its bases declare, in the constructor's order; and whether all of it could be read, else it is
    reported."""
    declared: dict[str, Declared] = {}
    sound = True
    for owner in reversed(order):
        own = flags.get(owner)
        if own is not None:
            sound = collect(types, owner, own["kw_only"], declared, via) and sound
    sound = fields_in_order(types, decl.name, declared.values(), via) and sound
    return sorted(declared.values(), key=lambda item: item.keyword_only), sound


def _fields(
    types: TypeReader, decl: ClassDecl, declared: list[Declared], via: tuple[Label, ...], *, by_pydantic: bool
) -> list[tuple[Field, bool]] | None:
    """The fields that the constructor takes, each with whether results have it otherwise; None, reported."""
    sound = True
    fields: list[tuple[Field, bool]] = []
    for item in declared:
        if not item.init:
            exclude(types, decl.name, item, via)
            continue
        read = read_field(types, decl.name, item, via, by_pydantic=by_pydantic)
        sound = sound and read is not None
        if read is not None:
            fields.append(read)
    return fields if sound else None


def _is_allowed(
    types: TypeReader,
    owner: ClassDecl,
    flags: Mapping[ClassDecl, dict[str, bool] | None],
    via: tuple[Label, ...],
) -> bool:
    maker = dataclass_maker(owner, types.resolver) or ""
    _, call = decorator_call(owner, maker, types.resolver)
    return class_is_allowed(types, owner, flags, call, via, by_pydantic=maker == PYDANTIC_MAKER)


def _flags(types: TypeReader, owner: ClassDecl, via: tuple[Label, ...]) -> dict[str, bool] | None:
    """The arguments of a class's `@dataclass(...)` that count here; None, reported, if one can't be known."""
    _, call = decorator_call(owner, dataclass_maker(owner, types.resolver) or "", types.resolver)
    words = call.keywords if call is not None else ()
    flags = dict(_DEFAULT_FLAGS)
    sound = True
    for word in words:
        if word.name is not None and word.name not in flags:
            continue
        if word.name is None:
            message = f"the arguments of the dataclass `{owner.name}` can't be known from the source"
            span = owner.scope.module.file.span(word.pos)
            types.sink.add(rules.INVALID_CLASS.at(span, message, label="unpacked from a dict", labels=via))
            return None
        what = f"`{word.name}` of the dataclass `{owner.name}`"
        value = constant_flag(types, word.value, owner.scope, flags[word.name], what, via)
        sound = sound and value is not None
        flags[word.name] = bool(value)
    return flags if sound else None


def _own_constructor(
    types: TypeReader,
    decl: ClassDecl,
    order: tuple[ClassDecl, ...],
    flags: Mapping[ClassDecl, dict[str, bool] | None],
    via: tuple[Label, ...],
) -> bool | None:
    """Whether the constructor is another than the one `dataclass` generates, which is noted; None, reported, if the
    class can't be built past it."""
    for owner in order:
        given = flags.get(owner)
        own = [name for name in ("__new__", "__init__") if name in owner.body.bindings]
        by_pydantic = given is not None and dataclass_maker(owner, types.resolver) == PYDANTIC_MAKER
        place = owner.scope.module.file.span(owner.name_pos)
        if "__new__" in own or (own and by_pydantic):
            message = (
                f"dataclass `{decl.name}` defines `{own[0]}`, so its constructor can't be known to take its fields"
            )
            types.sink.add(rules.INVALID_CLASS.at(place, message, labels=via))
            return None
        if own or (given is not None and not given["init"]):
            message = f"arguments of dataclass `{decl.name}` are built past its own `__init__`, from its fields"
            label = "not called" if own else "`init=False`"
            types.sink.add(rules.BYPASSED_CONSTRUCTOR.at(place, message, label=label, labels=via))
            return True
        if given is not None:
            return False
    return False
