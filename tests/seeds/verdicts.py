"""Every code block of the two pages, in their order, and what becomes of it under the stand-in.

RUNS: the block is a program, or becomes one with what the page takes for granted above it (`preambles.py`); it is run
as it stands. SIGNATURE: the page shows, in the notation of documentation, how something is called; that is no statement
of Python, so that there is nothing to run: the stand-in's own object must be callable so.
"""

from __future__ import annotations

RUNS, SIGNATURE = "runs", "signature"

REFERENCE = {
    "reference_tool": SIGNATURE,
    "reference_function": RUNS,
    "reference_class": RUNS,
    "reference_tool_context": SIGNATURE,
    "reference_get_metadata": SIGNATURE,
    "reference_tool_result": SIGNATURE,
    "reference_ok": SIGNATURE,
    "reference_error": SIGNATURE,
}
GUIDE = {
    "guide_reminder": RUNS,
    "guide_function": RUNS,
    "guide_class": RUNS,
    "guide_context": RUNS,
    "guide_names": RUNS,
    "guide_approval": RUNS,
    "guide_cache": RUNS,
    "guide_cache_key": RUNS,
    "guide_result": RUNS,
    "guide_sharing": RUNS,
    "guide_skills": RUNS,
    "guide_agent": RUNS,
}
VERDICTS = {**REFERENCE, **GUIDE}
CALLED = {
    "reference_tool": "tool",
    "reference_tool_context": "ToolContext",
    "reference_get_metadata": "ToolContext.get_metadata",
    "reference_tool_result": "ToolResult",
    "reference_ok": "ToolResult.ok",
    "reference_error": "ToolResult.error",
}
"""What each signature is one of."""
