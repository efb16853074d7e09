"""The configuration that pydantic finds at a dataclass or TypedDict: `@with_config(...)`, `__pydantic_config__`.

Source: pydantic's chapter on configuration, "Configuration on other supported types".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...syntax.declarations import Assignment, ClassDecl, Scope
from ...syntax.expressions import Call, Expr
from .kinds import ancestry, decorator_call
from .model_config import ModelConfig

if TYPE_CHECKING:
    from ..types import TypeReader

_ATTRIBUTE = "__pydantic_config__"
_DECORATOR = "pydantic.with_config"


def has_config(order: tuple[ClassDecl, ...], types: TypeReader) -> bool:
    """Whether a class has a configuration of its own, or from a base."""
    return any(_given(owner, types) is not None for owner in order)


def class_config(
    types: TypeReader, decl: ClassDecl, order: tuple[ClassDecl, ...], via: tuple[Label, ...]
) -> ModelConfig | None:
    """The configuration of a class: its own, else that of the nearest base, else what reaches it from a model around
    it. None, reported, if it says what no decoder of ours does."""
    for owner in order:
        given = _given(owner, types)
        if given is None:
            continue
        from .pydantic_config import read_given  # which few classes have need of

        value, scope = given
        config = read_given(types, owner, value, via, scope)
        if config is None or not _is_done(types, decl, owner, config, value, scope, via):
            return None
        return config
    # Of these a model keeps the rest to itself.
    around = types.config
    return ModelConfig(
        extra=around.extra,
        documented=around.documented,
        alias=around.alias,
        alias_place=around.alias_place,
        lengths=around.lengths,
    )


def _given(owner: ClassDecl, types: TypeReader) -> tuple[Expr, Scope] | None:
    """What a class is given, and where that is read: the decorator comes last, and wins."""
    _, call = decorator_call(owner, _DECORATOR, types.resolver)
    if call is not None:
        return (_config_of(call), owner.scope)
    for binding in owner.body.bindings.get(_ATTRIBUTE, ()):
        if isinstance(binding, Assignment) and binding.value is not None:
            return (binding.value.expr, owner.body)
    return None


def _config_of(call: Call) -> Expr:
    """`with_config(ConfigDict(...))`, or its keywords alone, which are a configuration themselves."""
    named = call.keyword("config")
    return call.args[0] if call.args else named if named is not None else call


def _is_done(
    types: TypeReader,
    decl: ClassDecl,
    owner: ClassDecl,
    config: ModelConfig,
    value: Expr,
    scope: Scope,
    via: tuple[Label, ...],
) -> bool:
    """Whether decoders do what a configuration says: pydantic does not build these classes. Reported if not."""
    is_dict = "typing.TypedDict" in ancestry(decl, types.resolver).known
    if not config.changing and (is_dict or config.extra != "allow"):
        return True
    if config.changing:
        what = "changes texts or bytes"
        help = "say it of the fields: `Annotated[str, StringConstraints(strip_whitespace=True)]`"
    else:
        what = "keeps unknown keys, for which a dataclass has no place"
        help = "make the class a pydantic model"
    message = f"the configuration of `{owner.name}` {what}, which is not covered by this version"
    types.sink.add(rules.TYPE_NOT_COVERED.at(scope.module.file.span(value.pos), message, labels=via, help=help))
    return False
