"""Runs that were clean are remembered: one that would do the same again only says so.

A run depends on its command line and on what it saw of the file system: `key.py` names the first, `source/recording.py`
remembers the second. `record.py` is how that is kept, `folder.py` where, `again.py` is asked before anything is loaded.
"""
