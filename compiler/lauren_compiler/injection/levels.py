"""The levels of LC7xx errors, which configuration may change: none of them stands for wrong output."""

from __future__ import annotations

from collections.abc import Mapping

from ..diagnostics.model import Level, Rule, Sink
from ..diagnostics.rules import injection as rules

_FAULTS = tuple(rule for rule in vars(rules).values() if isinstance(rule, Rule) and rule is not rules.DYNAMIC_GRAPH)


def as_configured(found: Sink, levels: Mapping[str, Level | None]) -> tuple[Sink, bool]:
    """The diagnostics, faults of dependency injection as warnings where another level than error is configured for them
    (which the report then gives them); and whether there are none of these at all, so that wiring can be written.
    """
    kept = Sink()
    sound = True
    for each in found:
        if each.rule in _FAULTS:
            sound = False
            if levels.get(each.rule.code, Level.ERROR) is not Level.ERROR:
                kept.add(each.at_level(Level.WARNING))
                continue
        kept.add(each)
    return kept, sound
