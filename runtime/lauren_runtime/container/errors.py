"""Why an application cannot be built, started or ended.

StartupError (errors.py)
├── DecoratorUsageError (errors.py)
├── MissingProviderError         nothing provides a token, or nothing that the module sees
├── ModuleExportViolation        an export that the module does not have; one token in two modules
├── ModuleImportError            an import that is no module; also a ValueError
├── CircularDependencyError      providers that need each other
├── CircularModuleError          modules that import each other
├── DIScopeViolationError        a dependency that does not live as long as what holds it
├── ProtocolAmbiguityError       several providers where one is needed
├── DuplicateBindingError        one token registered twice
├── UnresolvableParameterError   a parameter that does not say what it needs
└── MetadataInheritanceError     a mark that is only a base class's

LifecycleError
├── LifecycleViolationError      started twice, or used after its end
├── DestructError                what was raised at the end of an object; the cause
└── DestructTimeoutError         the end of an object took too long
"""

from __future__ import annotations

from ..errors import LaurenToolError, StartupError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class MissingProviderError(StartupError):
    """Nothing provides a token, or nothing that the module sees."""

    code = "missing_provider"


class ModuleExportViolation(StartupError):
    """A module exports what it neither declares nor imports, or two modules declare one token."""

    code = "module_export_violation"


class ModuleImportError(StartupError, ValueError):
    """A root or an import that is no module, or a name that tells none or several."""

    code = "module_import"


class CircularDependencyError(StartupError):
    """Providers that need each other; `detail["cycle"]` lists them."""

    code = "circular_dependency"


class CircularModuleError(StartupError):
    """Modules that import each other; `detail["cycle"]` lists them."""

    code = "circular_module"


class DIScopeViolationError(StartupError):
    """A dependency that does not live as long as what holds it."""

    code = "di_scope_violation"


class ProtocolAmbiguityError(StartupError):
    """Several providers where one is needed."""

    code = "protocol_ambiguity"


class DuplicateBindingError(StartupError):
    """One token registered twice."""

    code = "duplicate_binding"


class UnresolvableParameterError(StartupError):
    """A parameter that has neither annotation nor default."""

    code = "unresolvable_parameter"


class MetadataInheritanceError(StartupError):
    """A mark that is only a base class's: a subclass is decorated itself."""

    code = "metadata_inheritance"


class LifecycleError(LaurenToolError):
    """Something went wrong between start and end: `message`, `detail`, `code`."""

    code = "lifecycle_error"

    def __init__(self, message: str = "", *, detail: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.detail: dict[str, Any] = {} if detail is None else detail


class LifecycleViolationError(LifecycleError):
    """An application was started twice, or used after its end."""

    code = "lifecycle_violation"


class DestructError(LifecycleError):
    """An object's `@pre_destruct` or teardown failed; the cause is what it raised."""

    code = "destruct_error"


class DestructTimeoutError(LifecycleError):
    """An object's `@pre_destruct` or teardown took too long."""

    code = "destruct_timeout"


Place = tuple[int, int]
"""Where something is declared: which module, which item of it."""


class Faults:
    """What was found wrong with an application, each with the place where it was declared."""

    def __init__(self) -> None:
        self._found: list[tuple[Place, StartupError]] = []

    def add(self, error: StartupError, place: Place = (0, 0)) -> None:
        """Take an error. Of those of one place the first found comes first."""
        self._found.append((place, error))

    def raise_any(self) -> None:
        """If there are errors, raise the first in order of declaration, which then holds all."""
        errors = [error for _, error in sorted(self._found, key=lambda found: found[0])]
        if not errors:
            return
        first = errors[0]
        first.errors = tuple(errors)
        for other in errors[1:]:
            first.add_note(f"also {type(other).__name__}: {other}")
        raise first
