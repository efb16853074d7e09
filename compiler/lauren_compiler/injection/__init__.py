"""Checks dependency injection by the rules of the runtime's container, before anything starts.

order        modules and providers, each after what it needs
bindings     which providers a token stands for, seen from a module
lookup       what fills a need
messages     what is said of each fault, with the places that lead to it
application  all of it, for one application
checks       the same for every application
"""
