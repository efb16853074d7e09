"""Constants evaluated at build time are what Python makes of the same expression."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lauren_compiler.config import Config
from lauren_compiler.pipeline import Outcome, run
from lauren_compiler.source.filesystem import Disk, Memory

NAMES = '''
"""What the module is about."""

import inspect
import sys
import textwrap
from typing import Any, Final

LIMIT: Final = 10
WORDS = ["red", "green"]
TEXTS = {"short": "One.", "long": "Two.\\nThree.", 3: LIMIT}
PAIR = ("a", 1)
TEXT = "  some text  "


class Settings:
    most = LIMIT * 2
    label = "Label"
'''
TOOL = """
from lauren_runtime import tool

@tool()
def use(x: Any = {}) -> str:
    "Use."
    return ""
"""
ROOT = Path("/project")


def built(expression: str) -> Outcome:
    text = NAMES.strip() + "\n" + TOOL.format(expression)
    memory = Memory({str(ROOT / "tools.py"): text.encode(), **library()})
    return run(Config(sources=(ROOT,), roots=(ROOT,), out=ROOT / "out"), memory, ROOT)


def library() -> dict[str, bytes]:
    """The modules of the standard library that are named."""
    folder = Path(json.__file__).parent.parent
    return {str(folder / name): Disk().read(str(folder / name)) for name in ("textwrap.py", "inspect.py")}


def default(expression: str) -> Any:
    """The default of the tool's parameter; the codes of what was said if there is none."""
    outcome = built(expression)
    (manifest,) = [json.loads(each.content) for each in outcome.artifacts if each.path == "manifest.json"]
    shown = manifest["tools"][0]["input_schema"]["properties"]["x"]
    return shown["default"] if "default" in shown else [each.rule.code for each in outcome.diagnostics]


EXPRESSIONS = """
LIMIT + 1
Settings.most - LIMIT
-LIMIT ** 2
7 // 2 * 1.5
1 << 4 | 3
"a" + "b" * 3
"%s-%03d" % ("a", 7)
"%(a)s" % {"a": 1}
f"{LIMIT} of {Settings.label!r:>10} {3.14159:.2f} {WORDS}"
"{} and {b:>4}".format(1, b="x")
"{1}{0}".format("a", "b")
"{0!r}".format("a")
TEXT.strip().upper()
TEXT.strip().title().replace("e", "3")
TEXT[2:6]
TEXT[-4:]
WORDS[0]
WORDS[1:]
PAIR[-1]
TEXTS["short"]
TEXTS["long"].splitlines()
TEXTS.get("short")
TEXTS.get("gone")
TEXTS.get("gone", "other")
TEXTS[3]
", ".join(WORDS)
"\\n".join(["a", *WORDS, "b"])
[*WORDS, *PAIR]
{**{"a": 1}, "b": 2, "a": 3}
WORDS + ["blue"]
PAIR + (2,)
len(WORDS) + len(TEXT) + len(TEXTS)
max(1, LIMIT, 3)
min([3, 2])
sum([1, 2, 3])
sorted({"b", "a"})
abs(-3)
round(2.567, 1)
str(LIMIT)
int("7") + float("1.5")
bool(WORDS)
repr("a")
chr(65)
"red" in WORDS
"blue" not in WORDS
1 < LIMIT <= 10
LIMIT == 10.0
"" or "other"
WORDS and "some"
"a" if LIMIT > 5 else "b"
"a" if "red" in WORDS and not PAIR == () else "b"
not WORDS
None is None
textwrap.dedent("\\n    a\\n      b\\n")
inspect.cleandoc("a\\n    b\\n")
__doc__
__name__
"a-b-c".split("-")
"a-b-c".rpartition("-")
"é".encode().decode()
"x".center(5, "*")
"7".zfill(3)
"abc".index("c")
"abc".startswith(("x", "a"))
dict(a=1, b=[2])
list(PAIR)
tuple(WORDS)
frozenset(["a"])
[1, 2].count(1)
[word.title() for word in WORDS if word != "red"]
{word for word in WORDS}
{word: len(word) for word in WORDS}
{key: 1 for key in TEXTS}
"-".join(word[0] for word in WORDS)
"".join(f"{index}{word}" for index, word in enumerate(WORDS))
[left + right for left, right in zip("abc", ["x", "y"])]
", ".join(map(str.upper, WORDS))
"".join(reversed("abc"))
list(reversed(WORDS))
list(range(3, 10, 3))
tuple(word for word in WORDS)
sum(number * number for number in range(LIMIT))
sorted(len(word) for word in WORDS)
max(map(len, WORDS))
any(word == "red" for word in WORDS)
[[inner for inner in range(outer)] for outer in range(3)]
dict(zip(WORDS, "ab"))
dict((word, len(word)) for word in WORDS)
dict([("a", 1), ["b", 2]], c=3)
[first for first, *rest in [(1, 2, 3), (4,)]]
[rest for first, *rest, last in ["abcd", "ef"]]
list(map(lambda word: word * 2, WORDS))
{1: "a", True: "b", 1.0: "c"}
{0.0: 1, -0.0: 2, False: 3}
{True, 1, 1.0}
{(1, "a"), (True, "a")}
{**{1: "a"}, True: "b"}
{key: str(key) for key in [1, True, 0]}
dict([(1, "a"), (True, "b")])
frozenset([0, False, 0.0])
len({0, False, 0.0, -0.0, "0"})
{1: "a"}[True]
{True: "a"}.get(1.0)
""".strip().splitlines()


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_the_value_is_pythons(expression: str) -> None:
    names: dict[str, Any] = {"__name__": "tools"}
    exec(NAMES.strip(), names)
    names["__doc__"] = "What the module is about."
    expected = eval(expression, names)
    plain = sorted(expected) if isinstance(expected, (set, frozenset)) else expected
    assert default(expression) == json.loads(json.dumps(plain))


