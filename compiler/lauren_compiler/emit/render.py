"""The templates: text with loops over view models, and nothing decided in them."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from .. import resources


@cache
def _environment() -> Environment:
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
