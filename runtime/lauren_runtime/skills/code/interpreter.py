"""The Python that runs code, and where on the machine it lies."""

from __future__ import annotations

import asyncio
import json
import os
from asyncio.subprocess import DEVNULL, PIPE
from typing import NamedTuple

from ..errors import SandboxError

_QUESTION = """
import json, sys, sysconfig
prefixes = [sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix]
print(json.dumps([*prefixes, sysconfig.get_config_var("LIBDIR")]))
"""
_SECONDS = 20.0
_MOST_LINKS = 40


class Interpreter(NamedTuple):
    """A Python by its path, and all that has to be there for it to run: none lies within another, nor in /usr."""

    path: str
    parts: tuple[str, ...]


async def interpreter(path: str) -> Interpreter:
    """Ask a Python where its parts are. Raises SandboxError for a program that is none."""
    try:
        asked = await asyncio.create_subprocess_exec(
            *(path, "-I", "-c", _QUESTION), stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL, env={}, cwd="/"
        )
    except OSError as error:
        raise SandboxError(f"{path} cannot be started: {error.strerror}") from error
    try:
        answer, _ = await asyncio.wait_for(asked.communicate(), _SECONDS)
        prefixes = [part for part in json.loads(answer) if part]
    except (TimeoutError, ValueError) as error:
        raise SandboxError(f"{path} is no Python that works") from error
    finally:
        if asked.returncode is None:
            asked.kill()
            await asked.wait()
    return Interpreter(path, _outermost([*prefixes, *_links(path)]))


def _links(path: str) -> list[str]:
    """The program, and each link on the way to it."""
    found = [path]
    while os.path.islink(found[-1]) and len(found) < _MOST_LINKS:
        found.append(os.path.normpath(os.path.join(os.path.dirname(found[-1]), os.readlink(found[-1]))))
    return found


def _outermost(paths: list[str]) -> tuple[str, ...]:
    kept: list[str] = ["/usr"]
    for path in sorted(set(paths)):
        if path == "/":
            raise SandboxError("the interpreter is installed in /, so that it can't be shown without the whole machine")
        if not any(path == other or path.startswith(other + "/") for other in kept):
            kept.append(path)
    return tuple(kept[1:])
