"""Is a folder a whole, unchanged build? Everything in it is read, nothing of it is imported or run."""

from __future__ import annotations

from .folder import Validated, validate

__all__ = ["Validated", "validate"]
