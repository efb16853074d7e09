"""The classes that generated decoders load are those of `every_type`, as module `shop`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from harness import every_type
from harness.generated import importable


@pytest.fixture(autouse=True)
def shop() -> Iterator[None]:
    """`import shop` works."""
    with importable("shop", every_type):
        yield
