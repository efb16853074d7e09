"""LC7xx: modules and dependency injection.

None of them stands for wrong output, since no wiring is written for an application that has one; so their levels may
be configured, errors too.
"""

from __future__ import annotations

from ..model import Level, Rule

MISSING_PROVIDER = Rule("LC701", "missing-provider", "nothing provides what a constructor or factory asks for")
HIDDEN_PROVIDER = Rule("LC702", "hidden-provider", "what is asked for is provided by a module that does not export it")
INVALID_EXPORT = Rule("LC703", "invalid-export", "a module exports what it neither declares nor imports")
DECLARED_IN_TWO_MODULES = Rule("LC704", "declared-in-two-modules", "one provider is declared by two modules")
SCOPE_VIOLATION = Rule("LC705", "scope-violation", "a dependency does not live as long as what holds it")
DEPENDENCY_CYCLE = Rule("LC706", "dependency-cycle", "providers need each other")
MODULE_CYCLE = Rule("LC707", "module-cycle", "modules import each other")
AMBIGUOUS_PROVIDER = Rule("LC708", "ambiguous-provider", "a token stands for several providers where one is asked for")
DUPLICATE_BINDING = Rule("LC709", "duplicate-binding", "one token is registered twice in a module")
UNRESOLVABLE_PARAMETER = Rule("LC710", "unresolvable-parameter", "a parameter does not say what it needs")
INHERITED_MARK = Rule("LC711", "inherited-mark", "a class is injectable, or a module, only by its base")
MISUSED_DECORATOR = Rule("LC712", "misused-decorator", "a decorator or provider that Python refuses as it is written")
NOT_A_MODULE = Rule("LC713", "not-a-module", "what a module imports is no module")
NOT_INJECTABLE = Rule("LC714", "not-injectable", "what a module declares is not marked as a provider")
ALIAS_OF_NOTHING = Rule("LC715", "alias-of-nothing", "another name for what nothing provides")
UNCONSTRUCTIBLE = Rule("LC716", "unconstructible-provider", "a provider's class is abstract, or a protocol")
TRANSIENT_GENERATOR = Rule("LC717", "transient-generator", "a generator whose teardown nothing would ever run")
UNRESOLVABLE_ANNOTATION = Rule(
    "LC718", "unresolvable-annotation", "an annotation means nothing where the container evaluates it"
)
DYNAMIC_GRAPH = Rule("LC720", "dynamic-graph", "what a module declares is known only at run time", Level.NOTE)
