"""One candidate → one `Tool`: entry point, options, parameters, texts, name, output."""

from __future__ import annotations

import enum
from contextlib import AbstractContextManager, nullcontext
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from ..diagnostics.model import Sink
from ..diagnostics.rules import tools as rules
from ..ir.recipes import Loaded, Written
from ..ir.tools import Binding, Foreign, Form, Options, Signature, SourceLocation, Tool
from ..ir.types import Type
from ..semantics.availability import Availability
from ..semantics.types import TypeReader
from ..semantics.variables import Arguments
from ..source.span import Span
from ..syntax.declarations import ClassDecl, FunctionDecl
from .documentation import Documentation, check_documented, check_parameters, documentation_of
from .entry import Entry, binding_of, entry_of
from .makers import Maker, Makers
from .naming import derived_name, invalid_because, is_valid, runtime_name
from .options import Declared, OptionReader
from .parameters import Around, ParameterReader, Parameters
from .registered import Candidate
from .returns import output_type
from .signature import keeps_signature, shows_the_function, signature
from .texts import check_visible
from .visible import check_parameters_visible


class Verdict(enum.Enum):
    """What became of a candidate that is no tool."""

    REFUSED = "refused"
    UNDECIDABLE = "undecidable"


class _Findings(Struct, frozen=True):
    """All that was read of a candidate with an entry point."""

    candidate: Candidate
    binding: Binding
    declared: Declared
    entry: Entry
    docs: Documentation
    parameters: Parameters
    output: Type | None
    joined: bool

    @property
    def decl(self) -> FunctionDecl | ClassDecl:
        return self.candidate.decl


