"""`Provider`: the one form of everything that makes an object, whoever wrote it down.

Reading decorated classes makes them (reading.py). The container knows nothing else.
"""

from __future__ import annotations

from ..injection import Scope
from .tokens import named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal

    from .errors import Place
    from .tokens import Deferred

    Produces = Literal["value", "awaitable", "generator", "async generator"]
    """What calling a factory gives: the object; the object or something to await for it; what yields the object."""

REQUIRED: Any = object()
"""The default of a dependency that has none."""
OMITTED: Any = object()
"""The default of a parameter that is left out of the call, so that the callable's own default holds."""


class Dependency:
    """One thing that a provider needs.

    key: its token. collects: all multi providers of the token, as a list ("multi": only if that is what they are).
    name: the parameter's or the attribute's, None for an argument by position. default: what is passed if nothing
    provides it, OMITTED, or REQUIRED. problem: why `key` is only the text of an annotation that does not resolve.
    deferred: a supplier is passed in place of the object.
    """

    __slots__ = ("collects", "default", "deferred", "key", "name", "problem", "where")

    def __init__(
        self,
        key: Any,
        name: str | None = None,
        *,
        default: Any = REQUIRED,
        collects: bool | Literal["multi"] = False,
        where: str = "",
        problem: str = "",
        deferred: Deferred | None = None,
    ) -> None:
        self.key = key
        self.name = name
        self.deferred = deferred
        self.default = default
        self.collects = collects
        self.where = where
        self.problem = problem

    def __repr__(self) -> str:
        return f"Dependency({self.where or self.name}: {named(self.key)})"


class Provider:
    """What makes an object: `factory`, called with an object for each of `parameters`, then `fields` set on the result.

    key: the token that is its own. provides: further tokens. module: the one that declares it, None for a global one.
    multi: one of several. post_construct, pre_destruct: names of methods of what it makes. place: where it is declared.
    """

    place: Place = (0, 0)

    def __init__(
        self,
        key: Any,
        factory: Callable[..., Any],
        *,
        scope: Scope = Scope.SINGLETON,
        provides: tuple[Any, ...] = (),
        multi: bool = False,
        module: type | None = None,
        produces: Produces = "value",
        parameters: tuple[Dependency, ...] = (),
        fields: tuple[Dependency, ...] = (),
        post_construct: tuple[str, ...] = (),
        pre_destruct: tuple[str, ...] = (),
    ) -> None:
        self.key = key
        self.factory = factory
        self.scope = scope
        self.provides = provides
        self.multi = multi
        self.module = module
        self.produces: Produces = produces
        self.parameters = parameters
        self.fields = fields
        self.post_construct = post_construct
        self.pre_destruct = pre_destruct

    @property
    def name(self) -> str:
        """What messages call it."""
        return named(self.key)

    @property
    def keys(self) -> tuple[Any, ...]:
        """All tokens that it is found by, its own first, each once."""
        return tuple(dict.fromkeys((self.key, *self.provides)))

    @property
    def dependencies(self) -> tuple[Dependency, ...]:
        """All that it needs."""
        return (*self.parameters, *self.fields)

    @property
    def yields(self) -> bool:
        """Whether its factory is a generator, whose rest is the teardown."""
        return self.produces in ("generator", "async generator")

    def __repr__(self) -> str:
        return f"Provider({self.name}, {self.scope.label})"


class Alias:
    """One more token for what another stands for, as the module that declares it sees that other."""

    place: Place = (0, 0)

    def __init__(self, key: Any, target: Any, module: type | None) -> None:
        self.key = key
        self.target = target
        self.module = module

    @property
    def name(self) -> str:
        """What messages call it."""
        return named(self.key)

    def __repr__(self) -> str:
        return f"Alias({self.name} -> {named(self.target)})"


class Unusable:
    """What a module declares, but no provider could be read from: reported, and nothing else is said of it."""

    place: Place = (0, 0)

    def __init__(self, key: Any, module: type | None) -> None:
        self.key = key
        self.module = module

    @property
    def name(self) -> str:
        """What messages call it."""
        return named(self.key)
