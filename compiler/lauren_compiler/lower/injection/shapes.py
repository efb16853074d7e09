"""A signature as a text, the same that the runtime makes of the loaded function (lauren_runtime/signature.py)."""

from __future__ import annotations

from collections.abc import Iterable

from ...semantics.classes.members import mangled
from ...syntax.declarations import FunctionDecl, ParamDecl


def shape_of(signature: FunctionDecl | Iterable[tuple[str, str, bool]]) -> str:
    """`async (self, a, b=, *, c) yields`, of a function or of (name, kind, has default) of its parameters."""
    if isinstance(signature, FunctionDecl):
        taken = shape_of(
            [(own_name(each, signature), each.kind, each.default is not None) for each in signature.parameters]
        )
        before = "async " if signature.is_async else ""
        return f"{before}{taken}{' yields' if signature.is_generator else ''}"
    parts: list[str] = []
    last = ""
    for name, kind, has_default in signature:
        if last == "positional_only" and kind != last:
            parts.append("/")
        if kind == "keyword_only" and last not in ("keyword_only", "var_positional"):
            parts.append("*")
        stars = {"var_positional": "*", "var_keyword": "**"}.get(kind, "")
        parts.append(f"{stars}{name}{'=' if has_default else ''}")
        last = kind
    if last == "positional_only":
        parts.append("/")
    return f"({', '.join(parts)})"


def own_name(parameter: ParamDecl, function: FunctionDecl) -> str:
    """The name of a parameter as Python keeps it: `__x` of a method is `_C__x`."""
    owner = function.scope.owner
    return parameter.name if owner is None else mangled(parameter.name, owner.name)
