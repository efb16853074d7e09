"""Which members a class body declares, where conditions may stand around them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...source.file import Pos
from ...syntax.declarations import Assignment, Binding, ClassDecl, Condition, Definition, Deletion, Scope
from ...syntax.expressions import Expr, Opaque, equal

if TYPE_CHECKING:
    from ..types import TypeReader

_Path = dict[int, bool]
"""Answers to undecided tests, by the test: the way to a binding."""


class Member(Struct, frozen=True):
    """An attribute as a class body leaves it: its last annotation and its last value."""

    name: str
    pos: Pos
    annotation: Expr | None
    value: Expr | None


class Undecided(Struct, frozen=True):
    """An attribute under a condition that can't be decided; `exists` if it is there anyhow, one way or another."""

    name: str
    pos: Pos
    exists: bool


def annotated_members(decl: ClassDecl, types: TypeReader) -> Iterator[Member | Undecided]:
    """The attributes with an annotation, in order of their first."""
    for name, found in _live(decl, types).items():
        noted = [item for item in found if isinstance(item[0], Assignment) and item[0].annotation is not None]
        if not noted:
            continue
        annotation = _in_force(noted, _annotation)
        value = _in_force([item for item in found if _gives_value(item[0])], _value)
        for undecided in (annotation, value):
            if isinstance(undecided, bool):
                yield Undecided(name, noted[-1][0].pos, undecided or undecided is value)
                break
        else:
            assert not isinstance(annotation, bool)
            assert not isinstance(value, bool)
            yield Member(mangled(name, decl.name), noted[-1][0].pos, annotation, value)


def valued_members(decl: ClassDecl, types: TypeReader) -> Iterator[Member | Undecided]:
    """The attributes with a value that are no functions or classes, in order; one given twice comes twice."""
    for name, found in _live(decl, types).items():
        valued = [item for item in found if _gives_value(item[0]) and not isinstance(item[0], Definition)]
        value = _in_force(valued, _value)
        if isinstance(value, bool):
            yield Undecided(name, valued[-1][0].pos, value)
            continue
        certain = [binding for binding, path in valued if not path] or [binding for binding, _ in valued[:1]]
        for binding in certain:
            yield Member(name, binding.pos, None, _value(binding))


def mangled(name: str, owner: str) -> str:
    """An attribute's name as Python keeps it: `__x` of class `_C` is `_C__x`."""
    owner = owner.lstrip("_")
    return f"_{owner}{name}" if owner and name.startswith("__") and not name.endswith("__") else name


def _report(types: TypeReader, decl: ClassDecl, what: str, found: Undecided, via: tuple[Label, ...]) -> None:
    """Report an attribute, called a `what`, that can't be known."""
    question = "what it is" if found.exists else "whether it exists"
    message = f"{what} `{found.name}` of `{decl.name}` can't be known from the source"
    label = f"{question} depends on a condition that only running code could decide"
    span = decl.scope.module.file.span(found.pos)
    types.sink.add(rules.INVALID_CLASS.at(span, message, label=label, labels=via))


def _live(decl: ClassDecl, types: TypeReader) -> dict[str, list[tuple[Binding, _Path]]]:
    """The bindings that take place or may, by name."""
    names: dict[str, list[tuple[Binding, _Path]]] = {}
    for binding in decl.body.members:
        path = _path(binding, decl.body, types)
        if path is not None:
            names.setdefault(binding.name, []).append((binding, path))
    return names


def _path(binding: Binding, scope: Scope, types: TypeReader) -> _Path | None:
    """The undecided tests a binding stands under; none if it surely takes place, None if it does not.

    A `try` is decided by its imports; whether one without any fails can't be known.
    """
    path: _Path = {}
    decided = True
    for guard in binding.guards or ():
        if isinstance(guard, Condition):
            met = types.resolver.conditions.met(guard, scope)
            if met is None:
                path[id(guard.test)] = bool(guard.holds)
            elif not met:
                return None
        elif not guard.block.imports:
            decided = False
            path[id(guard.block)] = guard.handler
    return None if decided and types.resolver.choice.reached(binding, scope) is False else path


def _in_force(found: list[tuple[Binding, _Path]], part: Callable[[Binding], Expr | None]) -> Expr | bool | None:
    """That part of a declaration that counts in the end, None if there is none.

    Where it is not known: whether there is one anyhow. Of declarations under undecided tests all have to be alike.
    """
    if len(found) == 1 and not found[0][1]:
        return part(found[0][0])
    after = max((index for index, (_, path) in enumerate(found) if not path), default=0)
    current = found[after:]
    if not current:
        return None
    exists = _exhaustive([path for _, path in current])
    first, *others = [part(binding) for binding, _ in current]
    alike = all(first is other or (first and other and equal(first, other)) for other in others)
    return first if exists and alike else exists


def known_members(
    types: TypeReader, decl: ClassDecl, found: Iterable[Member | Undecided], what: str, via: tuple[Label, ...]
) -> list[Member] | None:
    """The attributes, each called a `what` in messages; None, reported, if one can't be known."""
    known: list[Member] = []
    sound = True
    for member in found:
        if isinstance(member, Member):
            known.append(member)
            continue
        sound = False
        _report(types, decl, what, member, via)
    return known if sound else None


def _exhaustive(paths: list[_Path]) -> bool:
    """Whether one of the paths is taken, however the tests come out."""
    if not all(paths):
        return True
    if not paths:
        return False
    test = next(iter(paths[0]))
    for answer in (True, False):
        open_paths = [path for path in paths if path.get(test, answer) is answer]
        if not _exhaustive([{key: held for key, held in path.items() if key != test} for path in open_paths]):
            return False
    return True


def _gives_value(binding: Binding) -> bool:
    return not isinstance(binding, Assignment) or binding.value is not None


def _annotation(binding: Binding) -> Expr | None:
    return binding.annotation.expr if isinstance(binding, Assignment) and binding.annotation is not None else None


def _value(binding: Binding) -> Expr | None:
    """The value a binding gives an attribute; none for `del`."""
    if isinstance(binding, Assignment):
        return binding.value.expr if binding.value is not None else None
    return None if isinstance(binding, Deletion) else Opaque(binding.pos, "defined by a statement")
