"""`@tool()`, `@use_hooks()` and `@set_metadata()`: they record, and return the same object.

All that follows from a signature was derived by the compiler, so decorating costs next to nothing. The attribute names
are lauren-ai's, so that objects decorated by either are read in one way (marks.py).
"""

from __future__ import annotations

from .errors import DecoratorUsageError
from .marks import HOOKS_META, INJECTABLE_META, TOOL_META, TOOL_METADATA, ToolMeta, mark, own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Never, TypeVar

    from .context import ToolCallContext
    from .hooks import ToolHook

    _T = TypeVar("_T")


def tool(
    *args: Never,
    name: str | None = None,
    description: str | None = None,
    requires_confirmation: bool = False,
    pre_hook: Callable[..., Any] | None = None,
    post_hook: Callable[..., Any] | None = None,
    error_hook: Callable[..., Any] | None = None,
    cache_ttl: float | None = None,
    cache_key_fn: Callable[[dict[str, Any]], Any] | None = None,
    confirmation_policy: Callable[[ToolCallContext], Any] | None = None,
    confirmation_policy_error_default: bool = True,
    label: str = "",
    initial_state: Callable[[], Any] | None = None,
    initial_tool_state: Callable[[], Any] | None = None,
    dependency_factory: Callable[[], Any] | None = None,
    timeout: float | None = None,
    input_schema: Mapping[str, Any] | None = None,
    schema: Mapping[str, Any] | None = None,
) -> Callable[[_T], _T]:
    """Mark a function, or a class with a callable `run`, as a tool.

    Takes keywords only, and always parentheses. Names, flags and numbers are read by the compiler and must be static
    there; callables are taken from the decorated object when the tool runs. `input_schema` (or `schema`, the same) is
    the JSON Schema of the arguments, in place of what the annotations say; it too is read by the compiler alone.
    Returns the object it is given, marked.

    Raises DecoratorUsageError for the bare form, positional arguments, a class without a callable `run`, what cannot be
    marked, and an object that is a tool already (a mark inherited from a base class does not count).
    """
    if args:
        _refuse_positional("tool", args)
    meta = ToolMeta(
        name=name,
        description=description,
        requires_confirmation=requires_confirmation,
        pre_hook=pre_hook,
        post_hook=post_hook,
        error_hook=error_hook,
        cache_ttl=cache_ttl,
        cache_key_fn=cache_key_fn,
        confirmation_policy=confirmation_policy,
        confirmation_policy_error_default=confirmation_policy_error_default,
        label=label,
        initial_state=initial_state,
        initial_tool_state=initial_tool_state,
        dependency_factory=dependency_factory,
        timeout=timeout,
    )

    def decorate(target: _T) -> _T:
        if own(target, TOOL_META) is not None:
            raise DecoratorUsageError(f"{_named(target)} is a tool already: one object cannot be two tools")
        _check_kind(target)
        mark("tool", target, TOOL_META, meta)
        return target

    return decorate


def use_hooks(*hooks: type[ToolHook]) -> Callable[[_T], _T]:
    """Attach hook classes to a tool, above or below `@tool()`. Stacked uses add up, the lowest first.

    Raises DecoratorUsageError for anything that is not a subclass of ToolHook.
    """
    from .hooks import ToolHook

    for each in hooks:
        _check_hook(each, ToolHook)

    def decorate(target: _T) -> _T:
        mark("use_hooks", target, HOOKS_META, (*(own(target, HOOKS_META) or ()), *hooks))
        return target

    return decorate


def set_metadata(key: str, value: Any) -> Callable[[_T], _T]:
    """Attach a static value to a tool, above or below `@tool()`; read by `ToolContext.get_metadata`.

    A subclass gets its bases' values; its own do not reach the bases.
    """

    def decorate(target: _T) -> _T:
        mark("set_metadata", target, TOOL_METADATA, {**_metadata(target), key: value})
        return target

    return decorate


def _metadata(target: object) -> dict[str, Any]:
    """What the object has so far; for a class, its bases' values too."""
    if isinstance(target, type):
        return dict(getattr(target, TOOL_METADATA, {}))
    return dict(own(target, TOOL_METADATA) or {})


def _check_hook(given: object, base: type) -> None:
    if not (isinstance(given, type) and issubclass(given, base)):
        raise DecoratorUsageError(f"use_hooks takes subclasses of ToolHook, not {given!r}")


def _check_kind(target: object) -> None:
    if isinstance(target, type):
        _check_class(target)
    elif not callable(target) and not isinstance(target, classmethod):
        raise DecoratorUsageError(f"@tool() marks functions and classes, not {target!r}")


def _check_class(target: type) -> None:
    """A tool class has a `run`, and is a singleton unless it says otherwise."""
    if not callable(getattr(target, "run", None)):
        raise DecoratorUsageError(f"tool class {target.__qualname__} must define a method `run`")
    if own(target, INJECTABLE_META) is None:
        from .injection import injectable

        injectable()(target)


def _refuse_positional(decorator: str, args: tuple[object, ...]) -> None:
    if len(args) == 1 and callable(args[0]):
        raise DecoratorUsageError(
            f"write @{decorator}() with parentheses above {_named(args[0])}, not bare @{decorator}"
        )
    raise DecoratorUsageError(f"{decorator}() takes keyword arguments only, such as {decorator}(name={args[0]!r})")


def _named(target: object) -> str:
    return getattr(target, "__qualname__", None) or repr(target)
