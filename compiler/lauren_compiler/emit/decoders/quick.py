"""Writes the quick decoders: they know one thing, that a value is right as it stands, and doubt everything else."""

from __future__ import annotations

import re
from itertools import pairwise, takewhile

from ...ir.types import (
    Adapted,
    Anything,
    Bounded,
    Built,
    DictOf,
    Field,
    Formatted,
    JsonText,
    ListOf,
    ObjectDefinition,
    ObjectKind,
    Scalar,
    ScalarKind,
    SetOf,
    Stated,
    TupleOf,
    Type,
    Union,
    VariadicTupleOf,
)
from ...ir.values import Constant
from ..layout import STEP, WIDTH, Comprehension, Expression, Group, Labelled, Subscript, call, statement
from ..names import Namespace
from ..pyliteral import literal
from .check import construction
from .filled import filled
from .keywords import is_filled, is_keyword
from .limits import doubt_of, guards, measured_as_sent, tests
from .scope import Function, ModuleScope

_SCALARS = {
    ScalarKind.STRING: ("text", "texts"),
    ScalarKind.INTEGER: ("whole", "wholes"),
    ScalarKind.NUMBER: ("real", "reals"),
    ScalarKind.BOOLEAN: ("truth", "truths"),
}
# What makes a value of a common type doubtful.
_INLINE: dict[Type, str] = {
    Scalar(ScalarKind.STRING): "typeof({it}) is not str",
    # An integer that is compared in one step is taken as it is, anything else asks `whole`.
    Scalar(ScalarKind.INTEGER): "typeof({it}) is not int or not LOW <= {it} <= HIGH",
    Scalar(ScalarKind.BOOLEAN): "{it} is not True and {it} is not False",
    Scalar(ScalarKind.NULL): "{it} is not None",
    Union((Scalar(ScalarKind.STRING), Scalar(ScalarKind.NULL))): "{it} is not None and typeof({it}) is not str",
    # A float that is finite is taken as it is, anything else asks `real`.
    Scalar(ScalarKind.NUMBER): "typeof({it}) is not float or {it} - {it} != 0.0",
}
_DOUBT = "raise Doubt"
_ASKED: dict[Type, str] = {
    Scalar(ScalarKind.INTEGER): "{it} = whole({it})",
    Scalar(ScalarKind.NUMBER): "{it} = real({it})",
}
_NAMES = ("Doubt", "HIGH", "LEAST", "LOW", "MOST", "real", "typeof", "whole")
_WORD = re.compile("[A-Za-z_]+")
_FAR = 2**63
_LITERAL = re.compile(r"""(?:"(?:[^"\\]|\\.)*")|(?:'(?:[^'\\]|\\.)*')""")
_STRINGS = frozenset(("str",))
_NULL = Scalar(ScalarKind.NULL)
_INTEGER = Scalar(ScalarKind.INTEGER)
_NUMBER = Scalar(ScalarKind.NUMBER)
_READ_KEYS = (_INTEGER, _NUMBER, Scalar(ScalarKind.BOOLEAN))


def quick(scope: ModuleScope, type: Type, it: str) -> str | None:
    """The expression that decodes `it`, or raises a doubt; None if only the complete path can decode the type."""
    type = scope.shapes.resolved(type)
    if isinstance(type, Anything):
        return it
    if isinstance(type, JsonText):
        return f"{scope.use('text')}({it})"
    if isinstance(type, Scalar):
        return f"{scope.use(_SCALARS[type.kind][0] if type != _NULL else 'nothing')}({it})"
    if isinstance(type, Formatted):
        return f"{scope.format(type)}.quick({it})"
    if isinstance(type, Stated) and type.inner is None:
        return f"{scope.stated(type)}.quick({it})"
    if scope.shapes.constants(type) is not None:
        table = scope.table(type)
        return f"{table}.texts[{it}]" if scope.shapes.kinds(type) == _STRINGS else f"{table}.quick({it})"
    if (bulk := _bulk(scope, type, it)) is not None:
        return bulk
    return f"{scope.function('quick', type, _written)}({it})" if has_form(scope, type) else None


_COMPLETE_ONLY = frozenset(
    {ObjectKind.MODEL, ObjectKind.ROOT_MODEL, ObjectKind.STRUCT_ARRAY, ObjectKind.FILLED_DATACLASS}
)