class ToolLowerer:
    """Lowers the candidates of one program."""

    def __init__(self, types: TypeReader, makers: Makers, sink: Sink) -> None:
        self._types = types
        self._makers = makers
        self._sink = sink
        self.names: list[tuple[str, Span]] = []
        """The names of all candidates, also of those refused."""

    def lower(self, candidate: Candidate) -> Tool | Verdict:
        """The tool, or what became of it; all problems are reported, not only the first."""
        decl = candidate.decl
        if candidate.maker.bare:
            self._bare(candidate)
            return Verdict.REFUSED
        binding = binding_of(decl, self._types)
        options = OptionReader(self._types, self._makers, self._sink, bound=binding is Binding.BIND)
        declared = options.read(candidate.maker, decl)
        entry = entry_of(decl, self._types, self._sink)
        name = self._name(candidate, declared, entry)
        if entry is None:
            return Verdict.REFUSED
        if declared.names_schema and declared.schema is None:
            return Verdict.UNDECIDABLE if declared.undecidable else Verdict.REFUSED
        docs = documentation_of(decl, entry, self._sink)
        around = Around(candidate.maker.listed, binding is Binding.BIND, partial(self._written, candidate, entry))
        reader = ParameterReader(self._types, self._sink, entry.decl.signature_scope, docs.parameters, around)
        if declared.schema is not None:
            from .stated_input import StatedParameterReader

            reader = StatedParameterReader(self._types, self._sink, entry.decl, declared.schema)
        with self._type_variables(decl):
            parameters = reader.read(entry.parameters)
            output, joined, sound = output_type(entry.decl, self._types, self._sink)
        found = _Findings(candidate, binding, declared, entry, docs, parameters, output, joined)
        self._check(found)
        working = not declared.given or self._check_options(declared, entry)
        if declared.undecidable or parameters.undecidable:
            return Verdict.UNDECIDABLE
        if name is None or not (declared.sound and parameters.sound and sound and working):
            return Verdict.REFUSED
        metadata = options.metadata(decl.decorators, decl.scope)
        return self._tool(found, name, replace(declared.options, metadata=metadata))

    def _type_variables(self, decl: FunctionDecl | ClassDecl) -> AbstractContextManager[None]:
        """In a tool class, the variables of the bases stand for what it says of them: its `run` may be inherited."""
        if not isinstance(decl, ClassDecl):
            return nullcontext()
        return self._types.variables.bound(self._types.parametrized.bindings(decl, Arguments()))

    def _tool(self, found: _Findings, name: str, options: Options) -> Tool:
        decl, entry, parameters = found.decl, found.entry, found.parameters
        file = decl.scope.module.file
        described = found.declared.description
        return Tool(
            name=name,
            description=described if described is not None else found.docs.description,
            module=file.module,
            qualname=decl.qualname,
            binding=found.binding,
            form=Form.CLASS if isinstance(decl, ClassDecl) else Form.FUNCTION,
            is_async=entry.decl.is_async,
            is_generator=entry.decl.is_generator,
            parameters=tuple(parameters.visible),
            extra=parameters.extra,
            context=parameters.context,
            hidden=tuple(parameters.hidden),
            output=found.output,
            options=options,
            signature=self._signature(found),
            source=SourceLocation(file.relative, decl.line),
            span=file.span(decl.name_pos),
            joined=found.joined,
            foreign=_foreign(found),
        )

    def _bare(self, candidate: Candidate) -> None:
        expr = candidate.maker.expr
        span = candidate.maker.scope.module.file.span(expr.pos)
        message = f"`{candidate.decl.name}` is decorated with `tool` without parentheses"
        remedy = "write `@tool()`: without parentheses it raises DecoratorUsageError at run time"
        self._sink.add(rules.BARE_DECORATOR.at(span, message, label="parentheses are missing", help=remedy))

    def _name(self, candidate: Candidate, declared: Declared, entry: Entry | None) -> str | None:
        """The tool's name; None, reported, if providers would refuse it or it is not known."""
        given = declared.name_given
        if given is not None and declared.name is None and not declared.sound:
            return None
        if declared.name is not None and given is not None:
            name, span = declared.name, given.scope.module.file.span(given.value.pos)
        else:
            name, span = self._own_name(candidate, entry)
        self.names.append((name, span))
        if is_valid(name):
            return name
        shown = ascii(name)[1:-1]
        message = f"`{shown}` is no name for a tool: {invalid_because(name)}"
        self._sink.add(rules.INVALID_TOOL_NAME.at(span, message, help='give one with `@tool(name="...")`'))
        return None

    def _own_name(self, candidate: Candidate, entry: Entry | None) -> tuple[str, Span]:
        """The name that a tool has of its function or class; other frameworks take it as it is."""
        decl = candidate.decl
        span = decl.scope.module.file.span(decl.name_pos)
        word = entry.decl.name if entry is not None and isinstance(decl, FunctionDecl) else decl.name
        if candidate.maker.framework is not None:
            return word, span
        name = derived_name(word)
        runtime = runtime_name(word, is_class=isinstance(decl, ClassDecl))
        if runtime != name:
            message = f"tool `{name}` is called `{runtime}` by lauren-ai 1.6.0"
            self._sink.add(rules.OTHER_RUNTIME_NAME.at(span, message))
        return name, span

    def _check(self, found: _Findings) -> None:
        """Warnings that concern the tool as a whole."""
        decl, options = found.decl, found.declared.options
        span = decl.scope.module.file.span(decl.name_pos)
        if found.candidate.above and found.candidate.maker.framework is None:
            from .replaced import warn_of_replacing

            warn_of_replacing(found.candidate, self._types.resolver, self._makers.configured, self._sink)
        check_documented(found.docs, found.entry, self._sink)
        if found.declared.schema is None:
            check_parameters(found.docs, found.entry, found.parameters.visible, self._types, self._sink)
        described = found.declared.description
        if not (described if described is not None else found.docs.description):
            remedy = "give it a docstring: the model chooses tools by their descriptions"
            message = f"tool `{decl.name}` has no description"
            self._sink.add(rules.MISSING_DESCRIPTION.at(span, message, help=remedy))
        if described:
            check_visible(described, span, self._sink)
        check_parameters_visible(found.parameters.visible, found.docs.parameters.values(), self._sink)
        keyed = any(name == "cache_key_fn" for name, _ in options.hooks)
        if options.cache_ttl is not None and found.parameters.context is not None and not keyed:
            message = f"tool `{decl.name}` takes a context, so its results are not cached without `cache_key_fn`"
            self._sink.add(rules.UNCACHEABLE_CONTEXT.at(span, message, label="`cache_ttl` has no effect"))

    def _check_options(self, declared: Declared, entry: Entry) -> bool:
        """Whether the options go together, and can be called as they will be."""
        from .option_checks import check_options

        return check_options(declared.given, declared.options, entry.decl, self._types.resolver, self._sink)

    def _signature(self, found: _Findings) -> Signature | None:
        """What the digest covers; None if a decorator may have changed the signature."""
        return signature(found.entry.decl) if self._is_shown(found.candidate, found.entry, self._sink) else None

    def _is_shown(self, candidate: Candidate, entry: Entry, sink: Sink) -> bool:
        """Whether what the decorators make of the function still shows its signature."""
        below = candidate.below if isinstance(candidate.decl, FunctionDecl) else entry.decl.decorators
        known = self._makers.configured
        kept = keeps_signature(below, entry.decl, self._types.resolver, known, sink)
        return kept and self._maker_keeps(candidate.maker)

    def _written(self, candidate: Candidate, entry: Entry, parameter: str) -> Written | None:
        """The annotation of a parameter, if the running function can be loaded and shows it."""
        if "<locals>" in entry.decl.qualname or not self._is_shown(candidate, entry, Sink()):
            return None
        if self._lacks_names(entry.decl, parameter):
            return None
        framework = candidate.maker.framework
        attributes = framework.function if framework is not None and isinstance(candidate.decl, FunctionDecl) else ()
        return Written(Loaded(entry.decl.scope.module.file.module, entry.decl.qualname), parameter, attributes)

    def _lacks_names(self, decl: FunctionDecl, parameter: str) -> bool:
        """Whether the text of an annotation can't be evaluated when all has run: a name of it is for type checkers."""
        available, scope = Availability(self._types.resolver), decl.signature_scope
        annotations = [each.annotation for each in decl.parameters if each.name == parameter]
        return any(
            available.missing(name, scope, None)
            for annotation in annotations
            if annotation is not None
            for name in available.names(annotation.expr, scope, quoted=True)
            if not (scope.kind == "parameters" and name.id in scope.bindings)
        )

    def _maker_keeps(self, maker: Maker) -> bool:
        """Whether a project's own decorator marks the function itself, or one that `functools.wraps` it."""
        if maker.listed is None or maker.framework is not None:
            return True
        from .wrappers import definition_of

        decl, _ = definition_of(maker, self._types.constants)
        return decl is not None and shows_the_function(decl, self._types.resolver)


def _foreign(found: _Findings) -> Foreign | None:
    maker = found.candidate.maker
    if maker.listed is None or maker.framework is None:
        return None
    return Foreign(maker.listed.entry.name, maker.framework.function, tuple(found.parameters.injected))
