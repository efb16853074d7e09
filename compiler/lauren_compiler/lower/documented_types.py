"""Types that a docstring writes beside its parameters, compared with what the annotations say.

Only plain words count: `int, optional`, `list of str`, `Optional[float]`, `dict or None`. A text with any other word
says nothing here, for what it means is for people to know.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from ..ir.formats import FORMATS
from ..ir.stated import kinds as stated_kinds
from ..ir.types import (
    AliasDefinition,
    Anything,
    Bounded,
    Built,
    Definition,
    Described,
    DictOf,
    EnumDefinition,
    Formatted,
    LiteralOf,
    ObjectDefinition,
    ObjectKind,
    Reference,
    Scalar,
    Stated,
    Type,
    Union,
)
from ..ir.values import Constant, EnumMember, Value
from .texts import Documented

_WORDS = {
    **dict.fromkeys("str string text".split(), "string"),
    **dict.fromkeys("int integer float number double".split(), "number"),
    **dict.fromkeys("bool boolean".split(), "boolean"),
    **dict.fromkeys("list array tuple set frozenset sequence iterable".split(), "array"),
    **dict.fromkeys("dict dictionary mapping".split(), "object"),
    **dict.fromkeys("none null".split(), "null"),
}
_ALTERNATIVES = re.compile(r"\s*(?:\||,|\bor\b|/)\s*")
_SILENT = re.compile(r"optional|required|default.*|keyword-only|positional-only|defaults? to .*|=.*", re.IGNORECASE)
_INSIDE = re.compile(r"\[[^\[\]]*\]|\([^()]*\)|\{[^{}]*\}")
_OF = re.compile(r"\s+of\s+.*")
_EVERY = frozenset(("string", "number", "boolean", "array", "object", "null"))


def documented_type(found: Documented, name: str) -> str | None:
    """The type that a docstring gives for a parameter, as it is written; None if it gives none."""
    line = found.line_of(name)
    if line is None or (found.text.style == "google" and "(" not in line):
        return None
    escaped = re.escape(name)
    if found.text.style == "numpy":
        match = re.search(rf"(?<!\w){escaped}\s*:\s*(.+)$", line)
    elif found.text.style == "google":
        match = re.search(rf"(?<!\w){escaped}`?\s*\((.+)\)\s*:", line)
    else:
        match = re.search(rf"[:@]\w+\s+(\S.*?)\s+{escaped}\s*:", line) or re.search(
            rf"[:@]type\s+{escaped}\s*:\s*(.+)", found.raw
        )
    return match[1].strip() if match is not None else None


def contradiction(written: str, kind: Type, definitions: Mapping[str, Definition]) -> bool:
    """Whether a written type and a parameter's type have surely no JSON value in common, null apart."""
    said = _said(written)
    if said is None:
        return False
    values = said - {"null"}
    return bool(values) and not values & _kinds(kind, definitions)


def _said(written: str) -> frozenset[str] | None:
    """The kinds of JSON values of a written type, None if it is not made of plain words."""
    text = written.strip("`'\" ").lower()
    text = text.removeprefix("optional") if re.fullmatch(r"optional\[.*\]", text) else text
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1]
    while (shorter := _INSIDE.sub("", text)) != text:
        text = shorter
    found: set[str] = set()
    for part in _ALTERNATIVES.split(_OF.sub("", text)):
        if part and not _SILENT.fullmatch(part):
            if part not in _WORDS:
                return None
            found.add(_WORDS[part])
    return frozenset(found) or None


def _kinds(kind: Type, definitions: Mapping[str, Definition]) -> frozenset[str]:
    """The kinds of JSON values that a type has; every one where that is not plain."""
    found: set[str] = set()
    pending, seen = [kind], set[str]()
    while pending:
        step = pending.pop()
        if isinstance(step, Union):
            pending += step.members
        elif isinstance(step, (Described, Bounded, Built)):
            pending.append(step.inner)
        elif isinstance(step, Reference) and isinstance(definitions.get(step.key), AliasDefinition):
            alias = definitions[step.key]
            if step.key not in seen and isinstance(alias, AliasDefinition):
                seen.add(step.key)
                pending.append(alias.type)
        else:
            found |= _of_one(step, definitions)
    return frozenset(found)


def _of_one(kind: Type, definitions: Mapping[str, Definition]) -> frozenset[str]:
    if isinstance(kind, Scalar):
        return frozenset(("number" if kind.kind.value == "integer" else kind.kind.value,))
    if isinstance(kind, Formatted):
        return frozenset(("string", "number") if FORMATS[kind.kind].number else ("string",))
    if isinstance(kind, LiteralOf):
        return frozenset(_of_values(kind.values))
    if isinstance(kind, DictOf):
        return frozenset(("object",))
    if isinstance(kind, Stated):
        return stated_kinds(json.loads(kind.schema), {}) if "$ref" not in kind.schema else _EVERY
    if isinstance(kind, Anything):
        return _EVERY
    if not isinstance(kind, Reference):
        return frozenset(("array",))
    definition = definitions.get(kind.key)
    if isinstance(definition, EnumDefinition):
        return frozenset(_of_values(tuple(value for _, value in definition.members)))
    if isinstance(definition, ObjectDefinition):
        return frozenset(("array",) if definition.kind is ObjectKind.NAMED_TUPLE else ("object",))
    return _EVERY


def _of_values(values: tuple[Value, ...]) -> Iterator[str]:
    names = {bool: "boolean", int: "number", float: "number", str: "string", bytes: "string", type(None): "null"}
    for value in values:
        constant = value.value if isinstance(value, EnumMember) else value
        yield names[type(constant.value)] if isinstance(constant, Constant) else "array"
