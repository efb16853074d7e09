"""`python -m tests.corpus`: read libraries as tools, and say what does not resolve; exit status 1 after a crash."""

from __future__ import annotations

import argparse
import sys
import sysconfig
from pathlib import Path

from .gathering import packages
from .reading import Findings, read
from .report import lines


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.corpus", description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, help="folders with packages (default: the standard library)")
    parser.add_argument("--python", type=Path, help="the interpreter whose packages are searched")
    parser.add_argument("--only", default="", help="names of packages, with commas between")
    parser.add_argument("--examples", type=int, default=3, help="how many of each kind")
    parser.add_argument("--kind", default="", help="show only kinds whose text contains this")
    parser.add_argument("--packages", action="store_true", help="one line for each package too")
    given = parser.parse_args()
    total = Findings()
    only = frozenset(filter(None, given.only.split(",")))
    for folder in given.folders or [Path(sysconfig.get_path("stdlib"))]:
        for name, paths in packages(folder.absolute(), only).items():
            found = read(paths, folder.absolute(), given.python)
            total.add(found)
            if given.packages:
                print(f"{name}: {found.resolved} of {found.parameters}, {len(found.crashes)} crashes", file=sys.stderr)
    print("\n".join(lines(total, given.examples, given.kind)))
    return 1 if total.crashes else 0


if __name__ == "__main__":
    sys.exit(main())
