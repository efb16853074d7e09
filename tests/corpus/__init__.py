"""Every public function of a library read as if it were a tool.

`python -m tests.corpus --help` says how to run it; nothing of a library is imported.
"""
