"""Tools with the shapes of arguments that models send, and arguments for each; the benchmark compiles them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from lauren_runtime import tool


@dataclass
class Item:
    sku: str
    quantity: int
    price: float
    note: str | None = None


@dataclass
class Order:
    id: str
    customer: str
    items: list[Item]


@dataclass
class Cat:
    kind: Literal["cat"]
    name: str
    lives: int


@dataclass
class Dog:
    kind: Literal["dog"]
    name: str
    weight: float


Mode = Literal["asc", "desc", "none"]


@tool()
async def s1(query: str, limit: int = 10) -> str:
    """Two scalars, one with a default."""
    return "ok"


@tool()
async def s2(name: str, count: int, ratio: float, flag: bool, mode: Mode, note: str | None = None) -> str:
    """Six scalars."""
    return "ok"


@tool()
async def s3(order: Order) -> str:
    """Twenty nested dataclasses."""
    return "ok"


@tool()
async def s4(xs: list[int]) -> str:
    """Ten thousand integers."""
    return "ok"


@tool()
async def s5(xs: list[str]) -> str:
    """A thousand strings."""
    return "ok"


@tool()
async def s6(xs: dict[str, float]) -> str:
    """A thousand numbers by name."""
    return "ok"


@tool()
async def s7(pet: Cat | Dog) -> str:
    """One of two dataclasses, told apart by a tag."""
    return "ok"


@tool()
def plain(query: str, limit: int = 10) -> str:
    """`s1` as a function that is not async."""
    return "ok"


ARGUMENTS: dict[str, dict[str, Any]] = {
    "s1": {"query": "unpaid invoices of acme", "limit": 5},
    "s2": {"name": "acme", "count": 3, "ratio": 0.5, "flag": True, "mode": "desc", "note": "hello"},
    "s3": {
        "order": {
            "id": "o-1",
            "customer": "acme",
            "items": [
                {"sku": f"sku-{n}", "quantity": n, "price": n + 0.5, **({"note": f"note {n}"} if n % 2 else {})}
                for n in range(20)
            ],
        }
    },
    "s4": {"xs": [(n * 7919) % 1_000_000 for n in range(10_000)]},
    "s5": {"xs": [f"value-{(n * 7919) % 1_000_000}" for n in range(1_000)]},
    "s6": {"xs": {f"key-{n}": n / 7 + 0.25 for n in range(1_000)}},
    "s7": {"pet": {"kind": "dog", "name": "rex", "weight": 12.5}},
}
"""What is called with, by tool."""
WRONG = {
    "s2": {**ARGUMENTS["s2"], "count": "three"},
    "s3": {"order": {**ARGUMENTS["s3"]["order"], "items": [{"sku": "a", "quantity": "one", "price": 1.0}]}},
}
"""The same with one argument that nothing can mend."""
