"""Defaults, `[tool.lauren-compile]` and the command line, merged into one `Config`.

The pyproject.toml is the one nearest to the first PATH; without a PATH, to the working directory. Paths in it count
from its folder, paths of the command line from the working directory. The command line wins, key by key.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from msgspec import Struct, field

from ..diagnostics.model import Diagnostic, Level, Sink
from ..diagnostics.rules import find, relevelable
from ..diagnostics.rules.configuration import INVALID_SETTING, UNKNOWN_SETTING
from ..source.filesystem import Disk, FileSystem
from ..source.span import Span
from .keys import TARGET_OPTIONS
from .model import Config, DeclaredType, GivenEnvironment
from .pyproject import Document, Settings, did_you_mean, meant_rule, nearest, read

if TYPE_CHECKING:
    from .decorators import Decorator

DEFAULT_OUT = "lauren_build"
RUNTIMES = ("lauren-ai",)
"""Those whose schemas a build can be compared with."""

_MISSING = "no such file or folder"
_NOT_PYTHON = "no Python file, nor a folder"


class UsageError(Exception):
    """The command line asks for what can't be: exit status 2."""


class CommandLine(Struct, frozen=True):
    """What the command line said; empty or None where it said nothing. `document` is a pyproject.toml that was read
    before."""

    paths: tuple[str, ...] = ()
    out: str | None = None
    roots: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    target_runtime: str | None = None
    python: str | None = None
    strict_discovery: bool = False
    directory: Path = field(default_factory=Path.cwd)
    files: FileSystem = field(default_factory=Disk)
    document: Document | None = None


class Loaded(Struct, frozen=True):
    """A configuration, what is wrong with it, and the lines of the file it came from, by shown path.

    `missing` are the sources that it names and that are not there, `document` what the file holds, if it can be read.
    """

    config: Config
    diagnostics: tuple[Diagnostic, ...]
    lines: Mapping[str, tuple[str, ...]]
    missing: tuple[Path, ...] = ()
    document: Document | None = None


def load(command: CommandLine, *, known_targets: Collection[str] = ()) -> Loaded:
    """The configuration of a run.

    `known_targets` are the names that `--target` and `targets` may have. Faults in pyproject.toml become diagnostics.
    Raises UsageError for a PATH that doesn't exist or is no source, an unknown `--target`, an interpreter that is not
    found.
    """
    paths = tuple(_source(text, command) for text in command.paths)
    for target in command.targets:
        _known_target(target, known_targets)
    start = _folder(paths[0], command.files) if paths else command.directory
    file = nearest(start, command.files)
    if file is None and not paths:
        raise UsageError("no PATH given, and no pyproject.toml here or in a folder above")
    sink = Sink()
    settings = Settings(command.directory, "", {}, "", command.files)
    lines: tuple[str, ...] = ()
    document: Document | None = None
    if file is not None:
        settings, lines, found, document = read(file, shown(file, command.directory), command.files, command.document)
        sink.extend(found)
    merge = _Merge(command, settings, sink, known_targets)
    config = merge.config(paths, file)
    known = {settings.shown: lines} if settings.shown else {}
    return Loaded(config, tuple(sink), known, tuple(merge.missing), document)


def working_directory() -> Path:
    """Where the command was called. Raises UsageError if that folder is gone, or can't be reached."""
    try:
        return Path(os.getcwd())
    except OSError as error:
        raise UsageError(f"the working directory can't be read: {error.strerror}") from error


def shown(path: Path, directory: Path) -> str:
    """A path as users see it: relative to the working directory if below it, POSIX."""
    return (path.relative_to(directory) if path.is_relative_to(directory) else path).as_posix()


def _absolute(text: str, base: Path) -> Path:
    return Path(os.path.abspath(base / text))


def _existing(text: str, command: CommandLine) -> Path:
    """A file or folder of the command line."""
    path = _absolute(text, command.directory)
    fault = _fault(path, command.files) if text else _MISSING
    if fault is not None:
        raise UsageError(f"{fault}: {text or repr(text)}")
    return path


def _source(text: str, command: CommandLine) -> Path:
    """A folder or Python file of the command line. Any other file would compile to a build without tools."""
    path = _existing(text, command)
    if not _may_be_source(path, command.files):
        raise UsageError(f"{_NOT_PYTHON}: {text}")
    return path


def _may_be_source(path: Path, files: FileSystem) -> bool:
    return path.suffix == ".py" or not files.is_file(str(path))


def _is_everything(path: Path, project: Path) -> bool:
    """Whether a folder above the project is the home folder of who runs this, or lies above that too."""
    home = Path(os.path.expanduser("~"))
    return path in project.parents and (path == home or path in home.parents)


