"""What a name means, statement by statement: each case is what Python itself would find under the name."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from lauren_compiler.config import Config
from lauren_compiler.ir.pprint import type_text
from lauren_compiler.pipeline import run
from lauren_compiler.source.filesystem import Memory

ROOT = Path("/project")
TOOL = "from lauren_runtime import tool\n{}\n@tool()\ndef use(x: {}) -> str:\n    'Use.'\n    return ''\n"


def meaning(before: str, annotation: str = "X", **files: str) -> str:
    """The type of an annotation behind some statements, or the code of the error; `files` are by path without `.py`."""
    texts = {f"{name}.py": text for name, text in files.items()}
    texts["tools.py"] = TOOL.format(before, annotation)
    memory = Memory({str(ROOT / name): text.encode() for name, text in texts.items()})
    outcome = run(Config(sources=(ROOT,), roots=(ROOT,), out=ROOT / "out"), memory, ROOT)
    found = [each.rule.code for each in outcome.diagnostics if each.level == "error"]
    return type_text(outcome.toolset.tools[0].parameters[0].type) if not found else " ".join(found)


@pytest.mark.parametrize(
    ("a", "name", "expected"),
    [
        ("__all__ = b.__all__ + ['X']\nX = int", "X", "int"),
        ("__all__ = b.__all__ + ['X']\nfrom b import *\nX = int", "Y", "str"),
        ("__all__ = b.__all__ + ['X']\nX = int\nZ = str", "Z", "LC201"),
        ("__all__ = ['X']\n__all__ += b.__all__\nfrom b import *", "Y", "str"),
        ("__all__ = ['X']\n__all__ = __all__ + ['Z']\nX = Z = int", "X", "int"),
        ("__all__ = []\n__all__.extend(b.__all__)\nfrom b import *", "Y", "str"),
        ("__all__ = []\n__all__.append('_X')\n_X = int", "_X", "int"),
        ("__all__ = []\n__all__.append('Y')\nX = int", "X", "LC201"),
        ("__all__ = ['X', 'Y']\n__all__.remove('X')\nX = int", "X", "LC201"),
        ("__all__ = sorted(list(('X',)))\nX = int\nZ = str", "Z", "LC201"),
        ("__all__ = [*b.__all__, 'X']\nZ = str", "Z", "LC201"),
        ("from b import __all__ as names\n__all__ = names + ['X']\nX = int", "X", "int"),
        ("LISTED = ['X']\n__all__ = LISTED\nX = int\nZ = str", "Z", "LC201"),
        ("__all__ = list_them()\nX = int", "X", "int"),
        ("__all__ = ['X']\n__all__.sort()\nX = int", "X", "int"),
        ("_X = int", "_X", "LC201"),
        ("X = int", "X", "int"),
    ],
)
def test_star_imports_bring_what_all_says(a: str, name: str, expected: str) -> None:
    assert meaning("from a import *", name, a=f"import b\n{a}", b="__all__ = ('Y',)\nY = str") == expected


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("X = str\nfrom a import *", "int"),
        ("from a import *\nX = str", "str"),
        ("from b import *\nfrom a import *", "int"),
        ("from a import *\nfrom b import *", "str"),
        ("from a import *\nfrom a import *", "int"),
        ("X = int\nif cond():\n    from b import *", "LC207"),
        ("X = int\nif cond():\n    from a import *", "int"),
        ("if cond():\n    from a import *\nelse:\n    from b import *", "LC207"),
        ("try:\n    from nope import *\nexcept ImportError:\n    from a import *", "int"),
        ("try:\n    from a import *\nexcept ImportError:\n    from b import *", "int"),
    ],
)
def test_star_imports_bind_in_their_order(before: str, expected: str) -> None:
    assert meaning(before, a="X = int", b="X = str") == expected


def test_a_star_import_brings_submodules_that_all_names() -> None:
    files = {"a/__init__": "__all__ = ['sub']", "a/sub": "X = int"}
    assert meaning("from a import *", "sub.X", **files) == "int"
    assert meaning("from a import *", "sub.X", **{**files, "a/__init__": ""}) == "LC201"


@pytest.mark.parametrize(
    ("before", "annotation", "expected"),
    [
        ("from pkg.a.b import X", "X", "int"),
        ("from pkg import sub", "sub.X", "int"),
        ("from pkg import m", "m.X", "int"),
        ("import pkg\nimport other", "pkg.sub.X", "int"),
        ("import pkg.sub as p", "p.X", "int"),
        ("import pkg.a.b", "pkg.a.b.X", "int"),
        ("from pkg import taken", "taken", "str"),
        ("from .. import X", "X", "LC202"),
        ("from pkg.a.far import X", "X", "LC202"),
        ("from pkg.a import gone", "gone", "LC203"),
    ],
)
def test_packages_and_relative_imports(before: str, annotation: str, expected: str) -> None:
    files = {
        "pkg/__init__": "from . import sub as m\ntaken = str",
        "pkg/taken": "X = int",
        "pkg/sub": "X = int",
        "pkg/a/__init__": "",
        "pkg/a/b": "from ..sub import X",
        "pkg/a/far": "from ....sub import X",
        "other": "import pkg.sub",
    }
    assert meaning(before, annotation, **files) == expected


@pytest.mark.parametrize(
    "test",
    """
    sys.version_info >= (3, 8)
    sys.version_info[:2] >= (3, 8)
    sys.version_info[0:2] >= (3, 8)
    sys.version_info[:2] in [(3, 11), (3, 12), (3, 13), (3, 14)]
    sys.version_info[0] == 3
    sys.version_info[0] > 2
    sys.version_info[1] >= 8
    sys.version_info.major >= 3 and sys.version_info.minor >= 8
    (3, 8) <= sys.version_info
    (3, 8) <= sys.version_info < (4,)
    sys.version_info >= (3,)
    not sys.version_info < (3, 8)
    sys.version_info != (2, 7)
    PY3
    V >= (3, 8)
    V > ({0}, {1})
    V != ({0}, {1})
    V >= ({0}, {1})
    sys.platform != "win32"
    sys.platform.startswith("linux")
    sys.platform in ("linux", "darwin")
    sys.platform not in {"win32", "cygwin"}
    os.name == "posix"
    typing.TYPE_CHECKING
    1 == 1.0
    __name__ != "__main__"
    None is None
    """.strip().splitlines(),
)
def test_tests_of_version_and_platform_are_decided(test: str) -> None:
    before = "import os, sys, typing\nfrom sys import version_info as V\nPY3 = sys.version_info[0] == 3\n"
    test = test.strip().replace("{0}", "3").replace("{1}", str(sys.version_info[1]))
    assert meaning(f"{before}if {test}:\n    X = int\nelse:\n    X = str") == "int"
    assert meaning(f"{before}X = int if {test} else str") == "int"


@pytest.mark.parametrize(
    "test",
    [
        "platform.system() == 'Linux'",
        "sys.version_info.releaselevel == 'final'",
        "sys.version_info == sys.version_info[:3]",
        "sys.version_info >= (3, {minor}, 4)",
        "sys.maxsize > 2**32",
        "os.environ",
        "__debug__",
        "CHANGES",
    ],
)
def test_other_tests_are_not_guessed(test: str) -> None:
    test = test.format(minor=sys.version_info[1])
    before = "import os, sys, platform\nCHANGES = True\nCHANGES = not CHANGES\n"
    assert meaning(f"{before}if {test}:\n    X = int\nelse:\n    X = str") == "LC207"


@pytest.mark.parametrize(
    ("before", "annotation", "expected"),
    [
        ("try:\n    import nope\nexcept ImportError:\n    X = str\nelse:\n    X = int", "X", "str"),
        ("try:\n    import a\nexcept ImportError:\n    X = str\nelse:\n    X = int", "X", "int"),
        ("try:\n    from nope import X\nexcept ModuleNotFoundError:\n    X = str", "X", "str"),
        ("X = str\nwith contextlib.suppress(ImportError):\n    from nope import X", "X", "str"),
        ("with suppress(ImportError):\n    from a import X", "X", "int"),
        ("match sys.platform:\n    case 'linux':\n        X = int\n    case _:\n        X = str", "X", "LC207"),
        ("match 5:\n    case X:\n        pass", "X", "LC207"),
        ("match {}:\n    case {**X}:\n        pass", "X", "LC207"),
        ("match f():\n    case 1:\n        X = int\n    case _:\n        X = int", "X", "int"),
        ("class A:\n    X = int", "A.X", "int"),
        ("class B:\n    X = int\nclass A(B): ...", "A.X", "int"),
        ("class A:\n    class B:\n        X = int", "'A.B.X'", "int"),
        ("from dyn import X", "X", "LC207"),
        ("from written import X", "X", "LC207"),
        ("X = int\ndel X", "X", "LC201"),
        ("X = int\ndel X\nX = str", "X", "str"),
        ("int = str", "int", "str"),
        ("from a import X as int", "list[int]", "list[int]"),
        ("str = int", "'str'", "int"),
        ("print(X := int)", "X", "int"),
        ("if (X := int):\n    pass", "X", "int"),
        ("f() and (X := int)", "X", "LC207"),
        ("[X := int for _ in '1']", "X", "LC207"),
        ("lambda: (X := int)", "X", "LC201"),
        ("for X in [int]: ...", "X", "LC207"),
        ("with f() as X: ...", "X", "LC207"),
        ("try:\n    f()\nexcept Exception as X: ...", "X", "LC207"),
        ("def g():\n    global X\n    X = int", "X", "LC207"),
        ("X, Y = int, str", "Y", "str"),
        ("[X, (Y, Z)] = [int, (str, bool)]", "Z", "bool"),
        ("X, *Y = int, str", "X", "LC207"),
        ("X = Y = int", "Y", "int"),
        ("X = int\nX |= str", "X", "LC207"),
        ("X: type", "X", "LC201"),
        ("while True:\n    X = int\n    break", "X", "int"),
        ("if 0:\n    X = str\nelse:\n    X = int", "X", "int"),
    ],
)
def test_statements_that_bind(before: str, annotation: str, expected: str) -> None:
    start = "import contextlib, sys\nfrom contextlib import suppress\ndef f(): ...\n"
    files = {"a": "X = int", "dyn": "def __getattr__(name): ...", "written": "globals()['X'] = int"}
    assert meaning(start + before, annotation, **files) == expected
