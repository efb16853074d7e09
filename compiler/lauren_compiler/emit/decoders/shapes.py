"""Questions about types that both decoders ask: what a reference means, what JSON a type takes, what to call it."""

from __future__ import annotations

import json

from msgspec import Struct, field

from ...ir.formats import FORMATS
from ...ir.recipes import NOT_MADE, Loaded
from ...ir.tags import Tags
from ...ir.tools import ToolSet
from ...ir.types import (
    Adapted,
    AliasDefinition,
    Anything,
    Bounded,
    Built,
    Described,
    DictOf,
    EnumDefinition,
    Formatted,
    JsonText,
    ListOf,
    LiteralOf,
    ObjectDefinition,
    ObjectKind,
    Reference,
    Scalar,
    ScalarKind,
    SetOf,
    Stated,
    TupleOf,
    Type,
    Union,
    VariadicTupleOf,
)
from ...ir.values import Constant, EnumMember, Value
from ...schema.constants import json_of
from ..names import snake
from .words import words

_KINDS: dict[ScalarKind, frozenset[str]] = {
    ScalarKind.STRING: frozenset(("str",)),
    ScalarKind.INTEGER: frozenset(("int", "float")),
    ScalarKind.NUMBER: frozenset(("int", "float")),
    ScalarKind.BOOLEAN: frozenset(("bool",)),
    ScalarKind.NULL: frozenset(("null",)),
}
_EVERY_KIND = frozenset(("str", "int", "float", "bool", "null", "list", "dict"))
_LIST = frozenset(("list",))
_DICT = frozenset(("dict",))

PHRASES: dict[ScalarKind, str] = {
    ScalarKind.STRING: "a string",
    ScalarKind.INTEGER: "an integer",
    ScalarKind.NUMBER: "a number",
    ScalarKind.BOOLEAN: "true or false",
    ScalarKind.NULL: "null",
}
_LONGEST_PHRASE = 70
_RESOLVED = frozenset((Anything, Scalar, LiteralOf, ListOf, SetOf, TupleOf, VariadicTupleOf, DictOf, Union, Formatted))
"""Types that nothing can stand around at their top."""


