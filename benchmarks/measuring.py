"""CPU time of whole processes, as the system accounts for it.

Machines are shared and slow down and speed up, so A and B always run in turn, and only their ratio is reported.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Used:
    """What a process used: `cpu` seconds of user and system time, its children's included; `peak` memory in MiB."""

    cpu: float
    wall: float
    peak: float


@dataclass(frozen=True)
class Process:
    """A command, and what puts things back before each run of it."""

    command: Sequence[str]
    folder: Path
    variables: Mapping[str, str] = field(default_factory=dict[str, str])
    before: Callable[[], None] = lambda: None

    def run(self) -> Used:
        """Run it once. Raises RuntimeError, with what it printed, if it fails."""
        self.before()
        variables = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
        started = time.perf_counter()
        with subprocess.Popen(
            self.command, cwd=self.folder, env=variables | dict(self.variables), stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True,
        ) as process:  # fmt: skip
            assert process.stdout is not None
            printed = process.stdout.read()
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - started
        if process.returncode:
            raise RuntimeError(f"{' '.join(self.command)} failed:\n{printed[-2000:]}")
        return Used(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024)


def ratio(first: Process, second: Process, runs: int, figure: Callable[[Used], float] = lambda used: used.cpu) -> float:
    """The median of A over the median of B, run in turn; once before without being counted."""
    pairs = [(figure(first.run()), figure(second.run())) for _ in range(runs + 1)][1:]
    return statistics.median(a for a, _ in pairs) / statistics.median(b for _, b in pairs)