def has_form(scope: ModuleScope, type: Type) -> bool:
    """Whether the type has a quick form: reading numbers from keys is for the complete path, and so are what pydantic
    builds, structs told by a tag or by position, and what is held to a schema before it is decoded."""
    type = scope.shapes.resolved(type)
    if isinstance(type, Bounded) and type.inner == _NUMBER and _tells_integers(type):
        return False
    if isinstance(type, (Bounded, Built)):
        return has_form(scope, type.inner)
    if isinstance(type, Adapted):
        return False
    if isinstance(type, Stated):
        return type.inner is None
    definition = scope.shapes.object_of(type)
    if definition is not None:
        is_plain = all(each.init and each.passed is None for each in definition.fields)
        return is_plain and definition.kind not in _COMPLETE_ONLY
    return not (isinstance(type, DictOf) and scope.shapes.resolved(type.key) in _READ_KEYS)


def _tells_integers(bounded: Bounded) -> bool:
    """Whether the bounds of a number may take a long integer and not the float nearest to it (`FAR` of the runtime)."""
    given = dict(bounded.bounds.given)
    return "multiple_of" in given or any(abs(bound) >= _FAR for bound in given.values() if not isinstance(bound, str))


def _bulk(scope: ModuleScope, type: Type, it: str) -> str | None:
    """Containers of scalars that one call can check, and that need no copy."""
    match type:
        case ListOf(item) if _plural(scope, item):
            return f"{scope.use(_plural(scope, item))}({it})"
        case ListOf(item) if isinstance(scope.shapes.resolved(item), Anything):
            return f"{scope.use('array')}({it})"
        case DictOf(key, item) if not _typed_key(scope, key) and _plural(scope, item) == "reals":
            return f"{scope.use('record_of_reals')}({it})"
        case DictOf(key, item) if not _typed_key(scope, key) and _plural(scope, item):
            return f"{scope.use('record_of')}({it}, {scope.use(_plural(scope, item))})"
        case DictOf(key, item) if not _typed_key(scope, key) and isinstance(scope.shapes.resolved(item), Anything):
            return f"{scope.use('record')}({it})"
        case _:
            return None


def _plural(scope: ModuleScope, item: Type) -> str:
    item = scope.shapes.resolved(item)
    return _SCALARS[item.kind][1] if isinstance(item, Scalar) and item != _NULL else ""


def _typed_key(scope: ModuleScope, key: Type) -> bool:
    key = scope.shapes.resolved(key)
    return not isinstance(key, Anything) and key != Scalar(ScalarKind.STRING)


def fetch(
    scope: ModuleScope, type: Type, source: str, local: Namespace, name: str, indent: int
) -> tuple[list[str], str]:
    """Lines that check `source`, and the expression for what it decodes to; empty if the type has no quick form.

    Common scalars are checked in place, in a local variable called like `name`, if that fits a line.
    """
    resolved = scope.shapes.resolved(type)
    it = local.fresh(name, longest=16, fallback="field")
    tested = [STEP * indent + line for line in _tested(scope, resolved, it)]
    if not tested or any(len(line) > WIDTH for line in tested):
        return [], quick(scope, type, source) or ""
    words = {word for line in tested for word in _WORD.findall(line)}
    for used in words.intersection(_NAMES):
        scope.use(used)
    return [f"{STEP * indent}{it} = {source}", *tested], it


def _tested(scope: ModuleScope, type: Type, it: str) -> list[str]:
    """Lines that raise a doubt of `it`, or make of it what it decodes to. None for types that need a function."""
    if type in _INLINE:
        return [f"if {_INLINE[type].format(it=it)}:", STEP + _ASKED.get(type, _DOUBT).format(it=it)]
    if isinstance(type, Bounded) and type.inner == _NUMBER and type.bounds.multiple_of is None:
        # Bounds hold for what was sent: a float has not all digits of an integer.
        return [*guards(tests(scope, type, it), 0, [STEP + _DOUBT]), *_tested(scope, _NUMBER, it)]
    if isinstance(type, Bounded):
        condition = doubt_of(scope, type, it)
        return [] if condition is None else [f"if {condition}:", STEP + _DOUBT]
    other = _or_null(scope, type)
    if isinstance(other, Bounded):
        condition = doubt_of(scope, other, it)
        return [] if condition is None else [f"if {it} is not None and ({condition}):", STEP + _DOUBT]
    found = quick(scope, other, it) if other is not None else None
    return [] if found is None else [f"if {it} is not None:", f"{STEP}{it} = {found}"]


