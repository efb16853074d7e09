"""The fields of dataclasses: what a class body declares, and what pydantic reads of each.

Sources: the `dataclasses` documentation; pydantic's chapter on dataclasses (`Field(...)` as a default, `InitVar`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...ir.types import Default, Field
from ...ir.values import Factory, Value
from ...source.file import Pos
from ...syntax.declarations import ClassDecl, Scope
from ...syntax.expressions import Call, Expr, Subscript
from ..constants import NotConstant
from ..defaults import schema_default
from ..said import Metadata
from ..subject import Subject
from ..symbols import KnownSymbol
from .fields import constant_flag, described_below, field_subject, is_missing, qualifier, typed, wire_name
from .linearization import linearized
from .members import Member, annotated_members, known_members, valued_members

if TYPE_CHECKING:
    from ..types import TypeReader


_FIELD_WORDS = frozenset("default default_factory init repr hash compare metadata kw_only doc".split())


class Declared(Struct, frozen=True):
    """A field as its class declares it. `default` is the language's own; `said` is what `Field(...)` and metadata say.

    One that is not `stored` is an `InitVar`. `given`: Python sees a default, pydantic's `Field(...)` included, whose
    expression is `source`; `twice`: a factory beside it.
    """

    name: str
    pos: Pos
    annotation: Expr
    scope: Scope
    default: Value | Factory | NotConstant | None
    default_pos: Pos
    init: bool
    keyword_only: bool
    said: Metadata | None = None
    stored: bool = True
    given: bool = False
    source: Expr | None = None
    twice: bool = False


def collect(
    types: TypeReader,
    owner: ClassDecl,
    keyword_only: bool,
    declared: dict[str, Declared],
    via: tuple[Label, ...],
) -> bool:
    """Add the fields one class declares; False, reported, if one can't be read."""
    members = known_members(types, owner, annotated_members(owner, types), "field", via)
    sound = members is not None
    marked = False
    for member in members or ():
        assert member.annotation is not None
        outermost = qualifier(types, member.annotation, owner.body)
        if outermost == KnownSymbol("dataclasses.KW_ONLY"):
            if marked:
                message = f"`{member.name}` of `{owner.name}` is a second `KW_ONLY`"
                types.sink.add(rules.INVALID_CLASS.at(owner.scope.module.file.span(member.pos), message, labels=via))
                sound = False
            keyword_only = marked = True
        elif outermost == KnownSymbol("typing.ClassVar"):
            declared.pop(member.name, None)
            sound = _makes_nothing(types, member, owner.body, owner.name, via) and sound
        else:
            name = outermost.name if isinstance(outermost, KnownSymbol) else ""
            item = declaration(types, member, owner.body, owner.name, keyword_only, name, via)
            sound = sound and item is not None
            if item is not None:
                declared[member.name] = item if item.given else _inheriting(types, owner, item)
    return sound


def _inheriting(types: TypeReader, owner: ClassDecl, item: Declared) -> Declared:
    """A field without a value takes the class's attribute of its name as default, wherever among the bases that is."""
    found = _class_attribute(types, owner, item.name)
    if found is None:
        return item
    expr, scope = found
    default, pos, said = _value(types, expr, scope, item.pos)
    if scope.module is not item.scope.module:
        pos = item.pos
    return replace(item, default=default, default_pos=pos, said=said or item.said, given=True, source=expr)


def _class_attribute(types: TypeReader, owner: ClassDecl, name: str) -> tuple[Expr, Scope] | None:
    """What the bases of a class have under a name, and where that is read; None for nothing, and for slots."""
    for base in (linearized(owner, types.resolver) or ())[1:]:
        if name not in base.body.bindings:
            continue
        if types.classes.hides_defaults(base):
            return None
        members = (*annotated_members(base, types), *valued_members(base, types))
        value = next((each.value for each in members if isinstance(each, Member) and each.name == name), None)
        call = value if isinstance(value, Call) else None
        if call is not None and types.resolver.resolve(call.func, base.body) == KnownSymbol("dataclasses.field"):
            value = _sources(types, call, base.body)[0]  # a factory leaves no attribute
        if value is not None:
            return value, base.body
    return None


def declaration(
    types: TypeReader,
    member: Member,
    scope: Scope,
    owner: str,
    keyword_only: bool,
    outermost: str,
    via: tuple[Label, ...],
) -> Declared | None:
    """One field of the class called `owner`; None, reported, if its `field(...)` can't be known. `outermost` is the
    known name that its annotation is qualified with."""
    subject = field_subject(owner, member.name, via)
    annotation = member.annotation
    assert annotation is not None
    if outermost in ("typing.Final", "dataclasses.InitVar"):
        unquoted = types.unquoted(annotation, scope, subject)
        annotation = unquoted.index if isinstance(unquoted, Subscript) else annotation
    stored = outermost != "dataclasses.InitVar"
    call = member.value if isinstance(member.value, Call) else None
    if call is None or types.resolver.resolve(call.func, scope) != KnownSymbol("dataclasses.field"):
        default, pos, said = _value(types, member.value, scope, member.pos)
        about = (default, pos, True, keyword_only, said, stored, member.value is not None, member.value)
        return Declared(member.name, member.pos, annotation, scope, *about)
    if (problem := unknown_word(call)) is not None:
        message = f"`field(...)` of {subject.text} is given {problem}"
        types.report(rules.INVALID_CLASS, call.pos, scope, subject, message)
        return None
    if not stored and not _makes_nothing(types, member, scope, owner, via):
        return None
    flags = [
        constant_flag(types, call.keyword(name), scope, default, f"`{name}` of {subject.text}", via)
        for name, default in (("init", True), ("kw_only", keyword_only))
    ]
    if None in flags:
        return None
    default, pos, said = _field_default(types, call, scope, member.pos)
    metadata = call.keyword("metadata")
    if said is None and metadata is not None:
        # Beside a `Field(...)` it says nothing.
        said = types.metadata.mapping(metadata, scope)
    own = (bool(flags[0]), bool(flags[1]))
    given, factory = _sources(types, call, scope)
    about = (default, pos, *own, said, stored, given is not None or factory is not None, given)
    twice = given is not None and factory is not None
    return Declared(member.name, member.pos, annotation, scope, *about, twice=twice)


