"""Names that were meant, for messages."""

from __future__ import annotations

import builtins
from collections.abc import Iterable

from . import known

_LIKE_A_TYPE = 0.8
"""How near a builtin has to be. Their names are short: at 0.6 `Literal` is near `iter`, and `nope` near `open`."""

_HOMES = (
    "collections.abc",
    "collections",
    "typing",
    "dataclasses",
    "enum",
    "datetime",
    "decimal",
    "fractions",
    "uuid",
    "pathlib",
    "ipaddress",
    "re",
    "lauren_runtime",
    "pydantic",
    "annotated_types",
)
"""Where a name that nothing binds is looked for; the first that has it."""

_ELSEWHERE = {
    "string": "str",
    "text": "str",
    "integer": "int",
    "long": "int",
    "number": "float",
    "double": "float",
    "boolean": "bool",
    "array": "list",
    "null": "None",
    "nil": "None",
    "void": "None",
}
"""What types are called in JSON Schema and other languages."""


def did_you_mean(name: str, options: Iterable[str], *, prefix: str = "", cutoff: float = 0.6) -> str | None:
    """`did you mean X?` with the nearest of `options`, None if none is near."""
    names = sorted({option for option in options if option != name})
    folded = [option for option in names if option.casefold() == name.casefold()]
    import difflib

    near = folded[:1] or difflib.get_close_matches(name, names, n=1, cutoff=cutoff)
    return f"did you mean `{prefix}{near[0]}`?" if near else None


def unbound(name: str, bound: Iterable[str]) -> str | None:
    """What to do about a name that neither the scopes, which bind `bound`, nor the builtins have; None if unknown."""
    bound = list(bound)
    types = [option for option in known.BUILTINS if isinstance(getattr(builtins, option, None), type)]
    if any(option.casefold() == name.casefold() for option in (*bound, *types)):
        return did_you_mean(name, (*bound, *types))
    for module in _HOMES:
        if name in known.known_names(module):
            return f"import it: `from {module} import {name}`"
    if name.casefold() in _ELSEWHERE:
        return f"did you mean `{_ELSEWHERE[name.casefold()]}`?"
    return did_you_mean(name, bound) or did_you_mean(name, known.BUILTINS, cutoff=_LIKE_A_TYPE)
