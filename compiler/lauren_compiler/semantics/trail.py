"""The way a name took through imports, for messages and against circles."""

from __future__ import annotations

from ..diagnostics.model import Label
from ..syntax.declarations import Binding, ParsedModule, SymbolImport

_SHOWN = 6


class Trail:
    """Grows by one step an import; `labels` shows the first and last few."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._seen: set[int] = set()
        self._steps: list[tuple[Binding, ParsedModule]] = []

    def copy(self) -> Trail:
        """A trail that goes on from here by itself."""
        other = Trail(self.name)
        other._seen = set(self._seen)
        other._steps = list(self._steps)
        return other

    def seen(self, binding: Binding) -> bool:
        return id(binding) in self._seen

    def step(self, binding: Binding, module: ParsedModule) -> None:
        self._seen.add(id(binding))
        self._steps.append((binding, module))

    @property
    def labels(self) -> tuple[Label, ...]:
        steps = self._steps
        if len(steps) > _SHOWN:
            steps = [*steps[: _SHOWN // 2], *steps[-_SHOWN // 2 :]]
        return tuple(self._label(binding, module) for binding, module in steps)

    @staticmethod
    def _label(binding: Binding, module: ParsedModule) -> Label:
        if isinstance(binding, SymbolImport):
            source = "." * binding.level + binding.module
            text = f"`{binding.symbol}` is imported from `{source}` here"
        else:
            text = "imported here"
        return Label(module.file.span(binding.pos), text)
