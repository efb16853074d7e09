"""Class → definition: finds out what kind a class is and has its reader read it, once.

The reader of a kind is imported with the first class of that kind: a project has two or three of a dozen.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

from msgspec.structs import replace

from ...diagnostics.model import Diagnostic, Label, Rule
from ...diagnostics.rules import names as name_rules
from ...diagnostics.rules import types as rules
from ...ir.types import Definition, ObjectDefinition, ObjectKind, Reference
from ...ir.values import Value
from ...syntax.declarations import ClassDecl, Scope
from ...syntax.expressions import Call, Constant, Expr, Subscript
from ..attempts import attempt
from ..metadata import is_pydantic
from ..subject import Subject
from ..symbols import KnownSymbol, Unresolved, ValueSymbol
from ..variables import Arguments, class_variables
from .attrs_flags import attrs_maker, is_attrs_class
from .kinds import (
    ENUM_BASES,
    MODEL_BASES,
    PYDANTIC_MAKER,
    STRUCT_BASES,
    Ancestry,
    ancestry,
    dataclass_maker,
    decorator_call,
    foreign_rule,
)
from .linearization import linearized
from .model_config import ModelConfig
from .statement_rules import statement_is_allowed

if TYPE_CHECKING:
    from ..types import TypeReader
    from .model_facts import ModelFacts

    _CallReader: TypeAlias = Callable[[TypeReader, ValueSymbol, Call, str, tuple[Label, ...]], Definition | None]

_NAMED_TUPLE_CALLS = frozenset({"typing.NamedTuple", "collections.namedtuple"})
_CALLS = frozenset(
    {"typing.TypedDict", "dataclasses.make_dataclass", "attrs.make_class", "msgspec.defstruct", "pydantic.create_model"}
    | _NAMED_TUPLE_CALLS
    | ENUM_BASES
)

_HIDING = frozenset({"typing.NamedTuple", *STRUCT_BASES})
"""Bases of classes whose attributes are something else than the defaults of their fields."""
_MODELS = (ObjectKind.MODEL, ObjectKind.ROOT_MODEL)


class ClassReader:
    """Reads classes for a `TypeReader`, into whose `definitions` they go.

    `unhashable` are keys of classes whose instances can't be in a set; `plain_enums` have members that are no texts or
    numbers; `aliases` are, for each enum, the further names of its members; `state` tells of each class read whether it
    has a definition.
    """

    def __init__(self, types: TypeReader) -> None:
        self.types = types
        self.unhashable: set[str] = set()
        self.plain_enums: set[str] = set()
        self.models: dict[str, ModelFacts] = {}
        self.aliases: dict[str, dict[str, str]] = {}
        self.state: dict[str, bool] = {}
        self._refused: set[str] = set()
        self._open = 0
        self._later: list[Callable[[], object]] = []

    def when_read(self, check: Callable[[], object]) -> None:
        """Have something checked that needs the definitions of classes which are just being read."""
        if self._open:
            self._later.append(check)

    @contextmanager
    def _reading(self) -> Generator[None]:
        """While the body of a class is read, whatever names it."""
        self._open += 1
        try:
            with self.types.container(), self.types.metadata.leniently(False):
                yield
        finally:
            self._open -= 1

    def _check(self) -> None:
        """Do what was put off, unless a class is still being read."""
        pending, self._later = ([], self._later) if self._open else (self._later, [])
        for check in pending:
            check()

    def read(self, decl: ClassDecl, via: tuple[Label, ...], arguments: Arguments) -> str | None:
        """The key of the definition that a class has with these arguments (it may just be being read, further out);
        None, reported, if it has none."""
        config = self.types.config if self._is_reached(decl) else ModelConfig()
        suffix = f"{arguments.suffix}{config.mark}"
        key = f"{decl.key}{suffix}"
        known = self.state.get(key)
        if known is not None:
            return key if known else None
        self.state[key] = True
        own = replace(arguments, self_type=Reference(key), suffix=suffix)
        bindings = self.types.parametrized.bindings(decl, own)
        variables = self.types.variables
        with self._reading(), variables.apart(), variables.bound(bindings), self.types.configured(config):
            definition = self._definition(decl, via)
        if definition is None or not self.can_build(decl, definition, via):
            self.state[key] = False
            return None
        if isinstance(definition, ObjectDefinition):
            # The class that pydantic makes for a list of arguments has no docstring.
            told = None if arguments.given and definition.kind in _MODELS else definition.description
            definition = replace(definition, arguments=arguments.given, description=told)
        self.types.definitions[key] = definition
        self._check()
        return key

    def _is_reached(self, decl: ClassDecl) -> bool:
        """Whether the configuration of a model that holds a class says what the class takes."""
        if not self.types.config.mark:
            return False
        from .class_config import has_config

        found = ancestry(decl, self.types.resolver)
        if found.known & (MODEL_BASES | STRUCT_BASES | ENUM_BASES) or has_config(found.classes, self.types):
            return False
        makers = [dataclass_maker(owner, self.types.resolver) for owner in found.classes]
        return next(filter(None, makers), None) != PYDANTIC_MAKER

    def key(self, decl: ClassDecl) -> str:
        """The key under which a class is just being read, or that of the class without arguments."""
        found = self.types.variables.at(decl.body)
        return f"{decl.key}{found.suffix if found is not None else ''}"

    def can_build(self, decl: ClassDecl, definition: Definition, via: tuple[Label, ...]) -> bool:
        """Whether pydantic knows what is in its models; reported if not."""
        if not isinstance(definition, ObjectDefinition) or definition.kind not in _MODELS:
            return True
        from ..recipes import CANT_READ, UNPACKED_REMEDY
        from .strangers import holds_unpacked, strangers, unequal_member

        member = unequal_member(definition, self.types.definitions, self.plain_enums)
        if member is not None:
            message = f"`Literal[{member.enum.rpartition(':')[2]}.{member.name}]` in model `{decl.name}` takes no JSON"
            label = "pydantic compares JSON with the member, which equals no string and no number"
            remedy = "make the enum a `StrEnum` or an `IntEnum`, or write the value itself"
            self._report(rules.INVALID_CLASS, decl, via, message, label=label, help=remedy)
            return False
        if holds_unpacked(definition, self.types.definitions):
            message = f"pydantic, which builds model `{decl.name}`, {CANT_READ}"
            self._report(rules.TYPE_NOT_COVERED, decl, via, message, help=UNPACKED_REMEDY)
            return False
        inside = strangers(definition, self.types.definitions)
        if inside is None:
            return True
        message = f"model `{decl.name}` holds `{inside.qualname}`, which pydantic can't build: it is no class it knows"
        self._report(rules.INVALID_CLASS, decl, via, message, help="make it a dataclass or a model")
        return False

    def is_model(self, decl: ClassDecl) -> bool:
        """Whether a class is a model of pydantic's."""
        return bool(MODEL_BASES & ancestry(decl, self.types.resolver).known)

    def is_enum(self, decl: ClassDecl) -> bool | None:
        """Whether a class is an enum; None if one of its bases can't be known."""
        found = ancestry(decl, self.types.resolver)
        if found.known & ENUM_BASES:
            return True
        hidden = found.lost is not None or foreign_rule(found, self.types.resolver) is not None
        return None if hidden else False

    def hides_defaults(self, decl: ClassDecl) -> bool:
        """Whether a class's attributes are not the defaults of its fields: those of named tuples, and slots."""
        if _HIDING & ancestry(decl, self.types.resolver).known:
            return True
        if attrs_maker(decl, self.types.resolver) is not None:
            return True
        _, call = decorator_call(decl, "dataclasses.dataclass", self.types.resolver)
        slots = call.keyword("slots") if call is not None else None
        return slots is not None and not (isinstance(slots, Constant) and not slots.value)

    def canonical_member(self, key: str, name: str) -> str:
        """The name of the member that `name` is an alias of; `name` itself if it is none."""
        return self.aliases.get(key, {}).get(name, name)

    def has_aliases(self, key: str) -> bool:
        """Whether some member of an enum has a second name."""
        return bool(self.aliases.get(key))

    def definition_of(self, decl: ClassDecl) -> Definition | None:
        """The definition of a class whose value is used; None, unreported, if it has none or is just being read."""
        return self.form_of(decl, None, decl.scope)[1]

    def form_of(self, decl: ClassDecl, brackets: Subscript | None, scope: Scope) -> tuple[str, Definition | None]:
        """The key and the definition of a class whose value is used, for what a generic one has in brackets there."""
        given: Arguments | None = Arguments()
        if brackets is not None:
            variables = class_variables(decl, self.types.resolver)
            with attempt(self.types) as made:
                given = self.types.parametrized.arguments(variables, decl.name, brackets, scope, Subject("a value"))
                made.succeeded = given is not None
        if given is None:
            return decl.key, None
        own, key = given, f"{decl.key}{given.suffix}"
        return key, self._attempted(key, lambda: self.read(decl, (), own) is not None)

    def takes_names(self, key: str) -> bool:
        """Whether the constructor of a model takes Python's names of aliased fields too."""
        return self.models[key].by_name

    def changes(self, key: str) -> bool:
        """Whether code of a class that is no model runs on what its constructor is given."""
        return key in self.models and self.models[key].changing

    def built(self, key: str, definition: ObjectDefinition, arguments: Mapping[str, Value]) -> dict[str, Value] | str:
        """The fields of a model that is called with these arguments, or why they can't be known."""
        from .model_values import built

        return built(definition, arguments, self.models[key].changing, self.types.definitions)

    def definition_of_call(self, symbol: ValueSymbol, call: Call) -> Definition | None:
        """The definition of a class made by a call; None, unreported, if the call makes none."""
        maker = self.types.resolver.dealias(self.types.resolver.resolve(call.func, symbol.scope))
        name = maker.name if isinstance(maker, KnownSymbol) else ""
        key = self.call_key(symbol, name)
        return self._attempted(key, lambda: self.read_call(symbol, call, name, ()))

    def _attempted(self, key: str, read: Callable[[], bool]) -> Definition | None:
        """A value may be of any class, and says nothing about JSON: that its class can't be read is no fault."""
        if key in self._refused:
            return None
        outer = self.types.sink
        with attempt(self.types) as made, self.types.configured(ModelConfig()):
            made.succeeded = read()
        if made.succeeded:
            outer.extend(made.sink)
        else:
            self._refused.add(key)
        return self.types.definitions.get(key)

    def lost_base(self, decl: ClassDecl) -> Diagnostic | None:
        """The problem of a base that leads nowhere, None if all bases are known."""
        lost = ancestry(decl, self.types.resolver).lost
        if lost is None:
            return None
        symbol, expr, owner = lost
        if isinstance(symbol, Unresolved):
            return symbol.diagnostic
        span = owner.scope.module.file.span(expr.pos)
        return name_rules.DYNAMIC_NAME.at(span, f"a base of class `{owner.name}` is known only at run time")

    def call_key(self, symbol: ValueSymbol, name: str) -> str:
        """The key of a class that is made by a call of the known name."""
        mark = self.types.config.mark if name not in ENUM_BASES else ""
        return f"{symbol.scope.module.file.module}:{symbol.qualname}{mark}"

    def is_class_call(self, name: str) -> bool:
        """Whether a call of the known name makes a class."""
        return name in _CALLS

    def read_call(self, symbol: ValueSymbol, call: Call, name: str, via: tuple[Label, ...]) -> bool:
        """Whether `X = NamedTuple("X", …)` and the like give a definition; problems are reported."""
        if name not in _CALLS:
            return False
        key = self.call_key(symbol, name)
        if key not in self.state:
            self.state[key] = True
            with self._reading():
                definition = _reader_of_call(name)(self.types, symbol, call, name, via)
            self.state[key] = definition is not None
            if definition is not None:
                self.types.definitions[key] = definition
            self._check()
        return self.state[key]

    def _definition(self, decl: ClassDecl, via: tuple[Label, ...]) -> Definition | None:
        found = ancestry(decl, self.types.resolver)
        if not self._is_sound(decl, found, via):
            return None
        rule = foreign_rule(found, self.types.resolver)
        if rule is not None:
            self._report(
                rules.TYPE_NOT_COVERED, decl, via, f"{rule}, on class `{decl.name}`, is not covered by this version"
            )
            return None
        if "typing.TypedDict" in found.known:
            from .typed_dict import read_typed_dict

            return read_typed_dict(self.types, decl, found, via)
        if self._is_local(decl, via):
            return None
        if found.known & ENUM_BASES:
            from .enums import read_enum

            return read_enum(self.types, decl, found, via)
        if "typing.NamedTuple" in found.known:
            from .named_tuple import read_named_tuple

            return read_named_tuple(self.types, decl, found, via)
        if found.known & MODEL_BASES:
            from .pydantic_model import read_model

            return read_model(self.types, decl, found, via)
        if found.known & STRUCT_BASES:
            from .struct import read_struct

            return read_struct(self.types, decl, via)
        if is_attrs_class(found.classes, self.types):
            from .attrs_class import read_attrs_class

            return read_attrs_class(self.types, decl, via)
        if any(dataclass_maker(owner, self.types.resolver) for owner in found.classes):
            from .dataclass import read_dataclass

            return read_dataclass(self.types, decl, found, via)
        self._refuse(decl, found, via)
        return None

    def _is_sound(self, decl: ClassDecl, found: Ancestry, via: tuple[Label, ...]) -> bool:
        """Whether all bases are known, without a circle; reported if not."""
        if found.cycle:
            self._report(name_rules.INHERITANCE_CYCLE, decl, via, f"class `{decl.name}` inherits from itself")
            return False
        if found.lost is not None:
            self._report_lost(*found.lost, via)
            return False
        if linearized(decl, self.types.resolver) is None:
            self._report(rules.INVALID_CLASS, decl, via, f"the bases of `{decl.name}` can't be brought into an order")
            return False
        return statement_is_allowed(self.types, found.classes, via)

    def _report_lost(self, symbol: object, expr: Expr, owner: ClassDecl, via: tuple[Label, ...]) -> None:
        span = owner.scope.module.file.span(expr.pos)
        if isinstance(symbol, Unresolved):
            problem = symbol.diagnostic
            labels = (*via, *problem.labels)
            self.types.sink.add(replace(problem, labels=labels))
            return
        message = f"a base of class `{owner.name}` can't be known from the source"
        self.types.sink.add(name_rules.DYNAMIC_NAME.at(span, message, label="known only at run time", labels=via))

    def _is_local(self, decl: ClassDecl, via: tuple[Label, ...]) -> bool:
        if "<locals>" not in decl.qualname:
            return False
        message = f"class `{decl.name}` is defined inside a function, where a decoder can't import it from"
        remedy = "move the class to the top of its module"
        self._report(rules.LOCAL_CLASS, decl, via, message, help=remedy)
        return True

    def _refuse(self, decl: ClassDecl, found: Ancestry, via: tuple[Label, ...]) -> None:
        if any(owner.scope.module.file.module.startswith("pydantic.v1.") for owner in found.classes):
            message = f"`{decl.name}` is a model of pydantic's version 1, which is not read"
            remedy = "derive it from `pydantic.BaseModel` of version 2"
            self._report(rules.UNSUPPORTED_TYPE, decl, via, message, help=remedy)
            return
        if any(is_pydantic(owner.scope) for owner in found.classes):
            message = f"`{decl.name}` is a type of pydantic's, which this version does not cover"
            remedy = "state its schema: `Annotated[..., WithJsonSchema({...})]`"
            self._report(rules.TYPE_NOT_COVERED, decl, via, message, help=remedy)
            return
        if "typing.Protocol" in found.known:
            message = f"`{decl.name}` is a protocol, which has no JSON form"
            self._report(rules.UNSUPPORTED_TYPE, decl, via, message)
            return
        if self.types.metadata.speaks_to_pydantic(decl):
            message = f"what `{decl.name}` takes only running code can know: it has a hook that pydantic asks"
            remedy = "state its schema: `Annotated[..., WithJsonSchema({...})]`"
            self._report(rules.TYPE_NOT_COVERED, decl, via, message, help=remedy)
            return
        message = f"class `{decl.name}` has no JSON form"
        remedy = (
            "make it a dataclass, a TypedDict, a NamedTuple or an enum; or declare it in `[tool.lauren-compile.types]`"
        )
        label = "its source does not say which data it holds"
        from .transforms import transformer

        made = transformer(found, self.types.resolver)
        if made is not None:
            message = f"the fields of class `{decl.name}` can't be known from the source"
            label = f"{made} makes them, and what it does with values only its library knows"
        self._report(rules.UNSUPPORTED_TYPE, decl, via, message, label=label, help=remedy)

    def _report(
        self,
        rule: Rule,
        decl: ClassDecl,
        via: tuple[Label, ...],
        message: str,
        *,
        label: str = "",
        help: str | None = None,
    ) -> None:
        """Report at the place where the class is used, pointing to the class; at the class if that is unknown."""
        place = decl.scope.module.file.span(decl.name_pos)
        if via:
            labels = (*via[:-1], Label(place, f"`{decl.name}` is defined here"))
            self.types.sink.add(rule.at(via[-1].span, message, label=label, labels=labels, help=help))
        else:
            self.types.sink.add(rule.at(place, message, label=label, help=help))


def _reader_of_call(name: str) -> _CallReader:
    """What reads a class that is made by a call of one of the names in `_CALLS`."""
    if name == "typing.TypedDict":
        from .typed_dict import read_typed_dict_call

        return read_typed_dict_call
    if name in _NAMED_TUPLE_CALLS:
        from .named_tuple import read_named_tuple_call

        return read_named_tuple_call
    if name in ENUM_BASES:
        from .enum_calls import read_enum_call

        return read_enum_call
    if name == "msgspec.defstruct":
        from .struct_call import read_struct_call

        return read_struct_call
    if name == "dataclasses.make_dataclass":
        from .dataclass_call import read_dataclass_call

        return read_dataclass_call
    from .class_calls import read_attrs_call, read_model_call

    return read_attrs_call if name == "attrs.make_class" else read_model_call
