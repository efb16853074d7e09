"""All modules of a compilation: the files to compile, and whatever their names lead to, parsed when first needed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from ..diagnostics.model import Sink
from ..source.file import SourceFile
from ..source.filesystem import FileSystem
from ..syntax.declarations import ParsedModule
from ..syntax.decode import decode
from ..syntax.parse import parse
from .environment import Environment
from .in_turn import InTurn
from .modules import Location, ModuleFinder

NO_OTHERS: Mapping[str, Location] = MappingProxyType({})


class AllNeededError(Exception):
    """What was asked concerns all sources, and not all of them have been read."""


class Program:
    """Modules by name. `sources` are those to compile; the rest are libraries.

    `others` are sources too, known to be sound: like a library's, they are read when they are asked for.

    Diagnostics about a library's own text go nowhere: what is missing in it is reported where it is used.
    """

    def __init__(
        self,
        files: FileSystem,
        finder: ModuleFinder,
        environment: Environment,
        sources: InTurn,
        show: Callable[[str], str],
        others: Mapping[str, Location] = NO_OTHERS,
    ) -> None:
        self.environment = environment
        self.finder = finder
        self._files = files
        self.show = show
        self._in_turn = sources
        self._given = {file.module: file for file in reversed(sources.files)}
        self._given_paths = {file.path: file for file in self._given.values()}
        self._modules: dict[str, ParsedModule | None] = {}
        self._others = others
        self._other_paths = {location.path for location in others.values()}
        self._paths: dict[str, ParsedModule] = {}
        self.asked: set[str] = set()
        """Names of modules that were looked into."""
        self.all_asked = False
        """Whether something was asked of all sources at once."""
        self.texts: dict[str, SourceFile] = {file.shown: file for file in self._given.values()}

    def module(self, name: str) -> ParsedModule | None:
        """The parsed module of that name; None if it is not found or has no source that can be parsed."""
        self.asked.add(name)
        if name not in self._modules:
            self._modules[name] = None
            self._modules[name] = self._own(name) or self._found(name)
        return self._modules[name]

    @property
    def sources(self) -> tuple[ParsedModule, ...]:
        """All modules to compile. Raises AllNeededError if only some of them have been read."""
        if self._others:
            raise AllNeededError
        self.all_asked = True
        return self.sources_read

    @property
    def has_others(self) -> bool:
        """Whether there are sources that are read only when they are asked for."""
        return bool(self._others)

    @property
    def sources_read(self) -> tuple[ParsedModule, ...]:
        """The modules to compile, of `others` those that have been read so far."""
        given = (module for module in self._in_turn if module.file.path in self._given_paths)
        others = (self._modules.get(name) for name in self._others)
        return (*given, *(module for module in others if module is not None))

    def looked_into(self) -> Iterator[SourceFile]:
        """The files of all modules that were parsed."""
        return iter({id(module): module.file for module in self._parsed()}.values())

    def close(self) -> None:
        """Let go the trees of all modules; nothing may be asked any more."""
        for module in {id(each): each for each in self._parsed()}.values():
            module.close()

    def _parsed(self) -> Iterator[ParsedModule]:
        yield from self._in_turn
        yield from (module for module in self._modules.values() if module is not None)
        yield from self._paths.values()

    def is_source_file(self, path: str) -> bool:
        """Whether a file is one to compile."""
        return path in self._other_paths or path in self._given_paths

    def source(self, name: str) -> ParsedModule | None:
        """The module of that name, if it is one to compile; no library is read to find out."""
        if name in self._given:
            return self._in_turn.of(self._given[name])
        found = self.module(name) if name in self._others else self._modules.get(name)
        return found if found is not None and self.is_source(found) else None

    def stub(self, name: str) -> ParsedModule | None:
        """The stub that lies beside a module's source or in a stub package, None if there is none."""
        location = self.finder.find(name)
        if location is None or location.stub is None:
            return None
        if location.stub not in self._paths:
            found = self._load(location, location.stub)
            if found is None:
                return None
            self._paths[location.stub] = found
        return self._paths[location.stub]

    def is_source(self, module: ParsedModule) -> bool:
        """Whether a module is one to compile, not a library."""
        return self.is_source_file(module.file.path)

    def exists(self, name: str) -> bool:
        """Whether there is a module of that name, with source or without."""
        known = name in self._others or name in self._given or self._modules.get(name) is not None
        return known or self.finder.find(name) is not None

    def _own(self, name: str) -> ParsedModule | None:
        """The module of that name among those given."""
        return self._in_turn.of(self._given[name]) if name in self._given else None

    def _found(self, name: str) -> ParsedModule | None:
        """The module of that name where Python would find it."""
        location = self._others.get(name) or self.finder.find(name)
        if location is None or location.path is None:
            return None
        if location.path in self._given_paths:
            return self._in_turn.of(self._given_paths[location.path])
        return self._paths.get(location.path) or self._load(location, location.path)

    def _load(self, location: Location, path: str) -> ParsedModule | None:
        shown = self.show(path)
        try:
            data = self._files.read(path)
        except OSError:
            return None
        unheard = Sink()
        text = decode(data, shown, unheard)
        if text is None:
            return None
        relative = os.path.relpath(path, location.root).replace(os.sep, "/")
        file = SourceFile(path, shown, relative, location.name, location.is_package, text)
        module = parse(file, unheard, thorough=False)
        if module is not None:
            self.texts[shown] = file
        return module