def _or_null(scope: ModuleScope, type: Type) -> Type | None:
    """The type beside null, if the type is a union of these two."""
    if not isinstance(type, Union) or len(type.members) != 2 or _NULL not in type.members:
        return None
    other = scope.shapes.resolved(type.members[type.members[0] == _NULL])
    return None if scope.shapes.takes_null(other) else other


def store(
    scope: ModuleScope, type: Type, source: str, local: Namespace, name: str, target: str, indent: int
) -> list[str]:
    """Lines that check `source` and put what it decodes to behind `target`; a doubt if it has no quick form."""
    checks, found = fetch(scope, type, source, local, name, indent)
    if not found:
        return [f"{STEP * indent}raise {scope.use('Doubt')}"]
    return [*checks, *statement(target, breakable(found), indent=indent)]


def breakable(expression: str) -> Expression:
    """`f(x)`, `table.quick(x)` or `table[x]` as something that can be laid out on several lines."""
    if expression.endswith("]]"):
        table, _, index = expression[:-1].partition("[")
        return Subscript(table, index)
    head, bracket, inside = expression.partition("(")
    # A key may hold what separates arguments elsewhere.
    bare = _LITERAL.sub(lambda found: "_" * len(found[0]), inside)
    named = all(part.isidentifier() for part in head.split("."))
    if not bracket or not bare.endswith(")") or not named or "(" in bare:
        return expression
    stops = [-2, *(found.start() for found in re.finditer(", ", bare)), len(inside) - 1]
    return Group(head, tuple(inside[start + 2 : stop] for start, stop in pairwise(stops)))


def _written(scope: ModuleScope, type: Type, name: str) -> Function:
    body = _body(scope, type)
    return Function(f"def {name}(value: Any) -> Any:", "", tuple(body))


def _body(scope: ModuleScope, type: Type) -> list[str]:
    match type:
        case Bounded():
            return _bounded(scope, type)
        case Built(inner):
            found = quick(scope, inner, "value")
            return _doubt(scope) if found is None else statement("return ", construction(scope, type, breakable(found)))
        case ListOf(item):
            return _list(scope, item)
        case VariadicTupleOf(item, prefix) if prefix:
            return _open_tuple(scope, prefix, item)
        case VariadicTupleOf(item):
            return _list(scope, item, "tuple")
        case SetOf(item, frozen):
            return _set(scope, item, "frozenset" if frozen else "set")
        case TupleOf(items):
            return _tuple(scope, items)
        case DictOf(key, item):
            return _dict(scope, key, item)
        case Union(members):
            return _union(scope, members)
        case _:
            definition = scope.shapes.object_of(type)
            if definition is None:
                raise TypeError(f"no decoder for {type!r}")
            if definition.kind is ObjectKind.NAMED_TUPLE:
                return _named_tuple(scope, definition)
            return _object(scope, definition)


def _bounded(scope: ModuleScope, type: Bounded) -> list[str]:
    found = quick(scope, type.inner, "value")
    if found is None:
        return _doubt(scope)
    it = "value" if measured_as_sent(type) else "found"
    refusal = [f"        raise {scope.use('Doubt')}"]
    return [
        *statement("found = ", breakable(found)),
        *guards(tests(scope, type, it), 1, refusal),
        "    return found",
    ]


def _doubt(scope: ModuleScope) -> list[str]:
    return [f"    raise {scope.use('Doubt')}"]


def _array(scope: ModuleScope, item: Type, it: str = "value") -> Expression | None:
    """The decoded items of `it` as a list."""
    if (bulk := _bulk(scope, ListOf(item), it)) is not None:
        return bulk
    element = quick(scope, item, "item")
    return element and Comprehension(element, f"for item in {scope.use('array')}({it})")


def _list(scope: ModuleScope, item: Type, build: str = "") -> list[str]:
    definition = scope.shapes.object_of(scope.shapes.resolved(item))
    if definition is not None and _fills(scope, definition) and not build:
        return [
            "    found: list[Any] = []",
            f"    cls = {scope.filled(definition)}.plain",
            f"    for item in {scope.use('array')}(value):",
            *_unless_dict(scope, "item", 2),
            *_filled(scope, definition, "item", 2, cls="cls"),
            "        found.append(made)",
            "    return found",
        ]
    items = _array(scope, item)
    if items is None:
        return _doubt(scope)
    return statement("return ", call(build, items) if build else items)


