"""`Field(...)`, keyword by keyword.

Source: pydantic's documentation of fields.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec.structs import replace

from ..diagnostics.rules import types as rules
from ..ir.dump import NoJson, dump, json_text
from ..ir.recipes import FIELD, Called
from ..ir.types import Bounds
from ..ir.values import Constant, Mapping
from ..source.file import Pos
from ..syntax.declarations import Scope
from ..syntax.expressions import Call, Expr, Keyword
from ..syntax.expressions import Constant as ConstantExpr
from .constants import NotConstant
from .said import FieldDefault, Metadata, Told
from .symbols import KnownSymbol

if TYPE_CHECKING:
    from .metadata import MetadataReader

_Keyword: TypeAlias = Callable[["MetadataReader", str, Expr, Pos, Scope], Metadata]

BOUNDS = frozenset(Bounds.__struct_fields__)
_TEXTS: dict[str, Literal["description", "title", "alias"]] = {
    "description": "description",
    "title": "title",
    "alias": "alias",
    "validation_alias": "alias",
}
_RESHAPING = frozenset({"serialization_alias", "validation_alias", "exclude", "exclude_if"})
_WITHOUT_EFFECT = frozenset(
    """
    repr init init_var kw_only frozen serialization_alias exclude exclude_if validate_default strict allow_inf_nan
    coerce_numbers_to_str fail_fast field_title_generator allow_mutation include
    """.split()
)
"""What changes neither the schema nor which JSON is taken: `strict` only refuses what is no JSON of the type."""


_REMOVED = {
    "const": "write `Literal[...]` as the type",
    "regex": "write `pattern`",
    "unique_items": "write `set[...]` as the type",
}
"""What pydantic 1 had, and pydantic 2 refuses."""
_FORMER = {"min_items": "min_length", "max_items": "max_length"}
"""Names of pydantic 1 that pydantic 2 still reads, if the new name is not given too."""


def read_field(reader: MetadataReader, call: Call, scope: Scope) -> Metadata:
    """What one `Field(...)` says."""
    found = reader.default(call.args[0], scope) if call.args else Metadata()
    # `validation_alias` wins over `alias`, and `json_schema_extra` over what has a keyword of its own.
    # Former names count less than the new ones.
    order = {**dict.fromkeys(_FORMER, -1), "validation_alias": 1, "json_schema_extra": 2}
    extra = call.keyword("json_schema_extra")
    instead = extra is not None and reader.constants.truth(extra, scope) is not False
    for word in sorted(call.keywords, key=lambda word: order.get(word.name or "", 0)):
        if word.name is not None and not is_field_keyword(word.name) and word.name not in _REMOVED:
            found = found.merged(_unknown(reader, word, scope, dropped=instead))
        else:
            found = found.merged(read_keyword(reader, word.name, word.value, word.pos, scope))
    return found


def is_field_keyword(name: str) -> bool:
    """Whether `Field` takes such a keyword."""
    return name in _KEYWORDS or name in _WITHOUT_EFFECT


def read_keyword(reader: MetadataReader, name: str | None, value: Expr, pos: Pos, scope: Scope) -> Metadata:
    """What one keyword says; None for `**`. Reported if it can't be known."""
    found = Metadata()
    if name in _KEYWORDS:
        found = _KEYWORDS[name](reader, name, value, pos, scope)
    elif name is None or name in _REMOVED:
        message = f"pydantic 2 has no `{name}` in `Field`" if name else "what `**` gives to `Field` can't be known"
        help = _REMOVED[name] if name else "write the keywords out"
        rule = rules.INVALID_TYPE_ARGUMENTS if name else rules.TYPE_NOT_COVERED
        reader.sink.add(rule.at(reader.span(scope, pos), message, help=help))
        found = Metadata(broken=True)
    return replace(found, reshaped=found.reshaped or name in _RESHAPING)


