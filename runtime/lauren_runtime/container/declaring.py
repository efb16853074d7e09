"""What users write: `@module()`, the custom providers, and the hooks of an object's life."""

from __future__ import annotations

from ..errors import DecoratorUsageError
from ..injection import Scope, check_scope, tokens_of
from ..marks import MODULE_META, POST_CONSTRUCT_META, PRE_DESTRUCT_META, mark
from .tokens import InjectMarker, OptionalDep, check_token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Literal, Never, TypeVar

    _T = TypeVar("_T")
    _F = TypeVar("_F", bound=Callable[..., Any])


class ModuleMeta:
    """The options of one `@module(...)`."""

    __slots__ = ("controllers", "exports", "imports", "providers")

    def __init__(
        self,
        providers: tuple[Any, ...],
        exports: tuple[Any, ...],
        imports: tuple[Any, ...],
        controllers: tuple[Any, ...],
    ) -> None:
        self.providers = providers
        self.exports = exports
        self.imports = imports
        self.controllers = controllers


def module(
    *args: Never,
    controllers: Iterable[Any] | None = None,
    providers: Iterable[Any] | None = None,
    imports: Iterable[Any] | None = None,
    exports: Iterable[Any] | None = None,
) -> Callable[[type[_T]], type[_T]]:
    """Make a class a module: it declares `providers` and `controllers`, sees what its `imports` export, and `exports`
    tokens to those that import it.

    Raises DecoratorUsageError for the bare form, positional arguments, options that are no lists, and what is no class.
    """
    if args:
        raise DecoratorUsageError("write @module() with parentheses, and its options as keywords")
    given = {"providers": providers, "exports": exports, "imports": imports, "controllers": controllers}
    lists = {name: tokens_of(f"@module({name}=)", value or ()) for name, value in given.items()}

    def decorate(target: type[_T]) -> type[_T]:
        if not isinstance(target, type):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise DecoratorUsageError(f"@module() makes a class a module, not {target!r}")
        mark("module", target, MODULE_META, ModuleMeta(**lists))
        return target

    return decorate


class CustomProvider:
    """What `use_value`, `use_class`, `use_factory` and `use_existing` give: for a module's `providers` only.

    `target` is the value, the class, the factory, or the token that is another name.
    """

    __slots__ = ("injects", "kind", "multi", "provide", "scope", "target")

    def __init__(
        self,
        kind: Literal["value", "class", "factory", "existing"],
        provide: Any,
        target: Any,
        scope: Scope = Scope.SINGLETON,
        multi: bool = False,
        injects: tuple[Any, ...] = (),
    ) -> None:
        check_token(f"use_{kind}(provide=)", provide)
        check_scope(f"use_{kind}(scope=)", scope)
        self.kind = kind
        self.provide = provide
        self.target = target
        self.scope = scope
        self.multi = multi
        self.injects = injects

    def __repr__(self) -> str:
        return f"use_{self.kind}(provide={self.provide!r})"


def use_value(*, provide: Any, value: Any, multi: bool = False) -> CustomProvider:
    """Provide an object that is there already. Raises DecoratorUsageError for a token that cannot be one."""
    return CustomProvider("value", provide, value, multi=multi)


def use_class(*, provide: Any, use: type, scope: Scope = Scope.SINGLETON, multi: bool = False) -> CustomProvider:
    """Provide objects of `use`, which needs no `@injectable()`. Raises DecoratorUsageError for what is no class."""
    if not isinstance(use, type):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise DecoratorUsageError(f"use_class(use=) takes a class, not {use!r}")
    return CustomProvider("class", provide, use, scope, multi)


def use_factory(
    *,
    provide: Any,
    factory: Callable[..., Any],
    injects: Iterable[Any] = (),
    scope: Scope = Scope.SINGLETON,
    multi: bool = False,
) -> CustomProvider:
    """Provide what a callable gives, called with the objects for `injects` by position; sync, async or a generator.

    Raises DecoratorUsageError for what cannot be called, and tokens that cannot be any.
    """
    if not callable(factory):
        raise DecoratorUsageError(f"use_factory(factory=) takes a callable, not {factory!r}")
    tokens = tokens_of("use_factory(injects=)", injects)
    for each in tokens:
        check_token("use_factory(injects=)", each.token if isinstance(each, (OptionalDep, InjectMarker)) else each)
    return CustomProvider("factory", provide, factory, scope, multi, tokens)


def use_existing(*, provide: Any, existing: Any) -> CustomProvider:
    """Provide under one more token what `existing` stands for. Raises DecoratorUsageError for an alias of itself."""
    check_token("use_existing(existing=)", existing)
    if provide == existing:
        raise DecoratorUsageError(f"use_existing() makes {existing!r} another name of itself")
    return CustomProvider("existing", provide, existing)


def post_construct(method: _F) -> _F:
    """Call this method, sync or async, when the object has been built and its attributes set."""
    mark("post_construct", method, POST_CONSTRUCT_META, True)
    return method


def pre_destruct(method: _F) -> _F:
    """Call this method, sync or async, before the object goes: at shutdown, or at the end of its request.

    Sync ones run in a thread. Objects of scope TRANSIENT have no end that anybody knows of.
    """
    mark("pre_destruct", method, PRE_DESTRUCT_META, True)
    return method
