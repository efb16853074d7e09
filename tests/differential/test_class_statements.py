"""Classes that Python or pydantic refuses to make are errors, those that they make are none: asked of Python itself."""

from __future__ import annotations

import sys
import types
from pathlib import Path

import pytest
from harness.compiling import compile_source

SETUP = """
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar
from pydantic import BaseModel
from typing_extensions import TypedDict, TypeVarTuple, Unpack
from lauren_runtime import tool
T = TypeVar("T")
U = TypeVar("U")
Ts = TypeVarTuple("Ts")
Pair = tuple[int, str]
@dataclass
class K(Generic[T]):
    k: T
@dataclass
class Several(Generic[T, Unpack[Ts]]):
    several: T
"""
TOOL = """
@tool()
def f(p: "A") -> None:
    'Does it.'
"""

# Each gives a class the name `A`; a line of dashes ends one.
CASES = """
@dataclass
class A(Generic[T, T]):
    x: T
# ---
@dataclass
class A(Generic[int]):
    x: int
# ---
@dataclass
class A(Generic):
    x: int
# ---
@dataclass
class A(Generic[T], Generic[U]):
    x: T
# ---
@dataclass
class A(Generic[T, U]):
    x: T
# ---
@dataclass
class A(K[int, str]):
    x: int
# ---
@dataclass
class A(K[int]):
    x: int
# ---
@dataclass
class A(K):
    x: int
# ---
@dataclass
class A(K[U], Generic[T]):
    x: T
# ---
@dataclass
class A(K[U], Generic[U, T]):
    x: T
# ---
@dataclass
class A(K["U"], Generic[T]):
    x: T
# ---
@dataclass
class A(Several[int]):
    x: int
# ---
@dataclass
class A(Several[Unpack[Pair]]):
    x: int
# ---
class P: pass
@dataclass
class A(P[int]):
    x: int
# ---
class P(list): pass
@dataclass
class A(P[int]):
    x: int
# ---
class P:
    def __class_getitem__(cls, item): return cls
@dataclass
class A(P[int]):
    x: int
# ---
class P(BaseModel): pass
class A(P[int]):
    x: int
# ---
class P(BaseModel, Generic[T]):
    y: T
class A(P[int, str]):
    x: int
# ---
class P(BaseModel, Generic[T]):
    y: T
class A(P[U], Generic[T, U]):
    x: T
# ---
class P(TypedDict): y: int
class A(P[int]):
    x: int
# ---
class P(TypedDict, Generic[T]): y: T
class A(P[int, str]):
    x: int
# ---
@dataclass
class A:
    __slots__ = ("x",)
    x: int = 3
# ---
@dataclass
class A:
    __slots__ = ("x",)
    x: int
# ---
@dataclass
class A:
    __slots__ = "f"
    x: int
    def f(self): pass
# ---
@dataclass
class A:
    __slots__ = {"x": "The x.", "__dict__": ""}
    x: int
# ---
@dataclass(slots=True)
class A:
    __slots__ = ("x",)
    x: int
# ---
@dataclass(slots=True)
class A:
    x: int = 3
# ---
class A(BaseModel):
    __slots__ = ("y",)
    x: int = 3
# ---
class A(NamedTuple):
    __slots__ = ()
    x: int
# ---
class A(NamedTuple):
    x: int
    def _replace(self): pass
# ---
class A(NamedTuple):
    x: int
    def replace(self): pass
# ---
class P(NamedTuple):
    x: int
class A(P):
    __slots__ = ("y",)
# ---
class P(NamedTuple):
    x: int
class A(P):
    __slots__ = ()
"""


@pytest.mark.parametrize("case", CASES.split("# ---"), ids=lambda case: " ".join(case.split())[:60])
def test_a_class_statement(case: str, tmp_path: Path) -> None:
    source = f"{SETUP}\n{case.strip()}\n{TOOL}"
    build = compile_source(source, tmp_path)
    assert set(build.errors) == (set() if makes(source) else {"LC309"}), build.messages


def makes(source: str) -> bool:
    """Whether Python runs the module."""
    module = types.ModuleType("statements")
    sys.modules[module.__name__] = module
    try:
        exec(compile(source, "statements", "exec", dont_inherit=True), vars(module))
    except (TypeError, ValueError, AttributeError):
        return False
    finally:
        del sys.modules[module.__name__]
    return True
