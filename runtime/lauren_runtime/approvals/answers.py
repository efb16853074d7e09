"""What `approve_tool` and its like return."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, Literal, TypeAlias

from ..errors import ArgumentError
from .records import Approval

Outcome: TypeAlias = Literal["taken", "early", "unknown", "repeated", "late", "changed", "invalid"]


class Answer:
    """Whether a decision was taken: true or false, at once; awaited it gives itself.

    `outcome` says more:

    - "taken": the call was waiting, and is decided
    - "early": the run is there and the call is not yet: the decision is kept for it
    - "unknown": there is neither such a call nor such a run
    - "repeated": it was decided before; the first decision stands
    - "late": its time was over, or nobody wants the call any more
    - "changed": the call that waits now has other arguments than those that were shown
    - "invalid": the edited arguments do not fit, as `errors` say; the call waits on

    `approval` is the record as it is now, if there is one.
    """

    __slots__ = ("approval", "errors", "outcome")

    def __init__(
        self, outcome: Outcome, approval: Approval | None = None, errors: Sequence[ArgumentError] = ()
    ) -> None:
        self.outcome: Outcome = outcome
        self.approval = approval
        self.errors = tuple(errors)

    @property
    def taken(self) -> bool:
        """Whether the decision stands."""
        return self.outcome in ("taken", "early")

    def __bool__(self) -> bool:
        return self.taken

    def __await__(self) -> Generator[Any, None, Answer]:
        yield from ()
        return self

    def __repr__(self) -> str:
        told = "".join(f", {error.message!r}" for error in self.errors)
        return f"<Answer {self.outcome}{told}>"
