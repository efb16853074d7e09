"""One call, from the model's arguments to the result. `Invocation.run` is the order of a call:

decode and validate → state seeding → before-hooks, with validation of what each changed → approval →
cache look-up → pre_hook → dispatch → cache write → after-hooks → post_hook
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from logging import getLogger
from types import CoroutineType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

from .approval import ToolPendingApprovalSignal
from .awaiting import Turn, settled
from .caching import MISS, ResultCache
from .canonical import text
from .context import ToolCallContext, ToolContext
from .decoding import apply_repairs, copied
from .dispatching import Emit, Escaped, Pool, finished, run_in_pool, run_on_loop, whole, within
from .errors import ToolInputError
from .hooks import outcome
from .instances import Instances
from .json_form import ResultError, form_of
from .json_text import MAX_DEPTH, census
from .plan import Plan
from .reporting import Ended, Failure, failure_of, is_always_raised, is_result, result_of
from .results import ToolCall, ToolResult
from .run_state import RunStates, seed

if TYPE_CHECKING:
    from .approvals.records import Approval

LOG = getLogger("lauren_runtime")

CheckOutput = Literal["log", "error"]
"""What a result does that breaks the tool's output schema."""


class Settings(NamedTuple):
    """What a call needs of its executor."""

    repair: bool
    pool: Pool
    timeout: float | None
    cache: ResultCache | None
    instances: Instances
    runs: RunStates
    check_output: CheckOutput | None


