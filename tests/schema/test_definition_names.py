"""The names of definitions, where classes of one tool share theirs."""

from __future__ import annotations

from collections.abc import Mapping

from harness.tool_sets import INTEGER, STRING, dataclass, field, parameter, tool, toolset
from jsonschema import Draft202012Validator
from lauren_compiler.ir.tools import Tool, ToolSet
from lauren_compiler.ir.types import Definition, DictOf, ListOf, Reference
from lauren_compiler.ir.walk import input_types, reachable
from lauren_compiler.schema.definitions import definition_names
from lauren_compiler.schema.json_schema import input_schema
from msgspec.structs import replace


def names(*places: str, output: str | None = None) -> list[str]:
    """The `$defs` names of classes at these places (`module:qualname`), which are parameters in this order."""
    one, whole = compiled(*places, output=output)
    return list(names_of(one, whole).values())


def names_of(one: Tool, whole: ToolSet) -> Mapping[str, str]:
    output = () if one.output is None else (one.output,)
    return definition_names(reachable((*input_types(one), *output), whole), whole)


def compiled(*places: str, output: str | None = None) -> tuple[Tool, ToolSet]:
    definitions = {place: at(place) for place in (*places, *([output] if output else []))}
    parameters = [parameter(f"p{number}", Reference(place)) for number, place in enumerate(places)]
    one = tool("f", *parameters, output=Reference(output) if output else None)
    return one, ToolSet((one,), tuple(sorted(definitions.items())))


def at(place: str) -> Definition:
    module, _, qualname = place.partition(":")
    return dataclass(qualname.removesuffix("!"), field("x", INTEGER), module=module)


def test_a_class_keeps_its_name() -> None:
    assert names("shop.models:Order", "shop.models:Order.Line") == ["Order", "Line"]


def test_the_shortest_tail_that_tells_apart() -> None:
    assert names("a.x:P", "b.x:P") == ["a_x_P", "b_x_P"]
    assert names("a.x:P", "a.y:P") == ["x_P", "y_P"]
    assert names("m:Billing.Address", "m:Shipping.Address") == ["Billing_Address", "Shipping_Address"]
    assert names("m:P", "x.m:P") == ["m_P", "x_m_P"]


def test_each_takes_only_as_much_as_it_needs() -> None:
    assert names("a.x:P", "b.x:P", "c.y:P") == ["a_x_P", "b_x_P", "y_P"]


def test_other_characters_become_underscores() -> None:
    assert names("m:Größe") == ["Gr__e"]
    assert names("m:f.<locals>.P", "m:g.<locals>.P") == ["f__locals__P", "g__locals__P"]


def test_arguments_are_part_of_the_last_name() -> None:
    box = dataclass("Outer.Box", field("x", INTEGER), module="m")
    arguments = {"m:Box[int]": INTEGER, "m:Box[dict]": DictOf(STRING, Reference("x.m:Y"))}
    definitions: dict[str, Definition] = {
        key: replace(box, arguments=(argument,)) for key, argument in arguments.items()
    }
    one = tool("f", *(parameter(f"p{number}", Reference(key)) for number, key in enumerate(definitions)))
    whole = ToolSet((one,), tuple(sorted(definitions.items())))
    assert list(names_of(one, whole).values()) == ["Box_int", "Box_dict_str__Y"]


def test_what_is_still_equal_is_numbered_in_signature_order() -> None:
    assert names("m:ä", "m:ö") == ["__1", "__2"]
    assert names("m:P!", "m:P") == ["m_P_1", "m_P_2"]


def test_a_number_does_not_meet_another_name() -> None:
    assert names("m:Pö", "m:Pä", "m:P__1") == ["P__2", "P__3", "P__1"]


def test_a_tail_that_is_the_name_of_another_class() -> None:
    assert names("a.x:P", "a.y:P", "a:x_P") == ["x_P_1", "y_P", "x_P_2"]


def test_names_are_of_the_tool_its_result_included() -> None:
    assert names("a:P", output="b:P") == ["a_P", "b_P"]


def test_both_definitions_stand_in_the_schema_and_are_told_apart() -> None:
    billing = dataclass("Address", field("iban", STRING), module="billing", closed=True)
    shipping = replace(billing, module="shipping", fields=(field("street", STRING),))
    one = tool(
        "f", parameter("bill", ListOf(Reference("billing:Address"))), parameter("ship", Reference("shipping:Address"))
    )
    schema = input_schema(one, toolset(one, definitions=[billing, shipping]))
    assert list(schema["$defs"]) == ["billing_Address", "shipping_Address"]
    validator = Draft202012Validator(schema)
    assert validator.is_valid({"bill": [{"iban": "x"}], "ship": {"street": "y"}})
    assert not validator.is_valid({"bill": [{"street": "y"}], "ship": {"street": "y"}})
    assert not validator.is_valid({"bill": [], "ship": {"iban": "x"}})
