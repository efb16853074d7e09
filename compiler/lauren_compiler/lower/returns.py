"""Return annotations → the type of the output schema."""

from __future__ import annotations

from ..diagnostics.model import Level, Sink
from ..diagnostics.rules import types as type_rules
from ..ir.types import Adapted, Anything, Bounded, Described, ListOf, LiteralOf, Reference, Stated, Type
from ..ir.values import Constant
from ..ir.walk import types_of, walk
from ..semantics import type_table
from ..semantics.attempts import attempt
from ..semantics.subject import Subject
from ..semantics.symbols import KnownSymbol
from ..semantics.types import TypeReader
from ..syntax.declarations import FunctionDecl
from ..syntax.expressions import Expr, Subscript

_RESULTS = frozenset({KnownSymbol("lauren.ToolResult")})
_STREAMS = frozenset(
    KnownSymbol(f"collections.abc.{name}")
    for name in ("Iterator", "Iterable", "Generator", "AsyncIterator", "AsyncIterable", "AsyncGenerator")
)


def output_type(decl: FunctionDecl, types: TypeReader, sink: Sink) -> tuple[Type | None, bool, bool]:
    """The type of what a tool returns, None if it has no output schema; whether its items are texts, which are joined;
    and whether the annotation is sound.

    A name that leads nowhere is an error as anywhere; a type without JSON form is only a note.
    """
    if decl.returns is None:
        return None, False, True
    scope = decl.signature_scope
    subject = Subject("the return value")
    with attempt(types) as made:
        kind, joined = _read(decl.returns.expr, decl, types, subject)
        made.succeeded = not any(found.level is Level.ERROR for found in made.sink)
    aside = list(made.sink) if len(made.sink) else []
    errors = [found for found in aside if found.level is Level.ERROR]
    lost = [found for found in errors if found.rule.code.startswith("LC2")]
    sink.extend(found for found in aside if found.level is not Level.ERROR)
    sink.extend(lost)
    if errors and not lost:
        span = scope.module.file.span(decl.returns.pos)
        note = errors[0]
        message = "the return type has no JSON form that is known, so the tool has no output schema"
        sink.add(type_rules.NO_OUTPUT_SCHEMA.at(span, message, label=note.label or note.message))
    elif kind is not None and (why := _reshaped(kind, types)) is not None:
        span = scope.module.file.span(decl.returns.pos)
        message = "what the return type is written as is not known, so the tool has no output schema"
        sink.add(type_rules.NO_OUTPUT_SCHEMA.at(span, message, label=why))
        kind = None
    return (None if errors else kind), joined, not lost


def _reshaped(kind: Type, types: TypeReader) -> str | None:
    """Why a part of a type is written otherwise than it is read; None if none is."""
    pending, seen = [kind], set[str]()
    while pending:
        for part in walk(pending.pop()):
            if isinstance(part, Adapted) and part.reshaped:
                return "pydantic writes it in another form than it reads it"
            if isinstance(part, Stated) and part.inner is None:
                return "a schema that is declared for a type says what is taken, not what is given back"
            if isinstance(part, Reference) and part.key not in seen and part.key in types.definitions:
                seen.add(part.key)
                pending.extend(types_of(types.definitions[part.key]))
                facts = types.classes.models.get(part.key)
                if facts is not None and facts.reshaped is not None:
                    return f"model `{part.key.partition(':')[2]}`: {facts.reshaped}"
    return None


def _read(expr: Expr, decl: FunctionDecl, types: TypeReader, subject: Subject) -> tuple[Type | None, bool]:
    scope = decl.signature_scope
    unquoted = types.unquoted(expr, scope, subject)
    if unquoted is None:
        return None, False
    target = unquoted.value if isinstance(unquoted, Subscript) else unquoted
    symbol = types.resolver.dealias(types.resolver.resolve(target, scope))
    if symbol in _RESULTS:
        return None, False
    if decl.is_generator and symbol in _STREAMS:
        if not isinstance(unquoted, Subscript):
            return None, False
        item = types.argument(unquoted.arguments[0], scope, subject)
        joined = item is not None and _is_text(item)
        return (None if item is None or joined else ListOf(item)), joined
    kind = types.argument(unquoted, scope, subject)
    return (None if isinstance(kind, Anything) or kind == type_table.NULL else kind), False


def _is_text(item: Type) -> bool:
    """Whether every value of the type is a `str` at run time: what is made of such items is one text."""
    while isinstance(item, (Described, Bounded)):
        item = item.inner
    if isinstance(item, LiteralOf):
        return all(isinstance(each, Constant) and isinstance(each.value, str) for each in item.values)
    return item == type_table.STRING
