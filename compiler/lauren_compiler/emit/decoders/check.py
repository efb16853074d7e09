"""Writes the complete decoders: exact check, repairs, and all that is wrong with its place. One function per type."""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.formats import BUILT
from ...ir.tags import Tags, known_tags
from ...ir.tools import Parameter
from ...ir.types import (
    Adapted,
    Anything,
    Bounded,
    Built,
    BuiltKind,
    DictOf,
    Field,
    Formatted,
    JsonText,
    ListOf,
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
from ..layout import Comprehension, Expression, Group, Labelled, call, call_statement, statement
from ..pyliteral import literal, plain
from .annotations import loaded_class, recipe
from .limits import guards, measured_as_sent, tests
from .scope import Function, ModuleScope
from .values import passed

_SCALARS = {
    ScalarKind.STRING: "string",
    ScalarKind.INTEGER: "integer",
    ScalarKind.NUMBER: "number",
    ScalarKind.BOOLEAN: "boolean",
    ScalarKind.NULL: "null",
}
_NULL = Scalar(ScalarKind.NULL)
_EXACT: dict[Type, str] = {
    Scalar(ScalarKind.STRING): "str",
    Scalar(ScalarKind.INTEGER): "int",
    Scalar(ScalarKind.NUMBER): "float",
    Scalar(ScalarKind.BOOLEAN): "bool",
}
_KEYS: dict[Type, str] = {
    Scalar(ScalarKind.INTEGER): "integer_key",
    Scalar(ScalarKind.NUMBER): "number_key",
    Scalar(ScalarKind.BOOLEAN): "boolean_key",
}
_LONGEST_DOC = 75
_FAILED = ["    if given is None:", "        return None"]


def checker(scope: ModuleScope, type: Type) -> str:
    """The expression for the function that decodes `type` completely: `(value, at) -> object`."""
    type = scope.shapes.resolved(type)
    if isinstance(type, Scalar):
        return scope.use(_SCALARS[type.kind])
    if isinstance(type, Formatted):
        return f"{scope.format(type)}.check"
    if isinstance(type, Anything):
        return scope.use("anything")
    if isinstance(type, JsonText):
        return scope.use("string")
    if isinstance(type, Stated) and type.inner is None:
        return f"{scope.stated(type)}.check"
    if scope.shapes.constants(type) is not None:
        return f"{scope.table(type)}.check"
    return scope.function("check", type, _written)


def _written(scope: ModuleScope, type: Type, name: str) -> Function:
    signature = f"def {name}(value: object, at: {scope.use('Place')}) -> object:"
    return Function(signature, _doc(scope, type), tuple(_body(scope, type)))


def _doc(scope: ModuleScope, type: Type) -> str:
    if isinstance(type, Reference):
        module, _, qualname = type.key.partition(":")
        return f"{plain(qualname)[:50]} of {plain(module)[:25]}."
    phrase = scope.shapes.phrase(type)
    # A pattern may hold anything.
    return f"{phrase[0].upper()}{plain(phrase)[1:_LONGEST_DOC]}."


def _body(scope: ModuleScope, type: Type) -> list[str]:
    match type:
        case Bounded():
            return _bounded(scope, type)
        case Built():
            return _built(scope, type)
        case Stated(inner=inner) if inner is not None:
            return _stated(scope, type, inner)
        case ListOf(item):
            return statement("return ", _items(scope, type, item))
        case VariadicTupleOf(item, prefix) if prefix:
            return _open_tuple(scope, type, prefix, item)
        case VariadicTupleOf(item):
            return [
                f"    at.loosen({scope.use('STRICT')})",
                *statement("return ", Group("tuple", (_items(scope, type, item),))),
            ]
        case SetOf(item, frozen):
            return _set(scope, type, item, "frozenset" if frozen else "set")
        case TupleOf(items):
            return _tuple(scope, type, items)
        case DictOf(key, value):
            return _dict(scope, type, key, value)
        case Adapted():
            return _adapted(scope, type)
        case Union(members):
            tags = known_tags(type, scope.shapes.toolset.by_key)
            return _union(scope, type, members) if tags is None else _discriminated(scope, type, tags)
        case _:
            definition = scope.shapes.object_of(type)
            if definition is None:
                raise TypeError(f"no decoder for {type!r}")
            return _OBJECTS.get(definition.kind, _object)(scope, type, definition)


def _bounded(scope: ModuleScope, type: Bounded) -> list[str]:
    """The type first; a value that is of it is then held to each bound."""
    expected = _expected(scope, type)
    decoded = statement("found: Any = ", call(checker(scope, type.inner), "value", "at"))
    it = "sent" if measured_as_sent(type) else "found"
    if it == "sent":
        lines = [f"    before, mended = {scope.use('marks')}(at)", *decoded]
    else:
        lines = ["    before = len(at.faults)", *decoded]
    conditions = ["len(at.faults) > before"]
    if not isinstance(type.inner, Scalar) or it == "sent":
        lines += guards(conditions, 1, _otherwise(scope, type))
        lines += ["    sent: Any = at.sent(value, mended)"] if it == "sent" else []
        conditions = []
    refusal = statement("return ", call("at.refuse", "before", expected, "value"), indent=2)
    return [*lines, *guards([*conditions, *tests(scope, type, it)], 1, refusal), "    return found"]


def _otherwise(scope: ModuleScope, type: Bounded) -> list[str]:
    """What becomes of a value that is not of the type: for a scalar, one fault that names its bounds too."""
    if not isinstance(type.inner, Scalar):
        return ["        return None"]
    return statement("return ", call("at.refuse", "before", _expected(scope, type), "value"), indent=2)


def _built(scope: ModuleScope, type: Built) -> list[str]:
    """The list or dict first, then the container of it."""
    return [
        # To pydantic these are no exact forms of an array or object, not even empty ones; a `defaultdict` is one.
        *([f"    at.loosen({scope.use('STRICT')})"] if type.kind is not BuiltKind.DEFAULT_DICT else []),
        "    before = len(at.faults)",
        *statement("found: Any = ", call(checker(scope, type.inner), "value", "at")),
        "    if len(at.faults) > before:",
        "        return None",
        *statement("return ", construction(scope, type, "found")),
    ]


def _stated(scope: ModuleScope, type: Stated, inner: Type) -> list[str]:
    """Held to the schema first; what that takes is then decoded as the type."""
    return [
        "    before = len(at.faults)",
        f"    found = {scope.stated(type)}.check(value, at)",
        "    if len(at.faults) > before:",
        "        return None",
        *statement("return ", call(checker(scope, inner), "found", "at")),
    ]


def construction(scope: ModuleScope, type: Built, it: Expression) -> Expression:
    """The call that makes the container of the list or dict `it`."""
    factory = (type.factory,) if type.factory is not None else ()
    return call(f"{scope.loaded('collections', BUILT[type.kind])}.cls", *factory, it)


def _adapted(scope: ModuleScope, type: Adapted) -> list[str]:
    """The JSON first; the value is pydantic's."""
    adapter = scope.adapter(type, recipe)
    return [
        f"    before = {adapter}.enter(at)",
        *statement("", call(checker(scope, type.inner), "value", "at")),
        *statement("return ", call(f"{adapter}.build", "value", "at", "before")),
    ]


def _discriminated(scope: ModuleScope, type: Union, tags: Tags) -> list[str]:
    """The member whose tag stands under the key."""
    table = [
        Labelled(f"{scope.key(tag) if isinstance(tag, str) else literal(tag)}: ", checker(scope, member))
        for member, constants in zip(type.members, tags.constants, strict=True)
        for tag in constants
    ]
    arguments = ("value", "at", _expected(scope, type), scope.key(tags.wire), Group("", tuple(table), "{}"))
    return statement("return ", call(scope.use("choose"), *arguments))


def _expected(scope: ModuleScope, type: Type) -> str:
    return literal(scope.shapes.phrase(type))


def _items(scope: ModuleScope, type: Type, item: Type) -> Expression:
    if isinstance(type, ListOf) and isinstance(scope.shapes.resolved(item), Anything):
        return f"{scope.use('items')}(value, at, {_expected(scope, type)})"
    return call(scope.use("array_of"), checker(scope, item), "value", "at", _expected(scope, type))


def _set(scope: ModuleScope, type: Type, item: Type, kind: str) -> list[str]:
    decoded = Comprehension(f"{checker(scope, item)}(item, at)", "for item in at.each(given)")
    return [
        f"    given = {scope.use('items')}(value, at, {_expected(scope, type)})",
        *_FAILED,
        f"    before = {scope.use('marks')}(at)",
        *statement("decoded = ", decoded),
        f"    return {scope.use('unique')}(given, decoded, at, before, {kind})",
    ]


def _tuple(scope: ModuleScope, type: Type, members: tuple[Type, ...]) -> list[str]:
    count = str(len(members))
    return _tuple_lines(scope, type, (count, count), _steps(scope, members))


def _open_tuple(scope: ModuleScope, type: Type, prefix: tuple[Type, ...], item: Type) -> list[str]:
    """These items, then any number of others."""
    rest = Comprehension(f"{checker(scope, item)}(item, at)", f"for item in at.rest(given, {len(prefix)})")
    return _tuple_lines(scope, type, (str(len(prefix)),), (*_steps(scope, prefix), Labelled("*", rest)))


def _steps(scope: ModuleScope, members: tuple[Type, ...]) -> tuple[Expression, ...]:
    return tuple(
        call("at.leave", f"{checker(scope, member)}(at.step(given, {index}), at)")
        for index, member in enumerate(members)
    )


def _tuple_lines(scope: ModuleScope, type: Type, length: tuple[str, ...], items: tuple[Expression, ...]) -> list[str]:
    return [
        f"    at.loosen({scope.use('STRICT')})",
        *statement("given = ", call(scope.use("items"), "value", "at", _expected(scope, type), *length)),
        *_FAILED,
        *statement("return ", Group("", items)),
    ]


def _dict(scope: ModuleScope, type: Type, key: Type, value: Type) -> list[str]:
    source = f"{scope.use('entries')}(value, at, {_expected(scope, type)}, {_key(scope, key)})"
    element = f"key: {checker(scope, value)}(item, at)"
    return statement("return ", Comprehension(element, f"for key, item in {source}", "{}"))


def _key(scope: ModuleScope, key: Type) -> str:
    key = scope.shapes.resolved(key)
    if isinstance(key, Bounded):
        return checker(scope, key)
    if scope.shapes.constants(key) is not None:
        return f"{scope.table(key)}.key"
    if isinstance(key, Formatted):
        return f"{scope.format(key)}.key"
    return scope.use(_KEYS.get(key, "string_key"))


def _union(scope: ModuleScope, type: Union, members: tuple[Type, ...]) -> list[str]:
    others = [member for member in members if scope.shapes.resolved(member) != _NULL]
    lines = ["    if value is None:", "        return None"] if len(others) < len(members) else []
    if len(others) == 1:
        return [*lines, *statement("return ", call("at.or_null", f"{checker(scope, others[0])}(value, at)"))]
    tags = scope.shapes.struct_tags(others)
    if tags is not None:
        return [*lines, *_discriminated(scope, Union(tuple(others)), tags)]
    branches = tuple(checker(scope, member) for member in others)
    return [
        *lines,
        *statement("choice = ", call(scope.use("Choice"), "value", "at", _expected(scope, type))),
        *statement("for branch in ", call("choice.over", *branches), ":"),
        "        choice.take(branch(value, at))",
        "    return choice.result()",
    ]


def _object(scope: ModuleScope, type: Type, definition: ObjectDefinition) -> list[str]:
    lines = [
        f"    given = {scope.use('members')}(value, at, {_expected(scope, type)})",
        *_FAILED,
        *(["    before = len(at.faults)"] if definition.kind is not ObjectKind.TYPED_DICT else []),
        *taken(scope, definition.fields, "fields"),
    ]
    if any(each.passed is not None for each in definition.fields):
        lines.append("    absent: dict[str, object] = {}")
        lines += defaulted(scope, definition.fields, "fields", "absent")
    lines += _closing(scope, type, definition)
    if definition.kind is ObjectKind.TYPED_DICT:
        lines += _kept(scope, type, definition)
        return [*lines, f"    return {scope.use('build_dict')}(fields, at)"]
    return [*lines, *_build(scope, definition)]


def _build(scope: ModuleScope, definition: ObjectDefinition) -> list[str]:
    """The call of the class's own constructor; those that validators guard may refuse in more ways."""
    loaded = scope.loaded(definition.module, definition.qualname)
    absent = ("absent",) if any(each.passed is not None for each in definition.fields) else ()
    build = scope.use(_BUILDERS.get(definition.kind, "build_guarded"))
    return statement("return ", call(build, "fields", "at", "before", loaded, *absent))


_BUILDERS = {ObjectKind.DATACLASS: "build", ObjectKind.FILLED_DATACLASS: "build_filled"}


def _closing(scope: ModuleScope, type: Type, definition: ObjectDefinition) -> list[str]:
    """Refuse unknown keys, if the class does."""
    if not definition.closed:
        return []
    known = scope.listing(f"{scope.shapes.name(type)[:30]}_keys", tuple(each.wire for each in definition.fields))
    return [f"    {scope.use('only')}(given, at, {known})"]


def _kept(scope: ModuleScope, type: Type, definition: ObjectDefinition) -> list[str]:
    """Keep unknown keys, if the TypedDict does."""
    if not definition.keeping:
        return []
    known = scope.listing(f"{scope.shapes.name(type)[:30]}_keys", tuple(each.wire for each in definition.fields))
    return [
        *statement("for key, item in ", call(scope.use("others"), "given", "at", known, "()"), ":"),
        "        fields.setdefault(key, item)",
    ]


def _others(scope: ModuleScope, type: Type, definition: ObjectDefinition) -> list[str]:
    """Check the values of unknown keys, if the class says what they are."""
    if definition.extra is None:
        return []
    known = scope.listing(f"{scope.shapes.name(type)[:30]}_keys", tuple(each.wire for each in definition.fields))
    return [
        *statement("for _, item in ", call(scope.use("others"), "given", "at", known, "()"), ":"),
        *statement("", call(checker(scope, definition.extra), "item", "at"), indent=2),
    ]


def _model(scope: ModuleScope, type: Type, definition: ObjectDefinition) -> list[str]:
    """The members are checked and mended; what they are made into is for pydantic, at the outermost model."""
    lines = [
        f"    given = {scope.use('members')}(value, at, {_expected(scope, type)})",
        *_FAILED,
        f"    before = {scope.use('enter_model')}(at)",
        *taken(scope, definition.fields, "fields"),
    ]
    loaded = loaded_class(scope, definition)
    return [
        *lines,
        *_closing(scope, type, definition),
        *_others(scope, type, definition),
        *statement("return ", call(scope.use("build_model"), "given", "fields", "at", "before", loaded)),
    ]


def _root_model(scope: ModuleScope, type: Type, definition: ObjectDefinition) -> list[str]:
    """The root's JSON is the model's."""
    loaded = loaded_class(scope, definition)
    return [
        f"    before = {scope.use('enter_model')}(at)",
        *statement("", call(checker(scope, definition.fields[0].type), "value", "at")),
        *statement("return ", call(scope.use("build_model"), "value", "{}", "at", "before", loaded)),
    ]


def taken(scope: ModuleScope, fields: Sequence[Field | Parameter], into: str) -> list[str]:
    """Lines that decode the members of the object `given` into a new dict `into`, under their Python names."""
    if not fields:
        return [f"    {into}: dict[str, object] = {{}}"]
    rows = tuple(_row(scope, each) for each in fields)
    lines = statement(f"{into} = ", call("at.take", "given", *rows))
    renamed = tuple((each.wire, each.name) for each in fields if each.name != each.wire)
    if renamed:
        pairs = tuple(Group("", (scope.key(wire), scope.key(name))) for wire, name in renamed)
        lines += statement(f"{into} = ", call(scope.use("renamed"), into, *pairs))
    dropped = [each for each in fields if isinstance(each, Field) and not each.init]
    return [*lines, *(f"    {into}.pop({scope.key(each.name)}, None)" for each in dropped)]


def _row(scope: ModuleScope, each: Field | Parameter) -> Expression:
    """A member for `Place.take`: its key, what decodes it, the type of values that are right as they are, and what is
    expected there, or what its absence means."""
    if each.required:
        expected = _expected(scope, each.type)
    else:
        expected = scope.use("OPTIONAL" if scope.shapes.takes_null(each.type) else "DEFAULTED")
    return Group("", (scope.key(each.wire), checker(scope, each.type), _exact(scope, each.type), expected))


def _exact(scope: ModuleScope, type: Type) -> str:
    """The Python type whose instances a decoder only passes on, whatever their value; else `None`."""
    type = scope.shapes.resolved(type)
    if isinstance(type, Union) and len(type.members) == 2 and _NULL in type.members:
        type = scope.shapes.resolved(type.members[type.members[0] == _NULL])
    return _EXACT.get(type, "None")


def defaulted(scope: ModuleScope, fields: Sequence[Field | Parameter], given: str, into: str) -> list[str]:
    """Lines that put defaults which the class or function has not itself into `into`, where `given` has no value."""
    lines: list[str] = []
    for each in fields:
        if each.passed is not None and not each.required:
            name = scope.key(each.name)
            lines += [
                f"    if {name} not in {given}:",
                *statement(f"{into}[{name}] = ", passed(scope, each.passed), indent=2),
            ]
    return lines


def entering(scope: ModuleScope, wire: str, type: Type, required: bool) -> list[str]:
    """The `if` that goes to a member: one that must be there, or may be absent, or where null means absent."""
    key = scope.key(wire)
    if required:
        return call_statement("if ", "at.enter", "given", key, _expected(scope, type), suffix=":")
    entered = "at.enter_if_given" if scope.shapes.takes_null(type) else "at.enter_unless_null"
    return call_statement("if ", entered, "given", key, suffix=":")


def _named_tuple(scope: ModuleScope, type: Type, definition: ObjectDefinition) -> list[str]:
    fields = definition.fields
    lines = [
        f"    given = {scope.use('items')}(value, at, {_expected(scope, type)}, {', '.join(_length(definition))})",
        *_FAILED,
        "    before = len(at.faults)",
        "    values: list[object] = []",
    ]
    for index, each in enumerate(fields):
        step = call("at.leave", f"{checker(scope, each.type)}(at.step(given, {index}), at)")
        optional = not each.required
        lines += [f"    if len(given) > {index}:"] if optional else []
        lines += statement("", call("values.append", step), indent=2 if optional else 1)
    loaded = scope.loaded(definition.module, definition.qualname)
    return [*lines, f"    return {scope.use('build_items')}(values, at, before, {loaded})"]


def _struct_array(scope: ModuleScope, type: Type, definition: ObjectDefinition) -> list[str]:
    """The members of a struct by position; what stands behind them is dropped, unless the class refuses it."""
    lines = [
        *statement("given = ", call(scope.use("items"), "value", "at", _expected(scope, type), *_length(definition))),
        *_FAILED,
        "    before = len(at.faults)",
        "    fields: dict[str, object] = {}",
    ]
    for index, each in enumerate(definition.fields):
        step = call("at.leave", f"{checker(scope, each.type)}(at.step(given, {index}), at)")
        is_there = index < definition.least
        lines += [] if is_there else [f"    if len(given) > {index}:"]
        target = f"fields[{scope.key(each.name)}] = " if each.init else ""
        lines += statement(target, step, indent=1 if is_there else 2)
    return [*lines, *_build(scope, definition)]


def _length(definition: ObjectDefinition) -> tuple[str, ...]:
    most = definition.most
    return (str(definition.least), *(() if most is None else (str(most),)))


_OBJECTS = {
    ObjectKind.NAMED_TUPLE: _named_tuple,
    ObjectKind.MODEL: _model,
    ObjectKind.ROOT_MODEL: _root_model,
    ObjectKind.STRUCT_ARRAY: _struct_array,
}
