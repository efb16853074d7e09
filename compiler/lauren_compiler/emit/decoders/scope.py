"""What one generated module holds: its names, constants and functions, made when something first needs them.

Each composite type has one function per layer, shared by all tools of the module. Functions are written from a work
list, not by recursion: types nest as deep as annotations do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct, field

from ...ir.formats import FORMATS
from ...ir.recipes import Recipe
from ...ir.types import Adapted, EnumDefinition, Formatted, ObjectDefinition, Stated, Type
from ...ir.values import Constant, EnumMember, Value
from ..layout import Expression, Group, Labelled, assignment, call, display, flat, named_number, statement
from ..names import Namespace, snake
from ..pyliteral import literal
from .shapes import Shapes

CHECK_API = tuple(
    """
    DEFAULTED EXACT FAR HIGH LAX LEAST LOW MOST OPTIONAL STRICT Adapter Choice Constants Filled Format Gap Imported
    Made Member OwnDefault Parametrized Pattern Place Stated Written anything array_of boolean boolean_key build
    build_dict build_filled build_guarded build_items build_model choose enter_model entries integer integer_key is_json
    is_multiple items marks members null number number_key only others positional renamed string string_key typeof
    unique
    """.split()
)
QUICK_API = tuple(
    """
    Doubt array blank nothing once real reals record record_of record_of_reals text texts truth truths whole wholes
    """.split()
)
_API = frozenset((*CHECK_API, *QUICK_API))
RESERVED = (
    *CHECK_API,
    *QUICK_API,
    *("Any", "DIGEST", "Passed", "TYPE_CHECKING", "annotations", "arguments", "at", "call", "value"),
)
_LONGEST_KEY = 28
_LONGEST_NUMBER = 24
_LONGEST_TABLE = 16


class Function(Struct, frozen=True):
    """A generated function, ready to be written: `signature` and `body` are its lines."""

    signature: str
    doc: str
    body: tuple[str, ...]


Writer: TypeAlias = Callable[["ModuleScope", Type, str], Function]


class ModuleScope(Struct):
    """The names and parts of one module. `used` are the names it needs from the runtime."""

    shapes: Shapes
    names: Namespace = field(default_factory=lambda: Namespace(RESERVED))
    constants: list[list[str]] = field(default_factory=list[list[str]])
    used: set[str] = field(default_factory=set[str])
    _loaded: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    _filled: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict[tuple[str, str], tuple[str, ...]])
    _lines: dict[tuple[str, str], list[str]] = field(default_factory=dict[tuple[str, str], list[str]])
    _generic: dict[str, str] = field(default_factory=dict[str, str])
    _tables: dict[object, str] = field(default_factory=dict[object, str])
    _texts: dict[str, str] = field(default_factory=dict[str, str])
    _patterns: dict[str, str] = field(default_factory=dict[str, str])
    _formats: dict[Formatted, str] = field(default_factory=dict["Formatted", str])
    _adapters: dict[Adapted, str] = field(default_factory=dict["Adapted", str])
    _stated: dict[object, str] = field(default_factory=dict[object, str])
    _numbers: dict[str, str] = field(default_factory=dict[str, str])
    _bases: dict[Type, str] = field(default_factory=dict["Type", str])
    _pending: list[tuple[Writer, Type, str]] = field(default_factory=list["tuple[Writer, Type, str]"])
    _written: dict[tuple[str, Type], str] = field(default_factory=dict[tuple[str, "Type"], str])

    def use(self, name: str) -> str:
        """A name of the runtime's, which the module has to import. Raises KeyError for one the runtime has not."""
        if name not in _API:
            raise KeyError(name)
        self.used.add(name)
        return name

    def function(self, layer: str, type: Type, writer: Writer) -> str:
        """The name of the function that does `type`, a resolved one, in this layer; `writer` will write it."""
        key = (layer, type)
        if key not in self._written:
            self._written[key] = f"_{layer}_{self._base(type)}"
            self._pending.append((writer, type, self._written[key]))
        return self._written[key]

    def _base(self, type: Type) -> str:
        if type not in self._bases:
            self._bases[type] = self.names.fresh(self.shapes.name(type), longest=30)
        return self._bases[type]

    def written(self) -> list[Function]:
        """The functions that are asked for, and those which they ask for; those of one type stand together."""
        by_type: dict[Type, list[Function]] = {}
        done = 0
        while done < len(self._pending):
            writer, type, name = self._pending[done]
            by_type.setdefault(type, []).append(writer(self, type, name))
            done += 1
        self._write_loaded()
        return [function for functions in by_type.values() for function in functions]

    def key(self, text: str) -> str:
        """The expression for a JSON key: its literal, or the name of a constant if that is long."""
        shown = literal(text)
        if len(shown) <= _LONGEST_KEY:
            return shown
        if text not in self._texts:
            self._texts[text] = self.names.fresh(f"{snake(text)[:20]}_key".upper(), fallback="KEY")
            self.constants.append(assignment(self._texts[text], text))
        return self._texts[text]

    def listing(self, wanted: str, texts: tuple[str, ...]) -> str:
        """The name of a constant tuple of strings."""
        name = self.names.fresh(wanted.upper(), fallback="NAMES")
        self.constants.append(statement(f"{name} = ", Group("", tuple(map(literal, texts))), indent=0))
        return name

    def loaded(self, module: str, qualname: str) -> str:
        """The name of the `Imported` for an object of the user's."""
        key = (module, qualname)
        if key not in self._loaded:
            wanted = snake(qualname.rpartition(".")[2]).upper()
            self._loaded[key] = self.names.fresh(wanted, longest=30, fallback="IMPORTED")
            self._lines[key] = []
            self.constants.append(self._lines[key])
        return self._loaded[key]

    def filled(self, definition: ObjectDefinition) -> str:
        """The same for a class that is a `Filled` (keywords.py)."""
        self._filled[definition.module, definition.qualname] = tuple(each.name for each in definition.fields)
        return self.loaded(definition.module, definition.qualname)

    def _write_loaded(self) -> None:
        for key, name in self._loaded.items():
            kind = self.use("Filled" if key in self._filled else "Imported")
            made = call(kind, *map(literal, (*key, *self._filled.get(key, ()))))
            self._lines[key][:] = statement(f"{name} = ", made, indent=0)

    def parametrized(self, made: Expression, qualname: str) -> str:
        """The name of the constant for a class of the user's with its arguments, which `made` is the expression of."""
        text = flat(made)
        if text not in self._generic:
            wanted = snake(qualname.rpartition(".")[2]).upper()
            name = self._generic[text] = self.names.fresh(f"{wanted}_OF", longest=30, fallback="PARAMETRIZED")
            self.constants.append(statement(f"{name} = ", made, indent=0))
        return self._generic[text]

    def pattern(self, text: str) -> str:
        """The name of the `Pattern` of a regular expression."""
        if text not in self._patterns:
            self._patterns[text] = self.names.fresh("PATTERN")
            made = call(self.use("Pattern"), literal(text))
            self.constants.append(statement(f"{self._patterns[text]} = ", made, indent=0))
        return self._patterns[text]

    def format(self, type: Formatted) -> str:
        """The name of the `Format` of strings in a form of their own."""
        if type not in self._formats:
            self._formats[type] = self.names.fresh(type.kind.value.upper())
            made = call(self.use("Format"), literal(type.kind.value), literal(FORMATS[type.kind].phrase))
            self.constants.append(statement(f"{self._formats[type]} = ", made, indent=0))
        return self._formats[type]

    def adapter(self, type: Adapted, annotation: Callable[[ModuleScope, Recipe], Expression]) -> str:
        """The name of the `Adapter` that has pydantic build values of what `annotation` gives the expression for."""
        if type not in self._adapters:
            name = self._adapters[type] = self.names.fresh(f"{self.shapes.name(type)}_adapter".upper(), longest=40)
            ranked = () if type.exactness is None else (self.use(type.exactness.upper()),)
            made = call(self.use("Adapter"), annotation(self, type.annotation), *ranked)
            self.constants.append(statement(f"{name} = ", made, indent=0))
        return self._adapters[type]

    def stated(self, type: Stated) -> str:
        """The name of the `Stated` of a schema that the user gives."""
        from ...ir.stated import for_decoding

        key = (type.schema, type.converter)
        if key not in self._stated:
            name = self._stated[key] = self.names.fresh(self._base(type)[:_LONGEST_TABLE].upper(), fallback="STATED")
            arguments = [literal(for_decoding(type.schema)), literal(self.shapes.phrase(type))]
            if type.converter is not None and type.inner is None:
                arguments.append(self.loaded(type.converter.module, type.converter.qualname))
            made = call(self.use("Stated"), *arguments)
            self.constants.append(statement(f"{name} = ", made, indent=0))
        return self._stated[key]

    def number(self, value: int | float | str) -> str:
        """The expression for a number: its literal, or the name of a constant if that is long."""
        text = literal(value)
        if len(text) <= _LONGEST_NUMBER:
            return text
        if text not in self._numbers:
            self._numbers[text] = self.names.fresh("BOUND")
            self.constants.append(named_number(self._numbers[text], text))
        return self._numbers[text]

    def table(self, type: Type) -> str:
        """The name of the `Constants` of a literal or an enum."""
        if type not in self._tables:
            pairs = self.shapes.constants(type) or ()
            arguments: tuple[Expression, ...] = tuple(display(value) for value, source in pairs if _same(source))
            converted = [(value, self._meant(source)) for value, source in pairs if not _same(source)]
            if converted:
                shown = tuple(Group("", (display(value), meant)) for value, meant in converted)
                arguments += (Labelled("members=", Group("", shown)),)
            name = self.names.fresh(f"{self._base(type)[:_LONGEST_TABLE]}_values".upper(), fallback="VALUES")
            self._tables[type] = name
            self.constants.append(statement(f"{name} = ", call(self.use("Constants"), *arguments), indent=0))
        return self._tables[type]

    def _meant(self, source: Value) -> Expression:
        """What a JSON constant stands for in Python, where that is another value."""
        if isinstance(source, Constant):
            return literal(source.value)
        if not isinstance(source, EnumMember):
            raise TypeError(f"no constant of a literal: {source!r}")
        definition = self.shapes.toolset.by_key[source.enum]
        if not isinstance(definition, EnumDefinition):
            raise TypeError(f"{source.enum} is no enum")
        loaded = self.loaded(definition.module, definition.qualname)
        return call(self.use("Member"), loaded, literal(source.name))


def _same(source: Value) -> bool:
    """Whether a constant is its own JSON value."""
    return isinstance(source, Constant) and not isinstance(source.value, bytes)