def _unknown(reader: MetadataReader, word: Keyword, scope: Scope, *, dropped: bool) -> Metadata:
    """A keyword that `Field` has not: pydantic puts it into the schema, unless there is `json_schema_extra`, and warns.

    Source: the code of `pydantic.Field`, "Using extra keyword arguments on `Field` is deprecated".
    """
    from .suggestions import did_you_mean

    name = word.name or ""
    fate = "pydantic drops it, for there is `json_schema_extra`" if dropped else "pydantic puts it into the schema"
    help = did_you_mean(name, (*_KEYWORDS, *_WITHOUT_EFFECT), cutoff=0.8) or (
        f'write `json_schema_extra={{"{name}": ...}}`'
    )
    message = f"`Field` has no keyword `{name}`"
    reader.sink.add(rules.UNKNOWN_FIELD_KEYWORD.at(reader.span(scope, word.pos), message, label=fate, help=help))
    return Metadata() if dropped else keywords_of(reader, word.value, scope, name)


def _default(reader: MetadataReader, name: str, value: Expr, pos: Pos, scope: Scope) -> Metadata:
    return reader.default(value, scope)


def _factory(reader: MetadataReader, name: str, value: Expr, pos: Pos, scope: Scope) -> Metadata:
    return Metadata(default=FieldDefault(reader.factory(value, scope), value, True))


def _text(reader: MetadataReader, name: str, value: Expr, pos: Pos, scope: Scope) -> Metadata:
    return reader.text(_TEXTS[name], value, scope)


def _bound(reader: MetadataReader, name: str, value: Expr, pos: Pos, scope: Scope) -> Metadata:
    return reader.bound(name, value, scope)


def _former_bound(reader: MetadataReader, name: str, value: Expr, pos: Pos, scope: Scope) -> Metadata:
    return reader.bound(_FORMER[name], value, scope)


def _of_pydantic(reader: MetadataReader, name: str, value: Expr, pos: Pos, scope: Scope) -> Metadata:
    """What is in no schema: pydantic has to look at the value."""
    found = reader.constants.evaluate(value, scope)
    if isinstance(found, NotConstant):
        reader.sink.add(
            rules.INVALID_TYPE_ARGUMENTS.at(
                reader.span(scope, value.pos), f"`{name}` can't be known from the source", label=found.why
            )
        )
        return Metadata(broken=True)
    if found == Constant(None) or (name == "union_mode" and found == Constant("smart")):
        return Metadata()
    return Metadata(items=(Called(FIELD, (), ((name, found),)),), needed=True)


def _keyword(reader: MetadataReader, name: str, value: Expr, pos: Pos, scope: Scope) -> Metadata:
    """`examples`, which the schema has as it is."""
    return keywords_of(reader, value, scope, name)


def _deprecated(reader: MetadataReader, name: str, value: Expr, pos: Pos, scope: Scope) -> Metadata:
    if isinstance(value, ConstantExpr) and value.value in (None, False):
        return Metadata()
    return Metadata(keywords=(("deprecated", "true"),))


def _extra(reader: MetadataReader, name: str, value: Expr, pos: Pos, scope: Scope) -> Metadata:
    return keywords_of(reader, value, scope, None)


def _priority(reader: MetadataReader, name: str, value: Expr, pos: Pos, scope: Scope) -> Metadata:
    return Metadata(prioritised=not (isinstance(value, ConstantExpr) and value.value == 1))


def _discriminator(reader: MetadataReader, name: str, value: Expr, pos: Pos, scope: Scope) -> Metadata:
    return read_discriminator(reader, value, value, scope)


_KEYWORDS: dict[str, _Keyword] = {
    "default": _default,
    "default_factory": _factory,
    **dict.fromkeys(_TEXTS, _text),
    **dict.fromkeys(BOUNDS, _bound),
    **dict.fromkeys(("max_digits", "decimal_places", "union_mode"), _of_pydantic),
    **dict.fromkeys(_FORMER, _former_bound),
    "examples": _keyword,
    "deprecated": _deprecated,
    "json_schema_extra": _extra,
    "alias_priority": _priority,
    "discriminator": _discriminator,
}


