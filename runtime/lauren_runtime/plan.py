"""What a call to a tool needs, gathered once per executor at the tool's first call."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, Literal

from .context import ToolContext
from .decoding import Decoder
from .errors import BuildMismatchError
from .hooks import ToolHook
from .instances import Instances
from .loading import callable_of, check_signature, decoder_of, tool_object
from .marks import HOOKS_META, TOOL_META, TOOL_METADATA, ToolMeta
from .output_check import OutputSchema
from .table import Entry, Table

Hook = Callable[..., Any]
Mismatch = Literal["error", "warn"]
"""What a changed signature does."""


class Plan:
    """One tool, ready to be called. Flags and numbers are the table's, callables the loaded object's.

    `function` is what to call; None for a class with an object for each run or call: then it is `tool_class`.
    """

    def __init__(self, entry: Entry, decode: Decoder, loaded: Any) -> None:
        meta = getattr(loaded, TOOL_META, None)
        _check_options(entry, meta)
        self.entry = entry
        self.name = entry.name
        self.decode = decode
        self.function: Any = None
        self.tool_class: Any = None
        self.output: OutputSchema | None = None
        self.metadata: dict[str, Any] = getattr(loaded, TOOL_METADATA, {})
        self._take_options(meta)

    def _take_options(self, meta: Any) -> None:
        """The decorator's callables."""
        self.pre_hook: Hook | None = getattr(meta, "pre_hook", None)
        self.post_hook: Hook | None = getattr(meta, "post_hook", None)
        self.error_hook: Hook | None = getattr(meta, "error_hook", None)
        self.confirmation_policy: Hook | None = getattr(meta, "confirmation_policy", None)
        self.ask_on_policy_error: bool = getattr(meta, "confirmation_policy_error_default", True)
        self.initial_state: Hook | None = getattr(meta, "initial_state", None)
        self.initial_tool_state: Hook | None = getattr(meta, "initial_tool_state", None)
        self.dependency_factory: Hook | None = getattr(meta, "dependency_factory", None)
        self.cache_key_fn: Hook | None = getattr(meta, "cache_key_fn", None)
        self.key_wants_context = self.cache_key_fn is not None and _takes_two(self.cache_key_fn)

    def complete(self, entry_point: Any, global_hooks: Sequence[Any], own_hooks: Sequence[Any]) -> None:
        """Take the hooks, and settle what follows from everything.

        Global hooks are asked first on the way in and last on the way out.
        """
        self.before = _overridden("before_tool_call", [*global_hooks, *own_hooks])
        self.after = _overridden("after_tool_call", [*own_hooks, *global_hooks])
        self.on_error = _overridden("on_tool_error", [*own_hooks, *global_hooks])
        self.positional, self._defaults = _positional(entry_point, self.entry.context)
        self.may_cache = self._may_cache()
        self.exposes_arguments = self.may_cache or self._is_watched()
        self.keeps_state = self.entry.context is not None
        factories = (self.initial_state, self.initial_tool_state, self.dependency_factory)
        self.is_seeded = any(each is not None for each in factories)
        self.is_alone = self.function is not None and self._stands_alone()
        self.is_plain = self.entry.is_async and self.is_alone

    def with_context(
        self, args: tuple[Any, ...], keywords: dict[str, Any], ctx: ToolContext
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments with the context in its place; defaults fill what is absent before a positional one."""
        where = self.entry.context
        if where is None:
            return args, keywords
        if isinstance(where, str):
            return args, {**keywords, where: ctx}
        return (*args[:where], *self._defaults[len(args) : where], ctx, *args[where:]), keywords

    def _may_cache(self) -> bool:
        """A lifetime is set, it is no stream, and it takes no context unless a key function is there."""
        entry = self.entry
        if entry.cache_ttl is None or entry.cache_ttl <= 0 or entry.is_generator:
            return False
        return entry.context is None or self.cache_key_fn is not None

    def _is_watched(self) -> bool:
        """Anything but the tool may see, and so change, the JSON arguments."""
        callables = (self.pre_hook, self.post_hook, self.error_hook, self.confirmation_policy)
        hooks = (self.before, self.after, self.on_error)
        return self.entry.requires_confirmation or any(hooks) or any(each is not None for each in callables)

    def _stands_alone(self) -> bool:
        """Nothing happens around the call."""
        entry = self.entry
        around = (self.exposes_arguments, self.keeps_state, self.is_seeded, entry.is_generator)
        return entry.timeout is None and not any(around)


async def make_plan(
    table: Table, entry: Entry, instances: Instances, global_hooks: Sequence[Any], mismatch: Mismatch
) -> Plan:
    """Load a tool: its decoder, its module, its object, its hooks.

    Raises BuildMismatchError and ToolSetupError (loading.py), and whatever user code raises meanwhile.
    """
    loaded = tool_object(table, entry)
    plan = Plan(entry, decoder_of(table, entry), loaded)
    entry_point = loaded.run if entry.form == "class" else callable_of(entry, loaded)
    check_signature(entry, entry_point, mismatch)
    if entry.form == "class" and isinstance(loaded, type):
        if instances.scope(loaded) == "SINGLETON":
            plan.function = entry_point = (await instances.get(loaded)).run
        else:
            plan.tool_class = loaded
            entry_point = inspect.getattr_static(loaded, "run").__get__(
                object(), loaded
            )  # as an instance would have it
    else:
        plan.function = entry_point
    own_hooks = [await instances.get(each) for each in getattr(loaded, HOOKS_META, ())]
    plan.complete(entry_point, global_hooks, own_hooks)
    return plan


def _check_options(entry: Entry, meta: Any) -> None:
    """A hook that the build knows of and the object has not would be left out in silence."""
    missing = [name for name in entry.hooks if name in ToolMeta.__slots__ and getattr(meta, name, None) is None]
    if missing:
        raise BuildMismatchError(
            f"tool {entry.name!r} was compiled with {', '.join(missing)}, which {entry.key} no longer has: rebuild"
        )


def _overridden(method: str, hooks: Sequence[Any]) -> list[Hook]:
    base = getattr(ToolHook, method)
    return [getattr(each, method) for each in hooks if getattr(each.__class__, method, base) is not base]


def _takes_two(function: Hook) -> bool:
    """Whether a key function asks for the context too: it has a second parameter that has to be given."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # a builtin that does not tell takes the arguments alone
        return False
    positional = [each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    return sum(each.default is each.empty for each in positional) >= 2


def _positional(function: Any, context: str | int | None) -> tuple[tuple[str, ...], tuple[Any, ...]]:
    """Names and defaults of the parameters that arguments by position go to, the context's left out."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # it does not tell: then its arguments by position have no names
        return (), ()
    parameters = [each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    if isinstance(context, int):
        del parameters[context : context + 1]
    return tuple(each.name for each in parameters), tuple(each.default for each in parameters)
