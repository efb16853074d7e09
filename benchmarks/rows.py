"""A row of the table: what is measured, against what, and the goal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Setting:
    """Where to measure: `python` is the environment's interpreter, `work` an empty folder, `runs` how often each."""

    python: Path
    work: Path
    tools: int = 2000
    runs: int = 9


@dataclass(frozen=True)
class Row:
    """One ratio. `at_least` says that more is better: how many times a peer costs what we do."""

    name: str
    goal: float
    measure: Callable[[Setting], float]
    at_least: bool = False
    unit: str = "×"


@dataclass(frozen=True)
class Figure:
    """A row with what came out."""

    row: Row
    value: float
    met: bool = field(init=False)

    def __post_init__(self) -> None:
        met = self.value >= self.row.goal if self.row.at_least else self.value <= self.row.goal
        object.__setattr__(self, "met", met)


def table(title: str, figures: list[Figure]) -> str:
    """The figures as a Markdown table."""
    lines = [f"| {title} | goal | measured | |", "|---|---|---|---|"]
    for each in figures:
        sign = "≥" if each.row.at_least else "≤"
        value = f"{each.value:.2f}" if each.value < 100 else f"{each.value:.0f}"
        verdict = "met" if each.met else "not met"
        lines.append(f"| {each.row.name} | {sign} {each.row.goal:g} {each.row.unit} | {value} | {verdict} |")
    return "\n".join(lines) + "\n"
