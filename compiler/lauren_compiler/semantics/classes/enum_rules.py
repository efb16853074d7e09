"""What the `enum` module refuses when an enum is made, and which names of a class body are no members.

Source: the `enum` documentation ("Restricted Enum subclassing", "`_ignore_`", `unique`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...ir.values import Constant, Sequence, Value
from ...source.file import Pos
from ...syntax.declarations import Assignment, ClassDecl
from ...syntax.namespaces import namespace_calls
from ..constants import NotConstant
from .kinds import ENUM_BASES, Ancestry, ancestry, decorator_call
from .members import Member, valued_members

if TYPE_CHECKING:
    from ..types import TypeReader

_NUMBERS: dict[str, Callable[[Any], object]] = {"builtins.int": int, "builtins.float": float}
_FLAGS = frozenset({"enum.Flag", "enum.IntFlag"})


def is_allowed(types: TypeReader, decl: ClassDecl, found: Ancestry, via: tuple[Label, ...]) -> bool:
    """Whether Python makes an enum of the class, whose members are those that its body names; reported if not."""
    hidden = next(namespace_calls(decl), None)
    if hidden is not None:
        message = f"the members of enum `{decl.name}` can't be known from the source"
        _report(types, decl, hidden, message, via, "what this adds to the class only running code knows")
        return False
    for base in found.classes[1:]:
        is_enum = bool(ENUM_BASES & ancestry(base, types.resolver).known)
        if is_enum and any(names_member(member.name) for member in _constants(types, base)):
            message = f"enum `{decl.name}` extends `{base.name}`, which has members, and so can't be extended"
            _report(types, decl, decl.name_pos, message, via)
            return False
    return True


def repeats_are_allowed(types: TypeReader, decl: ClassDecl, aliases: Mapping[str, str], via: tuple[Label, ...]) -> bool:
    """Whether an enum may have these aliases, which `@unique` refuses; reported if not."""
    if not aliases or not decorator_call(decl, "enum.unique", types.resolver)[0]:
        return True
    name, first = next(iter(aliases.items()))
    message = f"`{name}` of enum `{decl.name}` has the value of `{first}`, which `@unique` refuses"
    _report(types, decl, decl.name_pos, message, via)
    return False


def ignored_names(types: TypeReader, decl: ClassDecl) -> frozenset[str]:
    """The names that `_ignore_` of a class body keeps from being members."""
    found: set[str] = set()
    for binding in decl.body.bindings.get("_ignore_", ()):
        if isinstance(binding, Assignment) and binding.value is not None:
            value = types.constants.evaluate(binding.value.expr, decl.body)
            items = value.items if isinstance(value, Sequence) else (value,)
            texts = (item.value for item in items if isinstance(item, Constant))
            found.update(name for text in texts if isinstance(text, str) for name in text.replace(",", " ").split())
    return frozenset(found)


def names_member(name: str) -> bool:
    """Names that Python keeps for itself (`_missing_`, `__doc__`) and private ones (`__x`) are no members; `_x` is."""
    return not name.startswith("__") and not (name.startswith("_") and name.endswith("_") and len(name) > 2)


def refusal(value: Value, known: frozenset[str]) -> str | None:
    """What a value is in place of one that the type of an enum with these bases can be made of; None if all is well."""
    if not isinstance(value, Constant):
        return None
    if "enum.StrEnum" in known and not isinstance(value.value, str):
        return "no string"
    if known & _FLAGS and not isinstance(value.value, int):
        return "no integer, as those of flags have to be"
    for name, make in _NUMBERS.items():
        if name in known:
            try:
                make(value.value)
            except (TypeError, ValueError, OverflowError) as problem:
                return f"refused by `{make.__name__}`: {problem}"
    return None


def _constants(types: TypeReader, decl: ClassDecl) -> Iterator[Member]:
    """Attributes that are constants, and so certainly members."""
    for member in valued_members(decl, types):
        if isinstance(member, Member) and member.value is not None:
            if not isinstance(types.constants.evaluate(member.value, decl.body), NotConstant):
                yield member


def _report(
    types: TypeReader, decl: ClassDecl, pos: Pos, message: str, via: tuple[Label, ...], label: str = ""
) -> None:
    span = decl.scope.module.file.span(pos)
    types.sink.add(rules.INVALID_CLASS.at(span, message, label=label, labels=via))
