"""What metadata makes of a type: bounds, discriminators, stated schemas, and what pydantic has to build."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ..diagnostics.rules import types as rules
from ..ir.recipes import FIELD, NOT_MADE, Called, Loaded, Recipe, Typed
from ..ir.tags import NoTags, tags_of
from ..ir.types import (
    Adapted,
    AliasDefinition,
    Bounded,
    Bounds,
    Built,
    BuiltKind,
    Described,
    Discriminator,
    FormatKind,
    Formatted,
    ObjectDefinition,
    ObjectKind,
    Reference,
    SetOf,
    Stated,
    TupleOf,
    Type,
    Union,
    VariadicTupleOf,
)
from ..ir.values import Text
from ..ir.walk import walk
from ..source.file import Pos
from ..syntax import expressions as ex
from ..syntax.declarations import Scope
from . import type_table as table
from .constants import Constants
from .recipes import CANT_READ, UNPACKED_REMEDY, RecipeMaker, annotated, field_of, is_unpacked, made, recipe_of
from .said import Metadata, Told, overlaid
from .subject import Subject

if TYPE_CHECKING:
    from .types import TypeReader


_GOING_FIRST = (Loaded("pydantic", "BeforeValidator"), Loaded("pydantic", "WrapValidator"))
_OWN_VALUES = frozenset(
    FormatKind(kind) for kind in "date date_time time duration decimal fraction binary bytearray".split()
)
_OF_DIGITS = frozenset({"max_digits", "decimal_places"})


class Place(Struct, frozen=True):
    """Where metadata stands, for messages; `base` is the type that it is said of, as written."""

    types: TypeReader
    pos: Pos
    scope: Scope
    subject: Subject
    base: ex.Expr | None = None

    def report(self, message: str, *, help: str | None = None, label: str = "") -> None:
        self.types.report(
            rules.INVALID_TYPE_ARGUMENTS, self.pos, self.scope, self.subject, message, help=help, label=label
        )

    def not_covered(self, message: str, help: str) -> None:
        self.types.report(rules.TYPE_NOT_COVERED, self.pos, self.scope, self.subject, message, help=help)


def applied(place: Place, inner: Type | None, said: Metadata) -> Type | None:
    """The type that metadata makes of `inner`, which is None for a type that could not be read but need not be.

    None, reported, if that makes no sense.
    """
    if inner is not None and said.discriminator is not None:
        inner = _discriminated(place, inner, said.discriminator)
        if inner is None:
            return None
    base = _base(place, inner, said)
    taken = _taken(place, inner, said)
    if taken is None:
        return None
    items = tuple(item for item in said.items if item is not None)
    if said.bounds.given:
        taken = _bounded(place, taken, said.bounds, strict=not said.own)
    if taken is not None and said.needed:
        taken = _within_texts(place, taken, items)
    if taken is not None and not said.own and not _takes_digits(place, taken, items):
        return None
    if taken is None or not (said.needed or said.stated is not None):
        return taken
    if inner is not None and any(map(is_unpacked, walk(inner))):
        place.not_covered(f"pydantic, which builds {place.subject.text}, {CANT_READ}", UNPACKED_REMEDY)
        return None
    if said.stated is not None:
        taken = _stated(place, said.stated)
    if taken is None:
        return None
    if base is None or len(items) < len(said.items):
        return _unmade(place, taken, said)
    plain = taken.inner if isinstance(taken, Adapted) else taken
    return Adapted(plain, annotated(base, items), _exactness(place, inner, items), _is_reshaped(inner, said), said.own)


def _exactness(place: Place, inner: Type | None, items: Iterable[Recipe]) -> str | None:
    """How well a value fits as a branch of a union; see `Adapted`.

    What a validator that goes first hands on is a value of Python's, no JSON any more: a list is no set then, and a
    text no date. Source: pydantic-core's strictness tables for Python input.
    """
    exactness = inner.exactness if isinstance(inner, Adapted) else None
    if inner is None or exactness is not None:
        return exactness
    first = any(isinstance(item, Called) and item.function in _GOING_FIRST for item in items)
    return "lax" if first and any(_is_no_json(place, part) for part in walk(inner)) else None


def _is_no_json(place: Place, kind: Type) -> bool:
    """Whether values of a type are other ones in Python than in JSON, and pydantic in strict mode takes no others."""
    if isinstance(kind, Formatted):
        return kind.kind in _OWN_VALUES
    if isinstance(kind, Built):
        return kind.kind is not BuiltKind.DEFAULT_DICT
    if isinstance(kind, Reference):
        definition = place.types.definitions.get(kind.key)
        return isinstance(definition, ObjectDefinition) and definition.kind is ObjectKind.NAMED_TUPLE
    return isinstance(kind, (SetOf, TupleOf, VariadicTupleOf))


def _is_reshaped(inner: Type | None, said: Metadata) -> bool:
    return said.plain or said.instead is not None or (isinstance(inner, Adapted) and inner.reshaped)


def reshaped(kind: Type) -> Type:
    """The type of what a serializer writes in a form of its own; it is read as ever."""
    if isinstance(kind, Adapted):
        return replace(kind, reshaped=True)
    return Adapted(kind, Typed(kind), None, True)


def _base(place: Place, inner: Type | None, said: Metadata) -> Recipe | None:
    """What makes the bare annotation again; None for what can't be made."""
    if not said.needed and said.stated is None:
        return None
    base = place.base
    ways: list[Callable[[], Recipe]] = []
    if inner is not None and not any(_is_unmade(part) for part in walk(inner)):
        ways.append(lambda: recipe_of(inner))
    if base is not None:  # it may have a name that the type has not
        ways.append(lambda: RecipeMaker(place.types.constants).annotation(base, place.scope))
    recipe = made(*ways)
    return None if isinstance(recipe, str) else recipe


