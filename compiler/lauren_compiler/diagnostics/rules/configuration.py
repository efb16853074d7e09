"""LC0xx: configuration, what to compile, module names."""

from __future__ import annotations

from ..model import Level, Rule

UNKNOWN_SETTING = Rule("LC001", "unknown-setting", "a key of the configuration is not known")
INVALID_SETTING = Rule("LC002", "invalid-setting", "a value of the configuration is not what its key takes")
NO_TOOLS = Rule("LC003", "no-tools", "nothing to compile was found", Level.WARNING)
DUPLICATE_MODULE = Rule("LC004", "duplicate-module", "two files have one module name")
INVALID_MODULE_NAME = Rule("LC005", "invalid-module-name", "a file's module name is no Python identifier")
INVALID_OUTPUT_NAME = Rule("LC006", "invalid-output-name", "the output folder's name can't be a Python package")
UNUSED_IGNORE = Rule("LC007", "unused-ignore", "an ignore comment silences nothing", Level.WARNING)
INVALID_IGNORE = Rule(
    "LC008", "invalid-ignore", "an ignore comment names no known rule, or one that can't be silenced", Level.WARNING
)
