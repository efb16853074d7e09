"""`AgentRunner`: runs agents against a model, with the tools of a table."""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Unpack
from uuid import uuid4
from weakref import WeakKeyDictionary

from ..executor import ToolExecutor
from ..instances import Container
from ..marks import BY_SUBCLASS_META
from ..table import Table
from .approving import may_ask
from .asking import asked, notified
from .config import AgentConfig
from .context import AgentContext, AgentResponse
from .conversation import Conversation, Conversations
from .definition import AgentDefinition
from .errors import AgentConfigError, ConversationStoreError
from .lifecycle import Lifecycle
from .limits import Prices, Spending
from .memory import ConversationStore, InMemoryConversationStore, Memory
from .messages import Block, Message
from .model_client import ModelClient, ModelRequest
from .options import RunOptions, checked
from .run import Run
from .signals import Sink
from .stream import Put, RunStream
from .tokens import token_of
from .toolbox import Toolbox

if TYPE_CHECKING:
    from ..approvals.answers import Answer
    from ..approvals.approvals import Approvals


if TYPE_CHECKING:
    from typing_extensions import TypeVar  # checkers know it: a plain `AgentRunner` is that of any agent

    _AgentT = TypeVar("_AgentT", default=Any)
else:
    from typing import TypeVar

    _AgentT = TypeVar("_AgentT")


