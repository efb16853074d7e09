"""Tool names: derived from functions and classes, and checked."""

from __future__ import annotations

import re
import unicodedata

_BOUNDARY = r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"
_CAPITAL = r"(?<!^)(?=[A-Z])"
_VALID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_LOOKALIKES = {
    ord(pair[0]): pair[1]
    for pair in (
        "аa сc еe оo рp хx уy іi јj ѕs һh ԁd ԛq ԝw αa οo νv ρp τt υu κk ιi АA ВB СC "
        "ЕE НH ІI ЈJ КK МM ОO РP ЅS ТT ХX ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX"
    ).split()
}
"""Cyrillic and Greek letters, each with the Latin one it looks like."""


def derived_name(name: str) -> str:
    """The tool name of a function or class: `HTTPFetchTool` → `http_fetch_tool`; without capitals as it is."""
    if name.islower() or not any(character.isupper() for character in name):
        return name
    return re.sub("_+", "_", re.sub(_BOUNDARY, "_", name).lower())


def runtime_name(name: str, *, is_class: bool) -> str:
    """The name lauren-ai 1.6.0 derives: classes get an underscore before every capital, functions keep their name."""
    return re.sub(_CAPITAL, "_", name).lower() if is_class else name


def is_valid(name: str) -> bool:
    """Whether providers take a name: `^[a-zA-Z0-9_-]{1,64}$`."""
    return _VALID.fullmatch(name) is not None


def invalid_because(name: str) -> str:
    """What is wrong with a name that is not valid."""
    if not name:
        return "it is empty"
    wrong = [character for character in name if not re.match(r"[a-zA-Z0-9_-]", character)]
    if wrong:
        shown = ", ".join(f"`{ascii(character)[1:-1]}`" for character in dict.fromkeys(wrong))
        return f"it has {shown}; only a-z, A-Z, 0-9, `_` and `-` are taken"
    return f"it has {len(name)} characters; at most 64 are taken"


def skeleton(name: str) -> str:
    """What a name looks like: equal skeletons are easily confused (`сity` with a Cyrillic letter and `city`)."""
    if name.isascii():
        return name.casefold().replace("-", "_")
    plain = unicodedata.normalize("NFKD", name).translate(_LOOKALIKES)
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold().replace("-", "_")
