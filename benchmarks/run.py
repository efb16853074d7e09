"""Measures every row in an environment of its own, prints the tables, and keeps them in docs/performance.md.

python3 build.py bench                 makes the environment, then runs this in it
python -m benchmarks.run [--short] [--runs N] [--only WORD] [--keep FILE]
"""

from __future__ import annotations

import argparse
import platform
import sys
import tempfile
from pathlib import Path

from . import calling, compiling, start_of_providers, starting
from .rows import Figure, Row, Setting, table

PARTS: dict[str, list[Row]] = {
    "compile": compiling.ROWS,
    "start": [*starting.ROWS, *start_of_providers.ROWS],
    "call": calling.ROWS,
}


def main(arguments: list[str] | None = None) -> int:
    """Exit status 0; goals that are not met are said, and fail nothing: they are ratios on whatever machine this is."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--short", action="store_true", help="a small tree, each row once: can it be measured?")
    parser.add_argument("--runs", type=int, default=9, metavar="N", help="how often each is run (default: 9)")
    parser.add_argument("--only", default="", metavar="WORD", help="rows whose name or part has the word")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="replace the tables in a Markdown file")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as work:
        python = Path(sys.executable)
        tools, runs = (20, 1) if options.short else (2000, options.runs)
        setting = Setting(python, Path(work), tools, runs)
        texts = [text for part, rows in PARTS.items() if (text := _measured(part, rows, setting, options.only))]
    if options.keep is not None:
        _keep(options.keep, "\n".join(texts))
    return 0


def _measured(part: str, rows: list[Row], setting: Setting, word: str) -> str:
    chosen = [row for row in rows if word in row.name or word in part]
    figures: list[Figure] = []
    for row in chosen:
        figures.append(Figure(row, row.measure(setting)))
        print(f"{part}: {row.name}: {figures[-1].value:.2f}", flush=True)
    return table(part, figures) if figures else ""


def _keep(file: Path, tables: str) -> None:
    """Put the tables between the file's two marks. Raises ValueError if it has none."""
    start, end = "<!-- tables -->\n", "<!-- end -->\n"
    before, found, rest = file.read_text("utf-8").partition(start)
    _, ended, after = rest.partition(end)
    if not found or not ended:
        raise ValueError(f"{file} has no place for tables")
    machine = f"Python {platform.python_version()}, {platform.system()} on {platform.machine()}.\n\n"
    file.write_text(before + start + machine + tables + end + after, "utf-8")


if __name__ == "__main__":
    sys.exit(main())
