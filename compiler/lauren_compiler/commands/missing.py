"""What is said where a package is missing that the compiler needs. Imports nothing, for any of them may be."""

from __future__ import annotations

DEPENDENCIES = ("docstring_parser", "jinja2", "jsonschema", "markupsafe", "msgspec")
"""What `pip install --no-deps` leaves out, for services that only run a build."""


def said_of_missing(error: Exception) -> str | None:
    """The message for an import that failed for want of a dependency; None for any other exception."""
    if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] in DEPENDENCIES:
        return f"`{error.name}` is missing: only the runtime works without dependencies; pip install lauren-compile."
    return None
