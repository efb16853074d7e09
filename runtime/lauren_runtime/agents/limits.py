"""What a run has used, and whether it may go on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from .config import AgentConfig
from .errors import AgentConfigError
from .messages import TokenUsage

Prices: TypeAlias = Callable[[str, TokenUsage], float]
"""What the usage of a model costs, in USD. Providers' prices change: no list of them is kept here."""


class Spending:
    """Adds up what the replies of a run used. Raises AgentConfigError for a limit of costs without prices."""

    def __init__(self, config: AgentConfig, prices: Prices | None) -> None:
        if config.max_cost_usd is not None and prices is None:
            raise AgentConfigError(
                "max_cost_usd can't be held to without AgentRunner(prices=): a function of model and TokenUsage that "
                "gives USD",
                detail={"field": "max_cost_usd"},
            )
        self._config = config
        self._prices = prices
        self.usage = TokenUsage()
        self.cost_usd: float | None = None if prices is None else 0.0

    def add(self, model: str, usage: TokenUsage) -> float | None:
        """Take what one reply used; its cost, if prices are known. Raises what `prices` raises."""
        self.usage += usage
        if self._prices is None or self.cost_usd is None:
            return None
        cost = self._prices(model, usage)
        self.cost_usd += cost
        return cost

    @property
    def is_over(self) -> bool:
        """Whether a limit is passed."""
        tokens, cost = self._config.max_total_tokens, self._config.max_cost_usd
        if tokens is not None and self.usage.total_tokens > tokens:
            return True
        return cost is not None and (self.cost_usd or 0.0) > cost
