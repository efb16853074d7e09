"""The table `environment`: read and checked."""

from __future__ import annotations

import os
from pathlib import Path
from typing import cast

from ..diagnostics.model import Sink
from ..diagnostics.rules.configuration import INVALID_SETTING, UNKNOWN_SETTING
from ..source.patterns import pattern
from .keys import ENVIRONMENT_OPTIONS
from .model import GivenEnvironment
from .pyproject import Settings, did_you_mean

_VERSION = pattern(r"3\.(\d{1,3})(?:\.\d+)?")
_OLDEST = 8
"""Nothing older could run what is compiled, and conditions on it would be about something else."""


def given_environment(settings: Settings, sink: Sink) -> GivenEnvironment | None:
    """What the table says, None if there is none; what is wrong in it is reported and left out."""
    table = cast("dict[str, object] | None", settings.values.get("environment"))
    if table is None:
        return None
    for key, value in table.items():
        if key not in ENVIRONMENT_OPTIONS:
            span = settings.span("environment", key)
            help = did_you_mean(key, ENVIRONMENT_OPTIONS)
            sink.add(UNKNOWN_SETTING.at(span, f"`{key}` is nothing that `environment` has", help=help))
        elif not ENVIRONMENT_OPTIONS[key][0](value):
            span = settings.span("environment", key)
            sink.add(INVALID_SETTING.at(span, f"`{key}` takes {ENVIRONMENT_OPTIONS[key][1]}"))
    if "python" in settings.values:
        message = "`environment` says what an interpreter would be asked, and `python` names one to ask"
        sink.add(INVALID_SETTING.at(settings.span("environment"), message, help="remove one of them"))
    sound = {key: value for key, value in table.items() if key in ENVIRONMENT_OPTIONS and _fits(key, value)}
    platform = cast("str | None", sound.get("platform"))
    return GivenEnvironment(_search_path(sound, settings, sink), _version(sound, settings, sink), platform)


def _fits(key: str, value: object) -> bool:
    return ENVIRONMENT_OPTIONS[key][0](value)


def _search_path(table: dict[str, object], settings: Settings, sink: Sink) -> tuple[Path, ...] | None:
    if "search-path" not in table:
        return None
    found: list[Path] = []
    for index, text in enumerate(cast("list[str]", table["search-path"])):
        path = Path(os.path.abspath(settings.folder / os.path.expanduser(text)))
        if text.strip() and settings.files.exists(str(path)):
            found.append(path)
        else:
            span = settings.span("environment", "search-path", str(index))
            sink.add(INVALID_SETTING.at(span, f"no such file or folder: {text or repr(text)}"))
    return tuple(found)


def _version(table: dict[str, object], settings: Settings, sink: Sink) -> tuple[int, int] | None:
    if "version" not in table:
        return None
    match = _VERSION.fullmatch(str(table["version"]).strip())
    if match is not None and int(match[1]) >= _OLDEST:
        return (3, int(match[1]))
    span = settings.span("environment", "version")
    message = f'`version` takes a version of Python such as "3.12", not `{table["version"]}`'
    sink.add(INVALID_SETTING.at(span, message))
    return None