def keywords_of(reader: MetadataReader, value: Expr, scope: Scope, name: str | None) -> Metadata:
    """Keywords of a schema that stand in the source: the value of the one `name`, or (None) a dict of them."""
    found = reader.constants.evaluate(value, scope)
    if found == Constant(None):
        return Metadata()
    pairs = ((Constant(name), found),) if name is not None else found.items if isinstance(found, Mapping) else None
    texts: list[tuple[str, str]] = []
    for key, item in pairs if pairs is not None and not isinstance(found, NotConstant) else ():
        shown = item if isinstance(item, NotConstant) else dump(item, reader.definitions)
        if isinstance(shown, NoJson) or not isinstance(key, Constant) or not isinstance(key.value, str):
            pairs = None
            break
        texts.append((key.value, json_text(shown)))
    if isinstance(found, NotConstant) or pairs is None:
        what = f"`{name}`" if name is not None else "what this adds to the schema"
        why = found.why if isinstance(found, NotConstant) else "it is no dict of JSON values"
        message = f"{what} can't be known from the source: {why}"
        help = "write a dict of constants; what only running code knows is in no schema"
        reader.sink.add(rules.TYPE_NOT_COVERED.at(reader.span(scope, value.pos), message, help=help))
        return Metadata(broken=True)
    return _told(dict(texts)) if name is None else Metadata(keywords=tuple(texts))


def _told(texts: dict[str, str]) -> Metadata:
    """Keywords that have a place of their own go there."""
    import json

    own = {key: json.loads(texts.pop(key)) for key in ("title", "description") if texts.get(key, "").startswith('"')}
    return Metadata(own.get("description"), own.get("title"), keywords=tuple(texts.items()))


def read_alias(reader: MetadataReader, expr: Expr, scope: Scope) -> Metadata | None:
    """`AliasChoices(...)` and `AliasPath(...)`: the first key that stands alone is the one in the schema; None for
    other values. Reported if there is none."""
    choices = _paths(reader, expr, scope)
    if choices is None:
        return None
    for path in choices:
        if len(path) == 1:
            return Metadata(alias=path[0])
    message = "this alias is a path into another argument, which no schema can say"
    help = 'put the name that a model may use before it: `AliasChoices("name", AliasPath(...))`'
    reader.sink.add(rules.TYPE_NOT_COVERED.at(reader.span(scope, expr.pos), message, help=help))
    return Metadata(broken=True)


def _paths(reader: MetadataReader, expr: Expr, scope: Scope) -> list[tuple[str, ...]] | None:
    """The paths of an alias, each a tuple of keys; of what can't be known, None."""
    if isinstance(expr, Call) and not expr.keywords:
        maker = reader.resolver.dealias(reader.resolver.resolve(expr.func, scope))
        if maker == KnownSymbol("pydantic.AliasChoices"):
            parts = [_paths(reader, item, scope) for item in expr.args]
            known = [part for part in parts if part is not None]
            return [path for part in known for path in part] if len(known) == len(parts) else None
        if maker == KnownSymbol("pydantic.AliasPath"):
            values = reader.constants.all(expr.args, scope)
            if not isinstance(values, NotConstant):
                return [tuple(str(value.value) for value in values if isinstance(value, Constant))]
        return None
    value = reader.constants.evaluate(expr, scope)
    return [(value.value,)] if isinstance(value, Constant) and isinstance(value.value, str) else None


def read_discriminator(reader: MetadataReader, value: Expr, item: Expr, scope: Scope) -> Metadata:
    """`discriminator=` of a `Field`, or the argument of a `Discriminator`, which is then `item`."""
    if isinstance(value, Call):
        maker = reader.resolver.dealias(reader.resolver.resolve(value.func, scope))
        if maker == KnownSymbol("pydantic.Discriminator") and value.args:
            return read_discriminator(reader, value.args[0], value, scope)
    found = reader.constants.evaluate(value, scope)
    if found == Constant(None):
        return Metadata()
    if isinstance(found, Constant) and isinstance(found.value, str):
        return Metadata(discriminator=Told(found.value, item.pos))
    called = reader.applied(item, scope, own=True)
    return replace(called, discriminator=Told(None, item.pos))
