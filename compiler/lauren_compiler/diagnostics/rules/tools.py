"""LC4xx: tool declarations, parameters and docstrings."""

from __future__ import annotations

from ..model import Level, Rule

BARE_DECORATOR = Rule("LC401", "bare-decorator", "`@tool`, `@agent` or `@use_tools` without parentheses")
MISSING_DESCRIPTION = Rule("LC402", "missing-description", "a tool has no description", Level.WARNING)
UNKNOWN_DOCUMENTED_PARAMETER = Rule(
    "LC403", "unknown-documented-parameter", "a docstring documents a parameter that does not exist", Level.WARNING
)
DUPLICATE_TOOL_NAME = Rule("LC404", "duplicate-tool-name", "two tools have one name")
INVALID_TOOL_NAME = Rule("LC405", "invalid-tool-name", "a tool's name is one that providers refuse")
MISSING_ANNOTATION = Rule("LC406", "missing-annotation", "a parameter has no annotation")
CLASS_WITHOUT_RUN = Rule("LC407", "class-without-run", "a tool class has no `run` method")
DEFAULT_NOT_JSON = Rule(
    "LC408", "default-not-json", "a default has no JSON form and is left out of the schema", Level.WARNING
)
DEFAULT_BREAKS_SCHEMA = Rule(
    "LC409", "default-breaks-schema", "a default is refused by its own schema and left out of it", Level.WARNING
)
DYNAMIC_OPTION = Rule("LC410", "dynamic-option", "a name, description or option of a tool is known only at run time")
IMPLICIT_OPTIONAL = Rule(
    "LC411", "implicit-optional", "`= None` on a parameter whose type does not admit None", Level.WARNING
)
UNSUPPORTED_PARAMETER = Rule("LC412", "unsupported-parameter", "a parameter of a kind that a tool can't have")
HIDDEN_PARAMETER_WITHOUT_DEFAULT = Rule(
    "LC413", "hidden-parameter-without-default", "a parameter with a leading underscore has no default"
)
SECOND_CONTEXT = Rule("LC414", "second-context", "a tool has more than one context parameter")
UNCACHEABLE_CONTEXT = Rule(
    "LC415", "uncacheable-context", "`cache_ttl` on a tool that takes a context, without `cache_key_fn`", Level.WARNING
)
UNDECIDABLE_TOOL = Rule(
    "LC416", "undecidable-tool", "a tool whose function, name or options can't be known from the source", Level.WARNING
)
UNKNOWN_DECORATOR = Rule(
    "LC417", "unknown-decorator", "a decorator below `@tool()` may change the signature", Level.WARNING
)
UNDECORATED_SUBCLASS = Rule(
    "LC418", "undecorated-subclass", "a subclass of a tool class is no tool by itself", Level.NOTE
)
OTHER_RUNTIME_NAME = Rule("LC419", "other-runtime-name", "lauren-ai would give this tool another name", Level.NOTE)
INVALID_OPTION = Rule("LC420", "invalid-option", "an argument of `tool()` that it does not take")
INVISIBLE_TEXT = Rule(
    "LC421", "invisible-text", "text for the model holds characters that change how it reads", Level.WARNING
)
DECORATED_TWICE = Rule("LC422", "decorated-twice", "one function or class is made a tool twice")
AMBIGUOUS_DEFINITION = Rule(
    "LC423", "ambiguous-definition", "a tool is defined twice under conditions that can't be decided"
)
SHARED_BOUND_NAME = Rule("LC424", "shared-bound-name", "two tools that must be bound have one name", Level.WARNING)
CONFUSABLE_NAME = Rule("LC425", "confusable-name", "two tool names look alike", Level.WARNING)
REBOUND_TOOL = Rule("LC427", "rebound-tool", "a tool's name is bound to something else later")
BOUND_METHOD = Rule("LC430", "bound-method", "a bound method is made a tool, which Python does not allow")
METADATA_LEFT_OUT = Rule("LC428", "metadata-left-out", "metadata of a tool is not in the manifest", Level.NOTE)
REPLACED_TOOL = Rule(
    "LC429", "replaced-tool", "a decorator above `@tool()` gives an object that is no tool", Level.WARNING
)
UNDOCUMENTED_PARAMETER = Rule(
    "LC442", "undocumented-parameter", "a docstring documents other parameters, and not this one", Level.NOTE
)
CONTRADICTING_TYPE = Rule(
    "LC443", "contradicting-type", "a docstring gives a parameter another type than its annotation", Level.NOTE
)
UNRESOLVED_AT_DECORATION = Rule(
    "LC441", "unresolved-at-decoration", "lauren-ai can't resolve an annotation when it makes a tool", Level.WARNING
)
SCHEMA_MISMATCH = Rule(
    "LC440", "schema-mismatch", "`input_schema` of `tool()` does not go together with the function's parameters"
)
CACHED_APPROVAL = Rule("LC450", "cached-approval", "`cache_ttl` on a tool whose calls a human approves", Level.WARNING)
HOOK_ARITY = Rule("LC451", "hook-arity", "an option of `tool()` that can't be called with what it will get")
GENERATOR_TIMEOUT = Rule(
    "LC452", "generator-timeout", "a time limit on a tool that gives its items one by one", Level.WARNING
)
DYNAMIC_DESCRIPTION = Rule(
    "LC426", "dynamic-description", "a parameter's description is known only at run time", Level.WARNING
)
