"""Removing a folder that code had for its own."""

from __future__ import annotations

import os
import stat
from itertools import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_OWN = 0o700
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


def remove(folder: str) -> None:
    """Remove a folder and all in it, whatever rights it has and however deep it is; what links lead to stays.

    Folders are held open, and what is in them is named from there: where the code has put a link in place of one, or
    does so meanwhile, root is not led astray. Folders inside are first moved to the top, so that nothing recurses.
    Raises OSError.
    """
    if os.path.islink(folder):  # it was moved away, by code that has the rights of whoever runs this
        os.unlink(folder)
        return
    top = _opened(folder, None)
    try:
        _empty(top)
    finally:
        os.close(top)
    os.rmdir(folder)


def _empty(top: int) -> None:
    prefix = os.urandom(8).hex()
    names = (f"{prefix}-{number}" for number in count())
    waiting = _cleared(top, top, names)
    while waiting:
        name = waiting.pop()
        inside = _opened(name, top)
        try:
            waiting += _cleared(inside, top, names)
        finally:
            os.close(inside)
        os.rmdir(name, dir_fd=top)


def _cleared(inside: int, top: int, names: Iterator[str]) -> list[str]:
    """Empty a folder; gives the names at the top that the folders in it have now."""
    with os.scandir(inside) as entries:
        found = list(entries)
    moved: list[str] = []
    for entry in found:
        if entry.is_dir(follow_symlinks=False):
            _open_up(entry.name, inside)  # else it could not be moved
            moved.append(next(names))
            os.rename(entry.name, moved[-1], src_dir_fd=inside, dst_dir_fd=top)
        else:
            os.unlink(entry.name, dir_fd=inside)
    return moved


def _opened(name: str, within: int | None) -> int:
    _open_up(name, within)
    return os.open(name, _FOLDER, dir_fd=within)


def _open_up(name: str, within: int | None) -> None:
    """Let a folder's owner into it. Root needs no leave, and must not give any: a link would pass it on."""
    if os.geteuid() != 0 and stat.S_ISDIR(os.stat(name, dir_fd=within, follow_symlinks=False).st_mode):
        os.chmod(name, _OWN, dir_fd=within)
