"""Whether a file that does not name `tool`, and decorates nothing, may make tools by a name that it imports.

from deco import register        deco.py: `register = tool(timeout=5)`, or `from lauren_ai import tool as register`
save = register(find)

Most files call no imported name with a function or class: that is told by their text alone. Of the others the names
that they call are followed by their bindings, through the sources and libraries; all names of a library are looked
through only where it names the tool system.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from ..semantics import known
from ..semantics.choice import absolute_module
from ..semantics.program import Program
from ..syntax.declarations import Assignment, Binding, Definition, ModuleImport, ParsedModule, SymbolImport
from ..syntax.imports_inside import imports_inside, names_in
from .configured import Configured

_GAP = r"(?:\s|\\|#[^\n]*+)*+"
"""Never given up again once it has matched: a row of `#` could else be parted in any number of ways."""
_NAME = r"([^\W\d]\w*)"
_FIRST = rf"\((?:[\s\\(]|#[^\n]*+)*+{_NAME}"
_CALL = re.compile(rf"(?<![\w.]){_NAME}(?:{_GAP}\.{_GAP}\w+)*{_GAP}{_FIRST}")
"""`register(find`, `deco.register(find`: what is called, and what it is given first."""
_CALLED_AGAIN = re.compile(rf"[)\]]{_GAP}{_FIRST}")
"""`register()(find`."""
_DEFINED = re.compile(rf"\b(?:def|class)\s+{_NAME}")
_TOOL = "lauren.tool"
_SYSTEMS = sorted({module.partition(".")[0] for module in known.TOOL_SYSTEM_MODULES})


class PassedOn:
    """Answers for one program and its configured decorators."""

    def __init__(self, program: Program, configured: Configured) -> None:
        self._program = program
        self._configured = configured
        self._known: dict[tuple[str, str], bool] = {}

    def may_apply(self, module: ParsedModule) -> bool:
        """Whether a module calls, with what may be a function or class, a name that may be a maker of tools."""
        text = module.file.text
        if not text.isascii():
            text = unicodedata.normalize("NFKC", text)
        imported = dict[str, list[SymbolImport | ModuleImport]]()
        for binding in _imports(module, text):
            imported.setdefault(binding.name, []).append(binding)
        if not imported and not module.scope.stars:
            return False
        given = {*module.scope.bindings, *imported, *_DEFINED.findall(text)}
        called = {found[1] for found in _CALL.finditer(text) if found[2] in given}
        if any(found[1] in given for found in _CALLED_AGAIN.finditer(text)):
            called.update(imported)
        return any(
            self._leads(binding, module) for name in called for binding in imported.get(name, module.scope.stars)
        )

    def _leads(self, binding: Binding, module: ParsedModule) -> bool:
        """Whether what a binding gives may be `tool`, a configured decorator, or what a call of one gives."""
        if isinstance(binding, ModuleImport):
            return self._has_maker(binding.target)
        if isinstance(binding, SymbolImport):
            source = absolute_module(binding, module)
            if source is None:
                return False
            if binding.symbol == "*":
                return self._has_maker(source)
            return self._names_maker(source, binding.symbol) or self._has_maker(f"{source}.{binding.symbol}")
        if isinstance(binding, Assignment) and binding.value is not None:
            return any(self._names_maker(module.file.module, name) for name in names_in(binding.value))
        return isinstance(binding, Definition) and id(binding.decl) in self._configured.by_identity

    def _names_maker(self, source: str, name: str) -> bool:
        key = (source, name)
        if key not in self._known:
            self._known[key] = False  # what leads back to itself leads nowhere
            module = self._program.source(source) or self._library(source)
            if module is None:
                self._known[key] = known.known_name(source, name) == _TOOL
            else:
                bindings = module.scope.bindings.get(name) or module.scope.stars
                self._known[key] = any(self._leads(binding, module) for binding in bindings)
        return self._known[key]

    def _library(self, source: str) -> ParsedModule | None:
        """A library's module, which may pass on a maker; None for one of Python's own and for what needs no source."""
        if known.known_module(source) or self._program.finder.is_standard(source):
            return None
        return self._program.module(source)

    def _has_maker(self, source: str) -> bool:
        """Whether a module may have a maker among its names."""
        module = self._program.source(source)
        if module is None:
            library = self._library(source) if source not in known.TOOL_SYSTEM_MODULES else None
            if library is None or not any(each in library.file.text for each in _SYSTEMS):
                return source in known.TOOL_SYSTEM_MODULES
            module = library
        names = [*module.scope.bindings, *(["*"] if module.scope.stars else [])]
        return any(self._names_maker(source, name) for name in names)


def _imports(module: ParsedModule, text: str) -> Iterator[SymbolImport | ModuleImport]:
    """The imports of a module, those in functions too, which are found in its text."""
    for binding in module.scope.members:
        if isinstance(binding, (SymbolImport, ModuleImport)):
            yield binding
    yield from imports_inside(text)
