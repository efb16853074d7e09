"""Run one tool of a build: `python -m lauren_runtime.command DIR TOOL JSON`; `lauren-compile call` starts it.

The result's content goes to stdout. Exit status: 0; 1 for an error result, whose message goes to stderr, and for a
build that is broken or needs another runtime; 2 for a folder that holds none, or a tool that it hasn't got.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import ToolCall, ToolExecutor, ToolResult
    from .container.application import LaurenApp
    from .table import Entry, Table


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool that `argv` (`sys.argv` if None) names; gives the exit status."""
    options = _parser().parse_args(argv)
    sys.path[:0] = _roots(options.dir, options.root)
    try:
        return _call(options)
    except KeyboardInterrupt:
        return _fail("interrupted", 130)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="lauren-compile call", allow_abbrev=False)
    parser.add_argument("dir")
    parser.add_argument("tool")
    parser.add_argument("json")
    parser.add_argument("--root", action="append", default=[])
    parser.add_argument("--standin", action="store_true")
    parser.add_argument("--approve", action="store_true")
    parser.add_argument("--app")
    return parser


def _roots(build: str, roots: Sequence[str]) -> list[str]:
    """Where tool modules are looked for: the roots named, else the working directory, the build's own folder, and
    `src` in each, where module names may count from."""
    if roots:
        return [os.path.abspath(root) for root in roots]
    folders = dict.fromkeys((os.getcwd(), os.path.dirname(os.path.abspath(build))))
    return [path for folder in folders for path in (folder, os.path.join(folder, "src")) if os.path.isdir(path)]


def _call(options: argparse.Namespace) -> int:
    from . import ToolCall, ToolPendingApprovalSignal
    from .command_application import ApplicationError
    from .errors import BuildMismatchError
    from .loading import load_build

    if options.standin:
        from . import standin

        standin.install()
    try:
        table = load_build(options.dir)
    except OSError as error:
        return _fail(str(error), 2)
    except BuildMismatchError as error:
        return _fail(str(error), 1)
    if options.tool not in table:
        return _fail(_unknown(options.tool, table.names), 2)
    text = sys.stdin.read() if options.json == "-" else options.json
    # The error is told below, once.
    logging.getLogger("lauren_runtime").addHandler(logging.NullHandler())
    try:
        result = asyncio.run(_executed(table, ToolCall("call", options.tool, text), options))
    except ToolPendingApprovalSignal as signal:
        return _fail(f"tool {signal.tool_name!r} was not run, it asks for approval: --approve gives it", 1)
    except ApplicationError as error:
        return _fail(str(error) + ("" if error.__cause__ is None else _raised(error.__cause__)), 1)
    if result.is_error:
        entry = table[options.tool]
        return _fail(_text(result.content) + _cause(result.exception, entry.module) + _hint(result, entry, options), 1)
    return _print(_text(result.content))


async def _executed(table: Table, call: ToolCall, options: argparse.Namespace) -> ToolResult:
    """The result; a class tool that an application of the build has is made as there, and ended with it.

    Raises ToolPendingApprovalSignal, and ApplicationError where the application can't be made, started or ended.
    """
    from . import ToolExecutor
    from .command_application import application_of

    app = application_of(table, table[call.name], options.app)
    if app is None:
        return await _ended(ToolExecutor(table), call, options.approve)
    async with _Started(app):
        return await _ended(ToolExecutor(table, container=app.container), call, options.approve)


async def _ended(executor: ToolExecutor, call: ToolCall, approved: bool) -> ToolResult:
    return await (executor.execute_approved(call) if approved else executor.execute(call))


class _Started:
    """An application for the time of a block. Raises ApplicationError for what its start or its end raise."""

    def __init__(self, app: LaurenApp) -> None:
        self._app = app

    async def __aenter__(self) -> None:
        await self._told(self._app.startup(), "started")

    async def __aexit__(self, *_: object) -> None:
        await self._told(self._app.shutdown(), "shut down")

    async def _told(self, step: Coroutine[Any, Any, None], what: str) -> None:
        from .command_application import ApplicationError

        try:
            await step
        except Exception as error:
            name = self._app.root_module.__qualname__
            raise ApplicationError(f"the application {name} could not be {what}") from error


def _hint(result: ToolResult, entry: Entry, options: argparse.Namespace) -> str:
    from .errors import ToolSetupError

    causes = (result.exception, getattr(result.exception, "__cause__", None))
    if options.app or entry.form != "class" or not any(isinstance(each, ToolSetupError) for each in causes):
        return ""
    return "\nAn application can make it: name its root module with --app MODULE:CLASS."


def _unknown(tool: str, names: Sequence[str]) -> str:
    import difflib

    near = difflib.get_close_matches(tool, names, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(sorted(names)) or 'none'}"
    return f"the build has no tool {tool!r}: {hint}"


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    import json

    return json.dumps(content, indent=2, ensure_ascii=False)


def _cause(error: BaseException | None, module: str) -> str:
    """The traceback of what the tool itself raised, without the frames that led to it."""
    from .errors import LaurenToolError

    cause = error.__cause__ if error is not None else None
    if cause is None or isinstance(cause, LaurenToolError):  # ours says all there is to say
        return ""
    if isinstance(cause, ModuleNotFoundError) and f"{module}.".startswith(f"{cause.name}."):
        return f"\nNo module {cause.name!r} was found: name the folder it lies in with --root."
    if isinstance(cause, ModuleNotFoundError) and cause.name in ("lauren", "lauren_ai"):
        return f"\nNo package {cause.name!r} is installed: --standin runs sources that are written for it without it."
    return _raised(cause)


def _raised(cause: BaseException) -> str:
    """The traceback of what a user's code raised, without the frames that led to it."""
    import importlib
    import traceback

    ours = (os.path.dirname(os.path.abspath(__file__)), os.path.dirname(importlib.__file__), "<frozen importlib")
    trace = own = cause.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.startswith(ours):
            own = trace.tb_next
        trace = trace.tb_next
    lines = traceback.format_exception(type(cause), cause, own, chain=False)
    return "\n" + "".join(lines).rstrip("\n")


def _print(text: str) -> int:
    """The result on stdout; gives the exit status."""
    try:
        print(text, flush=True)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else the interpreter complains at exit too
        if isinstance(error, BrokenPipeError):
            return 2
        return _fail(f"standard output can't be written: {error.strerror}", 2)
    return 0


def _fail(message: str, status: int) -> int:
    print(message, file=sys.stderr)
    return status


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # as in a process that was started without it
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.exit(main())
