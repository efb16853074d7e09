"""attrs classes, as their generated `__init__` takes them: the schema of a dataclass with these fields.

Source: attrs' chapter on initialization; `tests/decoders/test_attrs.py` builds what is accepted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...ir.types import Anything, Default, Field, ObjectDefinition, ObjectKind, Type
from ...ir.values import Constant as ConstantValue
from ...ir.values import Factory, Value
from ...source.file import Pos
from ...syntax.declarations import ClassDecl, Scope
from ...syntax.expressions import Call, Constant, Expr, Subscript
from ..attempts import attempt
from ..constants import NotConstant
from ..defaults import schema_default
from ..said import Metadata
from ..subject import Subject
from ..symbols import KnownSymbol
from .attrs_converters import converter_input
from .attrs_fields import Attribute, attributes
from .attrs_flags import AttrsFlags, attrs_flags, attrs_maker
from .attrs_validators import validated
from .fields import description, field_subject, qualifier, typed
from .linearization import linearized
from .model_facts import ModelFacts

if TYPE_CHECKING:
    from ..types import TypeReader

_HOOKS = ("__attrs_pre_init__", "__attrs_post_init__")
_ABSENT = frozenset({"attrs.NOTHING"})


def read_attrs_class(types: TypeReader, decl: ClassDecl, via: tuple[Label, ...]) -> ObjectDefinition | None:
    """The definition of an attrs class, inherited attributes first; None, reported, if it can't be built of them."""
    order = linearized(decl, types.resolver)
    if order is None:
        message = f"the bases of `{decl.name}` can't be brought into an order"
        types.sink.add(rules.INVALID_CLASS.at(decl.scope.module.file.span(decl.name_pos), message, labels=via))
        return None
    made = {owner: attrs_flags(types, owner, via) for owner in order if attrs_maker(owner, types.resolver)}
    flags = {owner: given for owner, given in made.items() if given is not None}
    if len(flags) < len(made) or not _has_generated_init(types, decl, order, flags, via):
        return None
    found = attributes(types, next(iter(flags)), flags, via)
    if found is None:
        return None
    fields: list[Field] = []
    keyword_only: set[str] = set()
    sound, reshaped = True, False
    for item in sorted(found, key=lambda item: item.keyword_only):
        read = _Reader(types, decl, item, via)
        field = read.field()
        reshaped = reshaped or read.converted
        if field is not None:
            fields.append(field)
            keyword_only.update({field.name} if item.keyword_only else ())
        sound = sound and (field is not None or not read.taken)
    if not sound or not _is_ordered(types, decl, fields, keyword_only, via):
        return None
    changing = reshaped or any("converter" in item.words for item in found)
    changing = changing or any(name in owner.body.bindings for owner in order for name in _HOOKS)
    why = "a converter takes another type than the attribute has" if reshaped else None
    types.classes.models[types.classes.key(decl)] = ModelFacts(False, changing, why)
    if flags.get(decl) is not None and flags[decl].generates_hash is False and not _has_own_hash(decl, flags[decl]):
        types.classes.unhashable.add(types.classes.key(decl))
    file = decl.scope.module.file
    place = file.span(decl.name_pos)
    return ObjectDefinition(
        ObjectKind.ATTRS, file.module, decl.qualname, tuple(fields), description(decl), False, place
    )


def _has_own_hash(decl: ClassDecl, flags: AttrsFlags) -> bool:
    return bool(flags.values["auto_detect"]) and "__hash__" in decl.body.bindings


