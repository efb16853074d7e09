"""Schemas that the user states, as types: in the configuration's `types`, in `input_schema=`, in metadata."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..ir.dump import json_text
from ..ir.stated import problems, targets
from ..ir.types import AliasDefinition, Definition, Reference, Stated, Type
from ..ir.values import Factory
from ..source.span import Span

__all__ = ["problems", "stated"]


def stated(
    schema: Mapping[str, Any],
    module: str,
    qualname: str,
    span: Span,
    definitions: dict[str, Definition],
    *,
    inner: Type | None = None,
    checked: bool = True,
    converter: Factory | None = None,
    origin: Factory | None = None,
) -> Stated:
    """The type of a schema without `problems`, stated for `module:qualname`.

    What it has in `$defs` and needs is added to `definitions`, one by one, so that it can stand at the root of any
    tool's schema. See `ir.types.Stated` for the rest.
    """
    own: Mapping[str, Any] = schema.get("$defs", {})
    for name in sorted(targets(schema)):
        key = _key(module, qualname, name)
        if key not in definitions:
            part = own[name] if isinstance(own[name], dict) else {"allOf": [own[name]]}
            made = _type({**part, "$defs": own}, module, qualname)
            definitions[key] = AliasDefinition(module, f"{qualname}.{name}", made, span)
    found = _type(schema, module, qualname)
    return Stated(found.schema, inner, checked, converter, found.definitions, origin)


def _type(schema: Mapping[str, Any], module: str, qualname: str) -> Stated:
    used = targets(schema)
    kept = {name: part for name, part in schema.get("$defs", {}).items() if name in used}
    whole = {key: part for key, part in schema.items() if key != "$defs"}
    references = tuple((name, Reference(_key(module, qualname, name))) for name in sorted(used))
    return Stated(json_text({**whole, "$defs": kept} if kept else whole), definitions=references)


def _key(module: str, qualname: str, name: str) -> str:
    return f"{module}:{qualname}.$defs.{name}"
