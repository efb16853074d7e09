"""What stands in `Annotated[...]` besides `Field(...)`: bounds of annotated_types, validators, schemas, marks.

Source: the documentation of pydantic and of annotated_types.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from msgspec.structs import replace

from ..diagnostics.rules import types as rules
from ..ir.dump import json_text
from ..ir.recipes import FIELD, Called, Loaded
from ..ir.values import Constant
from ..syntax.declarations import Scope
from ..syntax.expressions import Call, Expr
from ..syntax.expressions import Constant as ConstantExpr
from .field_keywords import BOUNDS, keywords_of, read_discriminator
from .said import Metadata
from .symbols import KnownSymbol

if TYPE_CHECKING:
    from .metadata import MetadataReader

_STRING = Loaded("pydantic", "StringConstraints")
_Item: TypeAlias = Callable[["MetadataReader", Call, Scope], Metadata]


def is_stated(reader: MetadataReader, item: Expr, scope: Scope) -> bool:
    """Whether a piece of metadata states the schema of what is read."""
    return isinstance(item, Call) and _name(reader, item.func, scope) in _STATING and _mode(item) != "serialization"


def read_item(reader: MetadataReader, item: Expr, scope: Scope) -> Metadata | None:
    """What a piece of metadata says, None if it is none of the known ones."""
    name = _name(reader, item.func if isinstance(item, Call) else item, scope)
    if name in _WITHOUT_EFFECT:
        return Metadata()
    if name in _BARE and not isinstance(item, Call):
        return reader.applied(item, scope)
    handler = _CALLS.get(name)
    return handler(reader, item, scope) if handler is not None and isinstance(item, Call) else None


def _name(reader: MetadataReader, expr: Expr, scope: Scope) -> str:
    symbol = reader.resolver.dealias(reader.resolver.resolve(expr, scope))
    return symbol.name if isinstance(symbol, KnownSymbol) else ""


def _bounding(*names: str, applied: bool = False) -> _Item:
    """Bounds, with the names of their positional parameters; other keywords are for pydantic, if they are `applied`."""

    def read(reader: MetadataReader, call: Call, scope: Scope) -> Metadata:
        found = Metadata()
        positional: tuple[str | None, ...] = names
        given = [*zip(positional, call.args, strict=False), *((word.name, word.value) for word in call.keywords)]
        rest = False
        for name, value in given:
            if name is not None and name in BOUNDS:
                made = reader.bound(name, value, scope)
                # `Len(0, 3)` stands for `MaxLen(3)` alone.
                zero = len(names) > 1 and made.bounds.given == (("min_length", 0),)
                found = found.merged(Metadata() if zero else made)
                continue
            known = reader.constants.evaluate(value, scope)
            if known in (Constant(None), Constant(False)) or name == "strict":
                continue
            if not applied:
                return _unknown(reader, name, value, scope)
            rest = True
        # With the bounds beside it, as it is.
        return replace(reader.applied(call, scope), bounds=found.bounds, broken=found.broken) if rest else found

    return read


_STRING_WORDS = frozenset({"strip_whitespace", "to_upper", "to_lower"})
_FIELD_WORDS = frozenset({"max_digits", "decimal_places"})


def read_bounds(reader: MetadataReader, call: Call, scope: Scope) -> Metadata:
    """What the keywords of `conint(...)` and its like say; reported if one can't be known."""
    found = Metadata()
    for word in call.keywords:
        if word.name is not None and word.name in BOUNDS:
            found = found.merged(reader.bound(word.name, word.value, scope))
            continue
        value = reader.constants.evaluate(word.value, scope)
        if value in (Constant(None), Constant(False)) or word.name in ("strict", "item_type", "allow_inf_nan"):
            continue
        owner = {**dict.fromkeys(_STRING_WORDS, _STRING), **dict.fromkeys(_FIELD_WORDS, FIELD)}.get(word.name or "")
        if owner is None or not isinstance(value, Constant) or word.name is None:
            return _unknown(reader, word.name, word.value, scope)
        found = found.merged(Metadata(items=(Called(owner, (), ((word.name, value),)),), needed=True))
    return found


def _unknown(reader: MetadataReader, name: str | None, value: Expr, scope: Scope) -> Metadata:
    message = f"`{name}` is no bound" if name else "what `**` gives can't be known"
    reader.sink.add(rules.INVALID_TYPE_ARGUMENTS.at(reader.span(scope, value.pos), message))
    return Metadata(broken=True)


def _doc(reader: MetadataReader, call: Call, scope: Scope) -> Metadata:
    return reader.text("description", call.args[0], scope) if len(call.args) == 1 else Metadata()


def _validator(*, plain: bool = False, early: bool = False, replaces: bool = False) -> _Item:
    """Code of the user's that values go through; one that comes first may say what it takes."""

    def read(reader: MetadataReader, call: Call, scope: Scope) -> Metadata:
        found = replace(reader.applied(call, scope, own=True), plain=plain, early=early)
        said = call.args[0] if replaces and call.args else call.keyword("json_schema_input_type")
        if len(call.args) > 1 and not replaces:
            said = call.args[1]
        return found if said is None else replace(found, instead=(said, scope))

    return read


def _predicate(reader: MetadataReader, call: Call, scope: Scope) -> Metadata:
    return reader.applied(call, scope, own=True)


def _for_pydantic(reader: MetadataReader, call: Call, scope: Scope) -> Metadata:
    return reader.applied(call, scope)


def _serializer(reader: MetadataReader, call: Call, scope: Scope) -> Metadata:
    return Metadata(reshaped=True, serialized=True)


