"""llguidance compiles every neutral schema but those with keywords it is known to lack, and means the same by it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from harness import requires
from harness.every_type import every_type
from lauren_compiler.emit.manifest import entries

# llguidance 1.9.1 has none of these: https://github.com/guidance-ai/llguidance, docs/json_schema.md
UNKNOWN_TO_GRAMMARS = {"uniqueItems", "propertyNames"}
UNKNOWN_FORMATS = set("binary fraction ipv4interface ipv4network ipv6interface ipv6network path regex".split())


def keywords(schema: Any) -> set[str]:
    """Every key anywhere in a schema document: the samples have no property of such a name."""
    if isinstance(schema, dict):
        return set(schema).union(*map(keywords, schema.values()))
    return set().union(*map(keywords, schema)) if isinstance(schema, list) else set()


def formats(schema: Any) -> set[str]:
    """The formats of all strings in a schema document."""
    if isinstance(schema, dict):
        own = {schema["format"]} if isinstance(schema.get("format"), str) else set[str]()
        return own.union(*map(formats, schema.values()))
    return set[str]().union(*map(formats, schema)) if isinstance(schema, list) else set()


def test_every_schema_compiles_but_for_the_known_gaps() -> None:
    matcher = requires.package("llguidance", "llguidance==1.9.1").LLMatcher
    refused = {"with": 0, "without": 0}
    for entry in entries(every_type()):
        schema = entry["input_schema"]
        error = matcher.validate_grammar(matcher.grammar_from_json_schema(json.dumps(schema)))
        gaps = keywords(schema) & UNKNOWN_TO_GRAMMARS | formats(schema) & UNKNOWN_FORMATS
        assert bool(error) is bool(gaps), (entry["name"], error, schema)
        refused["with" if gaps else "without"] += 1
    assert min(refused.values()) > 5


@pytest.mark.parametrize(
    ("arguments", "accepted"),
    [({"p": {"x": 1}}, True), ({"p": {"x": 1, "color": "red"}}, True), ({"p": {"x": "1"}}, False)],
)
def test_the_grammar_means_what_the_schema_means(arguments: Any, accepted: bool) -> None:
    package = requires.package("llguidance", "llguidance==1.9.1")
    (schema,) = [
        entry["input_schema"]
        for entry in entries(every_type())
        if entry["input_schema"]["properties"]["p"] == {"$ref": "#/$defs/Point"}
    ]
    tokenizer = package.LLTokenizer("byte")
    tokens = tokenizer.tokenize_str(json.dumps(arguments, separators=(",", ":")))
    matcher = package.LLMatcher(tokenizer, package.LLMatcher.grammar_from_json_schema(json.dumps(schema)))
    whole = matcher.validate_tokens(tokens) == len(tokens)
    assert (whole and matcher.consume_tokens(tokens) and matcher.is_accepting()) is accepted
