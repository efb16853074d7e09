"""The same seven tools as other libraries decode and run them: dict in, awaited result out."""

import inspect
import json
import typing
from collections.abc import Awaitable, Callable
from types import ModuleType
from typing import Annotated, Any, Literal

Call = Callable[[Any], Awaitable[object]]


def msgspec_call(shapes: ModuleType, name: str, *, dataclasses: bool = False) -> Call:
    """`msgspec.convert` into a Struct of the arguments, then the call. Nested classes are Structs, or dataclasses."""
    import msgspec

    function = getattr(shapes, name)
    fields = [(field, kind) for field, kind in _hints(function, {} if dataclasses else _structs(shapes)).items()]
    required = {each.name for each in inspect.signature(function).parameters.values() if each.default is each.empty}
    described = [
        (field, kind) if field in required else (field, kind, inspect.signature(function).parameters[field].default)
        for field, kind in fields
    ]
    struct = msgspec.defstruct(f"Arguments_{name}", described)
    names, convert = [field for field, _ in fields], msgspec.convert

    def call(arguments: Any) -> Awaitable[object]:
        made = convert(arguments, struct)
        awaited: Awaitable[object] = function(*[getattr(made, field) for field in names])
        return awaited

    return call


def _structs(shapes: ModuleType) -> dict[Any, Any]:
    """The dataclasses of the shapes as msgspec has them quickest."""
    import msgspec

    class Item(msgspec.Struct):
        sku: str
        quantity: int
        price: float
        note: str | None = None

    class Order(msgspec.Struct):
        id: str
        customer: str
        items: list[Item]

    class Cat(msgspec.Struct, tag_field="kind", tag="cat"):
        name: str
        lives: int

    class Dog(msgspec.Struct, tag_field="kind", tag="dog"):
        name: str
        weight: float

    return {shapes.Order: Order, shapes.Cat | shapes.Dog: Cat | Dog}


def _models(shapes: ModuleType) -> dict[Any, Any]:
    """The dataclasses of the shapes as pydantic has them quickest: models, and a union that says what its tag is."""
    from pydantic import BaseModel, Field

    class Item(BaseModel):
        sku: str
        quantity: int
        price: float
        note: str | None = None

    class Order(BaseModel):
        id: str
        customer: str
        items: list[Item]

    class Cat(BaseModel):
        kind: Literal["cat"]
        name: str
        lives: int

    class Dog(BaseModel):
        kind: Literal["dog"]
        name: str
        weight: float

    return {shapes.Order: Order, shapes.Cat | shapes.Dog: Annotated[Cat | Dog, Field(discriminator="kind")]}


def _hints(function: Any, replaced: dict[Any, Any]) -> dict[str, Any]:
    hints = typing.get_type_hints(function)
    return {name: replaced.get(kind, kind) for name, kind in hints.items() if name != "return"}


def modelled(shapes: ModuleType, name: str) -> Any:
    """The tool as a function whose annotations are pydantic's own models."""
    original = getattr(shapes, name)
    hints = _hints(original, _models(shapes))

    async def function(**given: Any) -> str:
        return "ok"

    signature = inspect.signature(original)
    function.__name__ = function.__qualname__ = name
    function.__doc__ = original.__doc__
    function.__annotations__ = {**hints, "return": str}
    parameters = [each.replace(annotation=hints[each.name]) for each in signature.parameters.values()]
    function.__signature__ = signature.replace(parameters=parameters, return_annotation=str)  # type: ignore[attr-defined]
    return function


def pydantic_validator(shapes: ModuleType, name: str) -> Any:
    """pydantic-core's validator of the arguments: a typed dict that is closed, as frameworks make it."""
    from pydantic import TypeAdapter
    from pydantic_core import SchemaValidator, core_schema

    fields: dict[str, Any] = {}
    for each in inspect.signature(modelled(shapes, name)).parameters.values():
        schema = TypeAdapter(each.annotation).core_schema
        given = each.default is not each.empty
        schema = core_schema.with_default_schema(schema, default=each.default) if given else schema
        fields[each.name] = core_schema.typed_dict_field(schema, required=not given)
    return SchemaValidator(core_schema.typed_dict_schema(fields, extra_behavior="forbid"))


def pydantic_call(shapes: ModuleType, name: str) -> Call:
    """`SchemaValidator.validate_python`, then the call."""
    function, validate = getattr(shapes, name), pydantic_validator(shapes, name).validate_python
    return lambda arguments: function(**validate(arguments))


def pydantic_json_call(shapes: ModuleType, name: str) -> Call:
    """`SchemaValidator.validate_json`, then the call."""
    function, validate = getattr(shapes, name), pydantic_validator(shapes, name).validate_json
    return lambda text: function(**validate(text))


def lauren_ai_call(function: Any) -> Call:
    """lauren-ai's executor, which validates nothing."""
    from lauren_ai import tool
    from lauren_ai._tools import TOOL_META, ToolContext
    from lauren_ai._tools._executor import ToolCall, ToolExecutor

    made: Any = tool()(function)
    executor = ToolExecutor({function.__name__: (made, getattr(made, TOOL_META))})
    context = ToolContext(agent_context=None, tool_use_id="x", turn=1)
    return lambda arguments: executor.execute(ToolCall("x", function.__name__, arguments), context)


def pydantic_ai_call(function: Any) -> Call:
    """What pydantic-ai does with a tool's arguments: its function schema, which validates and calls."""
    from pydantic_ai import Tool

    schema: Any = Tool(function, takes_ctx=False).function_schema
    validate = schema.validator.validate_python
    return lambda arguments: schema.call(validate(arguments), None)


def openai_agents_call(function: Any) -> Call:
    """openai-agents' tool, which takes JSON text."""
    from agents import function_tool
    from agents.tool_context import ToolContext

    made: Any = function_tool(strict_mode=False)(function)

    def call(arguments: Any) -> Awaitable[object]:
        text = json.dumps(arguments)
        context: Any = ToolContext(context=None, tool_name=made.name, tool_call_id="x", tool_arguments=text)
        awaited: Awaitable[object] = made.on_invoke_tool(context, text)
        return awaited

    return call


def fastmcp_call(function: Any) -> Call:
    """FastMCP's tool, run as its server does."""
    from fastmcp.tools import Tool

    made: Any = Tool.from_function(function)
    return lambda arguments: made.run(arguments)


def langchain_call(function: Any) -> Call:
    """langchain-core's structured tool."""
    from langchain_core.tools import tool

    made: Any = tool(function)
    return lambda arguments: made.ainvoke(arguments)