def _existing_folder(text: str, command: CommandLine) -> Path:
    path = _existing(text, command)
    if not command.files.is_dir(str(path)):
        raise UsageError(f"no folder: {text}")
    return path


def _fault(path: Path, files: FileSystem) -> str | None:
    """Why a path can't be compiled; None for a file or folder."""
    if files.is_file(str(path)) or files.is_dir(str(path)):
        return None
    try:
        os.stat(path)
    except (FileNotFoundError, ValueError):
        return _MISSING
    except OSError as error:
        return f"can't be reached ({error.strerror})"
    return "neither a file nor a folder"


def _folder(path: Path, files: FileSystem) -> Path:
    return path if files.is_dir(str(path)) else path.parent


def _known_target(name: str, known: Collection[str]) -> None:
    if known and name not in known:
        hint = did_you_mean(name, known) or f"known are {', '.join(sorted(known))}"
        raise UsageError(f"unknown target `{name}`: {hint}")


def _interpreter(text: str, base: Path, files: FileSystem) -> Path | None:
    """A path with a separator counts from `base`; a bare name is searched on PATH."""
    if os.sep not in text and "/" not in text:
        import shutil

        found = shutil.which(text)
        return Path(found) if found else None
    path = _absolute(os.path.expanduser(text), base)
    return path if files.is_file(str(path)) else None


