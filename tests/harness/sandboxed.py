"""Runs code with CodeExecutionTool in a process of its own, as root and as another user, in each kind of sandbox.

Also the program of that process: it reads a request as JSON from standard input and prints the results.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

USER = 20_000 + os.getpid() % 40_000
"""Nobody's: it has no processes and no files. Another one in each run, for what a user may have is counted."""
SECRET = "a-secret-of-the-program"
_LEFT_OUT = shutil.ignore_patterns(
    *("test", "tests", "site-packages", "dist-packages", "idlelib", "tkinter", "ensurepip", "config-*")
)


@dataclass(frozen=True)
class Place:
    """Who runs code in what: `user` is None for whoever runs the tests."""

    user: int | None
    kind: str
    python: str
    path: str

    @property
    def is_isolated(self) -> bool:
        return self.kind != "none"

    @property
    def changes_user(self) -> bool:
        """Whether the code becomes another user, as it does under root."""
        return self.user is None and os.geteuid() == 0

    @property
    def temporary(self) -> str:
        """Where its temporary files go, and no others."""
        return os.path.join(os.path.dirname(self.path), "tmp")

    def start(
        self, *codes: str, timeout: float = 20.0, limits: dict[str, Any] | None = None, together: bool = False
    ) -> subprocess.Popen[str]:
        """The process that runs the codes, one after the other, or all at once."""
        request = {"sandbox": self.kind, "runs": codes, "timeout": timeout, "limits": limits or {}}
        request["together"] = together
        user = {} if self.user is None else {"user": self.user, "group": self.user, "extra_groups": []}
        process = subprocess.Popen(
            [self.python, __file__ if self.user is None else os.path.join(self.path, "sandboxed.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd="/",
            env={"PYTHONPATH": self.path, "PATH": os.environ["PATH"], "SECRET": SECRET, "TMPDIR": self.temporary},
            **user,  # type: ignore[call-overload]
        )
        assert process.stdin is not None
        process.stdin.write(json.dumps(request))
        process.stdin.close()
        process.stdin = None
        return process

    def run(
        self, *codes: str, timeout: float = 20.0, limits: dict[str, Any] | None = None, together: bool = False
    ) -> list[dict[str, Any]]:
        """What the tool gave for each code; `{"error": text}` where it raised."""
        process = self.start(*codes, timeout=timeout, limits=limits, together=together)
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        results: list[dict[str, Any]] = json.loads(out)["results"]
        return results


@contextmanager
def copied_python() -> Iterator[Path]:
    """A folder, which anyone may read, with a copy of this Python in `bin/python` and the runtime in `runtime`."""
    import lauren_runtime

    folder = Path(tempfile.mkdtemp(prefix="lauren-python-"))
    try:
        folder.chmod(0o755)
        base, name = Path(sys.base_prefix), f"python{sys.version_info[0]}.{sys.version_info[1]}"
        (folder / "bin").mkdir()
        (folder / "tmp").mkdir()
        (folder / "tmp").chmod(0o1777)
        _copy_program(base / "bin" / name, folder / "bin" / "python", str(base / "lib"))
        shutil.copytree(base / "lib" / name, folder / "lib" / name, ignore=_LEFT_OUT, symlinks=True)
        for library in (base / "lib").glob("libpython*"):
            shutil.copy2(library, folder / "lib")
        ours = Path(lauren_runtime.__file__).parent
        shutil.copytree(ours, folder / "runtime" / "lauren_runtime", ignore=_LEFT_OUT)
        shutil.copy2(__file__, folder / "runtime")
        yield folder
    finally:
        shutil.rmtree(folder)


def _copy_program(program: Path, copy: Path, libraries: str) -> None:
    """Copy an interpreter; one that looks for its library where it was installed looks beside itself instead."""
    where = libraries.encode() + b"\0"
    beside = b"$ORIGIN/../lib".ljust(len(where), b"\0")
    content = program.read_bytes()
    copy.write_bytes(content.replace(b"\0" + where, b"\0" + beside) if len(beside) == len(where) else content)
    copy.chmod(0o755)


def processes_with(text: str) -> list[int]:
    """The processes with a text in their command lines."""
    found: list[int] = []
    for name in os.listdir("/proc"):
        if name.isdecimal() and int(name) != os.getpid():
            try:
                line = Path("/proc", name, "cmdline").read_bytes().replace(b"\0", b" ")
            except OSError:
                continue
            if text.encode() in line:
                found.append(int(name))
    return found


async def _results(request: dict[str, Any]) -> list[dict[str, Any]]:
    from lauren_runtime.skills import CodeExecutionTool, SandboxLimits, SkillError

    tool = CodeExecutionTool(sandbox=request["sandbox"], limits=SandboxLimits(**request["limits"]))

    async def result(code: str) -> dict[str, Any]:
        try:
            return dict(await tool.run(code, request["timeout"]))
        except SkillError as error:
            return {"error": str(error)}

    if request["together"]:
        return await asyncio.gather(*map(result, request["runs"]))
    return [await result(code) for code in request["runs"]]


def main() -> None:
    results = asyncio.run(_results(json.loads(sys.stdin.read())))
    # Not `ru_maxrss`: that begins with the memory of whoever started this process.
    status = Path("/proc/self/status").read_text()
    peak = next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))
    print(json.dumps({"results": results, "memory": int(peak)}))


if __name__ == "__main__":
    main()