class Shapes(Struct, frozen=True, eq=False):
    """The types of one tool set. What is asked of a type is kept: aliases of unions of aliases have many paths."""

    toolset: ToolSet
    _kinds: dict[Type, frozenset[str]] = field(default_factory=dict["Type", "frozenset[str]"])
    _literals: dict[LiteralOf, tuple[tuple[object, Value], ...]] = field(
        default_factory=dict["LiteralOf", "tuple[tuple[object, Value], ...]"]
    )
    _phrases: dict[Type, str] = field(default_factory=dict["Type", str])

    def resolved(self, type: Type) -> Type:
        """Without descriptions, schemas that are only shown, and aliases at its top: a reference that is left is to a
        class.

        Bounds of types with several forms are left out too: pydantic, which builds these values, looks at them.
        """
        if type.__class__ in _RESOLVED:
            return type
        seen: set[str] = set()
        while True:
            shown = _shown(type)
            if shown is not None:
                type = shown
            elif isinstance(type, Reference) and isinstance(alias := self.toolset.by_key[type.key], AliasDefinition):
                if type.key in seen:
                    raise ValueError(f"the alias {type.key} stands only for itself")
                seen.add(type.key)
                type = alias.type
            else:
                return type

    def object_of(self, type: Type) -> ObjectDefinition | None:
        """The definition of a reference to a class that is no enum."""
        found = self.toolset.by_key[type.key] if isinstance(type, Reference) else None
        return found if isinstance(found, ObjectDefinition) else None

    def enum_of(self, type: Type) -> EnumDefinition | None:
        """The definition of a reference to an enum."""
        found = self.toolset.by_key[type.key] if isinstance(type, Reference) else None
        return found if isinstance(found, EnumDefinition) else None

    def constants(self, type: Type) -> tuple[tuple[object, Value], ...] | None:
        """The JSON values of a literal or an enum, with what they came from; None for other types."""
        if isinstance(type, LiteralOf):
            if type not in self._literals:
                self._literals[type] = tuple((json_of(value, self.toolset.by_key), value) for value in type.values)
            return self._literals[type]
        if (enum := self.enum_of(type)) is not None:
            key = type.key if isinstance(type, Reference) else ""
            return tuple(
                (json_of(value, self.toolset.by_key), EnumMember(key, name, Constant(None)))
                for name, value in enum.members
            )
        return None

    def kinds(self, type: Type) -> frozenset[str]:
        """The JSON kinds that values of the type can have: Python's names, "int" and "float" apart, "null" for None."""
        type = self.resolved(type)
        if type not in self._kinds:
            self._kinds[type] = self._kinds_of(type)
        return self._kinds[type]

    def _kinds_of(self, type: Type) -> frozenset[str]:
        if isinstance(type, (Bounded, Built, Adapted)):
            return self.kinds(type.inner)
        if isinstance(type, JsonText):
            return _KINDS[ScalarKind.STRING]
        if isinstance(type, Stated):
            return _stated_kinds(type) if type.inner is None else _stated_kinds(type) & self.kinds(type.inner)
        if isinstance(type, Formatted):
            number = _KINDS[ScalarKind.NUMBER] if FORMATS[type.kind].number else frozenset[str]()
            return _KINDS[ScalarKind.STRING] | number
        if isinstance(type, Scalar):
            return _KINDS[type.kind]
        if isinstance(type, Union):
            return frozenset[str]().union(*(self.kinds(member) for member in type.members))
        if (constants := self.constants(type)) is not None:
            return frozenset[str]().union(*(_kind_of(value) for value, _ in constants))
        if (definition := self.object_of(type)) is not None:
            if definition.kind is ObjectKind.ROOT_MODEL:
                return self.kinds(definition.fields[0].type)
            return _LIST if definition.is_array else _DICT
        if isinstance(type, Anything):
            return _EVERY_KIND
        return _DICT if isinstance(type, DictOf) else _LIST

    def tags(self, members: list[Type]) -> tuple[str, list[tuple[str, ...]]] | None:
        """The key under which each of several objects requires other strings, and these; None if there is none."""
        definitions = [self.object_of(member) for member in members]
        first = definitions[0] if len(definitions) > 1 else None
        for each in first.fields if first is not None else ():
            words = [self._words(definition, each.wire) for definition in definitions]
            every = [word for one in words for word in one]
            if all(words) and len(set(every)) == len(every):
                return each.wire, words
        return None

    def _words(self, definition: ObjectDefinition | None, wire: str) -> tuple[str, ...]:
        """The strings that an object requires under a key; none if it takes anything else there, or nothing."""
        if definition is None or definition.is_array or definition.kind is ObjectKind.ROOT_MODEL:
            return ()
        types = [self.resolved(each.type) for each in definition.fields if each.wire == wire and each.required]
        values = [value for type in types for value, _ in self.constants(type) or ()]
        words = tuple(value for value in values if isinstance(value, str))
        return words if len(words) == len(values) else ()

    def struct_tags(self, members: list[Type]) -> Tags | None:
        """What tells tagged structs apart, if all of the members are such, with tags that are strings."""
        found: list[tuple[str, tuple[str, ...]]] = []
        for member in members:
            definition = self.object_of(self.resolved(member))
            is_struct = definition is not None and definition.kind is ObjectKind.STRUCT
            tag = (
                next((field for field in definition.fields if not field.init), None)
                if is_struct and definition
                else None
            )
            words = self._words(definition, tag.wire) if tag is not None else ()
            if tag is None or not words:
                return None
            found.append((tag.wire, words))
        every = [word for _, words in found for word in words]
        if len({wire for wire, _ in found}) != 1 or len(set(every)) < len(every):
            return None
        return Tags(found[0][0], tuple(words for _, words in found))

    def takes_null(self, type: Type) -> bool:
        """Whether null is a value of the type."""
        return "null" in self.kinds(type)

    def children(self, type: Type) -> tuple[Type, ...]:
        """The types that a resolved type is made of, one level down."""
        match type:
            case ListOf(item) | SetOf(item) | Bounded(item) | Built(item) | Adapted(item):
                return (item,)
            case VariadicTupleOf(item, prefix):
                return (*prefix, item)
            case Stated(inner=inner):
                return () if inner is None else (inner,)
            case TupleOf(items) | Union(items):
                return items
            case DictOf(_, value):
                return (value,)
            case _:
                definition = self.object_of(type)
                return tuple(each.type for each in definition.fields) if definition else ()

    def phrase(self, type: Type) -> str:
        """What a value of the type is, in a few words for a model."""
        type = self.resolved(type)
        if type not in self._phrases:
            self._phrases[type] = self._phrase_of(type)
        return self._phrases[type]

    def _phrase_of(self, type: Type) -> str:
        if isinstance(type, Bounded):
            return f"{self.phrase(type.inner)} ({words(type.bounds, self._unit(type.inner))})"
        if isinstance(type, (Built, Adapted)):
            return self.phrase(type.inner)
        if isinstance(type, JsonText):
            return "a string of JSON"
        if isinstance(type, Stated):
            return _stated_phrase(type)
        if isinstance(type, Formatted):
            return FORMATS[type.kind].phrase
        if isinstance(type, Scalar):
            return PHRASES[type.kind]
        if isinstance(type, Union):
            return self._alternatives(type)
        if isinstance(type, Anything):
            return "a value"
        if self.constants(type) is not None:
            return "one of the allowed values"
        return self._container_phrase(type)

    def _unit(self, type: Type) -> str:
        """What the length of a value is counted in."""
        if "str" in self.kinds(type):
            return "characters"
        return "keys" if "dict" in self.kinds(type) else "items"

    def _alternatives(self, type: Union) -> str:
        phrases = list(dict.fromkeys(self.phrase(member) for member in type.members))
        text = " or ".join(phrases)
        return text if len(text) <= _LONGEST_PHRASE else "a value that fits one of the types"

    def _container_phrase(self, type: Type) -> str:
        if (definition := self.object_of(type)) is not None:
            if definition.kind is ObjectKind.ROOT_MODEL:
                return "a value of the type" if type in self._phrases else self._root_phrase(type, definition)
            if definition.is_array:
                return _array_of(definition.least, definition.most)
            return "an object"
        match type:
            case SetOf():
                return "an array of different items"
            case TupleOf(items):
                return _array_of(len(items), len(items))
            case VariadicTupleOf(prefix=prefix) if prefix:
                return _array_of(len(prefix), None)
            case DictOf():
                return "an object"
            case _:
                return "an array"

    def _root_phrase(self, type: Type, definition: ObjectDefinition) -> str:
        """A root model's is its root's; one that holds itself, directly or not, is just a value."""
        self._phrases[type] = "a value of the type"
        return self.phrase(definition.fields[0].type)

    def name(self, type: Type, depth: int = 0) -> str:
        """A readable name for functions about the type."""
        if isinstance(type, Described):
            return self.name(type.inner, depth)
        if isinstance(type, Bounded):
            return f"bounded_{self.name(type.inner, depth)}"
        if isinstance(type, Stated):
            made = type.converter
            return "stated" if made is None else snake(made.qualname.rpartition(".")[2]) or "stated"
        if isinstance(type, Built):
            return f"{type.kind.value}_{self.name(type.inner, depth)}"
        if isinstance(type, Adapted):
            named = type.annotation.qualname if isinstance(type.annotation, Loaded) else ""
            return snake(named.rpartition(".")[2]) or f"adapted_{self.name(type.inner, depth)}"
        if isinstance(type, JsonText):
            return "json_text"
        if isinstance(type, (Scalar, Formatted)):
            return type.kind.value
        if isinstance(type, Reference):
            return snake(type.key.rpartition(":")[2].rpartition(".")[2]) or "object"
        if depth > 2:
            return "values"
        match type:
            case ListOf(item):
                return f"list_of_{self.name(item, depth + 1)}"
            case SetOf(item):
                return f"set_of_{self.name(item, depth + 1)}"
            case VariadicTupleOf(item, prefix):
                return f"tuple_of_{f'{len(prefix)}_and_' if prefix else ''}{self.name(item, depth + 1)}"
            case TupleOf(items):
                return f"tuple_of_{len(items)}"
            case DictOf(_, value):
                return f"dict_of_{self.name(value, depth + 1)}"
            case Union(members):
                return "_or_".join(self.name(member, depth + 1) for member in members)
            case LiteralOf():
                return _few([snake(str(value)) for value, _ in self.constants(type) or ()])
            case _:
                return "anything"


