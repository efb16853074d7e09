"""`call` blocks: a line `tool {"its": "arguments"}`, below it the lines of the answer, indented by two spaces.

An answer starts with `->` for a result and `!!` for an error. The calls of a block run one after another in one process
of their own, through one executor, so that nothing of a case stays in the test's process. Such a process is a fork of
one that has loaded what all of them load.
"""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

_SERVER = """
import asyncio, json, os, sys, tempfile, traceback
from lauren_runtime import ToolCall, ToolExecutor
from lauren_runtime.loading import load_build
import lauren_runtime.standin
import pydantic
lauren_runtime.standin.install()

async def calls(folder, requests):
    executor = ToolExecutor(load_build(folder + "/lauren_build"))
    for line in requests:
        name, _, text = line.partition(" ")
        result = await executor.execute(ToolCall("call", name, text))
        yield [result.is_error, result.content if isinstance(result.content, str) else json.dumps(result.content)]

async def answer(folder, requests, file):
    json.dump([each async for each in calls(folder, requests)], file)

def child(folder, requests, answers, printed):
    for stream, place in ((open(os.devnull), 0), (printed, 1), (printed, 2)):
        os.dup2(stream.fileno(), place)
    os.chdir(folder)
    sys.path.insert(0, folder)
    status = 1
    try:
        asyncio.run(answer(folder, requests, answers))
        status = 0
    except BaseException:
        traceback.print_exc()
    for stream in (answers, sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status)

for line in sys.stdin:
    with tempfile.TemporaryFile("w+") as answers, tempfile.TemporaryFile("w+") as printed:
        process = os.fork() or child(*json.loads(line), answers, printed)
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        answers.seek(0), printed.seek(0)
        found = json.load(answers) if status == 0 else printed.read()
    print(json.dumps([status, found]), flush=True)
"""


@cache
def _server() -> subprocess.Popen[str]:
    command = [sys.executable, "-c", _SERVER]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(server.communicate)
    return server


def answer_calls(lines: Sequence[str], folder: Path) -> list[str]:
    """The block as it should be: every request with its answer below it."""
    requests = [line for line in lines if line.strip() and not line.startswith("  ")]
    server = _server()
    assert server.stdin is not None
    assert server.stdout is not None
    print(json.dumps([str(folder), requests]), file=server.stdin, flush=True)
    status, answers = json.loads(server.stdout.readline())
    if status:
        raise AssertionError(f"the calls ended with {status}:\n{answers}")
    found: list[str] = []
    for request, (is_error, content) in zip(requests, answers, strict=True):
        first, *rest = content.split("\n")
        found += [
            request,
            f"  {'!!' if is_error else '->'} {first}".rstrip(),
            *(f"     {line}".rstrip() for line in rest),
        ]
    return found