def _is_unmade(kind: Type) -> bool:
    return isinstance(kind, Adapted) and kind.annotation == NOT_MADE


def _stated(place: Place, text: str) -> Type | None:
    """The type of a schema that stands in the source; None, reported, for one that no decoder could hold values to."""
    from .stated import problems, stated

    schema = json.loads(text)
    file, span = place.scope.module.file, place.scope.module.file.span(place.pos)
    faults = problems(schema)
    for path, why in faults:
        where = f" (`{'.'.join(path)}`)" if path else ""
        place.report(f"the schema stated for {place.subject.text}{where} can't be used", label=why)
    name = f"stated_{span.start.line}_{span.start.column}"
    return None if faults else stated(schema, file.module, name, span, place.types.definitions)


def _unmade(place: Place, taken: Type, said: Metadata) -> Type | None:
    """What a decoder can't make again: in a model it need not; else it is reported."""
    if place.types.metadata.can_leave():
        return Adapted(taken, NOT_MADE, None, _is_reshaped(taken, said), said.own)
    message = f"a decoder can't make the type of {place.subject.text} again, for pydantic to build its values"
    help = "name the whole annotation at the top of a module, `X = Annotated[...]`, and write `X`"
    place.not_covered(message, help)
    return None


def named(kind: Type, expr: ex.Expr, scope: Scope, constants: Constants) -> Type | str:
    """The type of an alias: by its name can be made what can't be made otherwise; if not by that either, why."""
    if not any(_is_unmade(part) for part in walk(kind)):
        return kind
    recipe = made(lambda: RecipeMaker(constants).annotation(expr, scope))
    return recipe if isinstance(recipe, str) else as_a_whole(kind, recipe)


def as_a_whole(kind: Type, recipe: Recipe) -> Type:
    """The type, made by a recipe for all of it, if something in it can't be made otherwise."""
    if not any(_is_unmade(part) for part in walk(kind)):
        return kind
    if isinstance(kind, Adapted):
        return replace(kind, annotation=recipe)
    return Adapted(kind, recipe, None, any(isinstance(part, Adapted) and part.reshaped for part in walk(kind)), True)


def _taken(place: Place, inner: Type | None, said: Metadata) -> Type | None:
    """What JSON is taken: that of the type, or what a validator says it takes in its place."""
    if said.instead is not None:
        expr, scope = said.instead
        return place.types.argument(expr, scope, place.subject)
    return table.ANYTHING if said.plain or inner is None else inner


def _bounded(place: Place, inner: Type, bounds: Bounds, *, strict: bool) -> Type | None:
    """The type within bounds; of a union each member that is not None. None, reported, if a bound makes no sense for
    the type, except where a validator makes something else of it (not `strict`)."""
    if isinstance(inner, Described):
        found = _bounded(place, inner.inner, bounds, strict=strict)
        return None if found is None else replace(inner, inner=found)
    if isinstance(inner, Union) and inner.discriminator is None:
        members = [m if m == table.NULL else _bounded(place, m, bounds, strict=strict) for m in inner.members]
        known = [member for member in members if member is not None]
        return Union(tuple(known)) if len(known) == len(members) else None
    if isinstance(inner, Reference):
        alias = place.types.definitions.get(inner.key)
        if isinstance(alias, AliasDefinition):
            return _bounded(place, alias.type, bounds, strict=strict)
    if isinstance(inner, Adapted):
        return _adapted(place, inner, bounds, strict=strict)
    base, before = (inner.inner, inner.bounds) if isinstance(inner, Bounded) else (inner, Bounds())
    fitting = table.bounds_of(base)
    wrong = [name for name, _ in bounds.given if name not in fitting]
    if isinstance(base, TupleOf):
        return _tuple(place, base, bounds)
    if isinstance(base, VariadicTupleOf) and bounds.max_length is not None and bounds.max_length < len(base.prefix):
        place.report(
            f"the bounds on the type of {place.subject.text} can't be kept by {len(base.prefix)} items or more"
        )
        return None
    if wrong and strict:
        place.report(f"the bound `{wrong[0]}` makes no sense for the type of {place.subject.text}")
        return None
    kept = Bounds(**{name: value for name, value in bounds.given if name in fitting})  # type: ignore[arg-type]
    if not kept.given:
        return inner
    found = Bounded(base, overlaid(before, kept))
    return _built(place, found) if isinstance(base, Formatted) else found


