"""The templates: what is the same in every file of a kind, with `$name` where the rest goes; nothing is decided there.

They are the standard library's `string.Template`: an engine with loops of its own takes longer to load than it takes
to build a changed file again.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from string import Template

from .. import resources


@cache
def _template(name: str) -> Template:
    return Template((resources.templates() / name).read_text("utf-8"))


def rendered(template: str, **texts: str) -> bytes:
    """The text of `template` (a file of `templates/`) with `texts` for its names, in UTF-8.

    Raises KeyError if the template asks for a name that is not given.
    """
    return _template(template).substitute(texts).encode("utf-8")


def lines(items: Iterable[str]) -> str:
    """Each on a line of its own."""
    return "".join(f"{item}\n" for item in items)
