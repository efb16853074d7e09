"""One writer at a time in an output folder.

On POSIX the folder itself is locked, so that no file is left behind, and a killed process gives the lock back. Where a
folder can't be locked (Windows, some network file systems) a build goes on without: files are still replaced whole.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def exclusive(folder: Path) -> Generator[bool]:
    """Waits for other builds into `folder`; gives whether it is locked."""
    if sys.platform == "win32":
        yield False
        return
    import fcntl

    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            locked = True
        except OSError:
            locked = False
        yield locked
    finally:
        os.close(handle)
