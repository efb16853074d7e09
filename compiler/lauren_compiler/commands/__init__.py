"""The command line, a module for each command."""

COMMANDS = ("build", "watch", "check", "show", "validate", "call", "explain")