class _Merge(Struct, frozen=True):
    """One method for each setting that needs more than a look-up."""

    command: CommandLine
    settings: Settings
    sink: Sink
    known_targets: Collection[str]
    missing: list[Path] = field(default_factory=list[Path])

    def config(self, paths: tuple[Path, ...], file: Path | None) -> Config:
        values, command = self.settings.values, self.command
        targets = command.targets or self.targets()
        ignores = cast("dict[str, list[str]]", values.get("per-file-ignores", {}))
        cache = values.get("cache-dir")
        return Config(
            sources=paths or self.sources(),
            named=frozenset(paths),
            project=file.parent if file else None,
            exclude=self.strings("exclude"),
            out=self.out(),
            other_out=self.configured_out() if self.command.out is not None else None,
            roots=self.roots(),
            targets=tuple(dict.fromkeys(targets)),
            targets_named=bool(targets),
            target_runtime=command.target_runtime or self.target_runtime(),
            target_options=self.target_options(),
            python=self.python(),
            environment=None if self.command.python is not None else self.environment(),
            decorators=tuple(self.decorators()),
            types=self.types(),
            levels=self.levels(),
            warnings_as_errors=bool(values.get("warnings-as-errors", False)),
            strict_discovery=command.strict_discovery,
            per_file_ignores={pattern: self.codes(pattern, names) for pattern, names in ignores.items()},
            cache_dir=_absolute(str(cache), self.settings.folder) if cache else None,
        )

    def environment(self) -> GivenEnvironment | None:
        if "environment" not in self.settings.values:
            return None
        from .environment import given_environment

        return given_environment(self.settings, self.sink)

    def types(self) -> tuple[DeclaredType, ...]:
        if "types" not in self.settings.values:
            return ()
        from .declared import declared_types

        return declared_types(self.settings, self.sink)

    def target_runtime(self) -> str | None:
        given = self.settings.values.get("target-runtime")
        if given is None or given in RUNTIMES:
            return None if given is None else str(given)
        hint = did_you_mean(str(given), RUNTIMES) or f"known are {', '.join(RUNTIMES)}"
        self.invalid(f"unknown runtime `{given}` in `target-runtime`", "target-runtime", help=hint)
        return None

    def invalid(self, message: str, *key: str, help: str | None = None) -> None:
        self.sink.add(INVALID_SETTING.at(self.settings.span(*key), message, help=help))

    def strings(self, key: str) -> tuple[str, ...]:
        return tuple(text for text, _ in self.items(key))

    def items(self, key: str) -> Iterator[tuple[str, str]]:
        """The texts in a list, each with its index; an empty path or pattern is a slip, and would mean a folder."""
        for index, text in enumerate(cast("list[str]", self.settings.values.get(key, []))):
            if self.says_something(text, key, str(index)):
                yield text, str(index)

    def decorators(self) -> Iterator[Decorator]:
        if "decorators" not in self.settings.values:
            return
        from .decorators import Decorator, read_decorators

        def place(*key: str) -> Span:
            return self.settings.span("decorators", *key)

        for found in read_decorators(cast("list[object]", self.settings.values["decorators"]), place):
            if isinstance(found, Decorator):
                yield found
            else:
                rule = UNKNOWN_SETTING if found.unknown else INVALID_SETTING
                self.sink.add(rule.at(found.span, found.message, help=found.help))

    def says_something(self, text: str, *key: str) -> bool:
        if not text.strip():
            self.invalid(f"an empty text in `{key[0]}` means nothing", *key, help="remove it")
        return bool(text.strip())

    def sources(self) -> tuple[Path, ...]:
        """Those of the file; without any, the whole project."""
        found: list[Path] = []
        for text, index in self.items("sources"):
            path = _absolute(text, self.settings.folder)
            if _fault(path, self.settings.files) == _MISSING:
                self.invalid(f"{_MISSING}: {text}", "sources", index)
                self.missing.append(path)
            elif not _may_be_source(path, self.settings.files):
                self.invalid(f"{_NOT_PYTHON}: {text}", "sources", index)
            elif _is_everything(path, self.settings.folder):
                message = f"this is a folder that everything of a user lies in: {text}"
                self.invalid(message, "sources", index, help="name the folders that the tools are in")
            else:  # what is there and can't be read is the reader's to report
                found.append(path)
        return tuple(found) if "sources" in self.settings.values else (self.settings.folder,)

    def out(self) -> Path:
        """Where to write. Raises UsageError for an empty `-o`."""
        if self.command.out == "":
            raise UsageError("-o takes a folder")
        if self.command.out is not None:
            return _absolute(self.command.out, self.command.directory)
        return self.configured_out() or _absolute(DEFAULT_OUT, self.command.directory)

    def configured_out(self) -> Path | None:
        text = self.settings.values.get("out")
        return None if text is None else _absolute(str(text), self.settings.folder)

    def roots(self) -> tuple[Path, ...]:
        if self.command.roots:
            return tuple(_existing_folder(text, self.command) for text in self.command.roots)
        found: list[Path] = []
        for text, index in self.items("roots"):
            path = _absolute(text, self.settings.folder)
            if self.settings.files.is_dir(str(path)):
                found.append(path)
            else:
                self.invalid(f"no such folder: {text}", "roots", index)
        return tuple(found)

    def targets(self) -> tuple[str, ...]:
        found: list[str] = []
        if self.settings.values.get("targets") == []:
            self.invalid(
                "`targets` names no target", "targets", help="leave it out, and a build writes for all of them"
            )
        for name, index in self.items("targets"):
            if self.is_target(name, "targets", index):
                found.append(name)
        return tuple(found)

    def target_options(self) -> dict[str, Mapping[str, object]]:
        tables = cast("dict[str, dict[str, object]]", self.settings.values.get("target", {}))
        known: dict[str, Mapping[str, object]] = {
            name: table for name, table in tables.items() if self.is_target(name, "target", name)
        }
        for name, table in known.items():
            for key in table:
                if key not in TARGET_OPTIONS:
                    span = self.settings.span("target", name, key)
                    self.sink.add(UNKNOWN_SETTING.at(span, f"`{key}` is no option of the target `{name}`"))
        return known

    def is_target(self, name: str, *key: str) -> bool:
        known = not self.known_targets or name in self.known_targets
        if not known:
            self.invalid(f"`{name}` is no known target", *key, help=did_you_mean(name, self.known_targets))
        return known

    def python(self) -> Path | None:
        if self.command.python is not None:
            path = _interpreter(self.command.python, self.command.directory, self.command.files)
            if path is None:
                raise UsageError(f"no such interpreter: {self.command.python}")
            return path
        text = self.settings.values.get("python")
        if text is None:
            return None
        path = _interpreter(str(text), self.settings.folder, self.settings.files)
        if path is None:
            self.invalid(f"no such interpreter: {text}", "python")
        return path

    def levels(self) -> dict[str, Level | None]:
        found: dict[str, Level | None] = {}
        for name, word in cast("dict[str, str]", self.settings.values.get("levels", {})).items():
            code = self.code(name, "levels", name)
            if code is None:
                continue
            if code in found:
                self.invalid(f"the level of {code} is set twice, by code and by name", "levels", name)
            elif word == "off":
                found[code] = None
            elif word in tuple(Level):
                found[code] = Level(word)
            else:
                self.invalid(f"`{word}` is no level: error, warning, note or off", "levels", name)
        return found

    def codes(self, pattern: str, names: list[str]) -> tuple[str, ...]:
        self.says_something(pattern, "per-file-ignores", pattern)
        found = (self.code(name, "per-file-ignores", pattern, str(index)) for index, name in enumerate(names))
        return tuple(code for code in found if code is not None)

    def code(self, name: str, *key: str) -> str | None:
        """The code of a rule that may be re-levelled or ignored."""
        rule = find(name)
        if rule is None:
            self.invalid(f"`{name}` is no rule", *key, help=meant_rule(name))
        elif not relevelable(rule):
            self.invalid(f"{rule.code} ({rule.name}) is an error that can't be silenced or re-levelled", *key)
        else:
            return rule.code
        return None
