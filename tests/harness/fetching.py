"""Fetching from servers of the test's on the loopback address, which a policy has to allow."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from lauren_runtime.skills import FetchPolicy, HttpFetchTool
from lauren_runtime.skills.http_fetch import FetchedPage


class Names:
    """A resolver: each name's answers in turn, the last for good. `asked` keeps the names."""

    def __init__(self, answers: Mapping[str, Sequence[Sequence[str]]]) -> None:
        self._answers = {name: list(each) for name, each in answers.items()}
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        answers = self._answers.get(host)
        if answers is None:
            raise OSError(f"no such host: {host}")
        return answers.pop(0) if len(answers) > 1 else answers[0]


def local(**more: Any) -> FetchPolicy:
    """A policy for servers on the loopback address."""
    return FetchPolicy(**{"allow_networks": ["127.0.0.1/32"], "ports": None, **more})


def fetch(url: str, *, policy: FetchPolicy | None = None, names: Names | None = None, **arguments: Any) -> FetchedPage:
    """What the tool gives for a URL."""
    tool = HttpFetchTool(local() if policy is None else policy, resolver=names)
    return asyncio.run(tool.run(url, **arguments))
