"""What a token stands for, as a module sees it."""

from __future__ import annotations

from .bindings import Bindings, ambiguous, module_name
from .errors import MissingProviderError
from .provider import Provider
from .tokens import named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..errors import StartupError


def resolved(
    bindings: Bindings, key: Any, collects: Any, module: type | None
) -> Provider | tuple[Provider, ...] | None:
    """What a token stands for in a module's eyes: one provider, or several to be collected; None for nothing.

    Raises ProtocolAmbiguityError for several where one is wanted, and a list of what is not `multi`.
    """
    if collects is True:
        exact = bindings.find(list[key], module)  # pyright: ignore[reportInvalidTypeArguments]
        if len(exact) == 1:
            return exact[0]
    # A list is of what was registered for it: what only looks like the protocol was not meant to be in it.
    found = bindings.find(key, module, structural=collects is not True)
    all_multi = bool(found) and all(provider.multi for provider in found)
    if found and (collects is True or (collects == "multi" and all_multi)):
        if all_multi:
            return tuple(found)
        raise ambiguous(key, found, "a list takes providers with multi=True")
    if len(found) > 1:
        advice = f"ask for list[{named(key)}]" if all_multi else f"provide one of them as {named(key)}"
        raise ambiguous(key, found, advice)
    return found[0] if found else None


def missing(bindings: Bindings, key: Any, module: type | None, needed_by: str = "", problem: str = "") -> StartupError:
    """The error for a token that stands for nothing in a module's eyes."""
    from ..table import Table

    known = bindings.is_known(key) and bindings.knows(module)
    visible = f" visible from {module_name(module)}: declare it there, or import a module that exports it"
    message = f"no provider for {named(key)}{visible if known else ''}"
    detail = {"token": named(key), "module": module_name(module)}
    if key is Table and not known:
        message += ": declare it, or write LaurenFactory.create(..., table=TABLE)"
    if needed_by:
        message += f"; needed by {needed_by}"
        detail["needed_by"] = needed_by
    return MissingProviderError(f"{message}; {problem}" if problem else message, detail=detail)
