"""Approvals kept in Redis, for processes on many machines. Needs the `redis` client (`lauren-compile[redis]`)."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from .reading import Damaged, Reader, read, record_of, text_of
from .records import Approval, Key
from .watching import Watchers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_TIMEOUT = 5.0

# Each change is one script. Records stand in a hash, by call; two sorted sets hold the calls that are open, by the time
# of the question, and those that are closed, by the time of the end; each run has a set of its open calls, and one of
# those that were decided and are not there yet.
_SWAP = """
local records, opened, closed, of_run, early = unpack(KEYS)
local call, before, after, state, at = unpack(ARGV)
if (redis.call('HGET', records, call) or '') ~= before then return 0 end
redis.call('HDEL', records, call)
redis.call('ZREM', opened, call)
redis.call('ZREM', closed, call)
redis.call('SREM', of_run, call)
redis.call('SREM', early, call)
if after == '' then return 1 end
redis.call('HSET', records, call, after)
redis.call('ZADD', state == 'closed' and closed or opened, at, call)
if state ~= 'closed' then redis.call('SADD', state == 'early' and early or of_run, call) end
return 1
"""
_FORGET_EARLY = """
for _, call in ipairs(redis.call('SMEMBERS', early)) do
  redis.call('HDEL', records, call)
  redis.call('ZREM', opened, call)
end
redis.call('DEL', early)
"""
_BEGIN = f"""
local records, opened, _, _, early, runs = unpack(KEYS)
if redis.call('HSETNX', runs, ARGV[1], ARGV[2]) == 0 then return end
{_FORGET_EARLY}
"""
_END = f"""
local records, opened, _, _, early, runs = unpack(KEYS)
redis.call('HDEL', runs, ARGV[1])
{_FORGET_EARLY}
"""
_PURGE = """
local records, closed, runs = unpack(KEYS)
local old = redis.call('ZRANGEBYSCORE', closed, '-inf', '(' .. ARGV[1])
for _, call in ipairs(old) do
  redis.call('HDEL', records, call)
  redis.call('ZREM', closed, call)
end
local begun = redis.call('HGETALL', runs)
for index = 1, #begun, 2 do
  if tonumber(begun[index + 1]) < tonumber(ARGV[1]) then redis.call('HDEL', runs, begun[index]) end
