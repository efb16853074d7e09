"""Ready-made tools, safe by default: pages of the web, web search, and code in a sandbox.

    from lauren_runtime.skills import HttpFetchTool, WebSearchTool, CodeExecutionTool, TABLE

`TABLE` is their build, which comes compiled with the package. Third-party packages that they use are imported when a
tool first runs: `pip install 'lauren-compile[skills]'`.
"""

from __future__ import annotations

from .code.limits import SandboxLimits as SandboxLimits
from .code_execution import CodeExecutionTool as CodeExecutionTool
from .errors import FetchError as FetchError
from .errors import FetchRefused as FetchRefused
from .errors import SandboxError as SandboxError
from .errors import SearchError as SearchError
from .errors import SkillError as SkillError
from .errors import SkillSetupError as SkillSetupError
from .fetching.policy import FetchPolicy as FetchPolicy
from .http_fetch import HttpFetchTool as HttpFetchTool
from .searching.backend import SearchBackend as SearchBackend
from .searching.backend import SearchResult as SearchResult
from .searching.brave import BraveBackend as BraveBackend
from .searching.ddgs import DDGSBackend as DDGSBackend
from .searching.searxng import SearXNGBackend as SearXNGBackend
from .web_search import WebSearchTool as WebSearchTool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..table import Table

    TABLE: Table

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name != "TABLE":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        try:
            from ._generated.dispatch import TABLE
        except ModuleNotFoundError as error:
            if not (error.name or "").startswith(f"{__name__}._generated"):
                raise
            raise ImportError(
                "the skills are not compiled yet: run `python3 build.py`, or install the project with pip"
            ) from error
        return TABLE