class Invocation:
    """The state of one call. `emit` takes the items of a generator tool as they come."""

    def __init__(self, plan: Plan, call: ToolCall, settings: Settings, emit: Emit | None = None) -> None:
        self.plan = plan
        self.call = call
        self.settings = settings
        self.emit = emit
        self.approval: Approval | None = None
        self.cached = False
        self.mended: tuple[Any, ...] = ()

    async def run_plain(self, given: Any) -> ToolResult:
        """The call of a tool around which nothing happens (`Plan.is_plain`): decode, dispatch."""
        self._decode(given)
        self.mended = self._repairs
        try:
            called: Any = self.plan.function(*self._args, **self._keywords)
            usual = cast(object, type(called)) is CoroutineType
            value = await called if usual else await finished(called)
            return self._result(whole(value, self.plan.entry.joined))
        except BaseException as error:
            if is_always_raised(error):
                raise
            raise Ended(self._wrapped(error)) from None

    async def run(self, given: Any, context: ToolContext | None, *, guards: bool, gate: bool) -> ToolResult:
        """The call. `given` are the arguments; `guards` and `gate`: whether before-hooks and approval are asked.

        Raises Ended with the failure, or ToolPendingApprovalSignal.
        """
        plan = self.plan
        if plan.exposes_arguments:
            given = self._own(given)
        self._decode(given)
        self.mended = self._repairs
        await self._open_context(context)
        aborted = await self._before() if guards else None
        if aborted is not None:
            return aborted
        if gate and await self._needs_approval():
            raise ToolPendingApprovalSignal(plan.name, self.call.tool_use_id, self._tool_input(), plan.entry.digest)
        try:
            return await self._finished(await self._value())
        except Ended:
            raise
        except asyncio.CancelledError:
            self.tool_ctx.cancelled = True  # what still runs in a thread can see it
            raise
        except Escaped as escaped:
            return await self._failed(escaped.error)
        except BaseException as error:
            if is_always_raised(error):
                raise
            return await self._failed(error)

    def _own(self, given: Any) -> Any:
        """A copy of the arguments that nobody else can change."""
        if census(given, MAX_DEPTH) < 0:
            self._decode(given)  # refuses what a copy would not end with, such as a dict that contains itself
        return copied(given)

    def _decode(self, given: Any) -> None:
        try:
            self._args, self._keywords, self._repairs = self.plan.decode(given, self.settings.repair)
        except ToolInputError as error:
            error.tool_name, error.tool_use_id = self.plan.name, self.call.tool_use_id
            raise Ended(error) from None
        except Exception as error:  # a class of the user's could not be loaded
            raise Ended(self._wrapped(error)) from None
        self._arguments = given

    def _tool_input(self) -> dict[str, Any]:
        """The arguments as user code sees them: a copy, wire names, repaired, without absent ones."""
        found: dict[str, Any] = apply_repairs(self._arguments, self._repairs)
        return found

    async def _open_context(self, given: Any) -> None:
        """Make this call's contexts and seed their state.

        The tool gets one of the class that the caller's has, hooks get a ToolCallContext; both share their dicts.
        """
        plan, call = self.plan, self.call
        context = given if given is None or isinstance(given, ToolContext) else ToolContext.adopted(given)
        self.tool_ctx = ToolContext() if context is None else context.copy()
        self.tool_ctx.enter(call.tool_use_id, plan.name, plan.metadata)
        self.tool_ctx.approval = self.approval
        if plan.is_seeded or (plan.keeps_state and context is not None):
            await self._seed()
        if plan.exposes_arguments:
            self.ctx = ToolCallContext.derived(self.tool_ctx)
            self.ctx.raw_input = call.input
            self._show_arguments()

    async def _seed(self) -> None:
        try:
            await seed(self.plan, self.tool_ctx, self.settings.runs)
        except Exception as error:
            raise Ended(self._wrapped(error)) from None

    def _show_arguments(self) -> None:
        self.ctx.tool_input = self._tool_input()
        self.ctx.arguments = {**dict(zip(self.plan.positional, self._args, strict=False)), **self._keywords}

    async def _before(self) -> ToolResult | None:
        """Ask the before-hooks; a result if one ends the call. They fail closed."""
        for hook in self.plan.before:
            try:
                action, value = outcome(await settled(hook(self.ctx)))
                if action == "abort":
                    return self._result(value, "aborted")
                changed = self._changed_input(action, value)
            except Exception as error:
                raise Ended(self._wrapped(error)) from None
            if changed is not None:
                self._decode(changed)
                self._show_arguments()
        return None

    def _changed_input(self, action: str, value: Any) -> Any:
        """A copy of what a hook made of the arguments, by `modify` or in place; None if it left them alone."""
        if action == "modify":
            if not isinstance(value, Mapping):
                raise TypeError(f"modify() takes a dict of arguments, not {value!r}")
            return copied(form_of(cast("Mapping[str, Any]", value)))
        now = form_of(self.ctx.tool_input)
        return copied(now) if text(now) != text(self._tool_input()) else None

    async def _needs_approval(self) -> bool:
        plan = self.plan
        if plan.entry.requires_confirmation:
            return True
        if plan.confirmation_policy is None:
            return False
        try:
            return bool(await settled(plan.confirmation_policy(self.ctx)))
        except BaseException as error:
            if is_always_raised(error):
                raise
            LOG.warning("confirmation_policy of tool %r failed", plan.name, exc_info=error)
            return plan.ask_on_policy_error

    async def _value(self) -> Any:
        """The tool's own value: from the cache, else pre_hook, dispatch and cache write."""
        plan, cache = self.plan, self.settings.cache
        key = await cache.key(plan, self._tool_input(), self.ctx) if cache is not None and plan.may_cache else None
        if cache is None or key is None:
            await self._pre_hook()
            return await self._dispatch()
        async with cache.alone(key) as turn:
            kept = await cache.look_up(key, turn, self.call.tool_use_id)
            if kept is not MISS:
                self.cached = self.ctx.cached = True
                return kept
            await self._pre_hook()
            return await self._kept(cache, key, turn, await self._dispatch())

    async def _kept(self, cache: ResultCache, key: str, turn: Turn, value: Any) -> Any:
        """The JSON form of a value, stored unless it is an error."""
        form = result_of(value, self.call.tool_use_id) if is_result(value) else form_of(value)
        if not (isinstance(form, ToolResult) and form.is_error):
            await cache.keep(key, turn, form, self.plan.entry.cache_ttl or 0)
        return form

    async def _pre_hook(self) -> None:
        """Tell pre_hook what is about to run. It may only forbid it, by raising."""
        if self.plan.pre_hook is None:
            return
        seen = ToolCall(self.call.tool_use_id, self.plan.name, self._tool_input())
        try:
            await settled(self.plan.pre_hook(seen, self.ctx))
        except Exception as error:
            raise Ended(self._wrapped(error)) from None

    async def _dispatch(self) -> Any:
        if self.plan.function is not None:
            return await self._ran(self.plan.function)
        instances, run = self.settings.instances, self.settings.runs.of(self.tool_ctx.agent_context)
        try:
            return await self._ran((await instances.of_run(self.plan.tool_class, run)).run)
        finally:
            if not run.kept:
                await instances.end(run)

    async def _ran(self, function: Any) -> Any:
        plan, settings, call = self.plan, self.settings, self.call
        args, keywords = plan.with_context(self._args, self._keywords, self.tool_ctx)
        work: Coroutine[Any, Any, Any]
        if plan.entry.is_async:
            work = run_on_loop(function, args, keywords, self.emit)
        else:
            work = run_in_pool(settings.pool, function, args, keywords, self.tool_ctx, self.emit)
        seconds = settings.timeout if plan.entry.timeout is None else plan.entry.timeout
        if seconds is not None:
            work = within(seconds, plan.name, call.tool_use_id, work, self.tool_ctx)
        return self._checked(whole(await work, plan.entry.joined))

    def _checked(self, value: Any) -> Any:
        """The value, held to the tool's output schema. Raises ResultError if it breaks it and that is an error."""
        schema, level = self.plan.output, self.settings.check_output
        if schema is None or level is None or is_result(value):
            return value
        faults = schema.faults(form_of(value))
        if faults and level == "error":
            raise ResultError(f"the result is not what the tool promises: {'; '.join(faults)}")
        if faults:
            LOG.warning("the result of tool %r is not what it promises: %s", self.plan.name, "; ".join(faults))
        return value

    async def _finished(self, value: Any) -> ToolResult:
        plan = self.plan
        for hook in plan.after:
            try:
                action, replacement = outcome(await settled(hook(value, self.ctx)))
                value = replacement if action == "replace" else value
            except BaseException as error:
                if is_always_raised(error):
                    raise
                LOG.warning("an after-hook of tool %r failed", plan.name, exc_info=error)
        result = self._result(value)
        if plan.post_hook is not None:
            await self._observed("post_hook", plan.post_hook, result)
        return result

    async def _failed(self, error: BaseException) -> ToolResult:
        """Ask the error hooks. The first that suppresses gives the result; else raises Ended."""
        plan = self.plan
        for hook in plan.on_error:
            try:
                action, value = outcome(await settled(hook(error, self.ctx)))
                if action == "suppress_with":
                    return self._result(value, "suppressed")
            except BaseException as failure:
                if is_always_raised(failure):
                    raise
                LOG.warning("an error hook of tool %r failed", plan.name, exc_info=failure)
        if plan.error_hook is not None:
            await self._observed("error_hook", plan.error_hook, error)
        raise Ended(self._wrapped(error)) from None

    async def _observed(self, name: str, hook: Any, subject: object) -> None:
        try:
            await settled(hook(subject, self.ctx))
        except BaseException as error:
            if is_always_raised(error):
                raise
            LOG.warning("%s of tool %r failed", name, self.plan.name, exc_info=error)

    def _result(self, value: Any, status: str | None = None) -> ToolResult:
        result = result_of(value, self.call.tool_use_id)
        if status is not None and not result.is_error:
            result.status = status
        result.repairs = self.mended
        result.cached = self.cached
        return result

    def _wrapped(self, error: BaseException) -> Failure:
        return failure_of(error, self.plan.name, self.call.tool_use_id)