def _set(scope: ModuleScope, item: Type, kind: str) -> list[str]:
    items = _array(scope, item)
    return _doubt(scope) if items is None else statement("return ", call(scope.use("once"), items, kind))


def _tuple(scope: ModuleScope, members: tuple[Type, ...], build: str = "") -> list[str]:
    """Exactly these items, as a tuple or as arguments of `build`."""
    if not all(has_form(scope, member) for member in members):
        return _doubt(scope)
    return [
        f"    if {scope.use('typeof')}(value) is not list or len(value) != {len(members)}:",
        f"        raise {scope.use('Doubt')}",
        *statement("return ", Group(build, _each_of(scope, members))),
    ]


def _open_tuple(scope: ModuleScope, prefix: tuple[Type, ...], item: Type) -> list[str]:
    """These items, then any number of others; one that is missing is an IndexError, which is a doubt too."""
    rest = _array(scope, item, f"value[{len(prefix)}:]") if all(has_form(scope, each) for each in prefix) else None
    if rest is None:
        return _doubt(scope)
    return [
        f"    if {scope.use('typeof')}(value) is not list:",
        f"        raise {scope.use('Doubt')}",
        *statement("return ", Group("", (*_each_of(scope, prefix), Labelled("*", rest)))),
    ]


def _each_of(scope: ModuleScope, members: tuple[Type, ...]) -> tuple[Expression, ...]:
    return tuple(breakable(quick(scope, member, f"value[{index}]") or "") for index, member in enumerate(members))


def _dict(scope: ModuleScope, key: Type, item: Type) -> list[str]:
    if not has_form(scope, item):
        return _doubt(scope)
    named = quick(scope, key, "key") if _typed_key(scope, key) else "key"
    source = f"{scope.use('record')}(value).items()"
    element = f"{named}: {quick(scope, item, 'item')}"
    return statement("return ", Comprehension(element, f"for key, item in {source}", "{}"))


def _union(scope: ModuleScope, members: tuple[Type, ...]) -> list[str]:
    """By the kind of value, where that decides: kinds which two members take are left to the complete path."""
    resolved = [scope.shapes.resolved(member) for member in members]
    lines = ["    if value is None:", "        return None"] if _NULL in resolved else []
    other = _or_null(scope, Union(members))
    found = None if other is None else quick(scope, other, "value")
    if found is not None:
        return [*lines, *statement("return ", breakable(found))]
    branches: list[str] = []
    for kind in ("str", "int", "float", "bool", "list", "dict"):
        taker = _taker(scope, resolved, kind)
        if taker is not None and (found := quick(scope, taker, "value")) is not None:
            # What was an integer may have come as a float, and be another member's.
            near = kind == "float" and taker is not _taker(scope, resolved, "int")
            test = f"kind is float and -{scope.use('FAR')} < value < FAR" if near else f"kind is {kind}"
            branches += [f"    if {test}:", *statement("return ", breakable(found), indent=2)]
    tagged = _tagged(scope, [member for member in resolved if "dict" in scope.shapes.kinds(member)])
    if branches or tagged:
        lines.append(f"    kind = {scope.use('typeof')}(value)")
    return [*lines, *branches, *tagged, *_doubt(scope)]


def _tagged(scope: ModuleScope, members: list[Type]) -> list[str]:
    """Objects that tell themselves apart by a constant under one key: no other member can take one's value."""
    tagged = scope.shapes.tags(members)
    if tagged is None:
        return []
    wire, tags = tagged
    lines = ["    if kind is dict:", f"        tag = value[{scope.key(wire)}]"]
    for member, words in zip(members, tags, strict=True):
        definition = scope.shapes.object_of(member)
        if definition is not None and len(words) == 1 and _fills(scope, definition):
            made = _filled(scope, definition, "value", 3, tag=wire)
            lines += [f"        if tag == {scope.key(words[0])}:", *made, "            return made"]
            continue
        found = quick(scope, member, "value")
        for word in words if found is not None else ():
            lines += [f"        if tag == {scope.key(word)}:", f"            return {found}"]
    return lines


