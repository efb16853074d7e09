"""The entries of `decorators`: what else makes tools, as configured.

    decorators = [
        "acme.tools:agent_tool",
        { decorator = "mcp.server.fastmcp:FastMCP.tool", injected = ["mcp.server.fastmcp:Context"] },
    ]

A name is a project's own decorator, which wraps `tool`. A table is a decorator of another framework.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from ..source.span import Span
from .keys import is_strings
from .pyproject import did_you_mean


class Framework(Struct, frozen=True):
    """How another framework's decorator is read.

    `name` and `description` are the parameters of the decorator that give the tool's. `injected` are qualified names of
    types whose parameters the framework fills, `injected_names` names of such parameters. `function` are attributes of
    the decorated object, of which the first that is there is called; without any, the object itself.
    """

    name: str = "name"
    description: str = "description"
    injected: tuple[str, ...] = ()
    injected_names: tuple[str, ...] = ()
    function: tuple[str, ...] = ()


class Decorator(Struct, frozen=True):
    """One entry. `name` is `module:qualified.name`, or all dots; `framework` is None for one that wraps `tool`.

    `injected_spans` are the places of `framework.injected`. `keeper` is one that makes no tool and keeps the signature.
    """

    name: str
    span: Span
    framework: Framework | None = None
    injected_spans: tuple[Span, ...] = ()
    keeper: bool = False


Place = Callable[..., Span]
"""The place of a key below `decorators`."""

_TEXT = "a text"
_TEXTS = "a list of texts"
_TRUE = "true"
_IDENTIFIERS: dict[str, tuple[str, str]] = {
    "decorator": (_TEXT, "a qualified name, `module:name`"),
    "name": (_TEXT, "a parameter of the decorator"),
    "description": (_TEXT, "a parameter of the decorator"),
    "injected": (_TEXTS, "a list of qualified names of types"),
    "injected-names": (_TEXTS, "a list of names of parameters"),
    "function": (_TEXTS, "the name of an attribute, or a list of names"),
    "keeps-signature": (_TRUE, "true"),
}


class Fault(Struct, frozen=True):
    """What is wrong with an entry, and where. `unknown` if it is a key that is not known."""

    span: Span
    message: str
    help: str | None = None
    unknown: bool = False


def read_decorators(values: list[object], place: Place) -> Iterator[Decorator | Fault]:
    """The entries of the list, each read or with what is wrong with it."""
    seen: dict[str, int] = {}
    for index, value in enumerate(values):
        for item in _entry(value, partial(place, str(index))):
            if isinstance(item, Decorator):
                first = seen.setdefault(item.name.replace(":", "."), index)
                if first != index:
                    yield Fault(item.span, f"`{item.name}` is listed twice")
                    continue
            yield item


def _entry(value: object, place: Place) -> Iterator[Decorator | Fault]:
    if isinstance(value, str):
        yield _named(value, place()) if value.strip() else Fault(place(), "an empty text in `decorators` means nothing")
        return
    table = cast("dict[str, object]", value)
    faults = list(_faults(table, place))
    yield from faults
    if faults:
        return
    entry = _named(str(table["decorator"]), place("decorator"))
    if isinstance(entry, Fault):
        yield entry
        return
    if "keeps-signature" in table:
        yield replace(entry, keeper=True)
        return
    injected = _texts(table, "injected")
    spans = tuple(place("injected", str(index)) for index in range(len(injected)))
    wrong = [each for each in map(_named, injected, spans) if isinstance(each, Fault)]
    yield from wrong
    if not wrong:
        yield replace(entry, framework=_framework(table), injected_spans=spans)


def _framework(table: Mapping[str, object]) -> Framework:
    standard = Framework()
    return Framework(
        str(table.get("name", standard.name)),
        str(table.get("description", standard.description)),
        _texts(table, "injected"),
        _texts(table, "injected-names"),
        _texts(table, "function"),
    )


def _texts(table: Mapping[str, object], key: str) -> tuple[str, ...]:
    value = table.get(key, [])
    return (value,) if isinstance(value, str) else tuple(cast("list[str]", value))


def _faults(table: Mapping[str, object], place: Place) -> Iterator[Fault]:
    for key, value in table.items():
        if key not in _IDENTIFIERS:
            message = f"`{key}` is no key of a table in `decorators`"
            yield Fault(place(key), message, did_you_mean(key, _IDENTIFIERS), unknown=True)
            continue
        kind, what = _IDENTIFIERS[key]
        single = isinstance(value, str) and (kind == _TEXT or key == "function")
        if not single and not (kind == _TEXTS and is_strings(value)) and not (kind == _TRUE and value is True):
            yield Fault(place(key), f"`{key}` takes {what}")
        elif key in ("name", "description", "injected-names", "function"):
            wrong = next((text for text in _texts(table, key) if not text.isidentifier()), None)
            if wrong is not None:
                yield Fault(place(key), f"`{key}` takes {what}, and `{wrong}` is no identifier")
    if "keeps-signature" in table and table.keys() - {"decorator", "keeps-signature"}:
        yield Fault(place("keeps-signature"), "a decorator that keeps the signature makes no tool: no other key fits")
    if "decorator" not in table:
        yield Fault(place(), "a table in `decorators` has to name its `decorator`")


def _named(name: str, span: Span) -> Decorator | Fault:
    """An entry of that name, if it can be one."""
    module, colon, qualname = name.partition(":")
    parts = name.replace(":", ".").split(".")
    if not all(part.isidentifier() for part in parts) or (colon and not (module and qualname)):
        return Fault(span, f"`{name}` is no qualified name", "write `module:name`, such as `acme.tools:agent_tool`")
    if len(parts) < 2:
        return Fault(span, f"`{name}` names no module", f"write the module before it: `module:{name}`")
    return Decorator(name, span)
