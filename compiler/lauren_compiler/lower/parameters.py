"""Parameters of a function → what the model fills, what it never sees, and the context."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct, field

from ..diagnostics.model import Diagnostic, Label, Sink
from ..diagnostics.rules import tools as rules
from ..diagnostics.rules import types as type_rules
from ..ir.accepts import accepts
from ..ir.recipes import Written
from ..ir.tools import ContextParameter, Parameter, ParameterKind
from ..ir.types import Default, ObjectDefinition, ObjectKind, Reference, Type
from ..ir.values import Constant, Factory, OwnDefault, Value
from ..semantics import type_table
from ..semantics.classes.fields import with_keywords
from ..semantics.constants import NotConstant
from ..semantics.defaults import schema_default
from ..semantics.said import NOTHING_SAID, FieldDefault, Metadata
from ..semantics.skipped import hides_null
from ..semantics.subject import Subject
from ..semantics.symbols import KnownSymbol
from ..semantics.types import TypeReader
from ..source.span import Span
from ..syntax.declarations import ParamDecl, Scope
from ..syntax.expressions import Expr, Lambda, Subscript
from .configured import Listed
from .context import is_context, is_injected


class Parameters(Struct):
    """The parameters of one tool. `sound` is False after an error."""

    visible: list[Parameter] = field(default_factory=list[Parameter])
    extra: Type | None = None
    context: ContextParameter | None = None
    context_decl: ParamDecl | None = None
    hidden: list[str] = field(default_factory=list[str])
    injected: list[str] = field(default_factory=list[str])
    """Those of the hidden ones that another framework fills and that have no default."""
    hidden_position: bool = False
    """Whether a hidden parameter takes a position, which nothing could be passed for."""
    sound: bool = True
    undecidable: bool = False
    """Whether a default is one that only the running program knows, in a tool that has an object for each."""


_CONTEXTS = frozenset({"ctx", "context"})
_NONE = Constant(None)
"""What people call a context. The name makes none, only the annotation does."""


class Around(Struct, frozen=True):
    """What matters to parameters of the tool around them.

    `listed` is the decorator of another framework, which may fill parameters itself. Tools that are `is_bound` have an
    object for each program or instance. `written` says how a decoder gets at the annotation of a parameter, if it can.
    """

    listed: Listed | None = None
    is_bound: bool = False
    written: Callable[[str], Written | None] = lambda _: None


_NOTHING_AROUND = Around()


def _takes_arguments(default: FieldDefault) -> bool:
    """Whether a factory needs what was validated before it."""
    return default.is_factory and not (isinstance(default.expr, Lambda) and default.expr.least == 0)


def _is_told(passed: Value | Factory | OwnDefault | None, default: FieldDefault | None) -> bool:
    """Whether a value is passed that only the running function has; of a factory no schema shows one."""
    return isinstance(passed, OwnDefault) and default is not None and not default.is_factory


class ParameterReader:
    """Reads the parameters of one function, whose annotations are evaluated in `scope`."""

    def __init__(
        self, types: TypeReader, sink: Sink, scope: Scope, texts: dict[str, str], around: Around = _NOTHING_AROUND
    ) -> None:
        self._types = types
        self._sink = sink
        self._scope = scope
        self._texts = texts
        self._around = around

    def read(self, declared: tuple[ParamDecl, ...]) -> Parameters:
        """All parameters behind the receiver; problems are reported."""
        found = Parameters()
        for parameter in declared:
            self._one(parameter, found)
        self._check_names(found)
        return found

    def _one(self, parameter: ParamDecl, found: Parameters) -> None:
        if self._around.listed is not None and is_injected(parameter, self._scope, self._types, self._around.listed):
            self._injected(parameter, found)
        elif parameter.kind == "var_positional":
            message = f"`*{parameter.name}` can't be filled from a JSON object"
            remedy = f"take a list: `{parameter.name}: list[...]`"
            self._error(found, rules.UNSUPPORTED_PARAMETER.at(self._span(parameter), message, help=remedy))
        elif parameter.annotation is None:
            self._unannotated(parameter, found)
        elif parameter.kind == "var_keyword":
            self._keywords(parameter, parameter.annotation.expr, found)
        elif is_context(parameter.annotation.expr, self._scope, self._types):
            self._context(parameter, found)
        elif parameter.name.startswith("_"):
            self._hidden(parameter, found)
        else:
            self._visible(parameter, parameter.annotation.expr, found)

    def _unannotated(self, parameter: ParamDecl, found: Parameters) -> None:
        if parameter.name.startswith("_") and parameter.kind != "var_keyword":
            self._hidden(parameter, found)
            return
        stars = "**" if parameter.kind == "var_keyword" else ""
        message = f"parameter `{stars}{parameter.name}` has no annotation"
        label = "what type does the model have to give?"
        remedy = f"annotate it, with `Any` if it takes everything: `{stars}{parameter.name}: Any`"
        if parameter.name in _CONTEXTS:
            remedy = (
                f"annotate it: `{parameter.name}: ToolContext` if it is the call's context, which no model is asked for"
            )
        self._error(found, rules.MISSING_ANNOTATION.at(self._span(parameter), message, label=label, help=remedy))

    def _context(self, parameter: ParamDecl, found: Parameters) -> None:
        if found.context_decl is not None:
            first = Label(self._span(found.context_decl), "the first one")
            message = f"`{parameter.name}` is a second context parameter"
            self._error(found, rules.SECOND_CONTEXT.at(self._span(parameter), message, labels=(first,)))
            return
        found.context_decl = parameter
        before = len(found.visible) if parameter.kind == "positional_only" else None
        found.context = ContextParameter(parameter.name, ParameterKind(parameter.kind), before)

    def _injected(self, parameter: ParamDecl, found: Parameters) -> None:
        found.hidden.append(parameter.name)
        found.hidden_position = found.hidden_position or parameter.kind == "positional_only"
        if parameter.default is None and not parameter.kind.startswith("var_"):
            found.injected.append(parameter.name)

    def _hidden(self, parameter: ParamDecl, found: Parameters) -> None:
        found.hidden.append(parameter.name)
        found.hidden_position = found.hidden_position or parameter.kind == "positional_only"
        if parameter.default is None:
            message = f"parameter `{parameter.name}` is hidden from the model and has no default"
            remedy = "give it a default, or a name without a leading underscore"
            rule = rules.HIDDEN_PARAMETER_WITHOUT_DEFAULT
            self._error(found, rule.at(self._span(parameter), message, help=remedy))

    def _keywords(self, parameter: ParamDecl, annotation: Expr, found: Parameters) -> None:
        subject = Subject(f"parameter `**{parameter.name}`")
        unquoted = self._types.unquoted(annotation, self._scope, subject)
        if unquoted is None:
            found.sound = False
            return
        if isinstance(unquoted, Subscript):
            owner = self._types.resolver.dealias(self._types.resolver.resolve(unquoted.value, self._scope))
            if owner == KnownSymbol("typing.Unpack"):
                self._unpacked(parameter, unquoted.index, subject, found)
                return
        kind = self._types.argument(unquoted, self._scope, subject)
        found.extra = kind
        found.sound = found.sound and kind is not None

    def _unpacked(self, parameter: ParamDecl, inner: Expr, subject: Subject, found: Parameters) -> None:
        """`**kwargs: Unpack[Options]`: the keys of the TypedDict are keyword parameters (PEP 692)."""
        kind = self._types.read(inner, self._scope, subject)
        definition = self._types.definitions.get(kind.key) if isinstance(kind, Reference) else None
        if not isinstance(definition, ObjectDefinition) or definition.kind is not ObjectKind.TYPED_DICT:
            if kind is not None:
                span = self._scope.module.file.span(inner.pos)
                message = "`Unpack` of `**` parameters takes a TypedDict"
                self._sink.add(type_rules.INVALID_TYPE_ARGUMENTS.at(span, message))
            found.sound = False
            return
        for key in definition.fields:
            text = key.description if key.description is not None else self._texts.get(key.name)
            default = None if key.required else Default(None)
            found.visible.append(
                Parameter(
                    key.name,
                    key.wire,
                    ParameterKind.KEYWORD_ONLY,
                    key.type,
                    key.required,
                    default,
                    None,
                    text or None,
                    key.title,
                    self._span(parameter),
                )
            )

    def _visible(self, parameter: ParamDecl, annotation: Expr, found: Parameters) -> None:
        if found.hidden_position and parameter.kind == "positional_only":
            message = f"`{parameter.name}` is taken by position behind a parameter that is hidden from the model"
            remedy = "let it be passed by name: write it behind the `/`"
            self._error(found, rules.UNSUPPORTED_PARAMETER.at(self._span(parameter), message, help=remedy))
        subject = Subject(f"parameter `{parameter.name}`")
        kind, metadata = self._annotated(parameter, annotation, subject)
        default_expr = parameter.default.expr if parameter.default is not None else None
        said = self._types.metadata.field_default(default_expr, self._scope)
        if said is not None and default_expr is not None:
            metadata = metadata.merged(said)
            kind = kind and self._types.applied(kind, said, default_expr.pos, self._scope, subject, annotation)
        kind = kind and with_keywords(kind, metadata)
        if kind is None or metadata.broken:
            found.sound = False
            return
        if metadata.skipped:
            self._hidden(parameter, found)
            return
        own = default_expr if said is None else None
        made = self._parameter(parameter, kind, metadata, own, subject)
        lost = metadata.default.value if own is None and made.passed is None and metadata.default is not None else None
        if isinstance(lost, NotConstant):
            found.undecidable = found.undecidable or (self._around.is_bound and lost.unresolved is None)
            found.sound = False
        found.visible.append(made)

    def _annotated(self, parameter: ParamDecl, annotation: Expr, subject: Subject) -> tuple[Type | None, Metadata]:
        """The type of a parameter, and what its annotation says besides.

        A validator without a name to be loaded by, such as a lambda, is in the annotation of the running function.
        """
        plain = self._types.plain(annotation, self._scope)
        if plain is not None:
            return plain, NOTHING_SAID
        with self._types.metadata.as_written(lambda: self._around.written(parameter.name)):
            kind, metadata = self._types.read_annotated(annotation, self._scope, subject, plain_text=True)
        if kind is None or not self._types.metadata.left:
            return kind, metadata
        from ..semantics.adapting import as_a_whole

        recipe = self._around.written(parameter.name)
        assert recipe is not None
        return as_a_whole(kind, recipe), metadata

    def _parameter(
        self,
        parameter: ParamDecl,
        kind: Type,
        metadata: Metadata,
        own: Expr | None,
        subject: Subject,
    ) -> Parameter:
        """`own` is a default of the function's own, which wins over one inside an annotation."""
        value: Value | Factory | NotConstant | None = None
        passed: Value | Factory | OwnDefault | None = None
        pos = parameter.pos
        if own is not None:
            value, pos = self._types.constants.evaluate(own, self._scope), own.pos
        elif metadata.default is not None:
            value, pos = metadata.default.value, metadata.default.pos
            passed = self._passed(parameter, metadata.default, subject)
        default: Default | None = None
        if value == _NONE and parameter.annotation and self._hides_null(parameter.annotation.expr):
            default = Default("null")
        elif value is not None:
            kind = self._implicit_optional(parameter, kind, value, subject)
            default = Default(None)
            if own is not None or not isinstance(value, NotConstant) or _is_told(passed, metadata.default):
                known = self._types.definitions
                default = schema_default(value, kind, pos, self._scope, subject.text, known, self._sink)
        text = metadata.description if metadata.description is not None else self._texts.get(parameter.name)
        wire = metadata.alias or parameter.name
        kind_word = ParameterKind(parameter.kind)
        span = self._span(parameter)
        required = value is None
        return Parameter(
            parameter.name, wire, kind_word, kind, required, default, passed, text or None, metadata.title, span
        )

    def _passed(
        self, parameter: ParamDecl, default: FieldDefault, subject: Subject
    ) -> Value | Factory | OwnDefault | None:
        """What a decoder passes for an absent argument whose default stands inside a `Field`."""
        value = default.value
        if not isinstance(value, NotConstant):
            return value
        if value.unresolved is not None:
            self._sink.add(value.unresolved.diagnostic)
            return None
        written = self._around.written(parameter.name) if not _takes_arguments(default) else None
        if written is not None:
            function = written.function
            return OwnDefault(function.module, function.qualname, parameter.name, written.attributes)
        span = self._scope.module.file.span(default.pos)
        message = (
            f"the default of {subject.text} stands inside a `Field`, so a decoder has to pass it, and can't know it"
        )
        remedy = "write it as the function's own default: `Annotated[..., Field(...)] = ...`"
        rule = rules.UNDECIDABLE_TOOL if self._around.is_bound else rules.DYNAMIC_OPTION
        self._sink.add(rule.at(span, message, label=value.why, help=remedy))
        return None

    def _hides_null(self, annotation: Expr) -> bool:
        return hides_null(annotation, self._scope, self._types.resolver)

    def _implicit_optional(
        self, parameter: ParamDecl, kind: Type, value: Value | Factory | NotConstant, subject: Subject
    ) -> Type:
        if value != _NONE or accepts(kind, None, self._types.definitions):
            return kind
        message = f"{subject.text} is None by default, which its type does not admit"
        remedy = "write `| None` in its type; it is read as if it stood there"
        self._sink.add(rules.IMPLICIT_OPTIONAL.at(self._span(parameter), message, help=remedy))
        return self._types.union((kind, type_table.NULL))

    def _check_names(self, found: Parameters) -> None:
        """Report two parameters under one JSON key."""
        seen: dict[str, Parameter] = {}
        for parameter in found.visible:
            first = seen.setdefault(parameter.wire, parameter)
            if first is not parameter:
                message = f"two parameters have the name `{parameter.wire}` for the model"
                label = Label(first.span, "the other one")
                self._error(found, rules.UNSUPPORTED_PARAMETER.at(parameter.span, message, labels=(label,)))

    def _error(self, found: Parameters, diagnostic: Diagnostic) -> None:
        self._sink.add(diagnostic)
        found.sound = False

    def _span(self, parameter: ParamDecl) -> Span:
        return self._scope.module.file.span(parameter.pos)
