"""The failures of official clients, as ModelError; and what to do where one is not installed."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from json import dumps
from math import inf
from typing import Any, cast

from ..agents.model_client import ModelError
from .content import inner

_SURPRISES = (AttributeError, LookupError, TypeError, ValueError)
_SURPRISED = "the request or its answer is not as the API has it: "
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
def reported(provider: str) -> Generator[None]:
    """Raise ModelError for whatever goes wrong while a package asks, and its answer is read.

    Answers come from whoever runs the server, or stands before it: packages check little of them, and fail in any way.
    """
    try:
        yield
    except ModelError:
        raise
    except Exception as error:
        text = f"{provider}: {_SURPRISED if isinstance(error, _SURPRISES) else ''}{type(error).__name__}: {error}"
        shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
        raise ModelError(shown, status=_status(error), retry_after=_retry_after(error)) from error


def refused(provider: str, error: object) -> ModelError:
    """The error that stands in an answer in place of a reply."""
    about = cast("dict[str, Any]", error) if isinstance(error, dict) else {}
    told = [str(about[name]) for name in ("code", "type", "message") if about.get(name) is not None]
    text = f"{provider}: {': '.join(told) or dumps(error, default=str)}"
    return ModelError(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")


def incomplete(provider: str) -> ModelError:
    """The error for an answer that ended in the middle of a reply."""
    return ModelError(f"{provider}: the answer ended before the reply was whole")


def _status(error: Any) -> int | None:
    meta: dict[str, Any] = _botocore_meta(error)
    found = getattr(error, "status_code", None) or getattr(error, "code", None) or meta.get("HTTPStatusCode")
    return found if isinstance(found, int) else None


def _retry_after(error: Any) -> float | None:
    headers: Any = getattr(getattr(error, "response", None), "headers", None)
    headers = headers or inner(_botocore_meta(error), "HTTPHeaders")
    try:
        seconds = float(headers.get("retry-after", ""))
    except ValueError:  # a date, or nothing
        return None
    return seconds if 0 <= seconds < inf else None


def _botocore_meta(error: object) -> dict[str, Any]:
    response: object = getattr(error, "response", None)
    return inner(cast("dict[str, Any]", response), "ResponseMetadata") if isinstance(response, dict) else {}
