"""Processes that are interrupted."""

from __future__ import annotations

import os
import signal
import time

import pytest
from lauren_compiler.units.processes import in_processes


def test_an_interrupt_right_after_a_fork_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    fork, made = os.fork, list[int]()

    def interrupted() -> int:
        made.append(fork())
        if made[-1]:
            os.kill(os.getpid(), signal.SIGINT)
        return made[-1]

    def work() -> bytes:
        time.sleep(600)
        return b""

    monkeypatch.setattr(os, "fork", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            in_processes([work, bytes])
    finally:
        signal.signal(signal.SIGINT, before)
    with pytest.raises(ChildProcessError):
        os.waitpid(made[0], 0)


def test_processes_heed_interrupts() -> None:
    def handler() -> bytes:
        return repr(signal.getsignal(signal.SIGINT)).encode()

    assert in_processes([handler, handler]) == [handler(), handler()]
