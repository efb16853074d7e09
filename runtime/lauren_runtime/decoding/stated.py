"""Values of a JSON Schema that the user states: held to the schema as it is written, by JSON Schema's own rules.

A schema says which JSON is right and no more, so a value is handed on as it came, after the same repairs as everywhere.
Which keywords a schema may have is decided at build time (`ir/stated.py` of the compiler).
"""

from __future__ import annotations

from .choice import Choice
from .constants import Constants
from .construction import constructed
from .containers import items, members
from .limits import Pattern
from .place import STRICT, Place
from .quick import Doubt
from .scalars import boolean, integer, null, number, string

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from .loading import Imported

    Keyword: TypeAlias = Callable[["Stated", Any, Any, Place], Any]

PHRASES = {
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
    "array": "an array",
    "object": "an object",
}
_KINDS = {"string": str, "boolean": bool, "array": list, "object": dict, "null": type(None)}


class Stated:
    """One schema, as JSON text; `expected` says in a few words what it takes. `converter` makes the user's object of
    a value. `schema` and `keywords` are made when first asked for."""

    __slots__ = ("converter", "expected", "keywords", "patterns", "schema", "tables", "text")

    schema: Any
    keywords: tuple[tuple[str, Keyword], ...]

    def __init__(self, text: str, expected: str, converter: Imported | None = None) -> None:
        self.text = text
        self.expected = expected
        self.converter = converter
        self.tables: dict[int, Constants] = {}
        self.patterns: dict[str, Pattern] = {}

    def __getattr__(self, name: str) -> Any:
        # Only reached while the slots are empty.
        if name == "schema":
            import json

            self.schema = json.loads(self.text)
        elif name == "keywords":
            from .stated_parts import KEYWORDS

            self.keywords = (*_FIRST, *KEYWORDS, *_JOINTS)
        else:
            raise AttributeError(name)
        return getattr(self, name)

    def check(self, value: Any, at: Place) -> object:
        """The value, mended and converted; None, with faults, if the schema refuses it."""
        before, mended = len(at.faults), len(at.repairs)
        found = self.decode(self.schema, value, at)
        at.loosen(STRICT)
        if len(at.faults) > before:
            return found
        if len(at.repairs) > mended and not self.fits(self.schema, found):
            # A keyword has taken the value that a later one mended.
            return at.fail(self.expected, value)
        if self.converter is None:
            return found
        converter = self.converter
        return constructed(lambda: converter.cls(found), at)

    def quick(self, value: Any) -> object:
        """The same, or a doubt."""
        at = Place(repair=False)
        found = self.check(value, at)
        if at.faults:
            raise Doubt
        return found

    def decode(self, schema: Any, value: Any, at: Place) -> Any:
        """The value as a schema has it that holds here; None, with faults, if it refuses the value."""
        if schema is True:
            return value
        if schema is False:
            return at.fail("no value", value)
        before = len(at.faults)
        for keyword, check in self.keywords:
            if keyword in schema:
                value = check(self, schema, value, at)
                if len(at.faults) > before:
                    return None
        return value

    def fits(self, schema: Any, value: Any) -> bool:
        """Whether a schema accepts a value as it is."""
        probe = Place(repair=False)
        self.decode(schema, value, probe)
        return not probe.faults

    def pattern(self, text: str) -> Pattern:
        """A regular expression, compiled once."""
        if text not in self.patterns:
            self.patterns[text] = Pattern(text)
        return self.patterns[text]


def _reference(of: Stated, schema: Any, value: Any, at: Place) -> Any:
    return of.decode(of.schema["$defs"][schema["$ref"].removeprefix("#/$defs/")], value, at)


def _type(of: Stated, schema: Any, value: Any, at: Place) -> Any:
    named = schema["type"]
    names = (named,) if isinstance(named, str) else tuple(named)
    for name in names:
        if _is(name, value):
            # `1.0` is an integer, and whoever asked for one counts with it.
            return int(value) if name == "integer" and "number" not in names else value
    for name in names if at.repair else ():
        before = len(at.faults)
        found = _MENDED[name](value, at)
        if len(at.faults) == before:
            return found
        del at.faults[before:]
    return at.fail(" or ".join(PHRASES[name] for name in names), value)


def _is(name: str, value: Any) -> bool:
    if name not in ("integer", "number"):
        return isinstance(value, _KINDS[name])
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return name == "number" or isinstance(value, int) or value.is_integer()


_MENDED: dict[str, Callable[[object, Place], object]] = {
    "integer": integer,
    "number": number,
    "boolean": boolean,
    "null": null,
    "string": string,
    "array": lambda value, at: items(value, at, PHRASES["array"]),
    "object": lambda value, at: members(value, at, PHRASES["object"]),
}


def _enum(of: Stated, schema: Any, value: Any, at: Place) -> Any:
    return _table(of, schema["enum"]).check(value, at)


def _const(of: Stated, schema: Any, value: Any, at: Place) -> Any:
    if id(schema) not in of.tables:
        of.tables[id(schema)] = Constants(schema["const"])
    return of.tables[id(schema)].check(value, at)


def _table(of: Stated, values: list[Any]) -> Constants:
    if id(values) not in of.tables:
        of.tables[id(values)] = Constants(*values)
    return of.tables[id(values)]


class _Branch:
    """One schema of several, as a function. Each is new: what a union remembers is by value, and values here change."""

    __slots__ = ("of", "schema")

    def __init__(self, of: Stated, schema: Any) -> None:
        self.of = of
        self.schema = schema

    def __call__(self, value: Any, at: Place) -> object:
        found = self.of.decode(self.schema, value, at)
        at.loosen(STRICT)
        return found


def _all_of(of: Stated, schema: Any, value: Any, at: Place) -> Any:
    for part in schema["allOf"]:
        before = len(at.faults)
        value = of.decode(part, value, at)
        if len(at.faults) > before:
            return None
    return value


def _any_of(of: Stated, schema: Any, value: Any, at: Place) -> Any:
    return _chosen(of, schema["anyOf"], value, at)


def _one_of(of: Stated, schema: Any, value: Any, at: Place) -> Any:
    before = len(at.faults)
    found = _chosen(of, schema["oneOf"], value, at)
    if len(at.faults) > before:
        return None
    if sum(of.fits(part, found) for part in schema["oneOf"]) != 1:
        return at.fail("a value that fits only one of the alternatives", value)
    return found


def _chosen(of: Stated, parts: list[Any], value: Any, at: Place) -> Any:
    choice = Choice(value, at, of.expected if parts is of.schema.get("anyOf") else "a value that fits an alternative")
    for branch in choice.over(*(_Branch(of, part) for part in parts)):
        choice.take(branch(value, at))
    return choice.result()


def _not(of: Stated, schema: Any, value: Any, at: Place) -> Any:
    return at.fail("a value that is not excluded", value) if of.fits(schema["not"], value) else value


def _if(of: Stated, schema: Any, value: Any, at: Place) -> Any:
    branch = "then" if of.fits(schema["if"], value) else "else"
    return of.decode(schema.get(branch, True), value, at)


_FIRST: tuple[tuple[str, Keyword], ...] = (("$ref", _reference), ("type", _type), ("enum", _enum), ("const", _const))
_JOINTS: tuple[tuple[str, Keyword], ...] = (
    ("allOf", _all_of),
    ("anyOf", _any_of),
    ("oneOf", _one_of),
    ("not", _not),
    ("if", _if),
)
"""Last: what they look at has been mended by then."""
