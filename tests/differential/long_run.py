"""Compare many drawn types with pydantic, for as long as one likes.

    python tests/differential/long_run.py --modules 20000 --seed 7

Each module has a few types in its signature and more in its classes. Stops at the first that differs, and prints it as
it was drawn: a smaller one with the same fault is found by `test_types_from_source.py`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from harness.type_modules import Module, modules
from hypothesis import HealthCheck, Phase, given, seed, settings
from test_types_from_source import compare


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--modules", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    compared = 0

    @seed(arguments.seed)
    @settings(
        max_examples=arguments.modules,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(modules())
    def run(module: Module) -> None:
        nonlocal compared
        with tempfile.TemporaryDirectory() as folder:
            try:
                compare(module, Path(folder))
            except BaseException:
                print(module.library, module.source, sep="\n# " + "-" * 70 + "\n")
                raise
        compared += 1

    run()
    print(f"{compared} modules compared: no difference")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
