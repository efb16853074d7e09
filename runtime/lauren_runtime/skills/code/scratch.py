"""What one run has for its own: a folder, and, where the program is root's, a user."""

from __future__ import annotations

import asyncio
import os
import secrets
import tempfile
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from logging import getLogger
from threading import Lock
from typing import NamedTuple

from ...sandbox.removing import remove

LOG = getLogger("lauren_runtime")
_PASSING_USERS = range(61184, 65520)
"""Users that systemd, too, makes for one service and forgets (systemd.exec(5), DynamicUser)."""
_ENTERED = 0o711
_NAME = "main.py"


class Scratch(NamedTuple):
    """The folder `path`, which stays the program's own; `user` is who the code becomes, None if nobody else.

    Whoever owns a folder can put another, or a link, in its place where they may write beside it. So code that works
    in it has `inside`, one further down.
    """

    path: str
    user: int | None

    @property
    def root(self) -> str:
        """An empty folder, where a sandbox makes its file system."""
        return os.path.join(self.path, "root")

    @property
    def inside(self) -> str:
        """What the code works in where it has no file system of its own."""
        return os.path.join(self.path, "inside")

    @property
    def program(self) -> str:
        """The code."""
        return os.path.join(self.inside, _NAME)


@asynccontextmanager
async def scratch(code: bytes, *, is_open: bool) -> AsyncGenerator[Scratch]:
    """One for a run of this code, gone afterwards; `is_open`: the code works in the folder itself.

    Raises OSError if it can't be made.
    """
    with _passing_user() as user:
        made = Scratch(tempfile.mkdtemp(prefix="lauren-code-"), user)
        try:
            _fill(made, code, is_open)
            yield made
        finally:
            await asyncio.to_thread(_clear, made.path)


def _fill(made: Scratch, code: bytes, is_open: bool) -> None:
    os.mkdir(made.root)
    os.mkdir(made.inside, 0o700)
    with open(made.program, "wb") as file:
        file.write(code)
    if is_open and made.user is not None:
        for path in (made.program, made.inside):  # from within: what is the code's own already, it could replace
            os.chown(path, made.user, made.user, follow_symlinks=False)
        os.chmod(made.path, _ENTERED)


def _clear(folder: str) -> None:
    try:
        remove(folder)
    except FileNotFoundError:  # the launcher has done it, if nothing held it up
        LOG.debug("the folder %s was removed already", folder)
    except OSError:  # what the code gave is no worse for it
        LOG.warning("the folder %s, in which code ran, could not be removed", folder, exc_info=True)


_taken: set[int] = set()
_taking = Lock()


@contextmanager
def _passing_user() -> Generator[int | None]:
    """Whom code becomes where the program is root's: nobody that another run of this program is at the time."""
    if os.geteuid() != 0:
        yield None
        return
    with _taking:
        user = secrets.choice([each for each in _PASSING_USERS if each not in _taken])
        _taken.add(user)
    try:
        yield user
    finally:
        _taken.discard(user)
