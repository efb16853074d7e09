"""`LaurenFactory.create(Root)` → `LaurenApp`: checked when it is created, then started, asked and shut down."""

from __future__ import annotations

from ..injection import tokens_of
from .errors import Faults, LifecycleError, LifecycleViolationError
from .graph import Graph
from .resolving import DIContainer
from .tokens import named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from ..table import Table

DESTRUCT_SECONDS = 10.0
"""How long the end of one object may take."""


class LaurenFactory:
    """Makes applications."""

    @staticmethod
    def create(
        root_module: type, *, global_providers: Iterable[Any] | None = None, table: Table | None = None
    ) -> LaurenApp:
        """The application of a root module. `global_providers` are seen by every module. Nothing is constructed yet.

        With the `table` of a build that has the wiring of this root, nothing is read off classes: the build has done
        it, and checked it. Without, or with global providers, which no build knows, all of that is done now.

        Raises BuildMismatchError where the modules, classes and factories are not those that were compiled; and a kind of StartupError: first for the modules and their imports, then, where those are sound, for
        everything else. All errors of one look are found; the first in order of declaration, imports before importers,
        is raised, and its `errors` are all.
        """
        faults = Faults()
        graph = Graph(root_module, faults)
        faults.raise_any()
        given = tokens_of("create(global_providers=)", global_providers or ())
        wiring = None
        wiring = None
        if table is not None and not given:
            from .prepared import prepared

            wiring = prepared(graph, table)
        if wiring is None:
            from .reflected import reflected

            wiring = reflected(graph, _with_table(given, graph, table), faults)
            faults.raise_any()
        return LaurenApp(root_module, DIContainer(wiring, root_module))


def _with_table(given: Sequence[Any], graph: Graph, table: Table | None) -> Sequence[Any]:
    """The global providers, with one of the table for those that ask for it, unless the application has one itself."""
    if table is None:
        return given
    from ..table import Table
    from .declaring import use_value
    from .graph import declared_by

    declared = [*given, *(each for module in graph.modules for each in declared_by(module))]
    if any(getattr(each, "provide", None) is Table for each in declared):
        return given
    return (*given, use_value(provide=Table, value=table))


class LaurenApp:
    """A running application: `startup()`, `resolve(...)`, `shutdown()`; or `async with app:` for all of it."""

    def __init__(self, root_module: type, container: DIContainer) -> None:
        self.root_module = root_module
        self.container = container
        self._state = "new"

    async def startup(self) -> None:
        """Make every singleton, each after those it needs, and call its `@post_construct`.

        Raises LifecycleViolationError when it has been started, and whatever constructors, factories and hooks raise;
        then what had been made has been ended again, and the application may be started anew.
        """
        if self._state != "new":
            raise LifecycleViolationError(f"the application cannot be started: it is {self._state}")
        self._state = "started"
        try:
            await self.container.start()
        except BaseException as error:
            for failure in await self.container.end_all(DESTRUCT_SECONDS):
                error.add_note(f"then {failure}")
            self._state = "new"
            raise

    async def resolve(
        self, token: Any, *, request_cache: dict[Any, Any] | None = None, owning_module: type | None = None
    ) -> Any:
        """As `DIContainer.resolve`."""
        return await self.container.resolve(token, request_cache=request_cache, owning_module=owning_module)

    def request(self) -> RequestObjects:
        """The objects of one request: `async with app.request() as request: await request.resolve(...)`."""
        return RequestObjects(self.container)

    async def shutdown(self, *, timeout: float = DESTRUCT_SECONDS) -> None:
        """End every object after those that hold it: `@pre_destruct`, then teardowns, each within `timeout` seconds.

        Once is enough: again does nothing. Raises an ExceptionGroup of DestructError and DestructTimeoutError when all
        is done, if anything failed.
        """
        if self._state == "shut down":
            return
        self._state = "shut down"
        _report(f"the shutdown of {named(self.root_module)}", await self.container.close(timeout))

    async def __aenter__(self) -> LaurenApp:
        await self.startup()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.shutdown()


class RequestObjects:
    """The objects of scope REQUEST of one request, which end with the block."""

    def __init__(self, container: DIContainer) -> None:
        self._container = container
        self.cache: dict[Any, Any] = {}

    async def resolve(self, token: Any, *, owning_module: type | None = None) -> Any:
        """As `DIContainer.resolve`, with this request's objects."""
        return await self._container.resolve(token, request_cache=self.cache, owning_module=owning_module)

    async def close(self, *, timeout: float = DESTRUCT_SECONDS) -> None:
        """End the request's objects. Raises an ExceptionGroup of what failed, when all is done."""
        _report("the end of a request", await self._container.end_request(self.cache, timeout))

    async def __aenter__(self) -> RequestObjects:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _report(what: str, failures: Sequence[LifecycleError]) -> None:
    if failures:
        raise ExceptionGroup(f"{what} failed", list(failures))
