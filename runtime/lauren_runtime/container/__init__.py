"""Modules, providers, and the container that makes objects of them.

tokens, declaring     what users write: tokens, `@module()`, `use_value(...)`, hooks
graph                 the modules below a root, and what each imports
annotations, reading  decorated classes and functions → `Provider`s, by reflection
provider              `Provider`: what makes an object, whoever wrote it down
bindings              token → providers, as each module sees them
wiring                what fills each provider's dependencies, checked
building, resolving   objects: made once, kept, ended
application           `LaurenFactory.create(...)`: all of it in order
"""
