"""The search engine that the environment names."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import SkillSetupError
from .backend import SearchBackend
from .brave import BraveBackend
from .ddgs import DDGSBackend
from .searxng import SearXNGBackend

BACKEND = "LAUREN_SEARCH_BACKEND"
SEARXNG_URL = "LAUREN_SEARXNG_URL"
BRAVE_KEY = "LAUREN_BRAVE_API_KEY"
_HOW = (
    f"set {BACKEND} to searxng (and {SEARXNG_URL} to its address), brave (and {BRAVE_KEY} to a key) or ddgs, "
    "or give WebSearchTool a backend: WebSearchTool(SearXNGBackend(url))"
)


def configured_backend(environment: Mapping[str, str]) -> SearchBackend:
    """The backend that the variables name. Raises SkillSetupError, which says how to name one."""
    name = environment.get(BACKEND, "").strip().lower()
    if name == "searxng":
        return SearXNGBackend(_needed(environment, SEARXNG_URL, name))
    if name == "brave":
        return BraveBackend(_needed(environment, BRAVE_KEY, name))
    if name == "ddgs":
        return DDGSBackend()
    raise SkillSetupError(
        f"there is no search engine called {name!r}: {_HOW}" if name else f"no search engine is set: {_HOW}"
    )


def _needed(environment: Mapping[str, str], variable: str, name: str) -> str:
    value = environment.get(variable, "").strip()
    if not value:
        raise SkillSetupError(f"the search engine {name} needs {variable}, which is not set")
    return value
