"""What stands in a module, as the text that a build knows it by: the compiler writes the same from source."""

from __future__ import annotations

from types import FunctionType

from .declaring import CustomProvider
from .tokens import InjectMarker, OptionalDep, is_list_form

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def described(item: Any) -> str:
    """An item of a module's `providers`: `class shop.tools:Buy`, `use_value('rate')`."""
    if not isinstance(item, CustomProvider):
        return f"{_kind(item)} {described_token(item)}"
    parts = [described_token(item.provide)]
    if item.kind == "existing":
        parts.append(described_token(item.target))
    elif item.kind != "value":
        parts.append(f"{_kind(item.target)} {described_token(item.target)}")
    parts += [described_token(each) for each in item.injects]
    return f"use_{item.kind}({', '.join(parts)})"


def described_token(token: Any) -> str:
    """A token: `shop.tools:Buy` for a class or function, else as Python would show it."""
    if isinstance(token, (type, FunctionType)) and not is_list_form(token):
        return f"{token.__module__}:{token.__qualname__}"
    if isinstance(token, str):
        return ascii(token)
    if isinstance(token, OptionalDep):
        return f"OptionalDep({described_token(token.token)})"
    if isinstance(token, InjectMarker):
        return f"Inject({described_token(token.token)})"
    if is_list_form(token):
        return f"list[{described_token(token.__args__[0])}]"
    return repr(token)


def _kind(item: Any) -> str:
    return "class" if isinstance(item, type) else "function"
