"""Removing a folder that code had for its own."""

from __future__ import annotations

import os

_OWN = 0o700


def remove(folder: str) -> None:
    """Remove a folder and all in it, whatever rights it has and however deep it is; what links lead to stays.

    Folders inside are first moved to the top, so that no path grows too long and nothing recurses. Raises OSError.
    """
    prefix, moved = os.urandom(8).hex(), 0
    os.chmod(folder, _OWN)
    waiting = [folder]
    while waiting:
        inside = waiting.pop()
        with os.scandir(inside) as entries:
            found = list(entries)
        for entry in found:
            if not entry.is_dir(follow_symlinks=False):
                os.unlink(entry.path)
                continue
            os.chmod(entry.path, _OWN)
            place = os.path.join(folder, f"{prefix}-{moved}")
            moved += 1
            os.rename(entry.path, place)
            waiting.append(place)
        if inside != folder:
            os.rmdir(inside)
    os.rmdir(folder)
