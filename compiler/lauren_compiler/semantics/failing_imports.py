"""Imports that surely fail when Python runs them: of a module that is nowhere, of a name that a module never binds.

Only what surely runs counts, as in `import_order.py`. A package that is installed is missing only where it is known
which environment the tools will run in. What the sources may put in place as they run (`sys.path`, `sys.modules`,
`__path__`) counts as there; so does what a build writes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from msgspec import Struct

from ..source.patterns import pattern
from ..source.span import Span
from ..syntax.declarations import Assignment, Binding, ModuleImport, ParsedModule, SymbolImport
from . import known
from .availability import Availability
from .choice import absolute_module
from .import_order import ImportOrder
from .modules import Location
from .resolver import Resolver
from .typeshed import is_typeshed

_CHANGING = pattern(
    r"\b(?:sys\s*\.\s*(?:path|modules|meta_path|path_hooks)|from\s+sys\s+import|addsitedir|__path__|extend_path)\b"
)
"""How sources change where modules come from."""
_BINDING_UNSEEN = pattern(r"\b(?:sys\s*\.\s*modules|from\s+sys\s+import|__dict__|_convert_|global_enum|f_globals)\b")
"""How modules get names that no statement shows. Source: `enum.Enum._convert_`, `enum.global_enum`."""
_ALWAYS_THERE = frozenset({"__main__"})
_OF_EVERY_MODULE = frozenset(
    "__builtins__ __cached__ __dict__ __doc__ __file__ __loader__ __name__ __package__ __spec__".split()
)
_SHIMS = {"distutils": "setuptools"}
"""Modules that another package puts in place by a `.pth` file. Source: setuptools, `distutils-precedence.pth`."""


class FailingImport(Struct, frozen=True):
    """What is wrong with an import, where, and what to do about it. `missing` is the module that is nowhere, if that is
    what is wrong."""

    span: Span
    message: str
    help: str
    missing: str = ""


class FailingImports:
    """Looks through the modules of one program. `outputs` are the folders that builds are written to."""

    def __init__(
        self, resolver: Resolver, available: Availability, order: ImportOrder, outputs: tuple[str, ...]
    ) -> None:
        self._resolver = resolver
        self._program = resolver.program
        self._available = available
        self._order = order
        self._outputs = outputs
        self._changing: dict[str, bool] = {}

    def of(self, module: ParsedModule) -> Iterator[FailingImport]:
        """The statements of a module that fail, each once."""
        last: tuple[int, int] | None = None
        for statement in self._order.statements(module):
            found = self._failing(statement, module) if statement.since != last else None
            if found is not None:
                last = statement.since
                yield found

    def led_to(self, module: ParsedModule) -> Iterator[ParsedModule]:
        """The sources that are surely imported with a module."""
        names = [module.file.module]
        for statement in self._order.statements(module):
            if isinstance(statement, ModuleImport):
                names.append(statement.module)
            elif (source := absolute_module(statement, module)) is not None:
                names += [source, f"{source}.{statement.symbol}"]
        for step in dict.fromkeys(step for name in names for step in _with_packages(name)):
            found = self._program.source(step)
            if found is not None:
                yield found

    def _failing(self, statement: ModuleImport | SymbolImport, module: ParsedModule) -> FailingImport | None:
        if isinstance(statement, ModuleImport):
            return self._missing_module(statement.module, module, module.file.span(statement.pos))
        span = module.file.span(statement.symbol_pos)
        source = absolute_module(statement, module)
        if source is None:
            message = f"module `{module.file.module}` is in no package that the dots could lead to"
            help = "name the folder that its package lies in with `--root`, or import the module by its whole name"
            return FailingImport(span, message, help)
        failing = self._missing_module(source, module, span)
        return failing or (None if statement.symbol == "*" else self._missing_name(source, statement, span))

    def _missing_module(self, name: str, importer: ParsedModule, span: Span) -> FailingImport | None:
        parent = ""
        for step in _with_packages(name):
            understood = known.known_module(step) and not is_typeshed(step)
            if not understood and not self._resolver.module_exists(step):
                if not self._is_surely_missing(step, parent, importer):
                    return None
                why = self._resolver.missing_module(step, span).diagnostic
                return FailingImport(span, why.message, why.help or "", step)
            parent = step
        return None

    def _is_surely_missing(self, name: str, parent: str, importer: ParsedModule) -> bool:
        finder, environment = self._program.finder, self._program.environment
        is_told = environment.chosen and not finder.unread
        last = name.rpartition(".")[2]
        if not parent:
            shim = _SHIMS.get(name)
            if name in _ALWAYS_THERE or (shim is not None and finder.find(shim) is not None):
                return False
            if self._is_output(finder.roots, last) or any(map(self._changes_imports, self._around(importer))):
                return False
            return is_told or is_typeshed(name)
        location = finder.find(parent)
        source = self._program.source(parent) or self._program.module(parent)
        if location is None or source is None or source.file.is_stub or self._is_output(location.folders, last):
            return False
        if not self._is_own(parent, location) and not (is_told and location.is_package):
            return False
        return not any(map(self._changes_imports, (importer, *self._before(source))))

    def _missing_name(self, source: str, statement: SymbolImport, span: Span) -> FailingImport | None:
        """Why a module of the project, whose source is read anyway, does not give a name."""
        symbol = statement.symbol
        location = self._program.finder.find(source)
        if location is None or not self._is_own(source, location) or known.known_name(source, symbol) is not None:
            return None
        parsed = self._program.module(source)
        if parsed is None or parsed.file.is_stub or self._may_have(parsed, symbol, statement):
            return None
        if self._resolver.module_exists(f"{source}.{symbol}") or self._is_output(location.folders, symbol):
            return None
        if any(binding is not statement for binding in parsed.scope.bindings.get(symbol, ())):
            message = f"module `{source}` has `{symbol}` for type checkers only"
            return FailingImport(span, message, "import it under `if TYPE_CHECKING:` here too, or at run time there")
        from .suggestions import did_you_mean

        message = f"`{symbol}` is not defined in module `{source}`"
        options = (*parsed.scope.bindings, *self._program.finder.children(source))
        help = did_you_mean(symbol, options) or "define it there, or take the import away"
        return FailingImport(span, message, help)

    def _may_have(self, module: ParsedModule, name: str, statement: Binding) -> bool:
        scope, choice = module.scope, self._available.choice
        if name in _OF_EVERY_MODULE or name in module.global_names or "__getattr__" in scope.bindings:
            return True
        for binding in scope.bindings.get(name, ()):
            bare = isinstance(binding, Assignment) and binding.value is None
            if binding is not statement and not bare and choice.may_be_reached(binding, scope) is not False:
                return True
        if self._available.starred(scope, name, None) or module.writes_globals:
            return True
        stub = self._program.stub(module.file.module)
        if stub is not None and name in stub.scope.bindings:
            return True
        return any(_BINDING_UNSEEN.search(each.file.text) for each in self._before(module))

    def _changes_imports(self, module: ParsedModule) -> bool:
        """Whether a module's text has to do with where modules are found; it is searched once."""
        path = module.file.path
        if path not in self._changing:
            self._changing[path] = _CHANGING.search(module.file.text) is not None
        return self._changing[path]

    def _is_own(self, name: str, location: Location) -> bool:
        """Whether a module lies in the project."""
        return self._program.source(name) is not None or location.root in self._program.finder.roots

    def _is_output(self, folders: tuple[str, ...], last: str) -> bool:
        """Whether a module would be, or hold, what a build writes."""
        places = [os.path.join(folder, last) for folder in folders]
        return any(out == place or out.startswith(place + os.sep) for out in self._outputs for place in places)

    def _before(self, module: ParsedModule) -> Iterator[ParsedModule]:
        """A module, the packages it is in, and the sources that these import."""
        for each in self._around(module):
            yield each
            yield from self.led_to(each)

    def _around(self, module: ParsedModule) -> Iterator[ParsedModule]:
        """A module and the packages it is in, which run first."""
        yield module
        for name in _with_packages(module.file.module)[:-1]:
            package = self._program.source(name) or self._program.module(name)
            if package is not None:
                yield package


def _with_packages(name: str) -> list[str]:
    """`a`, `a.b`, `a.b.c`."""
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts) + 1)]