@pytest.mark.parametrize(
    "expression",
    """
    "a" * 10**9
    "%1000000s" % 1
    "%*d" % (10**9, 1)
    "{:1000000}".format(1)
    "{:{}}".format(1, 10**9)
    "{0.__class__}".format(1)
    "{0[0]}".format(WORDS)
    f"{1:1000000}"
    f"{1:{LIMIT}}"
    "a".center(10**9)
    "a".ljust(10**9)
    ("a" * 10**4).replace("a", "b" * 10**4)
    9 ** 9 ** 9
    1 << 10**9
    [1] * 10**9
    "a".format_map({})
    "a".__class__
    TEXTS["gone"]
    TEXTS.get(TEXTS)
    TEXTS.get([])
    TEXTS.get((1, []))
    WORDS[7]
    "a" + 1
    int("x")
    "a".join(PAIR)
    len(5)
    sorted([1, "a"])
    print("a")
    open("a").read()
    WORDS.append("x")
    [word for word in {"b", "a"}]
    [open(word) for word in WORDS]
    [inner for outer in WORDS for inner in outer]
    [a for a, b in WORDS]
    [x for x in range(10**9)]
    [[x for x in range(999)] for y in range(999)]
    (word for word in WORDS)
    enumerate(WORDS)
    len(word for word in WORDS)
    map(str.upper, WORDS)
    [1 for x in 5]
    sys.argv[0]
    """.strip().splitlines(),
)
def test_what_is_too_large_fails_or_must_be_run_has_no_value(expression: str) -> None:
    assert default(expression.strip()) == ["LC408"]


PARTS = st.recursive(
    st.sampled_from(
        "(1) (2.5) 'a' 'b_c' LIMIT TEXT WORDS[0] True None PAIR TEXTS WORDS".split(),
    ),
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from("+ - * % == < in and or".split()), inner),
        st.builds("{}.{}({})".format, inner, st.sampled_from("strip upper split get join count".split()), inner),
        st.builds("{}[{}]".format, inner, inner),
        st.builds("len({})".format, inner),
        st.builds("({} if {} else {})".format, inner, inner, inner),
    ),
    max_leaves=5,
)


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@settings(max_examples=80, deadline=None)
@given(PARTS)
def test_no_expression_has_another_value_than_pythons(expression: str) -> None:
    names: dict[str, Any] = {}
    exec(NAMES.strip(), names)
    found = default(expression)
    try:
        expected = json.loads(json.dumps(eval(expression, names)))
    except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError):
        assert found == ["LC408"]
        return
    assert found in (expected, ["LC408"])
