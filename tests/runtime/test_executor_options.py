"""Options of an executor that cannot work are refused when it is made."""

from __future__ import annotations

import pytest
from lauren_runtime import ToolExecutor
from lauren_runtime.table import ABI, Table

TABLE = Table(abi=ABI, package="shop", file="shop/dispatch.py", digest="", modules={}, entries=())


@pytest.mark.parametrize(
    ("option", "given", "error"),
    [
        ("timeout", "5", TypeError),
        ("timeout", True, TypeError),
        ("timeout", 0, ValueError),
        ("timeout", float("nan"), ValueError),
        ("cache_patience", -1, ValueError),
        ("max_result_length", 10.5, TypeError),
        ("max_result_length", -1, ValueError),
    ],
)
def test_limits_are_numbers_above_zero(option: str, given: object, error: type[Exception]) -> None:
    with pytest.raises(error, match=f"^{option} is "):
        ToolExecutor(TABLE, **{option: given})


def test_unknown_options_are_refused() -> None:
    with pytest.raises(ValueError, match="on_error is one of 'return', 'raise', 'skip', not 'ignore'"):
        ToolExecutor(TABLE, on_error="ignore")
    with pytest.raises(ValueError, match="signature_mismatch"):
        ToolExecutor(TABLE, signature_mismatch="maybe")
