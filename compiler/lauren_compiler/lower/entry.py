"""What is called when a tool is called, and how a table gets at the tool's object."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from ..diagnostics.model import Label, Sink
from ..diagnostics.rules import names as name_rules
from ..diagnostics.rules import tools as rules
from ..ir.tools import Binding
from ..semantics.classes.kinds import ancestry
from ..semantics.symbols import ClassSymbol, FunctionSymbol, KnownSymbol, Unresolved
from ..semantics.types import TypeReader
from ..syntax.declarations import ClassDecl, FunctionDecl, ParamDecl
from .signature import receiver, wrapped_by


class Entry(Struct, frozen=True):
    """The function that is called: the tool itself, or its class's `run`. `skip` parameters are the receiver."""

    decl: FunctionDecl
    skip: int

    @property
    def parameters(self) -> tuple[ParamDecl, ...]:
        """The parameters behind the receiver."""
        return self.decl.parameters[self.skip :]


_PROPERTY = "builtins.property"
_CACHED = "functools:cached_property"


def _property_of(run: FunctionDecl, types: TypeReader) -> str | None:
    """The decorator that makes an attribute of a function: `property`, a class derived from it, `cached_property`."""
    for decorator in run.decorators:
        symbol = types.resolver.dealias(types.resolver.resolve(decorator.expr, run.scope))
        if symbol == KnownSymbol(_PROPERTY):
            return "property"
        if isinstance(symbol, ClassSymbol):
            if symbol.decl.key == _CACHED or _PROPERTY in ancestry(symbol.decl, types.resolver).known:
                return symbol.decl.name
    return None


def _place(run: FunctionDecl) -> Label:
    return Label(run.scope.module.file.span(run.name_pos), "`run` is defined here")


def binding_of(decl: FunctionDecl | ClassDecl, types: TypeReader) -> Binding:
    """`bind` for what no import can fetch: inside a function, or a method that needs an instance."""
    if "<locals>" in decl.qualname:
        return Binding.BIND
    in_class = isinstance(decl, FunctionDecl) and decl.scope.kind == "class"
    if in_class and receiver(decl, types.resolver) == "instance":  # type: ignore[arg-type]
        return Binding.BIND
    return Binding.IMPORT


def entry_of(decl: FunctionDecl | ClassDecl, types: TypeReader, sink: Sink) -> Entry | None:
    """The entry point of a tool; None, reported, for a class without a `run` that is known.

    Of a function below `functools.wraps(other)` it is the other: its signature is what Python shows.
    """
    if isinstance(decl, FunctionDecl):
        wrapped = wrapped_by(decl.decorators, decl.scope, types.resolver)
        shown = wrapped.decl if isinstance(wrapped, FunctionSymbol) else decl
        in_class = shown.scope.kind == "class"
        return Entry(shown, 1 if in_class and receiver(shown, types.resolver) != "none" else 0)
    span = decl.scope.module.file.span(decl.name_pos)
    symbol = types.resolver.dealias(types.resolver.class_member(decl, "run", span))
    if isinstance(symbol, FunctionSymbol):
        run = symbol.decl
        if (maker := _property_of(run, types)) is not None:
            message = f"the `run` of tool class `{decl.name}` is no method"
            label = f"`{maker}` makes it an attribute"
            sink.add(rules.CLASS_WITHOUT_RUN.at(span, message, label=label, labels=(_place(run),)))
            return None
        static = run.scope.kind != "class" or receiver(run, types.resolver) == "none"
        return Entry(run, 0 if static and run.scope.kind == "class" else 1)
    if isinstance(symbol, Unresolved):
        lost = types.classes.lost_base(decl)
        if lost is not None:
            message = f"whether tool class `{decl.name}` has a `run` method can't be known: a base is not found"
            sink.add(replace(lost, span=span, message=message, label=lost.label or lost.message))
            return None
        message = f"tool class `{decl.name}` has no `run` method"
        remedy = "add `async def run(self, ...)`: its parameters are the tool's"
        sink.add(rules.CLASS_WITHOUT_RUN.at(span, message, label="no `run`", help=remedy))
        return None
    why = getattr(symbol, "why", "")
    if why:
        message = f"the `run` of tool class `{decl.name}` can't be known from the source"
        sink.add(name_rules.DYNAMIC_NAME.at(span, message, label=f"bound by {why}"))
    else:
        message = f"the `run` of tool class `{decl.name}` is no method"
        sink.add(rules.CLASS_WITHOUT_RUN.at(span, message, label="`run` is something else"))
    return None
