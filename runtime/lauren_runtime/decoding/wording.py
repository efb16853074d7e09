"""Words for a model: what came, where, and what was meant."""

from __future__ import annotations

from .kinds import is_array, is_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from .place import Fault

_LONGEST = 60
_LONGEST_PATH = 300
_SHOWN = 30


def described(value: Any) -> str:
    """A value that came, in a few words: `"5" (a string)`, `an array of 3 items`."""
    if type(value) is str and len(value) < _LONGEST - 1 and value.isascii() and value.isprintable():
        if '"' not in value and "\\" not in value:  # As `quoted` has it, which is told oftenest.
            return f'"{value}" (a string)'
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"{quoted(value)} (a string)"
    if isinstance(value, (int, float)):
        return _number(value)
    if is_array(value):
        return f"an array of {_count(len(value), 'item')}"
    if is_object(value):
        return f"an object with {_count(len(value), 'key')}"
    return f"a Python {type(value).__name__}"


def _number(value: int | float) -> str:
    kind = "an integer" if isinstance(value, int) else "a number"
    if isinstance(value, int) and abs(value) >= 10**_LONGEST:
        return "a very long integer"
    text = repr(float(value)) if isinstance(value, float) else int.__repr__(value)
    return f"{text} ({kind})"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def quoted(value: object) -> str:
    """A JSON constant as JSON writes it, shortened."""
    if isinstance(value, str) and len(value) < _LONGEST - 1 and value.isascii() and value.isprintable():
        if '"' not in value and "\\" not in value:
            return f'"{value}"'
    import json

    text = json.dumps(value, ensure_ascii=True, default=str)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 4]}…{text[-1]}"


def path_text(path: tuple[str | int, ...]) -> str:
    """`items[0].label`; a key that is long or no plain word stands in brackets and quotes, shortened.

    Of a very long path the beginning and the end are shown.
    """
    text = ""
    for step in path:
        if type(step) is str and step.isidentifier() and len(step) <= _LONGEST and step.isascii():
            text = f"{text}.{step}" if text else step
        elif isinstance(step, int):
            text += f"[{step}]"
        elif len(step) <= _LONGEST and step.isascii() and _is_word(step):
            text = f"{text}.{step}" if text else step
        else:
            text += f"[{quoted(step)}]"
    half = _LONGEST_PATH // 2
    return text if len(text) <= _LONGEST_PATH else f"{text[:half]}…{text[-half:]}"


def _is_word(step: str) -> bool:
    """Whether a key is a word of letters, digits, `_` and `-`."""
    return step.replace("-", "_").replace("_", "a").isalnum()


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that was most likely meant, None if none is near."""
    from difflib import get_close_matches

    candidates = list(known)
    folded = {candidate.casefold(): candidate for candidate in candidates}
    if name.casefold() in folded:
        return folded[name.casefold()]
    near = get_close_matches(name[:100], candidates, n=1, cutoff=0.6)
    return near[0] if near else None


def sentence(fault: Fault, where: str) -> str:
    """The whole message of a fault at the place that `where` tells (`path_text`)."""
    what = fault.words or f"expected {fault.expected}, got {fault.got}"
    allowed = _allowed(fault.allowed) if fault.allowed else ""
    return f"{where}: {what}{allowed}" if where else f"{what}{allowed}"


def _allowed(values: tuple[object, ...]) -> str:
    shown = ", ".join(quoted(value) for value in values[:_SHOWN])
    return f" (allowed: {shown}{f' and {len(values) - _SHOWN} more' if len(values) > _SHOWN else ''})"
