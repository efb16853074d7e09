"""Tools of each kind, for tests of a call: their source, and what a build would say of them."""

from __future__ import annotations

from typing import Any

SOURCE = """
import functools

LOG = []
WORD = contextvars.ContextVar("WORD", default="nobody")

@tool()
async def add(a: int, b: int = 2):
    return a + b

@tool()
def sync_add(a: int, b: int = 2):
    return a + b

@tool()
async def named(by_wire: int):
    return by_wire

@tool()
async def boom():
    raise ValueError("postgres://admin:hunter2@db")

@tool()
def sync_boom():
    raise ValueError("postgres://admin:hunter2@db")

@tool()
def stops():
    return next(iter([]))

@tool()
async def astops():
    raise StopAsyncIteration

@tool()
async def groups():
    raise ExceptionGroup("both", [ValueError(1), ExceptionGroup("in", [KeyError(2)])])

@tool()
async def raises(what):
    raise what

@tool()
def sync_raises(what):
    raise what

@tool()
async def awho():
    return WORD.get()

@tool()
def who():
    return WORD.get() + " " + str(threading.current_thread() is threading.main_thread())

def hidden(function):
    @functools.wraps(function)
    def wrapper(*args, **keywords):
        return function(*args, **keywords)
    return wrapper

@hidden
@tool()
async def looks_sync(a: int):
    await asyncio.sleep(0)
    return a

@hidden
@tool()
def hidden_items(a: int):
    yield from range(a)

@hidden
@tool()
async def hidden_aitems(a: int):
    for i in range(a):
        yield i

@tool(timeout=0.05)
async def slow():
    try:
        await asyncio.sleep(5)
    finally:
        LOG.append("slow closed")

@tool(timeout=0.05)
def sync_slow(c: ToolContext):
    for _ in range(200):
        if c.cancelled:
            LOG.append("told")
            return
        time.sleep(0.01)

@tool()
async def own_timeout():
    raise TimeoutError("of its own")

@tool()
async def swallows():
    try:
        await asyncio.sleep(5)
    except asyncio.CancelledError:
        return "too late"

@tool()
async def texts(n: int):
    try:
        for i in range(n):
            yield str(i)
            await asyncio.sleep(0)
    finally:
        LOG.append("texts closed")

@tool()
def items(n: int):
    try:
        for i in range(n):
            yield {"i": i}
    finally:
        LOG.append("items closed")

@tool()
def slow_items(n: int):
    try:
        for i in range(n):
            time.sleep(0.03)
            yield i
    finally:
        LOG.append("slow items closed")

@tool()
async def breaks(n: int):
    yield 1
    raise ValueError("in between")

@tool()
async def strange_items(n: int):
    yield object()

@tool()
async def nothing(n: int):
    return
    yield

@tool()
async def waits(n: int):
    await asyncio.sleep(0.001 * (n % 7))
    if n % 5 == 0:
        raise ValueError(n)
    return n

@tool(requires_confirmation=True)
async def approve(a: int):
    return a

@tool()
async def nests(signal):
    raise signal
"""
A, N, W, ANY = (
    {"arguments": {name: kind}} for name, kind in (("a", "int"), ("n", "int"), ("what", "any"), ("signal", "any"))
)
AB: dict[str, Any] = {"arguments": {"a": "int", "b": "int"}, "needed": ["a"]}
ASYNC, STREAM = {"is_async": True}, {"is_async": True, "is_generator": True}
TOOLS: dict[str, dict[str, Any]] = {
    "add": {**AB, **ASYNC},
    "sync_add": AB,
    "named": {"arguments": {"by-wire": "int"}, "wire": {"by-wire": "by_wire"}, **ASYNC},
    "boom": ASYNC,
    "sync_boom": {},
    "stops": {},
    "astops": ASYNC,
    "groups": ASYNC,
    "raises": {**W, **ASYNC},
    "sync_raises": W,
    "awho": ASYNC,
    "who": {},
    "looks_sync": A,
    "hidden_items": A,
    "hidden_aitems": A,
    "slow": {**ASYNC, "timeout": 0.05},
    "sync_slow": {"context": "c", "timeout": 0.05},
    "own_timeout": {**ASYNC, "timeout": 5},
    "swallows": ASYNC,
    "texts": {**N, **STREAM},
    "items": {**N, "is_generator": True},
    "slow_items": {**N, "is_generator": True},
    "breaks": {**N, **STREAM},
    "strange_items": {**N, **STREAM},
    "nothing": {**N, **STREAM},
    "waits": {**N, **ASYNC},
    "approve": {**A, **ASYNC, "requires_confirmation": True},
    "nests": {**ANY, **ASYNC},
}
