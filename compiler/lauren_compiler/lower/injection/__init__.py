"""Modules and providers in the sources → `ir.graph.Graph`.

tokens         what something is asked for by
annotations    what a parameter or attribute asks for
displays       the items of a list in the source
marks          which functions and classes are providers, which classes modules
classes        what a class is: its constructor, hooks and members
construction   how an object is made, of what
providers      an item of a module's `providers` → an entry
modules        `@module(...)` → a module
agent_modules  `AgentModule.for_root(...)` → a module
roots          which modules are applications
graph          all of it
presence       whether there is any of it
"""
