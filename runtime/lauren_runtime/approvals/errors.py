"""What can go wrong with an approval, beside the decision itself.

ApprovalError
├── ApprovalConflictError   the same call was asked about with other arguments, or of another build of the tool
├── ApprovalLostError       the call was released to another runner while this one still ran it
└── ApprovalStoreError      the store did not answer, also not when asked again
"""

from __future__ import annotations

from ..errors import LaurenToolError


class ApprovalError(LaurenToolError):
    """Base of the errors of approvals."""


class ApprovalConflictError(ApprovalError):
    """A call of this run and id was asked about before, with other arguments or of another build of the tool."""


class ApprovalLostError(ApprovalError):
    """The claim on a running call was lost: it was released, and another runner may run it."""


class ApprovalStoreError(ApprovalError):
    """The store failed at every try. The last failure is the cause."""
