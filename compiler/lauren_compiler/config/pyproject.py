"""Finding and reading the pyproject.toml of a run, and checking its table against the known keys."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..diagnostics.model import Diagnostic
from ..diagnostics.rules import ALL
from ..diagnostics.rules.configuration import INVALID_SETTING, UNKNOWN_SETTING
from ..source.filesystem import FileSystem
from ..source.seen import digest
from ..source.span import Position, Span
from .keys import KEYS, UNSUPPORTED, is_table

NAME = "pyproject.toml"
Key = tuple[str, ...]
TABLE: Key = ("tool", "lauren-compile")


class Settings(Struct, frozen=True, dict=True):
    """`[tool.lauren-compile]`: the values that have the right type, and the text of the file, `text`.

    Paths in it are looked for in `files`.
    """

    folder: Path
    shown: str
    values: Mapping[str, object]
    text: str
    files: FileSystem

    @cached_property
    def spans(self) -> Mapping[Key, Span]:
        """Where every key stands; looked for when something is to be said of one."""
        from .positions import key_spans

        return key_spans(self.text, self.shown)

    def span(self, *key: str) -> Span:
        """The place of `key` below the table, or of the nearest key above it."""
        return self.place((*TABLE, *key))

    def place(self, path: Key) -> Span:
        """The place of a key of the file, or of the nearest one above it."""
        while path and path not in self.spans:
            path = path[:-1]
        return self.spans[path] if path else Span.of_file(self.shown)


def nearest(start: Path, files: FileSystem) -> Path | None:
    """The first pyproject.toml in `start` or a folder above it; one that is no file counts, to be reported."""
    for folder in (start, *start.parents):
        if files.exists(str(folder / NAME)):
            return folder / NAME
    return None


class Document(Struct, frozen=True):
    """What a TOML file holds, and the digest of its bytes."""

    digest: str
    values: dict[str, Any]


def read(
    file: Path, shown: str, files: FileSystem, known: Document | None = None
) -> tuple[Settings, tuple[str, ...], list[Diagnostic], Document | None]:
    """The settings in `file`, its lines, what is wrong with it, and the whole document, None if it can't be read.

    Wrong keys are left out of the settings. What the `known` document holds is not parsed again.
    """
    empty = Settings(file.parent, shown, {}, "", files)
    try:
        data = files.read(str(file))
        text = data.decode("utf-8").replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        return empty, (), [INVALID_SETTING.at(Span.of_file(shown), f"{NAME} can't be read: {reason}")], None
    lines = tuple(text.split("\n"))
    document = known if known is not None and known.digest == digest(data) else _parsed(data, text, shown, lines)
    if isinstance(document, Diagnostic):
        return empty, lines, [document], None
    return *_settings(document.values, Settings(file.parent, shown, {}, text, files), lines), document


def _parsed(data: bytes, text: str, shown: str, lines: tuple[str, ...]) -> Document | Diagnostic:
    import tomllib

    from .positions import key_spans

    try:
        document = Document(digest(data), tomllib.loads(text))
        key_spans(text, shown)  # nested too deep for this, it is too deep
    except tomllib.TOMLDecodeError as error:
        return _syntax_error(str(error), shown, lines)
    except RecursionError:
        return INVALID_SETTING.at(Span.of_file(shown), f"{NAME} is nested too deep to be read")
    return document


def _settings(
    document: Mapping[str, object], settings: Settings, lines: tuple[str, ...]
) -> tuple[Settings, tuple[str, ...], list[Diagnostic]]:
    """The settings in a document, of a file with these lines; `settings` has its place and no values."""
    table = document
    misnamed: list[Diagnostic] = []
    for depth, part in enumerate(TABLE, 1):
        value = table.get(part, {})
        if not is_table(value):
            message = f"`{'.'.join(TABLE[:depth])}` takes a table"
            return settings, lines, [INVALID_SETTING.at(settings.place(TABLE[:depth]), message)]
        if depth == 1:
            misnamed = list(_misnamed(value, settings))
        table = value
    settings = replace(settings, values=table)
    problems = list(_problems(settings))
    wrong = {key for key, _ in problems}
    values = {key: value for key, value in settings.values.items() if key not in wrong}
    found = [*misnamed, *(diagnostic for _, diagnostic in problems)]
    return replace(settings, values=values), lines, found


def _problems(settings: Settings) -> Iterator[tuple[str, Diagnostic]]:
    for key, value in settings.values.items():
        if key not in KEYS:
            message = f"`{key}` is no setting of lauren-compile"
            yield key, UNKNOWN_SETTING.at(settings.span(key), message, help=did_you_mean(key, KEYS))
        elif key in UNSUPPORTED:
            message = f"`{key}` has no effect yet: {UNSUPPORTED[key]}"
            yield key, INVALID_SETTING.at(settings.span(key), message, help="remove it")
        elif not KEYS[key][0](value):
            help = _meant_value(key, value)
            yield key, INVALID_SETTING.at(settings.span(key), f"`{key}` takes {KEYS[key][1]}", help=help)


def _meant_value(key: str, value: object) -> str | None:
    """What to write in place of a value of a wrong type: a list of it, or the key that takes it."""
    if isinstance(value, str) and KEYS[key][0]([value]):
        return f"write a list: `{key} = [{json.dumps(value, ensure_ascii=False)}]`"
    return did_you_mean(key, [other for other, (takes, _) in KEYS.items() if other != key and takes(value)])


def _misnamed(table: Mapping[str, object], settings: Settings) -> Iterator[Diagnostic]:
    """A table that was to be ours: with another separator, other case, or named after the package `lauren_compiler`."""
    for key in table if TABLE[-1] not in table else ():
        if re.sub("[^a-z]", "", key.lower()) in ("laurencompile", "laurencompiler"):
            message = f"`[tool.{key}]` is not read"
            yield UNKNOWN_SETTING.at(settings.place(("tool", key)), message, help="its name is `[tool.lauren-compile]`")


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """`did you mean `x`?` with the nearest known word, if one is near."""
    import difflib

    near = difflib.get_close_matches(word, sorted(known), n=1)
    return f"did you mean `{near[0]}`?" if near else None


def meant_rule(word: str) -> str:
    """What to do about a word that is no rule. Of codes, which say nothing, none is nearer than another."""
    hint = None if word[:2].upper() == "LC" else did_you_mean(word.lower(), [rule.name for rule in ALL])
    return hint or "`lauren-compile explain` lists all rules"


def _syntax_error(text: str, shown: str, lines: tuple[str, ...]) -> Diagnostic:
    """`tomllib` tells the place in its message, and for the end of the file in words."""
    match = re.search(r"\(at line (\d+), column (\d+)\)", text)
    start = Position(int(match[1]), int(match[2])) if match else Position(len(lines), len(lines[-1]) + 1)
    message = re.sub(r" \(at [^)]*\)$", "", text)
    return INVALID_SETTING.at(Span(shown, start, start), f"{NAME} is not valid TOML: {message}")
