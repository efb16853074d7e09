"""`python -m lauren_compiler` is `lauren-compile`."""

from __future__ import annotations

import sys

from .entry import entry

if __name__ == "__main__":
    sys.exit(entry())
