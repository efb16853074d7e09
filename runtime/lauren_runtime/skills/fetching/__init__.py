"""Fetching pages without reaching into the network that the program runs in."""
