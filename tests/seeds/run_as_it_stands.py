"""Run a text under `lauren_runtime.standin`, as a notebook does: `await` may stand outside of functions.

python run_as_it_stands.py FOLDER       # runs FOLDER/program.txt; what it imports besides is looked for in FOLDER
"""

import ast
import asyncio
import inspect
import sys
from pathlib import Path
from types import ModuleType

import lauren_runtime.standin

folder = Path(sys.argv[1])
sys.path.insert(0, str(folder))
lauren_runtime.standin.install()
module = ModuleType("program")
sys.modules["program"] = module
code = compile(
    (folder / "program.txt").read_text("utf-8"),
    "program.txt",
    "exec",
    ast.PyCF_ALLOW_TOP_LEVEL_AWAIT,
    dont_inherit=True,
)
given = eval(code, vars(module))
if inspect.iscoroutine(given):
    asyncio.run(given)
print(*sorted(name for name in vars(module) if not name.startswith("__")))