def _shown(type: Type) -> Type | None:
    """The type inside one that says nothing more about values: texts, a schema that is only shown, bounds of what is
    written as a number or as a string, and what nobody but a model around it can build."""
    if isinstance(type, Stated):
        return None if type.checked else type.inner
    if isinstance(type, Bounded):
        return type.inner if isinstance(type.inner, Formatted) and FORMATS[type.inner.kind].number else None
    if isinstance(type, Adapted):
        return type.inner if type.annotation == NOT_MADE else None
    return type.inner if isinstance(type, Described) else None


_STATED_KINDS = {
    "string": frozenset(("str",)),
    "number": frozenset(("int", "float")),
    "boolean": frozenset(("bool",)),
    "null": frozenset(("null",)),
    "array": _LIST,
    "object": _DICT,
}
_STATED_PHRASES = {
    "string": "a string",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
    "array": "an array",
    "object": "an object",
}


def _stated_kinds(type: Stated) -> frozenset[str]:
    from ...ir.stated import kinds as stated_kinds

    schema = json.loads(type.schema)
    named = stated_kinds(schema, schema.get("$defs", {}))
    return frozenset[str]().union(*(_STATED_KINDS[name] for name in named))


def _stated_phrase(type: Stated) -> str:
    from ...ir.stated import kinds as stated_kinds

    schema = json.loads(type.schema)
    if schema.get("type") == "integer":
        return "an integer"
    named = stated_kinds(schema, schema.get("$defs", {}))
    phrases = [phrase for name, phrase in _STATED_PHRASES.items() if name in named]
    return " or ".join(phrases) if 0 < len(phrases) < 4 else "a value that the schema takes"


def _few(words: list[str]) -> str:
    """The first of the words, and as many more as leave it a short name."""
    found = ""
    for word in filter(None, words):
        longer = f"{found}_or_{word}" if found else word
        if found and len(longer) > 16:
            break
        found = longer
    return found or "literal"


def _array_of(least: int, most: int | None) -> str:
    if most is None:
        return f"an array of at least {least} item" + ("" if least == 1 else "s")
    if least == most:
        return f"an array of {most} item" + ("" if most == 1 else "s")
    return f"an array of {least} to {most} items"


def _kind_of(value: object) -> frozenset[str]:
    if value is None:
        return frozenset(("null",))
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return frozenset(("int", "float"))
    return frozenset((type(value).__name__,))
