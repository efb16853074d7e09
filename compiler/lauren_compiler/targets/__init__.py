"""Providers: what each accepts, and tools written as each wants them."""

from __future__ import annotations

from .base import Target
from .offer import Offers, build
from .registry import DEFAULT_TARGETS, TARGETS

__all__ = ["DEFAULT_TARGETS", "TARGETS", "Offers", "Target", "build"]
