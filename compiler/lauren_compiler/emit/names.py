"""Names that we make up: identifiers in generated modules, and the files of those modules."""

from __future__ import annotations

import builtins
import hashlib
import keyword
import re
from collections.abc import Iterable

# Python 3.11 knows no `type` statement; output may not depend on who runs.
_ALWAYS = frozenset(("type", "match", "case", "_"))
_RESERVED = frozenset((*keyword.kwlist, *keyword.softkwlist, *dir(builtins))) | _ALWAYS
_NO_IDENTIFIER = re.compile(r"[^A-Za-z0-9_]+")
_CAPITAL = re.compile("[A-Z]")
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# Device names that Windows keeps for itself, whatever their extension.
_DEVICES = frozenset(("con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))))
_LONGEST_STEM = 80


def snake(text: str) -> str:
    """ASCII lower-case words joined by `_`: `HTTPPoint` → `http_point`. May be empty."""
    if text.islower() and text.isascii() and text.isidentifier():
        return text.strip("_")
    return _NO_IDENTIFIER.sub("_", _WORDS.sub("_", text)).strip("_").lower()


class Namespace:
    """Hands out identifiers, each once, never a keyword, a builtin, or a name given as taken, or taken in the namespace
    `within` which it is.

    The same requests in the same order give the same names: the wanted one, or it with the next number.
    """

    def __init__(self, taken: Iterable[str] = (), within: Namespace | None = None) -> None:
        self._outer: Namespace | None = within
        self._taken = set(taken)
        self._numbers: dict[str, int] = {}
        """Up to which number the variants of a name are taken: thousands may want the same one."""

    def fresh(self, wanted: str, *, longest: int = 40, fallback: str = "value") -> str:
        """An identifier like `wanted`, of ASCII letters, digits and `_`, cut to `longest` characters."""
        known = wanted if wanted.isascii() and wanted.isidentifier() else _NO_IDENTIFIER.sub("_", wanted)
        base = known[:longest].rstrip("_")
        if not base.strip("_"):
            base = fallback
        if base[0].isdigit():
            base = f"{fallback}_{base}"
        name, number = base, self._numbers.get(base, 1)
        while name in self:
            number += 1
            name = f"{base}_{number}"
        self._numbers[base] = number
        self._taken.add(name)
        return name

    def claim(self, name: str) -> None:
        """Take exactly this name. Raises ValueError if it is taken: two of our own names clash."""
        if name in self:
            raise ValueError(f"the generated name {name!r} is already taken")
        self._taken.add(name)

    def __contains__(self, name: str) -> bool:
        """Whether a name is no longer free."""
        outer = self._outer
        return name in self._taken or (name in _RESERVED if outer is None else name in outer)


def module_files(modules: Iterable[str]) -> dict[str, str]:
    """The file name in `_tools/`, without `.py`, for each source module: `shop.weather` → `shop_weather`.

    Names differ on file systems that ignore case too, are no device names of Windows and no keywords. Of modules that
    want one name, the first keeps it (those without capitals first), the others get a few digits of their name's hash.
    """
    files: dict[str, str] = {}
    taken: set[str] = set()
    for module in sorted(set(modules), key=lambda name: (_CAPITAL.search(name) is not None, name)):
        stem = _NO_IDENTIFIER.sub("_", module.replace(".", "_"))
        if len(stem) > _LONGEST_STEM or not stem.strip("_") or stem[0].isdigit():
            stem = f"m_{stem[:_LONGEST_STEM]}_{_digits(module)}"
        if stem.lower() in taken or stem.lower() in _DEVICES or keyword.iskeyword(stem) or stem.startswith("__"):
            stem = f"m_{stem.strip('_')}_{_digits(module)}"
        taken.add(stem.lower())
        files[module] = stem
    return files


def is_device(name: str) -> bool:
    """Whether Windows keeps a file name for itself."""
    return name.casefold() in _DEVICES


def file_stem(name: str, module: str, qualname: str, *, apart: bool) -> str:
    """A file name for what `name` names; with a digest of its place where the name alone would not tell it `apart`."""
    return f"{name}--{_digits(f'{module}:{qualname}')}" if apart else name


def _digits(module: str) -> str:
    return hashlib.sha256(module.encode("utf-8", "backslashreplace")).hexdigest()[:8]
