"""From startup to shutdown: order, hooks, failures, threads and event loops."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Iterator
from typing import Annotated, Any

import pytest
from lauren_runtime import (
    CircularDependencyError,
    DestructError,
    DestructTimeoutError,
    Inject,
    LaurenApp,
    LaurenFactory,
    LifecycleViolationError,
    Scope,
    StartupError,
    injectable,
    module,
    post_construct,
    pre_destruct,
    use_factory,
)

LOG: list[str] = []


@pytest.fixture(autouse=True)
def _empty_log() -> None:
    LOG.clear()


def app_of(*providers: Any) -> LaurenApp:
    return LaurenFactory.create(module(providers=providers)(type("App", (), {})))


@injectable()
class Database:
    @post_construct
    async def connect(self) -> None:
        await asyncio.sleep(0)
        LOG.append("connect")

    @pre_destruct
    def disconnect(self) -> None:
        LOG.append(f"disconnect in main thread: {threading.current_thread() is threading.main_thread()}")


@injectable()
async def session(db: Database) -> AsyncIterator[str]:
    LOG.append("open")
    yield "session"
    LOG.append("close")


@injectable()
class Repository:
    def __init__(self, db: Database) -> None:
        self.db = db

    @post_construct
    def fill(self) -> None:
        LOG.append("fill")

    @pre_destruct
    async def flush(self) -> None:
        LOG.append("flush")


def test_each_starts_after_what_it_needs_and_ends_before_it() -> None:
    async def go() -> None:
        async with app_of(Repository, session, Database):
            LOG.append("running")

    asyncio.run(go())
    assert [
        *("connect", "fill", "open", "running"),
        *("flush", "close", "disconnect in main thread: False"),
    ] == LOG


def test_hooks_come_before_teardowns_where_neither_needs_the_other() -> None:
    @injectable()
    def late() -> Iterator[int]:
        yield 1
        LOG.append("late closed")

    async def go() -> None:
        async with app_of(Repository, Database, late):
            LOG.clear()

    asyncio.run(go())
    assert LOG[0] == "flush"
    assert LOG[-1] == "late closed"


def test_what_was_asked_for_before_startup_has_had_its_hook_once() -> None:
    async def go() -> None:
        app = app_of(Repository, Database)
        first = await app.resolve(Repository)
        assert LOG == ["connect", "fill"]
        await app.startup()
        assert await app.resolve(Repository) is first
        await app.shutdown()

    asyncio.run(go())
    assert LOG.count("connect") == LOG.count("fill") == 1


def test_startup_is_once_and_nothing_comes_after_shutdown() -> None:
    async def go() -> None:
        app = app_of(Database)
        await app.startup()
        with pytest.raises(LifecycleViolationError, match="it is started"):
            await app.startup()
        await app.shutdown()
        await app.shutdown()
        with pytest.raises(LifecycleViolationError, match="shut down"):
            await app.resolve(Database)
        with pytest.raises(LifecycleViolationError, match="it is shut down"):
            await app.startup()

    asyncio.run(go())
    assert len(LOG) == 2


def test_a_failing_hook_ends_what_had_started_and_startup_can_be_tried_again() -> None:
    @injectable()
    class Fails:
        tries = 0

        def __init__(self, db: Database) -> None:
            self.db = db

        @post_construct
        def up(self) -> None:
            Fails.tries += 1
            if Fails.tries == 1:
                raise OSError("no network")

        @pre_destruct
        def down(self) -> None:
            LOG.append("down")

    async def go() -> None:
        app = app_of(Fails, Database)
        with pytest.raises(OSError, match="no network"):
            await app.startup()
        assert LOG == ["connect", "disconnect in main thread: False"]
        await app.startup()
        await app.shutdown()

    asyncio.run(go())
    assert LOG[2:] == ["connect", "down", "disconnect in main thread: False"]


def test_what_fails_while_a_failed_startup_is_undone_is_noted() -> None:
    @injectable()
    def half_open() -> Iterator[int]:
        yield 1
        raise OSError("cannot close")

    @injectable()
    class Fails:
        @post_construct
        def up(self) -> None:
            raise RuntimeError("cannot start")

    with pytest.raises(RuntimeError, match="cannot start") as caught:
        asyncio.run(app_of(half_open, Fails).startup())
    assert caught.value.__notes__ == ["then the teardown of half_open failed: OSError: cannot close"]


def test_shutdown_ends_everything_and_reports_every_failure() -> None:
    @injectable()
    class Bad:
        @pre_destruct
        async def down(self) -> None:
            raise RuntimeError("not closed")

    @injectable()
    class Slow:
        @pre_destruct
        def down(self) -> None:
            time.sleep(1)

    @injectable()
    def twice() -> Iterator[int]:
        yield 1
        yield 2

    async def go() -> None:
        app = app_of(Database, Bad, Slow, twice)
        await app.startup()
        await app.shutdown(timeout=0.05)

    with pytest.raises(ExceptionGroup, match="the shutdown of App failed") as caught:
        asyncio.run(go())
    slow, bad, again = caught.value.exceptions
    assert isinstance(slow, DestructTimeoutError)
    assert str(slow) == "Slow.down did not end within 0.05 seconds"
    assert isinstance(bad, DestructError)
    assert type(bad.__cause__) is RuntimeError
    assert (bad.code, bad.detail) == ("destruct_error", {"provider": "Bad.down"})
    assert "the teardown of twice failed: RuntimeError: it yielded more than once" in str(again)
    assert "disconnect in main thread: False" in LOG


def test_a_generator_without_an_object_is_an_error() -> None:
    @injectable()
    def empty() -> Iterator[int]:
        yield from ()

    with pytest.raises(StartupError, match="empty ended without yielding"):
        asyncio.run(app_of(empty).startup())


def test_one_event_loop_may_follow_another() -> None:
    app = app_of(Repository, session, Database)
    asyncio.run(app.startup())
    assert LOG[-1] == "open", "a loop that ends leaves the generator open"
    assert asyncio.run(app.resolve(session)) == "session"
    asyncio.run(app.shutdown())
    assert "close" in LOG


def counting_factory() -> tuple[list[int], Any]:
    calls: list[int] = []

    async def make() -> object:
        calls.append(1)
        await asyncio.sleep(0.02)
        return object()

    return calls, make


def test_tasks_that_ask_at_once_get_one_object() -> None:
    calls, make = counting_factory()

    async def go() -> list[Any]:
        app = app_of(use_factory(provide="x", factory=make))
        return await asyncio.gather(*[app.resolve("x") for _ in range(10)])

    assert len({id(each) for each in asyncio.run(go())}) == len(calls) == 1


def test_threads_that_ask_at_once_get_one_object() -> None:
    calls, make = counting_factory()
    app = app_of(use_factory(provide="x", factory=make))
    found: list[Any] = []
    together = threading.Barrier(4)

    def ask() -> None:
        together.wait()
        found.append(asyncio.run(app.resolve("x")))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert len({id(each) for each in found}) == len(calls) == 1


def test_one_who_waits_takes_over_from_a_maker_that_is_cancelled() -> None:
    calls, make = counting_factory()

    async def go() -> Any:
        app = app_of(use_factory(provide="x", factory=make))
        first = asyncio.create_task(app.resolve("x"))
        second = asyncio.create_task(app.resolve("x"))
        await asyncio.sleep(0.005)
        first.cancel()
        made = await second
        assert first.cancelled()
        return made is await app.resolve("x")

    assert asyncio.run(go())
    assert len(calls) == 2


def test_a_waiter_that_is_cancelled_leaves_the_others_alone() -> None:
    calls, make = counting_factory()

    async def go() -> bool:
        app = app_of(use_factory(provide="x", factory=make))
        first, second, third = (asyncio.create_task(app.resolve("x")) for _ in range(3))
        await asyncio.sleep(0.005)
        second.cancel()
        return await first is await third

    assert asyncio.run(go())
    assert len(calls) == 1


def test_all_who_wait_are_told_of_a_failure_and_the_next_tries_again() -> None:
    calls: list[int] = []

    async def make() -> str:
        calls.append(1)
        await asyncio.sleep(0.01)
        if len(calls) == 1:
            raise OSError("not yet")
        return "made"

    async def go() -> None:
        app = app_of(use_factory(provide="x", factory=make))
        results = await asyncio.gather(*[app.resolve("x") for _ in range(3)], return_exceptions=True)
        assert [type(each) for each in results] == [OSError] * 3
        assert await app.resolve("x") == "made"

    asyncio.run(go())


def test_a_request_shares_its_objects_and_ends_them() -> None:
    @injectable(scope=Scope.REQUEST)
    class User:
        @pre_destruct
        async def down(self) -> None:
            LOG.append("user gone")

    @injectable(scope=Scope.REQUEST)
    def cart(user: User) -> Iterator[dict[str, User]]:
        yield {"user": user}
        LOG.append("cart closed")

    async def go() -> None:
        app = app_of(User, cart)
        async with app.request() as one, app.request() as other:
            user = await one.resolve(User)
            assert (await one.resolve(cart))["user"] is user is await one.resolve(User)
            assert await other.resolve(User) is not user
        assert LOG == ["user gone", "cart closed", "user gone"]
        assert (await app.resolve(cart))["user"] is not user
        await app.shutdown()

    asyncio.run(go())
    assert LOG[3:] == ["cart closed", "user gone"], "what was made for one call alone ends at shutdown"


def test_a_request_may_be_a_dict() -> None:
    @injectable(scope=Scope.REQUEST)
    def login() -> str:
        LOG.append("session")
        return "token"

    @injectable(scope=Scope.REQUEST)
    class User:
        def __init__(self, token: Annotated[str, Inject(login)] = "none") -> None:
            self.token = token

    @injectable(scope=Scope.TRANSIENT)
    class Page:
        def __init__(self, user: User) -> None:
            self.user = user

    async def go() -> None:
        app = app_of(User, login, Page)
        cache: dict[Any, Any] = {}
        users = await asyncio.gather(*[app.resolve(User, request_cache=cache) for _ in range(3)])
        assert users[0] is users[1] is users[2]
        assert cache == {login: "token", User: users[0]}
        cache.clear()
        cache[User] = given = User()
        assert await app.resolve(User, request_cache=cache) is given
        assert (await app.resolve(Page, request_cache=cache)).user is given
        assert LOG == ["session"], "nothing is made for what is there"

    asyncio.run(go())


def test_who_asks_for_what_it_is_making_is_told() -> None:
    async def make_a() -> Any:
        return await app.resolve("b")

    async def make_b() -> Any:
        return await app.resolve("a")

    app = app_of(use_factory(provide="a", factory=make_a), use_factory(provide="b", factory=make_b))
    with pytest.raises(CircularDependencyError, match="is asked for by what makes it"):
        asyncio.run(app.resolve("a"))


@pytest.mark.parametrize("scope", [Scope.SINGLETON, Scope.REQUEST])
def test_a_long_chain_is_no_deep_recursion(scope: Scope) -> None:
    classes: list[type] = [injectable(scope=scope)(type("C0", (), {}))]
    for number in range(1, 1500):

        def init(self: Any, before: Any) -> None:
            self.before = before

        init.__annotations__ = {"before": classes[-1]}
        classes.append(injectable(scope=scope)(type(f"C{number}", (), {"__init__": init})))
    app = app_of(*reversed(classes))
    assert type(asyncio.run(app.resolve(classes[-1]))) is classes[-1]
