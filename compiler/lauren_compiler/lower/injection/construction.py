"""How an object is made, of what: constructors, factories, dataclasses and annotated attributes → `Construction`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from ...diagnostics.model import Sink
from ...diagnostics.rules import injection as rules
from ...ir.graph import Construction, Default, Hooks, Need, Produces, Token
from ...semantics.attempts import attempt
from ...semantics.classes.dataclass_fields import Declared as DataField
from ...semantics.classes.dataclass_fields import collect
from ...semantics.classes.kinds import decorator_call
from ...semantics.classes.members import Member, annotated_members
from ...semantics.types import TypeReader
from ...syntax.declarations import ClassDecl, FunctionDecl, ParamDecl, Scope
from ...syntax.expressions import Constant, Expr
from .annotations import AnnotationReader
from .classes import ClassReader, Constructor
from .shapes import own_name, shape_of

_ASKS_NOTHING = Token("object", "", None, "")
"""What a parameter by position asks for that only has its default."""
_UNKNOWN = Construction(is_known=False)


class _Parameter(Struct, frozen=True):
    """A parameter or a field of a dataclass."""

    name: str
    kind: str
    annotation: Expr | None
    scope: Scope
    has_default: bool
    pos: tuple[int, int, int, int]


class ConstructionReader:
    """Reads how objects are made. `sink` gets what the container refuses."""

    def __init__(self, types: TypeReader, annotations: AnnotationReader, classes: ClassReader, sink: Sink) -> None:
        self._types = types
        self._annotations = annotations
        self._classes = classes
        self._sink = sink
        self._classes_read: dict[ClassDecl, Construction] = {}

    def of_class(self, decl: ClassDecl) -> Construction:
        """How a class is constructed; what its body announces is set afterwards."""
        if decl not in self._classes_read:  # a list may name it thousands of times
            self._classes_read[decl] = self._class(decl)
        return self._classes_read[decl]

    def _class(self, decl: ClassDecl) -> Construction:
        self._check_constructible(decl)
        constructor = self._classes.constructor(decl)
        hooks = self._hooks(decl)
        parameters = self._parameters_of(constructor)
        announced = self._announced(decl)
        if hooks is None or parameters is None or announced is None:
            return _UNKNOWN
        needs = self._needs(parameters, decl.name)
        fields = self._fields(decl, {each.name for each in needs if each.by_name}, announced)
        if fields is None:
            return _UNKNOWN
        shape = _class_shape(constructor, parameters, announced, self._has_slots(decl))
        path = constructor.path if constructor.kind == "method" else "__init__"
        return Construction(needs, fields, "value", hooks, shape, path)

    def of_function(self, decl: FunctionDecl) -> Construction:
        """How a function, or what its generator yields, is made."""
        needs = self._needs(_parameters(decl, 0), decl.name)
        return Construction(needs, (), produces(decl), Hooks(), shape_of(decl))

    def _check_constructible(self, decl: ClassDecl) -> None:
        span = decl.scope.module.file.span(decl.name_pos)
        if self._classes.is_protocol(decl):
            message = f"`{decl.name}` can't be constructed: it is a protocol"
            self._sink.add(rules.UNCONSTRUCTIBLE.at(span, message, help="provide a class that has its members"))
        elif missing := self._classes.abstract(decl):
            names = ", ".join(f"`{name}`" for name in missing)
            message = f"`{decl.name}` can't be constructed: it does not define {names}"
            self._sink.add(
                rules.UNCONSTRUCTIBLE.at(span, message, help=f"define {names}, or provide a class that does")
            )

    def _hooks(self, decl: ClassDecl) -> Hooks | None:
        found = self._classes.hooks(decl)
        if found is None:
            return None
        for method in found[1]:
            if self._classes.takes_arguments(method):
                span = method.scope.module.file.span(method.name_pos)
                message = f"the hook `{decl.name}.{method.name}` is called without arguments, but needs some"
                remedy = "ask for objects in the constructor, and keep them on `self`"
                self._sink.add(rules.MISUSED_DECORATOR.at(span, message, help=remedy))
        return found[0]

    def _parameters_of(self, constructor: Constructor) -> list[_Parameter] | None:
        if constructor.kind == "nothing":
            return []
        if constructor.kind == "method" and constructor.method is not None:
            return _parameters(constructor.method, 1)
        return self._data_fields(constructor.owner) if constructor.kind == "dataclass" else None

    def _data_fields(self, owner: ClassDecl) -> list[_Parameter] | None:
        """The parameters that `@dataclass` makes of fields; None if they can't be known."""
        order = self._classes.order(owner)
        declared: dict[str, DataField] = {}
        with attempt(self._types):
            for base in reversed(order or ()):
                found, call = decorator_call(base, "dataclasses.dataclass", self._types.resolver)
                said = call.keyword("kw_only") if call is not None else None
                only = said.value if isinstance(said, Constant) else None
                if said is not None and not isinstance(only, bool):
                    return None
                if found and not collect(self._types, base, only is True, declared, ()):
                    return None
        if order is None:
            return None
        fields = [each for each in declared.values() if each.init]
        ordered = [*(each for each in fields if not each.keyword_only), *(each for each in fields if each.keyword_only)]
        return [
            _Parameter(
                each.name,
                "keyword_only" if each.keyword_only else "positional_or_keyword",
                each.annotation,
                each.scope,
                each.given,
                each.pos,
            )
            for each in ordered
        ]

    def _needs(self, parameters: Iterable[_Parameter], owner: str) -> tuple[Need, ...]:
        needs: list[Need] = []
        parameters = list(parameters)
        behind = sum(each.kind.startswith("positional") for each in parameters)
        for each in parameters:
            positional = each.kind == "positional_only"
            index = -behind
            behind -= each.kind.startswith("positional")
            if each.kind.startswith("var_"):
                continue
            span = each.scope.module.file.span(each.pos if each.annotation is None else each.annotation.pos)
            where = f"parameter `{each.name}` of `{owner}`"
            if each.annotation is None:
                if positional and each.has_default:
                    rest = (each.name, False, "no", Default.POSITION, None, index)
                    needs.append(Need(_ASKS_NOTHING, span, where, *rest))  # type: ignore[arg-type]
                elif not each.has_default:
                    self._unannotated(each, owner)
                continue
            default = Default.REQUIRED
            asked = self._annotations.asked(each.annotation, each.scope)
            if each.has_default:
                default = Default.POSITION if positional else Default.OMITTED
            elif asked.optional:
                default = Default.NONE
            needs.append(
                Need(asked.token, span, where, each.name, not positional, asked.collects, default, asked.problem, index)
            )
        return tuple(needs)

    def _unannotated(self, parameter: _Parameter, owner: str) -> None:
        span = parameter.scope.module.file.span(parameter.pos)
        message = f"`{owner}` does not say what its parameter `{parameter.name}` needs"
        self._sink.add(rules.UNRESOLVABLE_PARAMETER.at(span, message, label="no annotation", help="annotate it"))

    def _announced(self, decl: ClassDecl) -> list[Member] | None:
        """What the body of a class annotates and does not set; None if that can't be known."""
        announced: list[Member] = []
        for member in annotated_members(decl, self._types):
            if not isinstance(member, Member):
                return None
            if member.value is None:
                announced.append(member)
        return announced

    def _has_slots(self, decl: ClassDecl) -> bool:
        call = decorator_call(decl, "dataclasses.dataclass", self._types.resolver)[1]
        return "__slots__" in decl.body.bindings or (call is not None and call.keyword("slots") is not None)

    def _fields(self, decl: ClassDecl, taken: set[str], announced: Sequence[Member]) -> tuple[Need, ...] | None:
        """What is set after construction; None if that can't be known."""
        if decorator_call(decl, "dataclasses.dataclass", self._types.resolver)[0]:
            return ()
        fields: list[Need] = []
        for member in announced:
            annotation = member.annotation
            assert annotation is not None
            only = self._annotations.is_attribute_only(annotation, decl.body)
            if only is None or (self._has_slots(decl) and not only):
                return None
            if only or member.name in taken:
                continue
            asked = self._annotations.asked(annotation, decl.body)
            default = Default.NONE if asked.optional else Default.REQUIRED
            where = f"attribute `{member.name}` of `{decl.name}`"
            span = decl.scope.module.file.span(annotation.pos)
            fields.append(Need(asked.token, span, where, member.name, True, asked.collects, default, asked.problem))
        return tuple(fields)


def produces(decl: FunctionDecl) -> Produces:
    """What calling a factory gives."""
    if decl.is_generator:
        return "async generator" if decl.is_async else "generator"
    return "awaitable"


def _parameters(decl: FunctionDecl, skip: int) -> list[_Parameter]:
    return [_parameter(each, decl) for each in decl.parameters[skip:]]


def _parameter(each: ParamDecl, decl: FunctionDecl) -> _Parameter:
    annotation = each.annotation.expr if each.annotation is not None else None
    return _Parameter(
        own_name(each, decl), each.kind, annotation, decl.signature_scope, each.default is not None, each.pos
    )


def _class_shape(
    constructor: Constructor, parameters: Sequence[_Parameter], announced: Sequence[Member], has_slots: bool
) -> str | None:
    """What the runtime's prepared.shape_of_class gives for the class."""
    if has_slots:
        return None
    if constructor.method is not None:
        taken = shape_of(constructor.method)
    elif constructor.kind == "dataclass":
        taken = shape_of(
            [("self", "positional_or_keyword", False)] + [(p.name, p.kind, p.has_default) for p in parameters]
        )
    else:
        taken = "()"
    return "; ".join([taken, *filter(None, [", ".join(each.name for each in announced)])])