def _has_generated_init(
    types: TypeReader,
    decl: ClassDecl,
    order: tuple[ClassDecl, ...],
    flags: Mapping[ClassDecl, AttrsFlags],
    via: tuple[Label, ...],
) -> bool:
    """Whether the constructor is the one attrs generates; reported if not."""
    for owner in order:
        given = flags.get(owner)
        own = "__init__" if "__init__" in owner.body.bindings else None
        if given is not None and (given.values["init"] or not given.values["auto_detect"]):
            own = None  # attrs writes its own over it
        own = "__new__" if "__new__" in owner.body.bindings else own
        if own is not None or (given is not None and given.values["init"] is False):
            what = f"defines `{own}`" if own is not None else "is made with `init=False`"
            message = f"attrs class `{decl.name}` {what}, so its constructor can't be known to take its fields"
            place = owner.scope.module.file.span(owner.name_pos)
            types.sink.add(rules.INVALID_CLASS.at(place, message, labels=via))
            return False
        if given is not None:
            return True
    return True


def _is_ordered(
    types: TypeReader, decl: ClassDecl, fields: list[Field], keyword_only: set[str], via: tuple[Label, ...]
) -> bool:
    """Whether the constructor has two parameters of one name, or a mandatory one behind one with a default; reported
    if so, since attrs refuses it."""
    names = [field.name for field in fields]
    twice = next((name for name in names if names.count(name) > 1), None)
    positional = [field for field in fields if field.name not in keyword_only]
    optional = next((index for index, field in enumerate(positional) if not field.required), len(positional))
    late = next((field for field in positional[optional:] if field.required), None)
    if twice is not None:
        message = f"two attributes of `{decl.name}` are given to its constructor as `{twice}`"
    elif late is not None:
        message = f"`{late.name}` of `{decl.name}` has no default, and stands behind an attribute that has one"
    else:
        return True
    types.sink.add(rules.INVALID_CLASS.at(decl.scope.module.file.span(decl.name_pos), message, labels=via))
    return False