def _taker(scope: ModuleScope, members: list[Type], kind: str) -> Type | None:
    """The one member that values of this kind go to. An integer is one before it is a number."""
    takers = [member for member in members if kind in scope.shapes.kinds(member)]
    if kind == "int" and set(takers) == {_INTEGER, _NUMBER}:
        return _INTEGER
    if kind == "float":
        # A float is an integer only where nothing else takes it, and that is for the complete path to see.
        takers = [member for member in takers if member != _INTEGER]
    return takers[0] if len(takers) == 1 else None


def _fills(scope: ModuleScope, definition: ObjectDefinition) -> bool:
    return is_filled(definition) and all(has_form(scope, each.type) for each in definition.fields)


def _filled(
    scope: ModuleScope, definition: ObjectDefinition, it: str, indent: int, *, tag: str = "", cls: str = ""
) -> list[str]:
    """Lines that make `made` of `it`, which is known to be a dict, and to have its constant in the member `tag`."""
    local = locals_of(scope, ("cls", "found", "given", "item", "kind", "made", "tag", "value"))

    def fetched(each: Field, source: str, steps: int) -> tuple[list[str], Expression]:
        constants = scope.shapes.constants(scope.shapes.resolved(each.type)) if each.wire == tag else None
        if constants is not None and isinstance(constants[0][1], Constant):
            return [], literal(constants[0][0])
        checks, found = fetch(scope, each.type, source, local, each.name, steps)
        return checks, breakable(found)

    return filled(scope, definition, it, indent, fetched, cls)


def _unless_dict(scope: ModuleScope, it: str, indent: int) -> list[str]:
    margin = STEP * indent
    return [f"{margin}if {scope.use('typeof')}({it}) is not dict:", f"{margin}{STEP}raise {scope.use('Doubt')}"]


def _object(scope: ModuleScope, definition: ObjectDefinition) -> list[str]:
    local = locals_of(scope, ("fields", "value"))
    doubt = scope.use("Doubt")
    required = [each for each in definition.fields if each.required]
    if not all(has_form(scope, each.type) for each in required):
        return [f"    raise {doubt}"]
    later = [each for each in definition.fields if not each.required]
    if definition.kind is ObjectKind.TYPED_DICT:
        # Keys stand as declared: what is required, but behind an optional one, waits for it.
        required = list(takewhile(lambda each: each.required, definition.fields))
        later = list(definition.fields[len(required) :])
    if _fills(scope, definition):
        return [*_unless_dict(scope, "value", 1), *_filled(scope, definition, "value", 1), "    return made"]
    lines = _unless_dict(scope, "value", 1)
    known: list[tuple[str, Expression]] = []
    for each in required:
        checks, found = fetch(scope, each.type, f"value[{scope.key(each.wire)}]", local, each.name, 1)
        lines += checks
        known.append((each.name, breakable(found)))
    loaded = None
    if definition.kind is not ObjectKind.TYPED_DICT:
        loaded = f"{scope.loaded(definition.module, definition.qualname)}.cls"
    if loaded is not None and all(is_keyword(name) for name, _ in known):
        direct = call(loaded, *(Labelled(f"{name}=", it) for name, it in known))
        if not later:
            return [
                *lines,
                f"    if len(value) != {len(known)}:",
                f"        raise {doubt}",
                *statement("return ", direct),
            ]
        lines += [f"    if len(value) == {len(known)}:", *statement("return ", direct, indent=2)]
    fields = Group("", tuple(Labelled(f"{scope.key(name)}: ", it) for name, it in known), "{}")
    lines += statement("fields: dict[str, Any] = ", fields)
    for each in later:
        key = scope.key(each.wire)
        lines += [] if each.required else [f"    if {key} in value:"]
        indent = 1 if each.required else 2
        lines += store(
            scope, each.type, f"value[{key}]", local, each.name, f"fields[{scope.key(each.name)}] = ", indent
        )
    lines += ["    if len(value) != len(fields):", f"        raise {doubt}"]
    return [*lines, "    return fields" if loaded is None else f"    return {loaded}(**fields)"]


def locals_of(scope: ModuleScope, taken: tuple[str, ...]) -> Namespace:
    """Names for the local variables of one function: none hides a name of the module."""
    return Namespace(taken, scope.names)


def _named_tuple(scope: ModuleScope, definition: ObjectDefinition) -> list[str]:
    """Only with all its items: a shorter one is left to the complete path."""
    loaded = f"{scope.loaded(definition.module, definition.qualname)}.cls"
    return _tuple(scope, tuple(each.type for each in definition.fields), loaded)