def _makes_nothing(types: TypeReader, member: Member, scope: Scope, owner: str, via: tuple[Label, ...]) -> bool:
    """Whether what is no field of instances has no default factory, which Python refuses; reported if it has one."""
    call = member.value if isinstance(member.value, Call) else None
    if call is None or types.resolver.resolve(call.func, scope) != KnownSymbol("dataclasses.field"):
        return True
    factory = _sources(types, call, scope)[1]
    if factory is None:
        return True
    message = f"`{member.name}` of `{owner}` is no field of instances, and can't have a default factory"
    types.sink.add(rules.INVALID_CLASS.at(scope.module.file.span(factory.pos), message, labels=via))
    return False


def unknown_word(call: Call) -> str | None:
    """What stands in a `field(...)` that it does not take, or that can't be known; None if nothing does."""
    if call.args:
        return "an argument without a name"
    word = next((word.name for word in call.keywords if word.name not in _FIELD_WORDS), "")
    return None if word == "" else f"`{word}`" if word else "an unpacked dict"


def _sources(types: TypeReader, call: Call, scope: Scope) -> tuple[Expr | None, Expr | None]:
    """The default and the factory of a `field(...)`."""
    given, factory = (
        None if expr is None or is_missing(types, expr, scope) else expr
        for expr in (call.keyword("default"), call.keyword("default_factory"))
    )
    return given, factory


_Default = tuple[Value | Factory | NotConstant | None, Pos, Metadata | None]


def _value(types: TypeReader, expr: Expr | None, scope: Scope, pos: Pos) -> _Default:
    """The default that an expression gives, or what it says if it is pydantic's `Field(...)`."""
    if expr is None:
        return None, pos, None
    call = types.metadata.field_call(expr, scope)
    if call is not None:
        return None, call.pos, types.metadata.field(call, scope)
    return types.constants.evaluate(expr, scope), expr.pos, None


def _field_default(types: TypeReader, call: Call, scope: Scope, pos: Pos) -> _Default:
    """The default in a `field(...)`."""
    given, factory = _sources(types, call, scope)
    if factory is not None and given is None:
        made = types.metadata.factory(factory, scope)
        return (made if isinstance(made, Factory) else Factory("", "")), factory.pos, None
    return _value(types, given, scope, pos)


def read_field(
    types: TypeReader, owner: str, item: Declared, via: tuple[Label, ...], *, by_pydantic: bool
) -> tuple[Field, bool] | None:
    """The field, and whether its name or presence in results is another than in arguments; None, reported, if its type
    can't be made. `by_pydantic`: pydantic builds the class, and gives it the defaults inside `Field(...)` too."""
    subject = field_subject(owner, item.name, via)
    kind, metadata = typed(types, item.annotation, item.scope, subject, item.said, item.pos)
    if kind is None or metadata.broken:
        return None
    value, pos, passed = item.default, item.default_pos, None
    if value is None and metadata.default is not None:
        value, pos = metadata.default.value, metadata.default.pos
        if not by_pydantic:
            passed = _passed(types, item, value, pos, subject)
            if passed is None:
                return None
    shown: Default | None = None
    if value is not None:
        shown = schema_default(value, kind, pos, item.scope, subject.text, types.definitions, types.sink)
    span = item.scope.module.file.span(item.pos)
    wire = wire_name(types, item.name, metadata, item.pos, item.scope, subject)
    if wire is None:
        return None
    factory = value if isinstance(value, Factory) else None
    text = metadata.description
    if text is None and item.scope.owner is not None:
        text = described_below(types, item.scope.owner, item.name)
    texts = (text, metadata.title)
    field = Field(item.name, wire, kind, value is None, shown, *texts, span, factory, stored=item.stored, passed=passed)
    return field, metadata.reshaped or (not by_pydantic and wire != item.name)


def _passed(
    types: TypeReader, item: Declared, value: Value | Factory | NotConstant, pos: Pos, subject: Subject
) -> Value | Factory | None:
    """What a decoder passes for an absent field whose default stands inside a `Field`; None, reported, if it can't."""
    if not isinstance(value, NotConstant):
        return value
    message = f"the default of {subject.text} stands inside a `Field`, so a decoder has to pass it, and can't know it"
    remedy = "write it as the field's own default: `Annotated[..., Field(...)] = ...`"
    types.report(rules.INVALID_CLASS, pos, item.scope, subject, message, label=value.why, help=remedy)
    return None


def exclude(types: TypeReader, owner: str, item: Declared, via: tuple[Label, ...]) -> None:
    """Note a field that the constructor does not take."""
    message = f"{field_subject(owner, item.name, via).text} is not in the schema: its constructor does not take it"
    place = item.scope.module.file.span(item.pos)
    types.sink.add(rules.EXCLUDED_MEMBER.at(place, message, label="`init=False`"))
