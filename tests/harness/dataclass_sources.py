"""Sources of dataclasses that are built otherwise than by their fields alone, and of pydantic's own, for the tests that
compare what becomes of them with pydantic."""

from __future__ import annotations

SETUP = """
import dataclasses
from dataclasses import KW_ONLY, InitVar, dataclass, field, make_dataclass
from typing import Annotated, Any, ClassVar, Final, Optional

import pydantic
from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic.dataclasses import dataclass as checked

from lauren_runtime import tool


@dataclass
class Point:
    x: int
    y: float = 1.0
"""
TOOL = """
@tool()
def f(p: A) -> A:
    'Does it.'
"""

# Each gives its meaning to the name `A`; a line of dashes ends one.
_DATACLASSES = r'''
@dataclass
class A:
    i: InitVar[int]
    x: int = 2
    k: "InitVar[Annotated[int, Field(ge=3, description='K')]]" = 4

    def __post_init__(self, i, k):
        self.x = self.x * 100 + i * 10 + k
# ---
@dataclass
class B:
    i: InitVar[int] = 1
    x: int = 3
    def __post_init__(self, i):
        self.x += i
@dataclass(kw_only=True)
class A(B):
    j: InitVar[list[int]] = (7,)
    y: int = 0
    def __post_init__(self, i, j):
        self.y = i + len(j)
# ---
@dataclass
class A:
    x: int = Field(3, ge=1, description="How many.")
    y: int = field(default=Field(4, le=9, title="Y!"), metadata={"description": "metadata"})
    z: list[int] = Field(default_factory=list, max_length=2)
    w: Annotated[int, Field(default=8)] = field(kw_only=True)
    v: str = Field(description="Needed.")
    u: Annotated[int, Field(default=8)] = 9
    p: Point = Field(default=Point(1))
    a: "A | None" = Field(None)
# ---
@dataclass
class A:
    """Has its own."""
    x: int
    y: list[int] = field(default_factory=list)
    z: int = 3
    def __init__(self, text):
        self.x = int(text)
    def __post_init__(self):
        self.z += 1
# ---
@dataclass(frozen=True)
class B:
    x: int
    def __init__(self, text):
        raise RuntimeError
@dataclass(frozen=True)
class A(B):
    y: int = 1
# ---
@dataclass(init=False, slots=True)
class A:
    x: int
    y: "A | None" = None
# ---
@dataclass
class B:
    x: int = 1
    y: str = "b"
@dataclass
class C:
    z: float = 0.5
    x: int = 2
@dataclass
class A(B, C):
    w: bool = True
    y: ClassVar[int] = 3
# ---
A = make_dataclass("A", [("b", int), ("c", str, "x"), ("d", "list[int]", field(default_factory=list))])
# ---
A = make_dataclass("A", (("b", Annotated[int, Field(ge=1)], Field(3)), ("c", Point)), frozen=True, kw_only=True)
# ---
@checked
class A:
    """Doc."""
    x: int = Field(ge=1, description="How many.")
    y: "list[A]" = Field(default_factory=list)
    z: Optional[Point] = None
    i: InitVar[int] = 3
    _: KW_ONLY
    w: float
    K: ClassVar[int] = 1
    def __post_init__(self, i):
        self.w += i
# ---
@pydantic.dataclasses.dataclass(config=ConfigDict(extra="forbid", title="A title"))
class A:
    x: int
    q: list[int] = field(default_factory=lambda: [3])
# ---
@checked(config={"extra": "allow"}, kw_only=True)
class B:
    x: int = 3
@checked
class A(B):
    y: "B | None" = None
# ---
@checked(config=ConfigDict(str_strip_whitespace=True))
class C:
    t: str
class M(BaseModel):
    c: C
@dataclass
class A:
    m: M
    c: list[C]
'''


def dataclasses() -> list[str]:
    """The sources."""
    return [case.strip() for case in _DATACLASSES.split("# ---")]
