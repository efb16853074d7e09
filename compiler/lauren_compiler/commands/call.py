"""`lauren-compile call`: one tool through the executor.

The compiler never imports the runtime: an interpreter of its own loads the build and runs the tool, with these streams.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from ..config import UsageError


def run(options: argparse.Namespace) -> int:
    """Exit status 1 for an error result, 2 for an unknown tool. Raises UsageError if DIR is no build."""
    folder = Path(options.dir)
    try:
        (folder / "dispatch.py").open("rb").close()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError) as error:
        reason = "it is a file, no folder" if folder.exists() else "there is no such folder"
        if folder.is_dir():
            reason = "it has no dispatch.py"
        raise UsageError(f"no build in {options.dir}: {reason}") from error
    except OSError as error:
        raise UsageError(f"the build in {options.dir} can't be read: {error.strerror}") from error
    roots = [f"--root={root}" for root in options.root]
    standin = ["--standin"] if options.standin else []
    approve = ["--approve"] if options.approve else []
    app = [f"--app={options.app}"] if options.app else []
    command = [sys.executable, "-P", "-m", "lauren_runtime.command", *roots, *standin, *approve, *app, "--"]
    return subprocess.run([*command, options.dir, options.tool, options.json], check=False).returncode
