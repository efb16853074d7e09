"""Annotations → types.

    Optional["Point"]   →   Union((Reference("shop.models:Point"), NULL))

A type that can't be made is reported once, where it stands, and read as None; the rest of the signature goes on.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import AbstractContextManager, contextmanager, nullcontext

from msgspec.structs import replace

from ..diagnostics.model import Diagnostic, Label, Rule, Sink
from ..diagnostics.rules import names as name_rules
from ..diagnostics.rules import reading as reading_rules
from ..diagnostics.rules import types as rules
from ..ir.types import AliasDefinition, Definition, Described, LiteralOf, Reference, Type, Union
from ..ir.walk import children
from ..source.file import Pos
from ..syntax import expressions as ex
from ..syntax.annotations import parse_annotation
from ..syntax.declarations import Scope
from . import type_table as table
from .aliases import AliasReader
from .attempts import attempt
from .classes.model_config import ModelConfig
from .classes.reader import ClassReader
from .constants import Constants
from .declared import DeclaredTypes
from .expression_types import DISPLAYS, HANDLERS
from .metadata import MetadataReader
from .parametrized import ParametrizedReader
from .resolver import Resolver
from .said import NOTHING_SAID, Metadata
from .skipped import skipped
from .subject import Subject
from .symbols import (
    AliasSymbol,
    ClassSymbol,
    DeclaredSymbol,
    DynamicSymbol,
    FunctionSymbol,
    KnownSymbol,
    ModuleSymbol,
    Symbol,
    TypeVariable,
    Unresolved,
    ValueSymbol,
)
from .variables import Arguments, Variables, variables_in

_OBJECT = KnownSymbol("builtins.object")
_AS_IT_IS = nullcontext()
_TELLING = frozenset({"typing.Annotated", "pydantic.json_schema.SkipJsonSchema"})
"""What says more in its brackets than a type."""
MAX_SIZE = 20_000
MAX_DEPTH = 600
"""Two steps a nesting level: the annotation, and what `Annotated` may say of it."""


class TypeReader:
    """Reads annotations of one program; definitions of named types collect in `definitions`."""

    def __init__(self, resolver: Resolver, sink: Sink) -> None:
        self.resolver = resolver
        self.sink = sink
        self.definitions: dict[str, Definition] = {}
        self.classes = ClassReader(self)
        self.constants = Constants(resolver, self.classes)
        self.metadata = MetadataReader(resolver, self.constants, sink, self.definitions)
        self.aliases = AliasReader(self)
        self.variables = Variables()
        self.parametrized = ParametrizedReader(self)
        self.declared = DeclaredTypes()
        self._depth = 0
        self.containers = 0
        self.config = ModelConfig()
        """The configuration of the model whose fields are being read, as far as it reaches."""
        self._sizes: dict[int, tuple[Type, int]] = {}
        self.literals: dict[ex.Expr, Type | None] = {}
        """What `Literal[...]` expressions behind aliases were read as."""

    def read(self, expr: ex.Expr, scope: Scope, subject: Subject) -> Type | None:
        """The type of an annotation; None, with a diagnostic, if it has none."""
        plain = self.plain(expr, scope)
        if plain is not None:
            return plain
        if self._depth > MAX_DEPTH:
            self.report(reading_rules.NESTING_TOO_DEEP, expr.pos, scope, subject, "the type is nested too deep")
            return None
        self._depth += 1
        try:
            found = self._read(expr, scope, subject)
        finally:
            self._depth -= 1
        if found is None or self._size(found) <= MAX_SIZE:
            return found
        message = f"the type of {subject.text} has more than {MAX_SIZE:,} parts when its aliases are written out"
        self.report(reading_rules.NESTING_TOO_DEEP, expr.pos, scope, subject, message)
        return None

    def plain(self, expr: ex.Expr, scope: Scope) -> Type | None:
        """The type of `None`, or of a name that is understood by itself: nothing else can be said of it. None for any
        other expression; most are such names."""
        if self._depth >= MAX_DEPTH:
            return None
        if type(expr) is not ex.Name:
            return table.NULL if type(expr) is ex.Constant and expr.value is None else None
        symbol = self.resolver.resolve(expr, scope)
        if type(symbol) is not KnownSymbol or self.declared.find(symbol) is not None:
            return None
        known = table.BARE.get(symbol.name)
        return None if known is None else self.config.within(known)

    def _size(self, kind: Type) -> int:
        """How many parts a type has; parts that were read before are known."""
        known = self._sizes.get(id(kind))
        if known is None:
            parts = len(kind.values) if isinstance(kind, LiteralOf) else 1
            known = (kind, parts + sum(self._size(part) for part in children(kind)))
            self._sizes[id(kind)] = known
        return known[1]

    def read_annotated(
        self, expr: ex.Expr, scope: Scope, subject: Subject, *, plain_text: bool
    ) -> tuple[Type | None, Metadata]:
        """The type of a parameter or field, with what `Annotated` says of it at the top."""
        plain = self.plain(expr, scope)
        if plain is not None:
            return plain, NOTHING_SAID
        if self._depth > MAX_DEPTH:
            self.report(reading_rules.NESTING_TOO_DEEP, expr.pos, scope, subject, "the type is nested too deep")
            return None, NOTHING_SAID
        self._depth += 1
        try:
            return self._read_annotated(expr, scope, subject, plain_text)
        finally:
            self._depth -= 1

    def _read_annotated(
        self, expr: ex.Expr, scope: Scope, subject: Subject, plain_text: bool
    ) -> tuple[Type | None, Metadata]:
        unquoted = self.unquoted(expr, scope, subject)
        if unquoted is None:
            return None, NOTHING_SAID
        if isinstance(unquoted, ex.Subscript):
            owner = self._named(unquoted.value, scope)
            if isinstance(owner, KnownSymbol) and owner.name not in _TELLING:
                return self.read(unquoted, scope, subject), NOTHING_SAID
        hidden = skipped(unquoted, scope, self.resolver)
        if hidden is not None:
            return self.argument(hidden, scope, subject), Metadata(skipped=True)
        arguments = self.annotated_arguments(unquoted, scope)
        if arguments is None:
            alias = self._annotated_alias(unquoted, scope)
            if alias is not None:
                with self.told_here(alias, unquoted, scope):
                    return self._behind_alias(alias, unquoted, scope, subject, plain_text)
            return self.read(unquoted, scope, subject), NOTHING_SAID
        said = self.metadata.read(arguments[1:], scope, plain_text=plain_text)
        if said.plain or said.stated is not None:
            inner, below = self._if_readable(arguments[0], scope, subject)
        else:
            inner, below = self.read_annotated(arguments[0], scope, subject, plain_text=plain_text)
            if inner is None:
                return None, below.merged(said)
        found = below.merged(said)
        if found.broken:
            return None, found
        return self.applied(inner, said, arguments[1].pos, scope, subject, arguments[0]), found

    def _if_readable(self, expr: ex.Expr, scope: Scope, subject: Subject) -> tuple[Type | None, Metadata]:
        """A type whose schema is said elsewhere: it need not be one that we can read."""
        with attempt(self) as made:
            inner, below = self.read_annotated(expr, scope, subject, plain_text=False)
            made.succeeded = inner is not None
        return inner, below

    def annotated_arguments(self, expr: ex.Expr, scope: Scope) -> tuple[ex.Expr, ...] | None:
        """The arguments of `Annotated[...]`, None for any other expression."""
        if isinstance(expr, ex.Subscript) and len(expr.arguments) > 1:
            if self.resolver.dealias(self.resolver.resolve(expr.value, scope)) == KnownSymbol("typing.Annotated"):
                return expr.arguments
        return None

    def _annotated_alias(self, expr: ex.Expr, scope: Scope) -> ValueSymbol | None:
        """What `X` or `X[int]` means where `X = Annotated[...]` is defined somewhere; None if it is something else."""
        target = expr.value if isinstance(expr, ex.Subscript) else expr
        if not isinstance(target, (ex.Name, ex.Attribute)):
            return None
        if self.declared.find(self.resolver.resolve(target, scope)) is not None:
            return None
        symbol = self._named(target, scope)
        if isinstance(symbol, ValueSymbol) and symbol.expr is not None and not self.aliases.is_open(symbol.expr):
            if self.annotated_arguments(symbol.expr, symbol.scope) is not None:
                return symbol
        return None

    def _behind_alias(
        self, symbol: ValueSymbol, expr: ex.Expr, scope: Scope, subject: Subject, plain_text: bool
    ) -> tuple[Type | None, Metadata]:
        """The type and metadata of an alias of `Annotated[...]`, for its arguments if it has any."""
        given: Arguments | None = Arguments()
        assert symbol.expr is not None
        if isinstance(expr, ex.Subscript):
            variables = variables_in(symbol.expr, symbol.scope, self.resolver)
            given = self.parametrized.arguments(variables, symbol.name, expr, scope, subject)
        if given is None:
            return None, NOTHING_SAID
        with self.variables.bound({symbol.scope: given}), self.metadata.leniently():
            found, said = self.read_annotated(symbol.expr, symbol.scope, subject, plain_text=plain_text)
        return self.named(found, expr, scope, subject), said

    def _named(self, expr: ex.Expr, scope: Scope) -> Symbol:
        return self.resolver.dealias(self.resolver.resolve(expr, scope))

    def unquoted(self, expr: ex.Expr, scope: Scope, subject: Subject) -> ex.Expr | None:
        """The expression behind a string annotation (any number of quotes deep); None, reported, if it is no Python."""
        depth = 0
        while isinstance(expr, ex.Constant) and isinstance(expr.value, str):
            inner = parse_annotation(expr, scope.module.file)
            depth += 1
            if inner is None or depth > MAX_DEPTH:
                message = f"the annotation of {subject.text} is not valid Python"
                self.report(rules.NOT_A_TYPE, expr.pos, scope, subject, message)
                return None
            expr = inner
        return expr

    def report(
        self,
        rule: Rule,
        pos: Pos,
        scope: Scope,
        subject: Subject,
        message: str,
        *,
        label: str = "",
        help: str | None = None,
    ) -> None:
        """Add a diagnostic at a place of the scope's file, with the way to it."""
        self.sink.add(rule.at(scope.module.file.span(pos), message, label=label, labels=subject.via, help=help))

    def union(self, members: Iterable[Type]) -> Type:
        """The members flattened, each once; a single one is itself."""
        flat: dict[Type, None] = {}
        for member in members:
            flatten = isinstance(member, Union) and member.discriminator is None
            for part in member.members if isinstance(member, Union) and flatten else (member,):
                flat.setdefault(part)
        return next(iter(flat)) if len(flat) == 1 else Union(tuple(flat))

    def members(self, items: Iterable[ex.Expr], pos: Pos, scope: Scope, subject: Subject) -> Type | None:
        """The union of those types that are in its schema; None, reported, if one can't be made."""
        shown = [item for item in items if skipped(item, scope, self.resolver) is None]
        before = self.variables.replaced
        members = [self.argument(item, scope, subject) for item in shown]
        known = [member for member in members if member is not None]
        if not shown:
            message = f"all members of a union, in the type of {subject.text}, are left out of the schema"
            self.report(rules.INVALID_TYPE_ARGUMENTS, pos, scope, subject, message)
        if not known or len(known) < len(members):
            return None
        # As pydantic puts what a variable stands for in the place of it, it makes of a union with `Any` just that.
        late = self.variables.replaced > before
        return table.ANYTHING if late and self._admits_any(shown, known, scope) else self.union(known)

    def _admits_any(self, items: list[ex.Expr], members: list[Type], scope: Scope) -> bool:
        """Whether one of a union's members is `Any`; `object` is another type, for all that its schema is the same."""
        pairs = zip(items, members, strict=True)
        return any(member == table.ANYTHING and self._named(item, scope) != _OBJECT for item, member in pairs)

    def applied(
        self, inner: Type | None, said: Metadata, pos: Pos, scope: Scope, subject: Subject, base: ex.Expr | None = None
    ) -> Type | None:
        """The type with what metadata says of it, where `base` is how it is written; see `adapting.applied`."""
        from .adapting import Place, applied

        return applied(Place(self, pos, scope, subject, base), inner, said)

    def named(self, found: Type | None, expr: ex.Expr, scope: Scope, subject: Subject) -> Type | None:
        """The type of an alias, by whose name `expr` a decoder can make what it could not make otherwise."""
        if found is None or self.metadata.lenient:
            return found
        from .adapting import named

        made = named(found, expr, scope, self.constants)
        if isinstance(made, str):
            if self.metadata.can_leave():
                return found
            message = f"a decoder can't make the type of {subject.text} again: {made}"
            self.report(rules.TYPE_NOT_COVERED, expr.pos, scope, subject, message)
            return None
        return made

    def described(self, inner: Type, metadata: Metadata) -> Type:
        """The type with the texts and keywords of a nested `Annotated`, if it has any."""
        keywords = metadata.schema_keywords
        if metadata.description is None and metadata.title is None and keywords is None:
            return inner
        return Described(inner, metadata.description, metadata.title, keywords)

    def _read(self, expr: ex.Expr, scope: Scope, subject: Subject) -> Type | None:
        handler = HANDLERS.get(type(expr))
        if handler is not None:
            return handler(self, expr, scope, subject)
        if isinstance(expr, ex.Opaque) and expr.too_deep:
            self.report(reading_rules.NESTING_TOO_DEEP, expr.pos, scope, subject, "the type is nested too deep")
            return None
        what = DISPLAYS.get(type(expr), "an expression")
        if isinstance(expr, (ex.Opaque, ex.Comprehension)):
            what = expr.what
        return self.not_a_type(expr, scope, subject, what)

    def not_a_type(
        self, expr: ex.Expr, scope: Scope, subject: Subject, what: str, help: str | None = None
    ) -> Type | None:
        """Report that an annotation is something else; None, for "no type"."""
        if help is None:
            from .remedies import meant_type

            help = meant_type(expr, scope.module.file)
        message = f"the annotation of {subject.text} is not a type"
        self.report(rules.NOT_A_TYPE, expr.pos, scope, subject, message, label=f"this is {what}", help=help)
        return None

    def symbol_type(self, symbol: Symbol, expr: ex.Expr, scope: Scope, subject: Subject) -> Type | None:
        """The type a name stands for where it is used without brackets."""
        declared = self.declared.find(symbol)
        symbol = self.resolver.dealias(symbol)
        declared = declared or self.declared.find(symbol)
        if declared is not None:
            return declared
        with self.told_here(symbol, expr, scope):
            return self._symbol_type(symbol, expr, scope, subject)

    def told_here(self, symbol: Symbol, expr: ex.Expr, scope: Scope) -> AbstractContextManager[None]:
        """What is wrong in a library is told where the user names it, with the library's place as a label."""
        home = getattr(getattr(symbol, "decl", symbol), "scope", None)
        sources = self.resolver.program
        if not isinstance(home, Scope) or sources.is_source(home.module) or not sources.is_source(scope.module):
            return _AS_IT_IS
        from .elsewhere import told_at

        return told_at(expr, scope, home, self)

    def _symbol_type(self, symbol: Symbol, expr: ex.Expr, scope: Scope, subject: Subject) -> Type | None:
        if isinstance(symbol, KnownSymbol):
            return self._known(symbol.name, expr, scope, subject)
        if isinstance(symbol, ClassSymbol):
            return self.parametrized.class_type(symbol.decl, expr, scope, subject)
        if isinstance(symbol, (AliasSymbol, ValueSymbol)):
            return self._alias(symbol, expr, scope, subject)
        if isinstance(symbol, Unresolved):
            self.unresolved(Unresolved(self._told_in_sources(symbol.diagnostic, expr, scope)), subject)
            return None
        if isinstance(symbol, TypeVariable):
            return self.parametrized.variable(symbol, expr, scope, subject)
        if isinstance(symbol, DynamicSymbol) and not symbol.name:
            return self._no_name(symbol, expr, scope, subject)
        if isinstance(symbol, DynamicSymbol):
            message = f"what `{symbol.name}` is can't be known from the source"
            self.report(name_rules.DYNAMIC_NAME, expr.pos, scope, subject, message, label=f"bound by {symbol.why}")
            return None
        what = "a module" if isinstance(symbol, ModuleSymbol) else "a function"
        assert isinstance(symbol, (ModuleSymbol, FunctionSymbol, DeclaredSymbol))
        return self.not_a_type(expr, scope, subject, what)

    def _alias(self, symbol: AliasSymbol | ValueSymbol, expr: ex.Expr, scope: Scope, subject: Subject) -> Type | None:
        with self.metadata.leniently():
            if isinstance(symbol, AliasSymbol):
                found = self.aliases.named(symbol, expr, scope, subject)
            elif isinstance(symbol.expr, ex.Call) and (name := self._called(symbol.expr, symbol.scope)) is not None:
                from .pydantic_forms import called

                found = called(self, name, symbol.expr, symbol.scope, subject)
            else:
                found = self.aliases.variable(symbol, expr, scope, subject)
        definition = self.definitions.get(found.key) if isinstance(found, Reference) else None
        if isinstance(found, Reference) and isinstance(definition, AliasDefinition):
            inner = self.named(definition.type, expr, scope, subject)
            if inner is None:
                return None
            self.definitions[found.key] = replace(definition, type=inner)
            return found
        return self.named(found, expr, scope, subject)

    def _called(self, expr: ex.Call, scope: Scope) -> str | None:
        """The name of the function of pydantic's that makes a type in this call; None for other calls."""
        symbol = self._named(expr.func, scope)
        if not isinstance(symbol, KnownSymbol) or not symbol.name.startswith("pydantic."):
            return None
        from .pydantic_forms import CALLED

        return symbol.name if symbol.name in CALLED else None

    def _no_name(self, symbol: DynamicSymbol, expr: ex.Expr, scope: Scope, subject: Subject) -> Type | None:
        """Something that is not even a dotted name."""
        if symbol.why == "nesting too deep":
            self.report(reading_rules.NESTING_TOO_DEEP, expr.pos, scope, subject, "the type is nested too deep")
            return None
        return self.not_a_type(expr, scope, subject, symbol.why)

    def _told_in_sources(self, found: Diagnostic, expr: ex.Expr, scope: Scope) -> Diagnostic:
        """A name that leads through a library to nothing is told where the sources name it."""
        program = self.resolver.program
        library = program.texts.get(found.span.path)
        if library is None or program.source(library.module) is not None or not program.is_source(scope.module):
            return found
        label = Label(found.span, f"in module `{library.module}`")
        return replace(found, span=scope.module.file.span(expr.pos), labels=(*found.labels, label))

    def unresolved(self, symbol: Unresolved, subject: Subject) -> None:
        """Pass on the diagnostic of a name that leads nowhere, with the way to the annotation."""
        found = symbol.diagnostic
        self.sink.add(replace(found, labels=(*subject.via, *found.labels)))

    def _known(self, name: str, expr: ex.Expr, scope: Scope, subject: Subject) -> Type | None:
        known = table.BARE.get(name)
        if known is None and name.startswith("pydantic."):
            from .pydantic_forms import bare

            known = bare(name)
        if known is not None:
            return self.config.within(known)
        if name == "typing.Self":
            return self.parametrized.self_type(expr, scope, subject)
        shown = name.removeprefix("builtins.")
        if name in table.NEEDS_BRACKETS:
            message = f"`{shown}` in the type of {subject.text} needs arguments in brackets"
            self.report(rules.INVALID_TYPE_ARGUMENTS, expr.pos, scope, subject, message)
        elif name in table.IMPOSSIBLE:
            message = f"{subject.text} has a type with no JSON form"
            label = f"`{shown}` cannot be written as JSON"
            remedy = table.IMPOSSIBLE[name]
            self.report(rules.UNSUPPORTED_TYPE, expr.pos, scope, subject, message, label=label, help=remedy)
        elif name in table.NOT_COVERED:
            message = f"`{shown}`, in the type of {subject.text}, is not covered by this version"
            label, remedy = table.NOT_COVERED[name]
            self.report(rules.TYPE_NOT_COVERED, expr.pos, scope, subject, message, label=label, help=remedy)
        elif name in table.MISPLACED:
            message = f"`{shown}` can't stand in the type of {subject.text}"
            label = table.MISPLACED[name]
            self.report(rules.INVALID_TYPE_ARGUMENTS, expr.pos, scope, subject, message, label=label)
        elif name.startswith("lauren."):
            message = f"{subject.text} has a type with no JSON form"
            label = f"`{shown.removeprefix('lauren.')}` is part of the tool system, no data"
            self.report(rules.UNSUPPORTED_TYPE, expr.pos, scope, subject, message, label=label)
        elif table.is_class(name):
            message = f"{subject.text} has a type with no JSON form"
            label = f"`{shown}` cannot be written as JSON"
            self.report(rules.UNSUPPORTED_TYPE, expr.pos, scope, subject, message, label=label)
        else:
            message = f"the annotation of {subject.text} is not a type"
            help = table.MISTAKEN.get(name)
            self.report(rules.NOT_A_TYPE, expr.pos, scope, subject, message, label=f"this is `{shown}`", help=help)
        return None

    @contextmanager
    def configured(self, config: ModelConfig) -> Generator[None]:
        """While the fields of a class are read."""
        before, self.config = self.config, config
        try:
            yield
        finally:
            self.config = before

    @contextmanager
    def container(self) -> Generator[None]:
        """Inside a container or class, where an alias may refer to itself."""
        self.containers += 1
        try:
            yield
        finally:
            self.containers -= 1

    def inside_container(self, expr: ex.Expr, scope: Scope, subject: Subject) -> Type | None:
        """The type of a container's argument. Keeps nested `Annotated` texts."""
        self.containers += 1
        try:
            return self.argument(expr, scope, subject)
        finally:
            self.containers -= 1

    def argument(self, expr: ex.Expr, scope: Scope, subject: Subject) -> Type | None:
        """The type of an argument in brackets, with the texts of an `Annotated` there."""
        inner, metadata = self.read_annotated(expr, scope, subject, plain_text=False)
        if inner is None or metadata is NOTHING_SAID:
            return inner
        if metadata.serialized:
            from .adapting import reshaped

            inner = reshaped(inner)
        if metadata.default is not None:
            message = f"a default inside the type of {subject.text} has no effect, and is not covered by this version"
            self.report(rules.TYPE_NOT_COVERED, metadata.default.pos, scope, subject, message)
            return None
        return self.described(inner, metadata)