class AgentRunner(Generic[_AgentT]):
    """Runs agents. Safe for runs at the same time, and for one event loop after another.

    - table: the build's tools; an agent gets its own alone
    - model_client: asks the model (model_client.py)
    - model: for agents that name none
    - config: what holds where an agent says nothing
    - tools: further tools, for every agent
    - executor: makes the calls; default: `ToolExecutor(table, container=container)`
    - container: makes agents and tools whose constructors need something
    - approvals: where calls wait for a human; default: the process's own
    - conversation_store: for agents that have none, where a run is given a `conversation_id`
    - prices: what a model's usage costs, for `max_cost_usd`
    - event_sinks: told of everything that happens (signals.py)
    - message_bus: for tools; passed on in the context

    In brackets stands an agent's class: that is what to ask a container for where it has several runners.
    """

    if not TYPE_CHECKING:

        def __class_getitem__(cls, agent: Any) -> type:
            return token_of(AgentRunner, agent)

    def __init__(
        self,
        table: Table,
        *,
        model_client: ModelClient,
        model: str | None = None,
        config: AgentConfig | None = None,
        tools: Sequence[Any] = (),
        executor: ToolExecutor | None = None,
        container: Container | None = None,
        approvals: Approvals | None = None,
        conversation_store: ConversationStore | None = None,
        prices: Prices | None = None,
        event_sinks: Sequence[Sink] = (),
        message_bus: Any = None,
    ) -> None:
        if executor is not None and executor.table is not table:
            raise ValueError("the executor is one of another table than the runner's")
        for name in ("target", "complete"):
            if not hasattr(model_client, name):
                raise TypeError(f"a model client has `{name}`; this has not: {model_client!r}")
        self.table = table
        self.model_client = model_client
        self.approvals = _process_approvals() if approvals is None else approvals
        self._model = model
        self._config = config
        self._tools = tuple(tools)
        self._executor = ToolExecutor(table, container=container) if executor is None else executor
        self._store: ConversationStore = _first(conversation_store, InMemoryConversationStore())
        self._prices = prices
        self._sinks = tuple(event_sinks)
        self._message_bus = message_bus
        self._conversations = Conversations()
        self._toolboxes: WeakKeyDictionary[type, Toolbox] = WeakKeyDictionary()
        self._running: set[str] = set()

    async def run(self, agent: Any, message: str | Sequence[Block], **options: Unpack[RunOptions]) -> AgentResponse:
        """Have an agent, a class or an object of one, answer a message: text, or blocks (messages.py).

        Raises AgentConfigError for what is no agent, or cannot be run; ModelError where the model gives no reply;
        ToolConversationIntegrityError where its calls cannot be told apart; a tool's failure where the agent's policy
        is "raise"; ValueError for a `run_id` in use; what `on_start` raises. Then, too, each call that was begun has a
        result in the conversation.
        """
        return await self._run(agent, Message.user(message), checked(options), None)

    async def resume(self, agent: Any, **options: Unpack[RunOptions]) -> AgentResponse:
        """Take up a run that broke off, because it was cancelled or its process ended: by its `run_id`, in its
        `conversation_id`.

        Calls that wait for a human, or were decided meanwhile, are finished, each once. Of other calls without a
        result nobody knows how far they had come: they are not made again, and their results say so. Then the run goes
        on.

        Raises as `run`, and ValueError where one of the two ids is missing, or nothing broke off.
        """
        if not (options.get("run_id") and options.get("conversation_id")):
            raise ValueError("a run is taken up again by its run_id, in its conversation_id")
        return await self._run(agent, None, checked(options), None)

    def run_stream(self, agent: Any, message: str | Sequence[Block], **options: Unpack[RunOptions]) -> RunStream:
        """`run`, read as it happens: pieces of text, signals, and the response last. Raises, when read, as `run`."""
        given = checked(options)
        return RunStream(lambda put: self._run(agent, Message.user(message), given, put))

    def approve_tool(
        self,
        agent_run_id: str,
        tool_use_id: str,
        *,
        by: str | None = None,
        reason: str = "",
        arguments: Mapping[str, Any] | str | bytes | None = None,
        arguments_digest: str | None = None,
    ) -> Answer:
        """Allow a call that waits, from any thread or event loop. See `Approvals.approve_tool`."""
        return self.approvals.approve_tool(
            agent_run_id, tool_use_id, by=by, reason=reason, arguments=arguments, arguments_digest=arguments_digest
        )

    def reject_tool(self, agent_run_id: str, tool_use_id: str, *, by: str | None = None, reason: str = "") -> Answer:
        """Forbid a call that waits; `reason` reaches the model. See `Approvals.reject_tool`."""
        return self.approvals.reject_tool(agent_run_id, tool_use_id, by=by, reason=reason)

    async def _run(self, agent: Any, message: Message | None, options: RunOptions, put: Put | None) -> AgentResponse:
        definition = AgentDefinition(agent)
        toolbox = self._toolbox(definition)
        config = _config(options.get("config_override"), definition.config, self._config)
        spending = Spending(config, self._prices)
        request = self._request(definition, toolbox, config, options.get("model_override"))
        response: AgentResponse | None = None
        try:
            opened = self._conversation(definition, options, resumed=message is None)
            async with opened as conversation, self._known(options) as run_id:
                ctx = self._context(definition, config, conversation.memory, run_id, options)
                async with self._served(ctx, toolbox):
                    run = Run(
                        ctx=ctx,
                        conversation=conversation,
                        toolbox=toolbox,
                        lifecycle=await Lifecycle.of(definition, self._executor, ctx),
                        approvals=self.approvals,
                        request=request,
                        spending=spending,
                        ask=partial(asked, self.model_client, put=put),
                        notify=partial(notified, (*self._sinks, *options.get("event_sinks", ())), put),
                    )
                    response = await run.perform(message)
        except ConversationStoreError as error:
            error.response = response
            raise
        return response

    @asynccontextmanager
    async def _served(self, ctx: AgentContext, toolbox: Toolbox) -> AsyncGenerator[None]:
        """Approvals know the run while it goes on; at its end what was made for it ends."""
        asks = may_ask(toolbox.table)
        if asks:
            await self.approvals.begin_run(ctx.agent_run_id)
        cancelled = False
        try:
            yield
        except CancelledError:
            cancelled = True
            raise
        finally:
            try:
                await self._executor.end_run(ctx)
            finally:
                if asks:
                    await self.approvals.end_run(ctx.agent_run_id, cancelled=cancelled)

    def _toolbox(self, definition: AgentDefinition) -> Toolbox:
        found = self._toolboxes.get(definition.cls)
        if found is None:
            found = self._toolboxes[definition.cls] = Toolbox(definition, self._executor, self._tools)
        return found

    def _request(
        self, definition: AgentDefinition, toolbox: Toolbox, config: AgentConfig, override: str | None
    ) -> ModelRequest:
        model = override or definition.model or self._model or getattr(self.model_client, "default_model", None)
        if not model:
            raise AgentConfigError(
                f"agent {definition.name!r} names no model, and neither does its runner: AgentRunner(model=...)"
            )
        return ModelRequest(
            model=model,
            messages=(),
            system=definition.system or config.system_prompt,
            tools=toolbox.list_for(self.model_client.target),
            max_tokens=config.max_tokens_per_turn,
            temperature=config.temperature if "temperature" in config.given else None,
            top_p=config.top_p,
            options=config.request_options,
        )

    def _conversation(
        self, definition: AgentDefinition, options: RunOptions, *, resumed: bool
    ) -> AbstractAsyncContextManager[Conversation]:
        return self._conversations.opened(
            _first(options.get("memory"), definition.memory),
            _first(options.get("conversation_store"), definition.conversation_store, self._store),
            options.get("conversation_id"),
            resumed=resumed,
        )

    @asynccontextmanager
    async def _known(self, options: RunOptions) -> AsyncGenerator[str]:
        """The run's id, its alone while it goes on."""
        run_id = options.get("run_id") or uuid4().hex
        if run_id in self._running:
            raise ValueError(f"a run with the id {run_id!r} is going on already")
        self._running.add(run_id)
        try:
            yield run_id
        finally:
            self._running.discard(run_id)

    def _context(
        self, definition: AgentDefinition, config: AgentConfig, memory: Memory, run_id: str, options: RunOptions
    ) -> AgentContext:
        return AgentContext(
            agent_id=f"{definition.cls.__module__}:{definition.cls.__qualname__}",
            agent_run_id=run_id,
            agent_class=definition.cls,
            agent_name=definition.name,
            config=config,
            memory=memory,
            metadata=dict(options.get("metadata") or {}),
            request=options.get("request"),
            execution_context=options.get("execution_context"),
            conversation_id=options.get("conversation_id"),
            runner=self,
            message_bus=self._message_bus,
            idempotency_ledger=options.get("idempotency_ledger"),
        )


def _first(*given: Any) -> Any:
    """The first that is there. A memory or a store that holds nothing may well be false."""
    return next((each for each in given if each is not None), None)


def _config(*layers: AgentConfig | None) -> AgentConfig:
    """Configurations laid over another, the first on top."""
    made = AgentConfig()
    for each in reversed(layers):
        made = made if each is None else each.over(made)
    return made


def _process_approvals() -> Approvals:
    from ..approvals.default import default_approvals

    return default_approvals()


setattr(AgentRunner, BY_SUBCLASS_META, True)  # `runner: AgentRunner` is the one runner that a module sees
