"""What pydantic says of an annotation, in the form in which ours can be compared with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ConfigDict, TypeAdapter, create_model
from pydantic.json_schema import GenerateJsonSchema, JsonRef

_PREFIX = "#/$defs/"


class _WithoutGeneratedTitles(GenerateJsonSchema):
    """pydantic's generator, without the titles that it makes of names."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def generate_inner(self, schema: Any) -> dict[str, Any]:
        result = super().generate_inner(schema)
        if schema["type"] == "enum":
            # The title of an enum is added around `enum_schema`, to what stands in the definitions.
            own = self.get_schema_from_definitions(JsonRef(result["$ref"])) if "$ref" in result else result
            if own is not None and own.get("title") == schema["cls"].__name__:
                del own["title"]
        return result

    def _update_class_schema(self, json_schema: dict[str, Any], cls: type[Any], config: ConfigDict) -> None:
        titled = "title" in json_schema or "title" in config
        super()._update_class_schema(json_schema, cls, config)  # type: ignore[misc]
        if not titled:
            json_schema.pop("title", None)


def model_schema(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of a model with these fields: `{name: (annotation, default)}`, `...` for a field without default."""
    return create_model("Arguments", **fields).model_json_schema(schema_generator=_WithoutGeneratedTitles)


def result_schema(annotation: Any) -> dict[str, Any]:
    """The schema of what pydantic serialises a value of that type to."""
    return TypeAdapter(annotation).json_schema(schema_generator=_WithoutGeneratedTitles, mode="serialization")


def comparable(document: Mapping[str, Any]) -> str:
    """A text that two schemas share just if they are equal up to the order of keys and the names of definitions."""
    definitions = document.get("$defs", {})
    numbers: dict[str, int] = {}
    ordered: list[Any] = [{key: part for key, part in document.items() if key != "$defs"}]
    for schema in ordered:
        for target in _references(schema):
            if target not in numbers:
                numbers[target] = len(numbers)
                ordered.append(definitions[target.removeprefix(_PREFIX)])
    text = json.dumps([_renamed(schema, numbers) for schema in ordered], sort_keys=True, indent=1)
    unused = sorted(name for name in definitions if _PREFIX + name not in numbers)
    return text + "".join(f"\nunused: {name}" for name in unused)


def _references(schema: Any) -> list[str]:
    if isinstance(schema, dict):
        own = [schema["$ref"]] if isinstance(schema.get("$ref"), str) else []
        return own + [target for key in sorted(schema) for target in _references(schema[key])]
    if isinstance(schema, list):
        return [target for part in schema for target in _references(part)]
    return []


def _renamed(schema: Any, numbers: Mapping[str, int]) -> Any:
    if isinstance(schema, dict):
        return {
            key: f"#{numbers[part]}" if key == "$ref" and isinstance(part, str) else _renamed(part, numbers)
            for key, part in schema.items()
        }
    return [_renamed(part, numbers) for part in schema] if isinstance(schema, list) else schema
