"""Every test of the runtime leaves the path as it found it."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _same_path() -> Iterator[None]:
    before = list(sys.path)
    yield
    sys.path[:] = before
