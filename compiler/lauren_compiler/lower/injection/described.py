"""What stands in a module, as the runtime's container/described.py writes it: how a loaded item is held against it."""

from __future__ import annotations

from ...ir.graph import Token


def described(token: Token) -> str | None:
    """A class or function in a list: `class shop.tools:Buy`."""
    return f"{token.kind} {token.name}" if token.kind in ("class", "function") else None


def described_token(token: Token) -> str | None:
    """A token; None for one whose text can't be told from the source."""
    if token.kind in ("class", "function"):
        return token.name
    if token.kind in ("text", "token"):
        return token.shown
    if token.kind == "list" and token.element is not None:
        element = described_token(token.element)
        return None if element is None else f"list[{element}]"
    if token.kind == "value":
        return token.shown if token.name.lstrip("-").isdigit() or token.name == "None" else None
    builtin = token.kind == "known" and token.name.startswith("builtins.")
    return token.name.replace(".", ":") if builtin else None
