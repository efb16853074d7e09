"""Whether a tool's name still means the tool when its module has run."""

from __future__ import annotations

from ..diagnostics.model import Label, Sink
from ..diagnostics.rules import tools as rules
from ..semantics.resolver import Resolver
from ..syntax.declarations import Assignment, Binding, ClassDecl, Definition, FunctionDecl
from ..syntax.expressions import Call, Name


def is_rebound(decl: FunctionDecl | ClassDecl, tools: set[int], names: Resolver, sink: Sink) -> bool:
    """Whether an import would fetch something else; reported, unless that is another of `tools` (by id of declaration),
    whose name clashes with this one's anyway."""
    options = names.choice.options(decl.scope, decl.name, None)
    if any(_is(binding, decl) for binding in options):
        return False
    later = options[-1] if options else None
    if isinstance(later, Definition) and id(later.decl) in tools:
        return False
    file = decl.scope.module.file
    labels = () if later is None else (Label(file.span(later.pos), "bound to something else here"),)
    message = f"`{decl.name}` no longer means this tool when its module has run"
    sink.add(rules.REBOUND_TOOL.at(file.span(decl.name_pos), message, labels=labels))
    return True


def _is(binding: Binding, decl: FunctionDecl | ClassDecl) -> bool:
    """Whether a binding is the declaration, or wraps what the name meant: `find = traced(find)`."""
    if isinstance(binding, Definition):
        return binding.decl is decl
    if not isinstance(binding, Assignment) or binding.value is None:
        return False
    value = binding.value.expr
    return isinstance(value, Call) and any(isinstance(arg, Name) and arg.id == decl.name for arg in value.args)
