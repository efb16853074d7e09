"""The templates: text with loops over view models, and nothing decided in them.

A text is rendered once for equal views, in whatever build: by its key, the digest of its template's name and the view,
a `Frames` finds it where an earlier build left it. Digests of what a build says of its tools change with every edit,
and stand in no view: a template leaves their places empty, and they are filled in (`fill`). jinja2 is loaded when
something is rendered, which is seldom.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from .digest import sha256_hex

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from .. import resources

    # Python text, not HTML: every value in a view model is ready text from `pyliteral` or `layout`.
    return Environment(
        loader=FileSystemLoader(resources.templates(), encoding="utf-8"),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        newline_sequence="\n",
    )


def rendered(template: str, view: object) -> bytes:
    """The text of `template` (a file of `templates/`) for `view`, its only variable, in UTF-8.

    Raises jinja2.UndefinedError if the template asks for what the view has not.
    """
    return _environment().get_template(template).render(view=view).encode("utf-8")


def fill(frame: bytes, blank: bytes, text: bytes) -> bytes:
    """A frame with a text in its first blank. Raises ValueError if it has none."""
    start = frame.index(blank)
    return b"".join((frame[:start], text, frame[start + len(blank) :]))


class Frames:
    """The texts of views. `keys` are those of the files that have one of their own, by path; `common` are the texts,
    by key, of which the parts that concern no tool are made."""

    def __init__(self, earlier: Callable[[str], bytes | None] = lambda key: None) -> None:
        """`earlier` gives the text that an earlier build made for a key, by the same templates; None if it has none."""
        self._earlier = earlier
        self.keys: dict[str, str] = {}
        self.common: dict[str, bytes] = {}

    def of_file(self, path: str, template: str, view: object) -> bytes:
        """The text of a view that makes one file of the build."""
        self.keys[path] = key = key_of(template, view)
        return self._text(key, template, view)

    def of_all(self, template: str, view: object) -> bytes:
        """The text of a view that has nothing of a single tool."""
        key = key_of(template, view)
        self.common[key] = text = self._text(key, template, view)
        return text

    def _text(self, key: str, template: str, view: object) -> bytes:
        found = self._earlier(key)
        return rendered(template, view) if found is None else found


def key_of(template: str, view: object) -> str:
    """By what the text of a view is known again."""
    return sha256_hex(msgspec.msgpack.encode((template, view)))