def _built(place: Place, kind: Bounded) -> Type:
    """A bounded value of the standard library: it is pydantic that looks at the value itself."""
    return Adapted(kind, recipe_of(kind))


def _adapted(place: Place, kind: Adapted, bounds: Bounds, *, strict: bool) -> Type | None:
    """Bounds of what pydantic builds are for pydantic; as far as they can be in the schema, they are."""
    of_several = isinstance(kind.inner, (Union, Stated))
    found = kind.inner if of_several else _bounded(place, kind.inner, bounds, strict=strict and not kind.own)
    if found is None:
        return None
    inner = found.inner if isinstance(found, Adapted) else found
    if _is_unmade(kind):
        return replace(kind, inner=inner)
    return replace(kind, inner=inner, annotation=annotated(kind.annotation, (field_of(bounds),)))


def _tuple(place: Place, kind: TupleOf, bounds: Bounds) -> Type | None:
    count = len(kind.items)
    if set(dict(bounds.given)) <= {"min_length", "max_length"}:
        least, most = bounds.min_length or 0, bounds.max_length
        if least <= count and (most is None or count <= most):
            return kind
    place.report(f"the bounds on the type of {place.subject.text} can't be kept by {count} items")
    return None


def _within_texts(place: Place, kind: Type, items: Iterable[Recipe]) -> Type | None:
    """The type with bounds that are dates, times or decimals: of these only decimals can be in a schema."""
    forms = [part.kind for part in walk(kind) if isinstance(part, Formatted)]
    for name, text in _texts(items):
        if FormatKind(text.kind) not in forms:
            place.report(f"the bound `{name}` makes no sense for the type of {place.subject.text}")
            return None
        if text.kind == FormatKind.DECIMAL:
            kind = _with_decimal(kind, Bounds(**{name: float(text.text)}))  # type: ignore[arg-type]
    return kind


def _takes_digits(place: Place, kind: Type, items: Iterable[Recipe]) -> bool:
    """Whether bounds on digits, if there are any, are said of decimals alone; reported if not: pydantic puts them into
    the schema of another type, and then fails with every value."""
    given = [name for item in items if isinstance(item, Called) and item.function == FIELD for name, _ in item.named]
    wrong = next((name for name in given if name in _OF_DIGITS), None)
    if wrong is None or _is_decimal(place, kind):
        return True
    help = "take a `Decimal`"
    place.report(f"the bound `{wrong}` makes no sense for the type of {place.subject.text}", help=help)
    return False


def _is_decimal(place: Place, kind: Type) -> bool:
    if isinstance(kind, Union):
        return all(_is_decimal(place, member) for member in kind.members if member != table.NULL)
    if isinstance(kind, (Described, Adapted, Bounded)):
        return _is_decimal(place, kind.inner)
    alias = place.types.definitions.get(kind.key) if isinstance(kind, Reference) else None
    return (
        _is_decimal(place, alias.type) if isinstance(alias, AliasDefinition) else kind == Formatted(FormatKind.DECIMAL)
    )


def _texts(items: Iterable[Recipe]) -> Iterator[tuple[str, Text]]:
    for item in items:
        if isinstance(item, Called) and item.function == FIELD:
            yield from ((name, value) for name, value in item.named if isinstance(value, Text))


def _with_decimal(kind: Type, bounds: Bounds) -> Type:
    if isinstance(kind, Union):
        return Union(tuple(_with_decimal(member, bounds) for member in kind.members), kind.discriminator)
    if isinstance(kind, (Described, Adapted)):
        return replace(kind, inner=_with_decimal(kind.inner, bounds))
    if kind == Formatted(FormatKind.DECIMAL):
        return Bounded(kind, bounds)
    return Bounded(kind.inner, overlaid(kind.bounds, bounds)) if isinstance(kind, Bounded) else kind


def _discriminated(place: Place, inner: Type, told: Told) -> Type | None:
    """The union with its discriminator; null stays beside it."""
    if isinstance(inner, Described):
        found = _discriminated(place, inner.inner, told)
        return None if found is None else replace(inner, inner=found)
    members = inner.members if isinstance(inner, Union) else ()
    objects = tuple(member for member in members if member != table.NULL)
    if len(objects) < 2:
        place.report(f"a discriminator takes a union of at least two types, for {place.subject.text}")
        return None
    union = Union(objects, Discriminator(told.key))
    if told.key is not None and not _has_tags(place, union):
        return None
    return Union((union, table.NULL)) if len(objects) < len(members) else union


def _has_tags(place: Place, union: Union) -> bool:
    """Whether the key tells the union apart; reported if not, as pydantic refuses it too. Where a member is still being
    read, further out, that is told later."""
    try:
        tags_of(union, place.types.definitions)
    except NoTags as problem:
        message = f"the discriminator of {place.subject.text} does not tell the union's members apart"
        place.report(message, label=str(problem))
        return False
    except KeyError:
        place.types.classes.when_read(lambda: _has_tags(place, union))
    return True
