"""What `from module import *` brings."""

from __future__ import annotations

from ..syntax.declarations import ParsedModule
from ..syntax.expressions import Chain, Constant, Expr, ListDisplay, Tuple


def exported(module: ParsedModule, name: str) -> bool:
    """Whether a star import of `module` brings `name`.

    Decided by `__all__` where it can be read; an `__all__` that only running code would know counts as having it, since
    the name is then looked for in the module anyway.
    """
    if module.exports is None:
        return not name.startswith("_")
    listed: set[str] = set()
    decided = not module.undecidable_exports
    for part in module.exports:
        decided = _collect(part.expr, listed) and decided
    return name in listed or not decided


def _collect(expr: Expr, listed: set[str]) -> bool:
    """Add the constant strings of a list, tuple or sum of them; False if there is anything else."""
    known = True
    if isinstance(expr, (ListDisplay, Tuple)):
        for item in expr.items:
            known = _collect_item(item, listed) and known
        return known
    if isinstance(expr, Chain) and expr.op == "+":
        for item in expr.items:
            known = _collect(item, listed) and known
        return known
    return False


def _collect_item(item: Expr, listed: set[str]) -> bool:
    if isinstance(item, Constant) and isinstance(item.value, str):
        listed.add(item.value)
        return True
    return False
