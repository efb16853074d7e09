"""`ToolExecutor`: runs the tools of a table."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from copy import copy
from logging import getLogger
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from .cache import CacheBackend
from .caching import ResultCache
from .context import ToolContext
from .decoding.bounds import typeof
from .decoding.call import decoded
from .decoding.quick import DOUBTS
from .direct import Direct, direct_of
from .dispatching import Emit, Pool, whole
from .errors import (
    LaurenToolError,
    ToolExecutionError,
    ToolInputError,
    ToolNotFoundError,
    ToolSetupError,
    ToolTimeoutError,
)
from .hooks import HOOK_METHODS
from .instances import Container, Instances
from .invocation import CheckOutput, Invocation, Settings
from .json_form import content_of
from .json_text import arguments_of, quickest
from .output_check import OutputSchema, output_schemas
from .plan import Mismatch, Plan, make_plan
from .reporting import Ended, Failure, failure_of, is_always_raised, result_of, shortened, text_for_model
from .results import ToolCall, ToolResult, executed, refused, require_call
from .run_state import RunStates
from .table import Entry, Table

if TYPE_CHECKING:
    from .approvals.records import Approval

LOG = getLogger("lauren_runtime")
OnError = Literal["return", "raise", "skip"]


class ToolExecutor:
    """Runs calls against a table. Safe for concurrent calls, and for one event loop after another.

    - cache_backend: where results of tools with `cache_ttl` are kept
    - repair: whether known mistakes of models are mended
    - on_error: what a failure does: "return" an error result, "raise" it, or "skip" it as an empty success
    - container: makes objects of the classes it knows, and of those whose constructors need something
    - global_hooks: ToolHook objects or classes that are asked for every tool
    - error_detail: whether the model sees what an exception says, not only its kind
    - pool: where sync tools run, any `concurrent.futures.Executor` (default: the event loop's threads)
    - timeout: seconds, for tools that set none themselves
    - cache_patience: seconds to wait for the cache
    - max_result_length: characters after which a text is cut, and says so
    - signature_mismatch: "warn" only logs that a tool was changed since the build
    - check_output: "log" or "error", for results that break the tool's output schema

    Raises TypeError or ValueError for options that cannot work.
    """

    def __init__(
        self,
        table: Table,
        *,
        cache_backend: CacheBackend | None = None,
        repair: bool = True,
        on_error: OnError = "return",
        container: Container | None = None,
        global_hooks: Sequence[Any] = (),
        error_detail: bool = False,
        pool: Pool = None,
        timeout: float | None = None,
        cache_patience: float | None = 2.0,
        max_result_length: int | None = None,
        signature_mismatch: Mismatch = "error",
        check_output: CheckOutput | None = None,
    ) -> None:
        if not isinstance(cast(object, table), Table):
            raise TypeError(f"an executor runs the TABLE of a build's dispatch.py, not {table!r}")
        _check_choice("on_error", on_error, get_args(OnError))
        _check_choice("signature_mismatch", signature_mismatch, get_args(Mismatch))
        _check_choice("check_output", check_output, (None, *get_args(CheckOutput)))
        _check_limit("timeout", timeout)
        _check_limit("cache_patience", cache_patience)
        _check_limit("max_result_length", max_result_length, int)
        _check_hooks(global_hooks)
        self.table = table
        self._on_error: OnError = on_error
        self._global_hooks = tuple(global_hooks)
        self._detail = error_detail
        self._max_length = max_result_length
        self._mismatch: Mismatch = signature_mismatch
        self._plans: dict[str, Plan] = {}
        self._direct: dict[str, Direct] = {}
        self._parse: Callable[[Any], dict[str, Any]] = self._first_parse
        self._is_plain = timeout is None and check_output is None and max_result_length is None
        self._outputs: dict[str, OutputSchema] | None = None
        self._settings = Settings(
            repair=repair,
            pool=pool,
            timeout=timeout,
            cache=None if cache_backend is None else ResultCache(cache_backend, cache_patience),
            instances=Instances(container),
            runs=RunStates(),
            check_output=check_output,
        )

    async def execute(self, call: ToolCall, context: ToolContext | None = None) -> ToolResult:
        """Run a call.

        A failure is an error result with `exception` set, or as `on_error` says. Raises ToolPendingApprovalSignal when
        a human has to be asked, and TypeError for something that is no call; cancellation, KeyboardInterrupt,
        SystemExit and GeneratorExit pass through.
        """
        try:
            direct = self._direct.get(call.name)
        except (TypeError, AttributeError):  # a name that is a list or an object, or what is no call
            direct = None
        if direct is None:
            return await self._execute(call, context)
        given: Any = call.input
        is_text = typeof(given) is not dict
        repairs: tuple[Any, ...] = ()
        try:
            if is_text:
                given = self._parse(given)
            try:
                work = direct.quick(given, direct.run)
            except DOUBTS:  # Not right as they stand: repair them, or tell all that is wrong.
                work = None
            if work is None:
                if is_text and self._parse is not arguments_of:
                    given = arguments_of(call.input)
                found = decoded(direct.check, given, self._settings.repair)
                if isinstance(found, ToolInputError):
                    return self._refuse(call, found)
                args, keywords, repairs = found
                work = direct.run(*args, **keywords)
        except ToolInputError as error:
            return self._refuse(call, error)
        except Exception as error:  # a class of the user's could not be loaded
            return self._report(call, failure_of(error, call.name, call.tool_use_id))
        try:
            value = await work
            if type(value) is str and not repairs:
                return executed(call.tool_use_id, value)
            result = result_of(whole(value, direct.joined), call.tool_use_id)
        except BaseException as error:
            if is_always_raised(error):
                raise
            return self._report(call, failure_of(error, call.name, call.tool_use_id))
        result.repairs = repairs
        return result

    async def execute_approved(
        self,
        call: ToolCall,
        context: ToolContext | None = None,
        approved_input: dict[str, Any] | None = None,
        *,
        approval: Approval | None = None,
    ) -> ToolResult:
        """Run a call that a human approved.

        `approved_input` is the signal's `tool_input`, or an edited copy: it is decoded anew, and before-hooks are not
        asked again. Without it they are, on the call's own input. `approval`, the record that `Approvals` keeps, stands
        for the input it allows: the call fails if it is of another tool, or of another build of it. Otherwise as
        `execute`.
        """
        return await self._execute(call, context, gate=False, approved=approved_input, approval=approval)

    async def execute_stream(self, call: ToolCall, context: ToolContext | None = None) -> AsyncGenerator[ToolResult]:
        """Run a call, giving a result of status "partial" for each item of a generator tool, and the whole result last.

        Raises what `execute` raises. Closing the iterator early cancels the call.
        """
        items: asyncio.Queue[ToolResult] = asyncio.Queue(1)

        async def emit(item: Any) -> None:
            partial = ToolResult(call.tool_use_id, content_of(item), status="partial")
            await items.put(partial if self._max_length is None else shortened(partial, self._max_length))

        work = asyncio.ensure_future(self._execute(call, context, emit=emit))
        try:
            async for item in _until(work, items):
                yield item
            yield await work
        finally:
            work.cancel()
            await asyncio.wait([work])
            if not work.cancelled():
                work.exception()  # of a call that was closed early: nobody else will ask

    def on(self, table: Table) -> ToolExecutor:
        """An executor of another table of the same build, for an agent's runs: failures are results, always.

        Objects, caches, and what is kept for runs are the same as this one's.
        """
        made = copy(self)
        made.table = table
        made._on_error = "return"
        made._plans = {}
        made._direct = {}
        made._parse = made._first_parse
        made._outputs = None
        return made

    async def object_of(self, cls: type, agent_context: Any = None) -> Any:
        """The object of a class, made as those of tool classes are: one for all, for this run, or a new one.

        Raises ToolSetupError if the constructor needs what nobody supplies, and what constructor or container raise.
        """
        instances = self._settings.instances
        if instances.scope(cls) == "SINGLETON":
            return await instances.get(cls)
        return await instances.of_run(cls, self._settings.runs.of(agent_context))

    async def end_run(self, agent_context: Any) -> None:
        """End a run: its objects of scope REQUEST, and whatever else was kept for its agent context.

        Without it the state goes with the agent context, but `@pre_destruct` and teardowns wait for the container's
        shutdown. Calls without an agent context end theirs themselves. Failures are logged.
        """
        run = self._settings.runs.take(agent_context)
        if run is not None:
            await self._settings.instances.end(run)

    async def _execute(
        self,
        call: ToolCall,
        context: ToolContext | None,
        *,
        gate: bool = True,
        approved: dict[str, Any] | None = None,
        approval: Approval | None = None,
        emit: Emit | None = None,
    ) -> ToolResult:
        if not isinstance(cast(object, call), ToolCall):
            require_call(call)
        try:
            plan = self._known(call) or await self._load(call)
            if approval is not None:
                approved = self._allowed(approval, call, plan.entry)
            given = self._arguments(call, call.input if approved is None else approved)
            invocation = Invocation(plan, call, self._settings, emit)
            invocation.approval = approval
            if plan.is_plain and self._is_plain:
                result = await invocation.run_plain(given)
            else:
                result = await invocation.run(given, context, guards=approved is None, gate=gate)
        except Ended as ended:
            return self._report(call, ended.failure)
        except BaseException as error:
            # User code's exceptions are caught where it is called, but for those that no `except Exception` sees. One
            # that is left is the caller's mistake, such as a context that is none.
            if isinstance(error, Exception) or is_always_raised(error):
                raise
            return self._report(call, ToolExecutionError(call.name, call.tool_use_id, error))
        return result if self._max_length is None else shortened(result, self._max_length)

    def _first_parse(self, given: Any) -> dict[str, Any]:
        """Choose what parses from now on, and parse."""
        self._parse = quickest()
        return self._parse(given)

    def _arguments(self, call: ToolCall, given: object) -> dict[str, Any]:
        try:
            return arguments_of(given)
        except ToolInputError as error:
            error.tool_name, error.tool_use_id = call.name, call.tool_use_id
            raise Ended(error) from None

    def _allowed(self, approval: Approval, call: ToolCall, entry: Entry) -> dict[str, Any]:
        from .approvals.records import allowed_input

        try:
            return allowed_input(approval, call.tool_use_id, entry)
        except LaurenToolError as error:
            raise Ended(ToolExecutionError(call.name, call.tool_use_id, error)) from None

    def _known(self, call: ToolCall) -> Plan | None:
        try:
            return self._plans.get(call.name)
        except TypeError:  # a name that is a list or an object
            return None

    async def _load(self, call: ToolCall) -> Plan:
        # A provider's answer is only as good as its model: the name may be anything.
        entry = self.table.get(call.name) if isinstance(cast(object, call.name), str) else None
        if entry is None:
            raise Ended(self._not_found(call))
        instances = self._settings.instances
        try:
            hooks = [await instances.get(each) if isinstance(each, type) else each for each in self._global_hooks]
            plan = await make_plan(self.table, entry, instances, hooks, self._mismatch)
            plan.output = self._output_of(entry)
        except Exception as error:
            raise Ended(ToolExecutionError(call.name, call.tool_use_id, error)) from None
        direct = direct_of(plan, self._settings.pool) if self._is_plain else None
        if direct is not None:
            self._direct.setdefault(call.name, direct)
        return self._plans.setdefault(call.name, plan)

    def _not_found(self, call: ToolCall) -> ToolNotFoundError | ToolExecutionError:
        if isinstance(cast(object, call.name), str) and self.table.is_shared(call.name):
            several = f"several agents have each a tool named {call.name!r}: give the executor TABLE.for_agent(...)"
            return ToolExecutionError(call.name, call.tool_use_id, ToolSetupError(several))
        return ToolNotFoundError(call.name, self.table.names, call.tool_use_id)

    def _output_of(self, entry: Entry) -> OutputSchema | None:
        """The tool's output schema, if results are checked and it has one."""
        if self._settings.check_output is None:
            return None
        if self._outputs is None:
            self._outputs = output_schemas(self.table)
        return self._outputs.get(entry.key)

    def _refuse(self, call: ToolCall, error: ToolInputError) -> ToolResult:
        error.tool_name, error.tool_use_id = call.name, call.tool_use_id
        if self._on_error != "return":
            return self._report(call, error)
        return refused(call.tool_use_id, str(error), error)

    def _report(self, call: ToolCall, failure: Failure) -> ToolResult:
        if self._on_error == "raise":
            raise failure from failure.__cause__
        if isinstance(failure, ToolExecutionError):
            LOG.warning("tool %r failed (call %r)", call.name, call.tool_use_id, exc_info=failure.original)
        if self._on_error == "skip":
            return ToolResult(call.tool_use_id, "", status="skipped", exception=failure)
        status = "timed_out" if isinstance(failure, ToolTimeoutError) else "error"
        told = text_for_model(failure, self._detail)
        return ToolResult(call.tool_use_id, told, True, status=status, exception=failure)


async def _until(work: asyncio.Future[ToolResult], items: asyncio.Queue[ToolResult]) -> AsyncIterator[ToolResult]:
    """Items as they come, until the work is done and none is left."""
    while not (work.done() and items.empty()):
        item = asyncio.ensure_future(items.get())
        try:
            await asyncio.wait([work, item], return_when=asyncio.FIRST_COMPLETED)
            if item.done():
                yield item.result()
        finally:
            item.cancel()


def _check_hooks(hooks: Sequence[Any]) -> None:
    for each in hooks:
        if not any(hasattr(each, method) for method in HOOK_METHODS):
            raise TypeError(f"global_hooks are ToolHook objects or classes, not {each!r}")


def _check_limit(option: str, given: object, kind: type[float] | type[int] = float) -> None:
    if given is None:
        return
    if isinstance(given, bool) or not isinstance(given, (int, kind)):
        raise TypeError(f"{option} is {'an int' if kind is int else 'a number'}, or None for no limit, not {given!r}")
    if not given > 0:
        raise ValueError(f"{option} is more than zero, or None for no limit, not {given!r}")


def _check_choice(option: str, given: object, known: Sequence[object]) -> None:
    if given not in known:
        raise ValueError(f"{option} is one of {', '.join(map(repr, known))}, not {given!r}")
