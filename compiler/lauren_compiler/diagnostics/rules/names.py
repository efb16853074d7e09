"""LC2xx: names, imports and modules."""

from __future__ import annotations

from ..model import Level, Rule

UNRESOLVED_NAME = Rule("LC201", "unresolved-name", "a name is defined nowhere")
UNRESOLVED_IMPORT = Rule("LC202", "unresolved-import", "a module is not found")
MISSING_EXPORT = Rule("LC203", "missing-export", "a module does not define the imported name")
NO_SOURCE = Rule("LC204", "no-source", "a module has no source that could be read")
CIRCULAR_DEFINITION = Rule("LC205", "circular-definition", "a name is defined by itself")
INHERITANCE_CYCLE = Rule("LC206", "inheritance-cycle", "a class inherits from itself")
DYNAMIC_NAME = Rule("LC207", "dynamic-name", "what a name means is known only at run time")
MISSING_AT_IMPORT = Rule(
    "LC211", "missing-at-import", "an annotation names what is not there when Python evaluates it", Level.WARNING
)
MODEL_NOT_DEFINED = Rule(
    "LC212", "model-not-defined", "pydantic will not find the type of a field when it completes a model", Level.WARNING
)
IMPORT_CYCLE = Rule(
    "LC213", "import-cycle", "an import asks for a name that its module has not bound yet", Level.WARNING
)
FAILING_IMPORT = Rule(
    "LC214",
    "failing-import",
    "an import that a tool's module needs at run time leads nowhere",
    Level.WARNING,
    yields=True,
)
JOINED_TEXT = Rule("LC215", "joined-text", "`|` joins a class and a text, which Python can't", Level.WARNING)
HIDDEN_TYPE = Rule(
    "LC216", "hidden-type", "the default of a field hides the type that its annotation names", Level.WARNING
)
