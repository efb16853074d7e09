"""Modules of the sources as parts of a build that are made apart and put together.

unit        what one module comes to: the texts of its tools, its files' digests, what was said of it
building    tools → the files of a build, those of units of earlier builds among them
making      what a run lowered and built → its units
closure     on which files each unit depends
"""
