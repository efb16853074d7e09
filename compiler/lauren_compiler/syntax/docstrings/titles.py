"""What a section or field may be called, and what becomes of it."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Kind(Enum):
    """What a section holds."""

    PARAMETERS = "parameters"
    DROPPED = "dropped"
    KEPT = "kept"


_PARAMETER_TITLES = (
    "arg, argument, parameter, param, args, arguments, parameters, params, kwargs, "
    "keyword args, keyword arguments, keyword parameters, keyword params, "
    "other args, other arguments, other parameters, other params, "
    "required args, required arguments, required parameters, required params, "
    "optional args, optional arguments, optional parameters, optional params"
)
# What the caller gets back, what goes wrong, and how to use it from Python: of no use to who fills in the arguments.
_DROPPED_TITLES = (
    "return, returns, yield, yields, receive, receives, raise, raises, except, exception, exceptions, warns, "
    "example, examples, attribute, attributes, methods, reference, references, see also, todo, todos"
)
# Peers lose these (pydantic-ai#7953), although "cannot be undone" is what a caller has to know.
_KEPT_TITLES = (
    "note, notes, warning, warnings, tip, tips, hint, hints, important, caution, attention, danger, deprecated"
)

_PARAMETER_FIELDS = "param, params, parameter, arg, argument, key, keyword, kwarg, kwparam"
_DROPPED_FIELDS = (
    "type, return, returns, rtype, yield, yields, ytype, raise, raises, except, exception, var, ivar, cvar, vartype, "
    "meta, see, seealso, author, version, since, todo, example, examples"
)


def _table(parameters: str, dropped: str) -> dict[str, Kind]:
    names = {Kind.PARAMETERS: parameters, Kind.DROPPED: dropped, Kind.KEPT: _KEPT_TITLES}
    return {name: kind for kind, text in names.items() for name in text.split(", ")}


SECTIONS: Final = _table(_PARAMETER_TITLES, _DROPPED_TITLES)
"""Google and NumPy sections, by title in lower case."""

PARAMETER_WORDS: Final = frozenset(title.split()[0].capitalize() for title in _PARAMETER_TITLES.split(", "))
"""The words that titles of sections of parameters begin with, as the first of a line is written."""

FIELDS: Final = _table(_PARAMETER_FIELDS, _DROPPED_FIELDS)
"""Sphinx (`:name:`) and epydoc (`@name:`) fields, by name."""

ADMONITIONS: Final = frozenset(_KEPT_TITLES.split(", "))
"""reST directives (`.. note::`) that are read as sections."""
