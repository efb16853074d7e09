"""The keys of `[tool.lauren-compile]`: what each takes, as one table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeGuard, cast

Check = Callable[[object], bool]


def is_table(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)


def is_strings(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(item, str) for item in cast("list[object]", value))


def _is_string(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip()) and "\0" not in value


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


def _is_decorators(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(item, str) or is_table(item) for item in cast("list[object]", value)
    )


def _is_table_of_tables(value: object) -> bool:
    return is_table(value) and all(is_table(item) for item in value.values())


def _is_table_of_strings(value: object) -> bool:
    return is_table(value) and all(isinstance(item, str) for item in value.values())


def _is_table_of_lists(value: object) -> bool:
    return is_table(value) and all(is_strings(item) for item in value.values())


KEYS: dict[str, tuple[Check, str]] = {
    "sources": (is_strings, "a list of files and folders"),
    "exclude": (is_strings, "a list of patterns"),
    "out": (_is_string, "a folder"),
    "roots": (is_strings, "a list of folders"),
    "targets": (is_strings, "a list of targets"),
    "target-runtime": (_is_string, "the name of a runtime"),
    "target": (_is_table_of_tables, "a table for each target"),
    "python": (_is_string, "the path of an interpreter"),
    "environment": (is_table, "a table with `search-path`, `version` and `platform`"),
    "cache-dir": (_is_string, "a folder"),
    "formatter": (_is_string, "a command"),
    "decorators": (_is_decorators, "a list of qualified names and tables"),
    "types": (_is_table_of_tables, "a table from dotted name to a table with `schema` and `converter`"),
    "levels": (_is_table_of_strings, "a table from rule to error, warning, note or off"),
    "warnings-as-errors": (_is_bool, "true or false"),
    "per-file-ignores": (_is_table_of_lists, "a table from pattern to a list of rules"),
}

UNSUPPORTED = {
    "formatter": "generated code is written in its final format, and no command is run over it",
}
"""Keys that have a meaning in the design and none yet: saying so beats ignoring them."""

ENVIRONMENT_OPTIONS: dict[str, tuple[Check, str]] = {
    "search-path": (is_strings, "a list of folders"),
    "version": (_is_string, 'a version such as "3.12"'),
    "platform": (_is_string, 'a platform as `sys.platform` has it, such as "linux"'),
}
"""The keys of `environment`."""

TYPE_OPTIONS = frozenset({"schema", "converter"})
"""The keys of an entry in `types`."""

TARGET_OPTIONS: frozenset[str] = frozenset()
"""The options that a table of a target may have. So far there are none."""
