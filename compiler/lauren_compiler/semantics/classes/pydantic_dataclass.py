"""Dataclasses of pydantic's (`pydantic.dataclasses.dataclass`): the fields of a dataclass, built as a model.

Source: pydantic's chapter on dataclasses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...diagnostics.model import Label
from ...ir.types import Field, ObjectDefinition, ObjectKind
from ...syntax.declarations import ClassDecl
from .fields import description
from .kinds import PYDANTIC_MAKER, decorator_call
from .model_config import ModelConfig
from .model_facts import facts_of
from .pydantic_config import read_given

if TYPE_CHECKING:
    from ..types import TypeReader


def pydantic_definition(
    types: TypeReader,
    decl: ClassDecl,
    order: tuple[ClassDecl, ...],
    fields: tuple[Field, ...],
    reshaped: bool,
    config: ModelConfig,
) -> ObjectDefinition:
    """The definition, with these fields."""
    facts = facts_of(types, order, config, reshaped)
    own = any("__post_init__" in owner.body.bindings for owner in order)
    types.classes.models[types.classes.key(decl)] = replace(facts, changing=facts.changing or own)
    file = decl.scope.module.file
    return ObjectDefinition(
        ObjectKind.MODEL,
        file.module,
        decl.qualname,
        fields,
        description(decl),
        config.extra == "forbid",
        file.span(decl.name_pos),
        config.title,
        config.extra == "allow",
    )


def config_of(types: TypeReader, order: tuple[ClassDecl, ...], via: tuple[Label, ...]) -> ModelConfig | None:
    """The configuration of the nearest class that is given one; None, reported, if it is not known."""
    for owner in order:
        _, call = decorator_call(owner, PYDANTIC_MAKER, types.resolver)
        value = call.keyword("config") if call is not None else None
        if value is not None:
            return read_given(types, owner, value, via)
    return ModelConfig()
