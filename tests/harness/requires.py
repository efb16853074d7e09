"""What a test needs and a machine may lack: skipped and named if missing, a failure under LAUREN_TEST_ALL=1."""

from __future__ import annotations

import importlib
import os
from types import ModuleType
from typing import NoReturn

import pytest


def package(module: str, requirement: str) -> ModuleType:
    """The module of that name, which `pip install requirement` provides."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not module.startswith(error.name):
            raise
        missing(f"`{requirement}` is not installed")


def missing(what: str) -> NoReturn:
    """End the test: `what` says what this machine lacks."""
    if os.environ.get("LAUREN_TEST_ALL") == "1":
        pytest.fail(f"{what}, and LAUREN_TEST_ALL=1 wants every test run", pytrace=False)
    pytest.skip(what)
