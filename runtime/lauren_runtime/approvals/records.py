"""What is kept of an approval. All of it is immutable, and has a JSON form that stores keep.

    early ──(asked)──► approved, rejected
    pending ──► approved ──► running ──► finished
       │           │            └─(lease over)─► interrupted ──(released)──► approved
       │           └──► withdrawn                     └──(abandoned)──► finished
       └──► rejected, expired, withdrawn

`transitions.py` has the steps.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from types import NoneType
from typing import Any, Literal, TypeAlias, get_args

from ..canonical import digest
from .errors import ApprovalConflictError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..table import Entry

State: TypeAlias = Literal[
    "early", "pending", "approved", "rejected", "expired", "withdrawn", "running", "interrupted", "finished"
]
Verdict: TypeAlias = Literal["approved", "rejected", "expired", "withdrawn"]
Key: TypeAlias = tuple[str, str]
"""An agent's run and the id of a call in it."""

CLOSED: frozenset[State] = frozenset(("rejected", "expired", "withdrawn", "finished"))
"""States that nothing leaves, but for a withdrawn call that is asked about again."""
_FORMAT = 1
_HELD: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "str | None": (str, NoneType),
    "float": (float, int),
    "float | None": (float, int, NoneType),
    "int": (int,),
    "bool": (bool,),
}
"""What stands for a field's annotation in JSON; fields that are records have been looked at."""
_WORDS: dict[str, tuple[str, ...]] = {"State": get_args(State), "Verdict": get_args(Verdict)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What was decided of a call: a record that tells by itself who allowed what.

    `arguments_json` are the arguments that may run, as edited if they were; the digests are those of these arguments
    and of the tool as it was built when the human was asked. An early decision has neither until the call is made.
    `id` tells the decisions of humans apart.
    """

    agent_run_id: str
    tool_use_id: str
    tool_name: str
    verdict: Verdict
    at: float
    by: str | None = None
    reason: str = ""
    id: str = ""
    edited: bool = False
    arguments_json: str = ""
    arguments_digest: str = ""
    tool_digest: str = ""

    @property
    def approved(self) -> bool:
        """Whether the call may run."""
        return self.verdict == "approved"

    @property
    def arguments(self) -> dict[str, Any]:
        """A copy of the arguments that may run."""
        return _object(self.arguments_json)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A runner's hold on a call that it runs. It is over at `until` unless renewed; `fence` counts a call's claims."""

    runner: str
    token: str
    fence: int
    at: float
    until: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One line of an approval's history."""

    what: str
    at: float
    by: str | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """One call that needs approval, and all that happened to it.

    `arguments_json` is what the human is shown: the final arguments. Times are seconds of the store's clock;
    `expires_at` is None without a time limit. `result_json` is what the call gave, once it is finished.
    """

    agent_run_id: str
    tool_use_id: str
    state: State
    agent_id: str | None = None
    tool_name: str = ""
    tool_digest: str = ""
    arguments_json: str = ""
    arguments_digest: str = ""
    asked_at: float = 0.0
    expires_at: float | None = None
    decision: Decision | None = None
    claim: Claim | None = None
    result_json: str | None = None
    history: tuple[Event, ...] = ()

    @property
    def key(self) -> Key:
        """Run and call."""
        return self.agent_run_id, self.tool_use_id

    @property
    def arguments(self) -> dict[str, Any]:
        """A copy of the arguments that were asked about."""
        return _object(self.arguments_json)

    @property
    def is_closed(self) -> bool:
        """Whether nothing more is to come."""
        return self.state in CLOSED

    @property
    def changed_at(self) -> float:
        """When the last thing happened."""
        return self.history[-1].at if self.history else self.asked_at

    def to_json(self) -> str:
        """The text that a store keeps."""
        return json.dumps({"format": _FORMAT, **asdict(self)}, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str | bytes) -> Approval:
        """The record of a text. Raises ValueError for a format of a newer runtime, and for what is no record."""
        try:
            given = json.loads(text)
            if given.pop("format") == _FORMAT:
                given["decision"] = _made(Decision, given["decision"])
                given["claim"] = _made(Claim, given["claim"])
                given["history"] = tuple(_made(Event, each) for each in given["history"])
                made: Approval = _well_made(cls(**given))
                return made
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
            raise ValueError("what is stored is no approval: somebody else wrote it, or it was damaged") from error
        raise ValueError("the approval was stored by a newer runtime: upgrade this one")


def allowed_input(approval: Approval, tool_use_id: str, entry: Entry) -> dict[str, Any]:
    """The arguments with which an approval lets the tool run.

    Raises ApprovalConflictError if it allows another call, another tool, another build of it, or nothing.
    """
    decision = approval.decision
    if decision is None or not decision.approved:
        raise ApprovalConflictError(f"call {tool_use_id!r} was not approved")
    if (approval.tool_name, approval.tool_use_id) != (entry.name, tool_use_id):
        raise ApprovalConflictError(f"call {approval.tool_use_id!r} of {approval.tool_name!r} was approved, not this")
    if decision.tool_digest != entry.digest:
        raise ApprovalConflictError("the tool was built anew since it was approved: a new call is needed")
    arguments = decision.arguments
    if digest(arguments) != decision.arguments_digest:
        raise ApprovalConflictError("the arguments in the record are not those that were approved")
    return arguments


def frozen(arguments: dict[str, Any]) -> tuple[str, str]:
    """Arguments as JSON text, in their own order, and the digest of their canonical form."""
    return json.dumps(arguments, allow_nan=False), digest(arguments)


def _object(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text) if text else {}
    return found


def _made(kind: type[Any], given: dict[str, Any] | None) -> Any:
    return None if given is None else _well_made(kind(**given))


def _well_made(record: Any) -> Any:
    """The record, if what came from JSON is what its fields hold. Raises ValueError."""
    for each in fields(record):
        value, known = getattr(record, each.name), _HELD.get(str(each.type))
        if known is not None and type(value) not in known:
            raise ValueError(f"{each.name} is {value!r}")
        words = _WORDS.get(str(each.type))
        if words is not None and value not in words:
            raise ValueError(f"{each.name} is {value!r}")
        if each.name == "arguments_json" and type(_object(value)) is not dict:
            raise ValueError("the arguments are no object")
    return record
