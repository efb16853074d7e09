"""What a single run may be given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from .config import AgentConfig
from .ledger import IdempotencyLedger
from .memory import ConversationStore, Memory
from .signals import Sink


class RunOptions(TypedDict, total=False):
    """The keywords of `AgentRunner.run`, all of which may be left out.

    - conversation_id: the conversation to go on with, or to begin
    - conversation_store: where it is kept; default: the agent's, else the runner's
    - memory: the conversation itself, in place of a stored one; default: the agent's
    - metadata: for tools and hooks, `ctx.get_metadata(...)`
    - request, execution_context: the web request that the run serves
    - run_id: what approvals know the run by; default: a new one
    - config_override: laid over the agent's configuration
    - model_override: in place of the agent's model
    - event_sinks: told of this run, after the runner's
    - idempotency_ledger: what earlier attempts at this run have done
    """

    conversation_id: str | None
    conversation_store: ConversationStore | None
    memory: Memory | None
    metadata: Mapping[str, Any] | None
    request: Any
    execution_context: Any
    run_id: str | None
    config_override: AgentConfig | None
    model_override: str | None
    event_sinks: Sequence[Sink]
    idempotency_ledger: IdempotencyLedger | None


def checked(options: RunOptions) -> RunOptions:
    """The options. Raises TypeError for one that there is not."""
    unknown = options.keys() - RunOptions.__annotations__.keys()
    if unknown:
        raise TypeError(f"a run has no option {sorted(unknown)[0]!r} (it has {', '.join(RunOptions.__annotations__)})")
    return options
