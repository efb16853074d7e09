"""A folder in memory, where there is one: stores that write thousands of times wait for no disk.

That what is written outlasts a loss of power is the disk's part, which no test here could show.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_MEMORY = "/dev/shm"


@contextmanager
def quick_folder() -> Iterator[Path]:
    """A new folder, removed at the end."""
    where = _MEMORY if os.access(_MEMORY, os.W_OK | os.X_OK) else None
    with tempfile.TemporaryDirectory(dir=where) as folder:
        yield Path(folder)
