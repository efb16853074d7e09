"""Runs a program written for lauren-ai: python -m lauren_runtime.standin [--build FOLDER] PROGRAM [ARGUMENT ...]

FOLDER is what `lauren-compile build` wrote, `lauren_build` beside the program if not said.
"""

from __future__ import annotations

import ast
import sys
from argparse import REMAINDER, ArgumentParser
from pathlib import Path
from types import ModuleType

from ..errors import LaurenToolError
from ..loading import load_build
from . import install


def main(arguments: list[str] | None = None) -> None:
    """Run a program as `python program.py` does. Exits with 2 if there is no such program or build."""
    parser = ArgumentParser(prog="python -m lauren_runtime.standin", description="Run a program written for lauren-ai.")
    parser.add_argument("--build", type=Path, help="the folder that lauren-compile wrote (default: beside the program)")
    parser.add_argument("program", type=Path, metavar="PROGRAM", help="its file")
    parser.add_argument("arguments", nargs=REMAINDER, metavar="ARGUMENT", help="what the program is given")
    given = parser.parse_args(arguments)
    try:
        source = given.program.read_bytes()
    except OSError as error:
        parser.error(f"{given.program} can't be read: {error.strerror}")
    try:
        table = load_build(str(given.build or given.program.parent / "lauren_build"))
        install(table)
    except (OSError, LaurenToolError) as error:
        parser.error(str(error))
    sys.argv = [str(given.program), *given.arguments]
    sys.path.insert(0, str(given.program.resolve().parent))
    run(source, given.program)


def run(source: bytes, path: Path) -> None:
    """Run a file as a program, under the name of its module: by that name the build knows its tools and agents, and
    what they import finds them. What stands under `if __name__ == "__main__"` is run."""
    module = ModuleType(path.stem)
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    tree = _AsProgram().visit(ast.parse(source, str(path)))
    exec(compile(tree, str(path), "exec", dont_inherit=True), vars(module))


class _AsProgram(ast.NodeTransformer):
    """Makes `__name__ == "__main__"` true."""

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        if ast.unparse(node) in ("__name__ == '__main__'", "'__main__' == __name__"):
            return ast.copy_location(ast.Constant(True), node)
        return node


if __name__ == "__main__":
    main()
