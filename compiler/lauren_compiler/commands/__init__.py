"""The command line, a module for each command."""

COMMANDS = ("build", "watch", "check", "show", "validate", "call", "explain")
INTERRUPTED = 130
"""Exit status: 128 and the number of the signal, as shells have it."""
