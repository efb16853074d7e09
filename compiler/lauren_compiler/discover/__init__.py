"""Which files a build reads, and the module name of each.

files       the configured folders → files
roots       a file → its source root and module
"""
