"""LC9xx: writing a build, and builds that are not what they should be."""

from __future__ import annotations

from ..model import Level, Rule

STALE_OUTPUT = Rule("LC901", "stale-output", "what is on disk is not what a build would write")
WRITE_FAILED = Rule("LC902", "write-failed", "the output can't be written")
MIXED_OUTPUT = Rule("LC903", "mixed-output", "files of two builds lie in one output folder")
CACHE_UNWRITABLE = Rule("LC904", "cache-unwritable", "the cache can't be written", Level.NOTE)
INVALID_OUTPUT = Rule("LC905", "invalid-output", "a file of a build is not what it should be")
