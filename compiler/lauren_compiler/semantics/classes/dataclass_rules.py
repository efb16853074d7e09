"""What `dataclasses` refuses when a class is made: a module with such a class can't be imported, so no tool of it runs.

Source: the `dataclasses` documentation ("TypeError will be raised if …"), which pydantic's own kind keeps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...ir.values import Construction, Sequence
from ...ir.values import Mapping as Items
from ...source.file import Pos
from ...syntax.declarations import Assignment, ClassDecl, Scope
from ...syntax.expressions import Call, Constant, DictDisplay, Expr, ListDisplay, SetDisplay
from ..resolver import Resolver
from ..symbols import KnownSymbol
from .dataclass_fields import Declared
from .linearization import linearized

if TYPE_CHECKING:
    from ..types import TypeReader

_FIELD = "dataclasses.field"
_CLASS_WORDS = frozenset("init repr eq order unsafe_hash frozen match_args kw_only slots weakref_slot".split())
_PYDANTIC_WORDS = (_CLASS_WORDS - {"match_args", "weakref_slot"}) | {"config"}
_Problem = tuple[Pos, Scope, str]


def fields_in_order(types: TypeReader, name: str, items: Iterable[Declared], via: tuple[Label, ...]) -> bool:
    """Whether the fields of the class called `name` can be parameters of one constructor, and no default is shared by
    all instances; reported if not."""
    return _report(types, _field_problems(types, name, list(items)), via)


def class_is_allowed(
    types: TypeReader,
    owner: ClassDecl,
    flags: Mapping[ClassDecl, dict[str, bool] | None],
    call: Call | None,
    via: tuple[Label, ...],
    *,
    by_pydantic: bool,
) -> bool:
    """Whether Python makes a dataclass of a class body and the arguments of its decorator; reported if not. `flags` are
    those of all dataclasses among its bases."""
    words = _PYDANTIC_WORDS if by_pydantic else _CLASS_WORDS
    problems = [*_arguments(owner, flags, call, words), *_frozen(owner, flags, types.resolver), *_bare(types, owner)]
    return _report(types, iter(problems), via)


def _field_problems(types: TypeReader, name: str, items: list[Declared]) -> Iterator[_Problem]:
    optional: Declared | None = None
    for item in items:
        if item.twice:
            yield item.default_pos, item.scope, f"field `{item.name}` of `{name}` has a default and a default factory"
        if item.stored and _is_shared(types, item):
            message = f"the default of field `{item.name}` of `{name}` would be shared by all instances"
            yield item.default_pos, item.scope, f"{message}, which dataclasses refuse"
        if not item.init or item.keyword_only:
            continue
        if item.given:
            optional = optional or item
        elif optional is not None:
            message = f"field `{item.name}` of `{name}` has no default, and stands behind `{optional.name}`"
            yield item.pos, item.scope, f"{message}, which has one"


def _is_shared(types: TypeReader, item: Declared) -> bool:
    """Whether a default is an object that can't be hashed, by which dataclasses tell what may change."""
    if isinstance(item.source, (ListDisplay, DictDisplay, SetDisplay)):
        return True
    match item.default:
        case Sequence(kind):
            return kind in ("list", "set")
        case Items():
            return True
        case Construction(key):
            return key in types.classes.unhashable
        case _:
            return False


def _arguments(
    owner: ClassDecl,
    flags: Mapping[ClassDecl, dict[str, bool] | None],
    call: Call | None,
    words: frozenset[str],
) -> Iterator[_Problem]:
    own = flags[owner]
    for word in call.keywords if call is not None else ():
        if word.name is not None and word.name not in words:
            yield word.pos, owner.scope, f"`dataclass` of `{owner.name}` has no parameter `{word.name}`"
        if word.name == "order" and _is_true(word.value) and own is not None and not own["eq"]:
            yield word.pos, owner.scope, f"dataclass `{owner.name}` can't be ordered without `eq`"


def _is_true(expr: Expr) -> bool:
    return isinstance(expr, Constant) and expr.value is True


def _frozen(
    owner: ClassDecl, flags: Mapping[ClassDecl, dict[str, bool] | None], resolver: Resolver
) -> Iterator[_Problem]:
    own = flags[owner]
    bases = [found for base in (linearized(owner, resolver) or ())[1:] if (found := flags.get(base)) is not None]
    frozen = [found["frozen"] for found in bases]
    if own is None or not frozen:
        return
    if own["frozen"] and not any(frozen):
        yield owner.name_pos, owner.scope, f"frozen dataclass `{owner.name}` inherits from one that is not frozen"
    if not own["frozen"] and any(frozen):
        yield owner.name_pos, owner.scope, f"dataclass `{owner.name}`, which is not frozen, inherits from a frozen one"


def _bare(types: TypeReader, owner: ClassDecl) -> Iterator[_Problem]:
    """`x = field(...)`, without an annotation."""
    noted = {each.name for each in owner.body.members if isinstance(each, Assignment) and each.annotation is not None}
    for binding in owner.body.members:
        if not isinstance(binding, Assignment) or binding.value is None or binding.name in noted:
            continue
        value = binding.value.expr
        if isinstance(value, Call) and types.resolver.resolve(value.func, owner.body) == KnownSymbol(_FIELD):
            yield binding.pos, owner.body, f"`{binding.name}` of `{owner.name}` is a field without an annotation"


def _report(types: TypeReader, problems: Iterator[_Problem], via: tuple[Label, ...]) -> bool:
    sound = True
    for pos, scope, message in problems:
        types.sink.add(rules.INVALID_CLASS.at(scope.module.file.span(pos), message, labels=via))
        sound = False
    return sound
