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
from collections.abc import Sequence
from typing import Any


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
    return parser


def _roots(build: str, roots: Sequence[str]) -> list[str]:
    """Where tool modules are looked for: the roots named, else the working directory, the build's own folder, and
    `src` in each, where module names may count from."""
    if roots:
        return [os.path.abspath(root) for root in roots]
    folders = dict.fromkeys((os.getcwd(), os.path.dirname(os.path.abspath(build))))
    return [path for folder in folders for path in (folder, os.path.join(folder, "src")) if os.path.isdir(path)]


def _call(options: argparse.Namespace) -> int:
    from . import ToolCall, ToolExecutor, ToolPendingApprovalSignal
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
    executor = ToolExecutor(table)
    call = ToolCall("call", options.tool, text)
    try:
        result = asyncio.run((executor.execute_approved if options.approve else executor.execute)(call))
    except ToolPendingApprovalSignal as signal:
        return _fail(f"tool {signal.tool_name!r} was not run, it asks for approval: --approve gives it", 1)
    if result.is_error:
        return _fail(_text(result.content) + _cause(result.exception, table[options.tool].module), 1)
    print(_text(result.content))
    return 0


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


def _fail(message: str, status: int) -> int:
    print(message, file=sys.stderr)
    return status


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.exit(main())
