"""Finds a provider for everything that a provider needs, and checks that it may have it."""

from __future__ import annotations

from ..errors import StartupError
from .bindings import Bindings, circular
from .errors import DIScopeViolationError, Faults
from .lookup import missing, resolved
from .provider import OMITTED, REQUIRED, Dependency, Provider
from .wiring import Constant, Later, Wiring

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .wiring import Source


def checked(bindings: Bindings, faults: Faults) -> Wiring:
    """The wiring of all providers. `faults` collects what nothing provides, and what may not hold what it needs."""
    sources = {
        provider: [_source(bindings, each, provider, faults) for each in provider.dependencies]
        for provider in bindings.providers
    }
    wiring = Wiring(bindings, sources)
    for provider in bindings.providers:
        for needed in wiring.needed_by(provider):
            if needed.scope < provider.scope:
                faults.add(_too_short(provider, needed), provider.place)
    for cycle in wiring.cycles:
        faults.add(circular([provider.name for provider in cycle]), cycle[0].place)
    return wiring


def _source(bindings: Bindings, need: Dependency, provider: Provider, faults: Faults) -> Source:
    try:
        found = None if need.problem else resolved(bindings, need.key, need.collects, provider.module)
    except StartupError as error:
        if need.key not in bindings.broken:
            faults.add(error, provider.place)
        return Constant(OMITTED)
    if found is not None:
        return found if need.deferred is None else Later(found, need.deferred.first)
    if need.default is REQUIRED:
        # What it sees and cannot use has been reported where it is declared.
        if need.problem or not bindings.sees(need.key, provider.module):
            faults.add(missing(bindings, need.key, provider.module, need.where, need.problem), provider.place)
        return Constant(OMITTED)
    return Constant(need.default)


def _too_short(provider: Provider, needed: Provider) -> StartupError:
    return DIScopeViolationError(
        f"{provider.name} has scope {provider.scope.label}, and so cannot hold {needed.name}, whose scope is "
        f"{needed.scope.label}",
        detail={
            "dependent_scope": provider.scope.label,
            "dependency_scope": needed.scope.label,
            "dependent": provider.name,
            "dependency": needed.name,
        },
    )
