"""The entries of `types`: read and checked as far as the file alone tells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from ..diagnostics.model import Diagnostic, Sink
from ..diagnostics.rules.configuration import INVALID_SETTING, UNKNOWN_SETTING
from .keys import TYPE_OPTIONS
from .model import DeclaredType
from .pyproject import TABLE, Settings, did_you_mean


def declared_types(settings: Settings, sink: Sink) -> tuple[DeclaredType, ...]:
    """The entries that have a name, a schema and nothing unknown; what is wrong with others is reported."""
    found: list[DeclaredType] = []
    for name, entry in cast("dict[str, dict[str, object]]", settings.values.get("types", {})).items():
        problems = list(_problems(name, entry, settings))
        sink.extend(problems)
        if not problems:
            base = (*TABLE, "types", name)
            places = {key[len(base) :]: span for key, span in settings.spans.items() if key[: len(base)] == base}
            places.setdefault((), settings.span("types", name))
            converter = cast("str | None", entry.get("converter"))
            found.append(DeclaredType(name, entry["schema"], converter, places))
    return tuple(found)


def _problems(name: str, entry: dict[str, object], settings: Settings) -> Iterator[Diagnostic]:
    span = settings.span("types", name)
    parts = name.replace(":", ".").split(".")
    if len(parts) < 2 or not all(part.isidentifier() for part in parts) or name.count(":") > 1:
        help = 'quote the whole name: `"shop.money.Money" = { ... }`' if len(parts) == 1 else None
        yield INVALID_SETTING.at(span, f"`{name}` is no dotted name of a type: a module and a name in it", help=help)
    for key in entry:
        if key not in TYPE_OPTIONS:
            message = f"`{key}` is nothing that an entry of `types` has"
            help = did_you_mean(key, TYPE_OPTIONS)
            yield UNKNOWN_SETTING.at(settings.span("types", name, key), message, help=help)
    if "schema" not in entry:
        yield INVALID_SETTING.at(span, f"the entry of `{name}` needs a `schema`")
    converter = entry.get("converter")
    if converter is not None and not _is_path(converter):
        place = settings.span("types", name, "converter")
        yield INVALID_SETTING.at(place, "`converter` takes a function as `module:name`")


def _is_path(value: object) -> bool:
    """Whether a value is `module:name`, both dotted."""
    if not isinstance(value, str) or value.count(":") != 1:
        return False
    return all(part.isidentifier() for part in value.replace(":", ".").split("."))