class _Reader:
    """Reads one attribute. `taken`: the constructor takes it; `converted`: its converter takes another type."""

    def __init__(self, types: TypeReader, decl: ClassDecl, item: Attribute, via: tuple[Label, ...]) -> None:
        self.types = types
        self.item = item
        self.subject = field_subject(decl.name, item.name, via)
        self.taken = True
        self.converted = False

    def field(self) -> Field | None:
        """The field; None for one that the constructor does not take (a note says so), and, reported, for one whose
        type can't be made."""
        if not self._is_taken():
            return None
        kind, metadata = self._type()
        name = self._name()
        if kind is None or name is None:
            return None
        default, pos = self._default()
        shown: Default | None = None
        if default is not None:
            subject = self.subject.text
            definitions, sink = self.types.definitions, self.types.sink
            shown = schema_default(default, kind, pos, self.item.scope, subject, definitions, sink)
        factory = default if isinstance(default, Factory) else None
        texts = (metadata.description, metadata.title)
        span = self.item.owner.scope.module.file.span(self.item.pos)
        return Field(name, metadata.alias or name, kind, default is None, shown, *texts, span, factory)

    def _is_taken(self) -> bool:
        expr = self.item.words.get("init")
        value = self.types.constants.evaluate(expr, self.item.scope) if expr is not None else ConstantValue(True)
        if isinstance(value, ConstantValue) and value.value:
            return True
        if isinstance(value, NotConstant) and expr is not None:
            self._refuse(expr.pos, f"`init` of {self.subject.text} can't be known from the source", value.why)
            return False
        self.taken = False
        message = f"{self.subject.text} is not in the schema: its constructor does not take it"
        place = self.item.scope.module.file.span(self.item.pos)
        self.types.sink.add(rules.EXCLUDED_MEMBER.at(place, message, label="`init=False`"))
        return False

    def _name(self) -> str | None:
        """What the constructor calls it: the alias, or the name without underscores before it."""
        expr = self.item.words.get("alias")
        value = self.types.constants.evaluate(expr, self.item.scope) if expr is not None else ConstantValue(None)
        plain = value.value if isinstance(value, ConstantValue) else ""
        if plain is None:
            return self.item.name.lstrip("_")
        if isinstance(plain, str) and plain.isidentifier():
            return plain
        assert expr is not None
        why = value.why if isinstance(value, NotConstant) else "it is no name of a parameter"
        self._refuse(expr.pos, f"the alias of {self.subject.text} can't be used", why)
        return None

    def _type(self) -> tuple[Type | None, Metadata]:
        """What a model has to send, and what is said of it."""
        converter, validator = self.item.words.get("converter"), self.item.words.get("validator")
        if self._is_given(converter) and converter is not None:
            return self._converted(converter)
        kind, metadata = self._declared()
        if kind is None and metadata.broken:
            return None, metadata
        kind = kind or Anything()
        if self._is_given(validator) and validator is not None:
            kind = validated(self.types, validator, self.item.scope, kind)
        return kind, metadata

    def _converted(self, converter: Expr) -> tuple[Type | None, Metadata]:
        """What the converter takes. The attribute's own type need not have a JSON form: the converter makes it."""
        outer = self.types.sink
        with attempt(self.types) as made:
            kind, metadata = self._declared()
            made.succeeded = not metadata.broken
        if made.succeeded:
            outer.extend(made.sink)
        taken = converter_input(self.types, converter, self.item.scope, kind, self.subject)
        self.converted = taken != kind
        return taken, metadata if made.succeeded else Metadata()

    def _is_given(self, expr: Expr | None) -> bool:
        return expr is not None and not (isinstance(expr, Constant) and expr.value is None)

    def _declared(self) -> tuple[Type | None, Metadata]:
        """The attribute's own type, by annotation or `type=`; none, which is not broken, if it has neither."""
        annotation, named = self.item.annotation, self.item.words.get("type")
        scope: Scope = self.item.owner.body
        if annotation is not None and self._is_given(named):
            self._refuse(annotation.pos, f"{self.subject.text} has an annotation and a `type`, which attrs refuses")
            return None, Metadata(broken=True)
        source = annotation if annotation is not None else named
        if source is None or (annotation is None and not self._is_given(source)):
            return None, Metadata()
        if qualifier(self.types, source, scope) == KnownSymbol("typing.Final"):
            source = source.index if isinstance(source, Subscript) else source
        kind, metadata = typed(self.types, source, scope, self.subject, None, source.pos)
        if metadata.default is not None or metadata.required:
            message = f"a default of {self.subject.text} inside `Annotated` has no effect in an attrs class"
            self.types.report(rules.TYPE_NOT_COVERED, source.pos, scope, self.subject, message)
            kind = None
        return kind, Metadata(broken=True) if kind is None else metadata

    def _default(self) -> tuple[Value | Factory | NotConstant | None, Pos]:
        """The default, or what makes it; None for an attribute that has to be given."""
        words, scope = self.item.words, self.item.scope
        given, factory = words.get("default"), words.get("factory")
        if self.item.made:
            return Factory("", ""), self.item.pos
        if factory is not None and self._is_given(factory):
            return self._factory(factory), factory.pos
        if given is None or self._known(given) in _ABSENT:
            return None, self.item.pos
        if isinstance(given, Call) and self._known(given.func) == "attrs.Factory":
            maker = given.args[0] if len(given.args) > 0 else given.keyword("factory")
            own = maker is None or len(given.args) > 1 or given.keyword("takes_self") is not None
            return (Factory("", "") if own or maker is None else self._factory(maker)), given.pos
        return self.types.constants.evaluate(given, scope), given.pos

    def _factory(self, expr: Expr) -> Factory:
        made = self.types.metadata.factory(expr, self.item.scope)
        return made if isinstance(made, Factory) else Factory("", "")

    def _known(self, expr: Expr) -> str:
        symbol = self.types.resolver.dealias(self.types.resolver.resolve(expr, self.item.scope))
        return symbol.name if isinstance(symbol, KnownSymbol) else ""

    def _refuse(self, pos: Pos, message: str, label: str = "") -> None:
        subject: Subject = self.subject
        self.types.report(rules.INVALID_CLASS, pos, self.item.scope, subject, message, label=label)
