"""`tuple[int, *tuple[str, ...]]` for pydantic, which can't read the annotation, but whose core has a schema for it."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler, GetPydanticSchema
from pydantic_core import CoreSchema, core_schema


def open_tuple(prefix: tuple[Any, ...], item: Any) -> Any:
    """An annotation that takes the items of `prefix`, then any number of `item`."""

    def schema(_source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        items = [handler.generate_schema(each) for each in (*prefix, item)]
        return core_schema.tuple_schema(items, variadic_item_index=len(prefix))

    return Annotated[Any, GetPydanticSchema(schema)]