end
return #old
"""


class RedisApprovalStore:
    """Keeps approvals in Redis, under keys that begin with `prefix`.

    `client` is a `redis.Redis` (not the asyncio one, which belongs to one event loop), or anything with its `eval`,
    `hget`, `hmget`, `hexists`, `scard`, `sunion`, `zrange` and `time`. What another process decides is noticed within
    `poll` seconds. Time is the server's. Closed approvals stay until `purge`. What outlives a crash of the server is
    for its configuration to say: without `appendonly yes` it may lose what was last decided. What the client raises is
    passed on.
    """

    durable = True

    def __init__(self, client: Any, prefix: str = "lauren:approvals", *, poll: float = 1.0) -> None:
        self.poll: float | None = poll
        self._client = client
        self._prefix = f"{{{prefix}}}:"  # the braces keep all keys on one node of a cluster, as the scripts need it
        self._watchers = Watchers()
        self._reader = Reader()

    @classmethod
    def from_url(cls, url: str, prefix: str = "lauren:approvals", *, poll: float = 1.0) -> RedisApprovalStore:
        """A store on the server at `url` (`redis://host:6379/0`), which is first asked at the first use.

        Raises ImportError without the client library, ValueError for a wrong URL.
        """
        try:
            import redis
        except ImportError as error:
            raise ImportError(
                "RedisApprovalStore needs the redis client: pip install 'lauren-compile[redis]'"
            ) from error
        options = {"socket_timeout": _TIMEOUT, "socket_connect_timeout": _TIMEOUT}
        return cls(redis.Redis.from_url(url, **options), prefix, poll=poll)  # pyright: ignore[reportUnknownMemberType]

    def now(self) -> float:
        """The server's time."""
        seconds, microseconds = self._client.time()
        return float(seconds + microseconds / 1_000_000)

    def get(self, key: Key) -> Approval | None:
        """The record of a call, or None."""
        text = self._client.hget(self._prefix + "records", _member(key))
        return None if text is None else record_of(key, text)

    def swap(self, key: Key, old: Approval | None, new: Approval | None) -> bool:
        """Put `new` where `old` is; False if that is not there."""
        before, after = ("" if each is None else each.to_json() for each in (old, new))
        state, at = "", 0.0
        if new is not None and new.is_closed:
            state, at = "closed", new.changed_at
        elif new is not None:
            state, at = new.state, new.asked_at
        arguments = (_member(key), before, after, state, repr(at))
        done = bool(self._client.eval(_SWAP, 5, *self._keys(key[0])[:5], *arguments))
        if done:
            self._watchers.changed(key)
        return done

    def records(self, *, closed: bool = False, agent_run_id: str | None = None) -> list[Approval]:
        """Those that are open, or closed, oldest question first. Damaged ones are left out."""
        if agent_run_id is not None and not closed:
            calls = list(self._client.sunion(self._keys(agent_run_id)[3:5]))
        else:
            calls = self._client.zrange(self._prefix + ("closed" if closed else "open"), 0, -1)
        found = self._reader.records(self._rows(calls))
        wanted = [each for each in found if each.is_closed == closed and agent_run_id in (None, each.agent_run_id)]
        return sorted(wanted, key=lambda each: (each.asked_at, each.key))

    def damaged(self) -> list[Damaged]:
        """The calls whose records can't be read, open and closed ones."""
        calls = [call for name in ("open", "closed") for call in self._client.zrange(self._prefix + name, 0, -1)]
        return read(self._rows(calls))[1]

    def _rows(self, calls: Sequence[Any]) -> list[tuple[Key, Any]]:
        texts: list[Any] = self._client.hmget(self._prefix + "records", calls) if calls else []
        return [(_key(call), text) for call, text in zip(calls, texts, strict=True) if text is not None]

    def purge(self, before: float) -> int:
        """Forget what was closed before that time, and early decisions and runs older than it."""
        keys = [self._prefix + name for name in ("records", "closed", "runs")]
        count = int(self._client.eval(_PURGE, 3, *keys, repr(before)))
        early = [each for each in self.records() if each.state == "early" and each.changed_at < before]
        return count + sum(self.swap(each.key, each, None) for each in early)

    def begin_run(self, agent_run_id: str) -> None:
        """Note that a run is there."""
        self._client.eval(_BEGIN, 6, *self._keys(agent_run_id), agent_run_id, repr(self.now()))

    def end_run(self, agent_run_id: str) -> None:
        """Note that a run is over."""
        self._client.eval(_END, 6, *self._keys(agent_run_id), agent_run_id)

    def knows_run(self, agent_run_id: str) -> bool:
        """Whether the run is there, or has an open call."""
        if self._client.hexists(self._prefix + "runs", agent_run_id):
            return True
        return bool(self._client.scard(self._of_run(agent_run_id)))

    def watch(self, key: Key, notify: Callable[[], None]) -> Callable[[], None]:
        """Call `notify` at each change that this process makes, until what is returned is called."""
        return self._watchers.watch(key, notify)

    def close(self) -> None:
        """Close the client's connections."""
        self._client.close()

    def _keys(self, agent_run_id: str) -> tuple[str, ...]:
        records, opened, closed, runs = (self._prefix + name for name in ("records", "open", "closed", "runs"))
        return records, opened, closed, self._of_run(agent_run_id), f"{self._prefix}early:{agent_run_id}", runs

    def _of_run(self, agent_run_id: str) -> str:
        return f"{self._prefix}run:{agent_run_id}"


def _key(member: bytes | str) -> Key:
    """The call of a member; one that is none stands for itself."""
    text = text_of(member)
    try:
        run, call = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return text, ""
    return str(run), str(call)


def _member(key: Key) -> str:
    """A call as one text, which no other call has."""
    return json.dumps(key)
