"""LC3xx: annotations, types and the classes they name."""

from __future__ import annotations

from ..model import Level, Rule

UNSUPPORTED_TYPE = Rule("LC301", "unsupported-type", "a type has no JSON form")
NOT_A_TYPE = Rule("LC302", "not-a-type", "an annotation is not a type")
INVALID_TYPE_ARGUMENTS = Rule("LC303", "invalid-type-arguments", "a type has the wrong arguments")
TYPE_NOT_COVERED = Rule("LC304", "type-not-covered", "a type that this version can't compile yet")
INVALID_LITERAL = Rule("LC305", "invalid-literal", "a Literal holds something that is no constant")
LOCAL_CLASS = Rule("LC306", "local-class", "a class inside a function can't be imported by a decoder")
NO_OUTPUT_SCHEMA = Rule(
    "LC307", "no-output-schema", "the return type has no JSON form, so there is no output schema", Level.NOTE
)
EXCLUDED_MEMBER = Rule("LC308", "excluded-member", "a member of a class is not in the schema", Level.NOTE)
BYPASSED_CONSTRUCTOR = Rule(
    "LC310", "bypassed-constructor", "a dataclass is built past its own constructor", Level.NOTE
)
INVALID_CLASS = Rule("LC309", "invalid-class", "a class can't be read as what it says it is")
UNKNOWN_FIELD_KEYWORD = Rule(
    "LC322", "unknown-field-keyword", "a keyword that `Field` has not, which goes into the schema", Level.WARNING
)
UNKNOWN_METADATA = Rule(
    "LC321", "unknown-metadata", "what metadata of a type says is known only at run time", Level.WARNING
)