def _mode(call: Call) -> str | None:
    mode = call.args[1] if len(call.args) > 1 else call.keyword("mode")
    return mode.value if isinstance(mode, ConstantExpr) and isinstance(mode.value, str) else None


def _stated(reader: MetadataReader, call: Call, scope: Scope) -> Metadata:
    """`WithJsonSchema({...})`."""
    mode = _mode(call)
    if mode == "serialization":
        return Metadata(reshaped=True, serialized=True)
    schema = call.args[0] if call.args else call.keyword("json_schema")
    found = Metadata(broken=True) if schema is None else keywords_of(reader, schema, scope, None)
    if found.broken:
        return found
    texts = (("title", found.title), ("description", found.description))
    own = tuple((name, json_text(text)) for name, text in texts if text is not None)
    stated = Metadata(keywords=(*own, *found.keywords)).schema_keywords
    return Metadata(stated=stated or "{}", reshaped=mode is not None)


def _examples(reader: MetadataReader, call: Call, scope: Scope) -> Metadata:
    given = call.args[0] if call.args else call.keyword("examples")
    return Metadata() if given is None else keywords_of(reader, given, scope, "examples")


def _skipped(reader: MetadataReader, call: Call, scope: Scope) -> Metadata:
    return Metadata(skipped=True)


def _meta(reader: MetadataReader, call: Call, scope: Scope) -> Metadata:
    """What msgspec's `Meta(...)` says: bounds, texts, and more of the schema."""
    found = Metadata()
    for word in call.keywords:
        name = word.name or ""
        value = reader.constants.evaluate(word.value, scope)
        if name == "extra" or value == Constant(None):
            continue  # `extra` is for the application's own use
        if name in BOUNDS:
            found = found.merged(reader.bound(name, word.value, scope))
        elif name in ("title", "description"):
            found = found.merged(reader.text("title" if name == "title" else "description", word.value, scope))
        elif name in ("examples", "extra_json_schema"):
            found = found.merged(keywords_of(reader, word.value, scope, name if name == "examples" else None))
        else:
            message = f"`{name}` of `Meta(...)` is not covered by this version"
            reader.sink.add(rules.TYPE_NOT_COVERED.at(reader.span(scope, word.pos), message))
            return Metadata(broken=True)
    return found


def _discriminator(reader: MetadataReader, call: Call, scope: Scope) -> Metadata:
    given = call.args[0] if call.args else call.keyword("discriminator")
    return Metadata() if given is None else read_discriminator(reader, given, call, scope)


def _deprecated(reader: MetadataReader, call: Call, scope: Scope) -> Metadata:
    return Metadata(keywords=(("deprecated", "true"),))


def _unknowable(reader: MetadataReader, call: Call, scope: Scope) -> Metadata:
    """What only running code can know of the type; fine where the schema is stated."""
    if reader.stated:
        return reader.applied(call, scope, own=True)
    name = _name(reader, call.func, scope).rpartition(".")[2]
    message = f"what `{name}` makes of the type only running code can know"
    help = "state the schema beside it: `WithJsonSchema({...})`"
    reader.sink.add(rules.TYPE_NOT_COVERED.at(reader.span(scope, call.pos), message, help=help))
    return Metadata(broken=True)


_STATING = frozenset({"pydantic.json_schema.WithJsonSchema", "pydantic.WithJsonSchema"})
_WITHOUT_EFFECT = frozenset("pydantic.Strict pydantic.AllowInfNan pydantic.FailFast annotated_types.Unit".split())
"""Marks that change neither the schema nor which of the JSON that it takes is refused."""
_BARE = frozenset({"pydantic.SkipValidation"})

_CALLS: dict[str, _Item] = {
    "typing.Doc": _doc,
    "annotated_types.doc": _doc,
    "typing.deprecated": _deprecated,
    "annotated_types.Ge": _bounding("ge"),
    "annotated_types.Gt": _bounding("gt"),
    "annotated_types.Le": _bounding("le"),
    "annotated_types.Lt": _bounding("lt"),
    "annotated_types.MultipleOf": _bounding("multiple_of"),
    "annotated_types.MinLen": _bounding("min_length"),
    "annotated_types.MaxLen": _bounding("max_length"),
    "annotated_types.Len": _bounding("min_length", "max_length"),
    "msgspec.Meta": _meta,
    "annotated_types.Interval": _bounding("gt", "ge", "lt", "le"),
    "annotated_types.Timezone": _for_pydantic,
    "annotated_types.Predicate": _predicate,
    "pydantic.StringConstraints": _bounding(applied=True),
    "pydantic.UrlConstraints": _bounding(applied=True),
    "pydantic.AfterValidator": _validator(),
    "pydantic.BeforeValidator": _validator(early=True),
    "pydantic.WrapValidator": _validator(),
    "pydantic.PlainValidator": _validator(plain=True),
    "pydantic.ValidateAs": _validator(plain=True, replaces=True),
    "pydantic.PlainSerializer": _serializer,
    "pydantic.WrapSerializer": _serializer,
    **dict.fromkeys(_STATING, _stated),
    "pydantic.json_schema.Examples": _examples,
    "pydantic.json_schema.SkipJsonSchema": _skipped,
    "pydantic.Discriminator": _discriminator,
    "pydantic.Tag": _for_pydantic,
    "pydantic.SkipValidation": _for_pydantic,
    "pydantic.GetPydanticSchema": _unknowable,
    "pydantic.EncodedStr": _unknowable,
    "pydantic.EncodedBytes": _unknowable,
}
