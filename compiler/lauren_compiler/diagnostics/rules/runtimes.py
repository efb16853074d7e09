"""LC8xx: what another runtime, which makes schemas as it runs, would make of a tool."""

from __future__ import annotations

from ..model import Level, Rule

OTHER_SCHEMA = Rule("LC801", "other-schema-at-runtime", "lauren-ai would show a parameter otherwise", Level.WARNING)
OTHER_TEXT = Rule("LC802", "other-text-at-runtime", "lauren-ai would describe a tool otherwise", Level.NOTE)
