"""Modules of agents, drawn as source: classes that inherit from each other, with decorators in any order."""

from __future__ import annotations

from hypothesis import strategies as st

_HEAD = '''
from {module} import agent, tool, use_tools


@tool()
def t0() -> str:
    """T0."""
    return ""


@tool()
def t1() -> str:
    """T1."""
    return ""


@tool()
def t2() -> str:
    """T2."""
    return ""


@tool()
class T3:
    """T3."""

    async def run(self) -> str:
        return ""


SHARED = (t1, T3)
MORE = [t0] + list(SHARED)
DEBUG = False
NONE = None
'''
_NAMED = ("t0", "t1", "t2", "T3", "*SHARED", "*MORE", "None", "NONE")
_ITEMS = (*_NAMED, "t2 if DEBUG else None", "*(() if DEBUG else [t2])")
_MARKS = ("agent()", 'agent(model="m")', 'agent(system="Said.")', 'agent(model=None, system="Both." + str(1))')


def source(module: str, classes: str) -> str:
    """The text of a drawn module, with the decorators of this module."""
    return _HEAD.format(module=module) + classes


@st.composite
def agent_classes(draw: st.DrawFn) -> str:
    """Up to five classes, the first an agent; Python may refuse the order of their bases."""
    text: list[str] = []
    for number in range(draw(st.integers(1, 5))):
        earlier = [f"C{index}" for index in range(number)]
        bases = draw(st.lists(st.sampled_from(earlier), max_size=2, unique=True)) if earlier else []
        decorators = draw(st.lists(_use_tools(), max_size=2))
        if number == 0 or draw(st.integers(0, 3)):
            decorators.insert(draw(st.integers(0, len(decorators))), draw(st.sampled_from(_MARKS)))
        body = draw(st.sampled_from(["...", '"""Documented."""', '"""  """']))
        lines = [f"@{each}" for each in decorators]
        text.append("\n".join([*lines, f"class C{number}({', '.join(bases)}):", f"    {body}"]))
    return "\n\n\n".join(text) + "\n"


def _use_tools() -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(_ITEMS), max_size=3).map(lambda items: f"use_tools({', '.join(items)})")
