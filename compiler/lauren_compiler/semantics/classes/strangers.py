"""Which classes pydantic knows nothing of: those of attrs and msgspec."""

from __future__ import annotations

from collections.abc import Mapping

from ...ir.types import Definition, ObjectDefinition, ObjectKind, Reference
from ...ir.walk import types_of, walk

_STRANGE = frozenset({ObjectKind.ATTRS, ObjectKind.STRUCT, ObjectKind.STRUCT_ARRAY})


def strangers(definition: Definition, definitions: Mapping[str, Definition]) -> ObjectDefinition | None:
    """The first class that pydantic does not know among those that the fields of a model hold, at any depth."""
    pending, seen = [definition], set[str]()
    while pending:
        for kind in types_of(pending.pop()):
            for part in walk(kind):
                found = definitions.get(part.key) if isinstance(part, Reference) else None
                if isinstance(found, ObjectDefinition) and found.kind in _STRANGE:
                    return found
                if found is not None and isinstance(part, Reference) and part.key not in seen:
                    seen.add(part.key)
                    pending.append(found)
    return None
