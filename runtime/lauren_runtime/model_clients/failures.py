"""The failures of official clients, as ModelError; and what to do where one is not installed."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, cast

from ..agents.model_client import ModelError
from .content import inner

_TRANSPORTS = frozenset({"httpx", "httpx2", "httpcore", "httpcore2", "h11", "aiohttp", "urllib3", "ssl", "anyio"})
_LONGEST = 500


@contextmanager
def installed(package: str, extra: str) -> Generator[None]:
    """Say which extra brings the package that is imported here, where it is not installed. Raises ImportError."""
    try:
        yield
    except ImportError as error:
        message = f"this model client needs the package {package}: pip install 'lauren-compile[{extra}]'"
        raise ImportError(message, name=error.name, path=error.path) from error


@contextmanager
def reported(provider: str, *own: type[BaseException]) -> Generator[None]:
    """Raise ModelError for the package's own errors, and for those of the connection below it."""
    try:
        yield
    except ModelError:
        raise
    except Exception as error:
        if not (isinstance(error, (*own, OSError)) or _is_transports(error)):
            raise  # a mistake in the request, or in the adapter
        text = f"{provider}: {type(error).__name__}: {error}"
        shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
        raise ModelError(shown, status=_status(error), retry_after=_retry_after(error)) from error


def incomplete(provider: str) -> ModelError:
    """The error for an answer that ended in the middle of a reply."""
    return ModelError(f"{provider}: the answer ended before the reply was whole")


def _is_transports(error: BaseException) -> bool:
    return any(base.__module__.partition(".")[0] in _TRANSPORTS for base in type(error).__mro__)


def _status(error: Any) -> int | None:
    meta: dict[str, Any] = _botocore_meta(error)
    found = getattr(error, "status_code", None) or getattr(error, "code", None) or meta.get("HTTPStatusCode")
    return found if isinstance(found, int) else None


def _retry_after(error: Any) -> float | None:
    headers: Any = getattr(getattr(error, "response", None), "headers", None)
    headers = headers or inner(_botocore_meta(error), "HTTPHeaders")
    try:
        return float(headers.get("retry-after", ""))
    except ValueError:  # a date, or nothing
        return None


def _botocore_meta(error: object) -> dict[str, Any]:
    response: object = getattr(error, "response", None)
    return inner(cast("dict[str, Any]", response), "ResponseMetadata") if isinstance(response, dict) else {}
