"""The way to a store from an event loop: off the loop if it may block, again if it fails, and to the end once begun."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from logging import getLogger
from typing import TypeVar

from ..awaiting import finish_first
from ..blocking import Workers
from .errors import ApprovalStoreError
from .store import ApprovalStore
from .transitions import Refused

LOG = getLogger("lauren_runtime")
FIRST_PAUSE = 0.05
_PAUSES = (FIRST_PAUSE, 0.1, 0.2, 0.4, 0.8)

_T = TypeVar("_T")


class Reach:
    """Asks a store. Works from successive event loops, and several at once."""

    def __init__(self, store: ApprovalStore) -> None:
        self._workers = Workers("lauren-approvals") if store.durable else None

    async def once(self, question: Callable[[], _T]) -> _T:
        """What `question`, which asks the store, returns or raises."""
        return question() if self._workers is None else await self._workers.run(question)

    async def insist(self, question: Callable[[], _T]) -> _T:
        """As `once`, but asked up to six times within two seconds.

        Raises Refused, and ApprovalStoreError when the last try has failed. What is asked must bear being asked again:
        a store may have done what it was asked, and failed to say so.
        """
        for pause in _PAUSES:
            try:
                return await self.once(question)
            except Refused:
                raise
            except Exception:
                LOG.debug("the store of approvals failed; it is asked again", exc_info=True)
            await asyncio.sleep(pause)
        try:
            return await self.once(question)
        except Refused:
            raise
        except Exception as error:
            raise ApprovalStoreError(f"the store of approvals failed: {type(error).__name__}") from error

    async def to_the_end(self, question: Callable[[], _T]) -> _T:
        """As `insist`, but a caller that is cancelled waits until it is done, and is cancelled then."""
        return await finish_first(self.insist(question))

    def close(self) -> None:
        """End the threads."""
        if self._workers is not None:
            self._workers.close()
