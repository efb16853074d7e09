"""Compiled tools for other frameworks' loops; each module needs its framework installed."""
