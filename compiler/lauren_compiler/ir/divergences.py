"""Where lauren-ai 1.6.0, which makes schemas as it runs, makes others of a source than this compiler.

One table for all who need it: the check of `--target-runtime lauren-ai` names its rows, the page on migration and the
differential tests are held to it. `example` is a tool that has this difference and no other.
"""

from __future__ import annotations

from msgspec import Struct


class Divergence(Struct, frozen=True):
    """A kind of difference: what lauren-ai makes, what this compiler makes, and why.

    `told` is "warning" for what a model is asked for, "note" for texts, None for what says the same in other words.
    """

    name: str
    theirs: str
    ours: str
    why: str
    example: str
    told: str | None = "warning"


UNEVALUATED = Divergence(
    "unevaluated-annotations",
    "evaluates all annotations at once, where and when the decorator runs; if one fails, each that is text is a string",
    "each annotation is followed to what it means, also a name under TYPE_CHECKING or further down",
    "a source says what its types are, whether or not they are there when the decorator runs",
    '''
@tool()
def f(item: "Item") -> str:
    """Does it."""

@dataclass
class Item:
    name: str
''',
)
FIELD_TEXT = Divergence(
    "text-in-fields",
    "never evaluates what a class says of its fields: quoted, or under the future import, each is a string",
    "fields have the types that they are annotated with",
    "quotes say when an annotation is read, not what it means",
    '''
@dataclass
class Item:
    count: "int"

@tool()
def f(item: Item) -> str:
    """Does it."""
''',
)
INHERITED_FIELDS = Divergence(
    "inherited-fields",
    "shows the fields that a class annotates itself, without those of its bases",
    "all fields of the constructor",
    "the object can't be built without them",
    '''
@dataclass
class Base:
    key: str

@dataclass
class Item(Base):
    count: int

@tool()
def f(item: Item) -> str:
    """Does it."""
''',
)
REQUIRED_FIELDS = Divergence(
    "required-fields",
    "requires every field, and shows no defaults",
    "fields with a default, and keys that are NotRequired, may be left out",
    "a model should not have to send what the class knows",
    '''
@dataclass
class Item:
    name: str
    count: int = 1

@tool()
def f(item: Item) -> str:
    """Does it."""
''',
)
OTHER_FIELDS = Divergence(
    "other-fields",
    "shows whatever is annotated in the class but names with a leading underscore; what is marked (ClassVar, InitVar, "
    "Required …) as a string",
    "what the constructor takes, under the names that it takes",
    "what the constructor does not take can't be sent",
    '''
@dataclass
class Item:
    name: str
    kind: ClassVar[str] = "item"

@tool()
def f(item: Item) -> str:
    """Does it."""
''',
)
NAMED_TUPLE = Divergence(
    "named-tuple",
    "shows a NamedTuple as an object",
    "an array, as pydantic does",
    "that is the JSON form of a tuple, and what other JSON libraries write",
    '''
class Size(NamedTuple):
    width: int

@tool()
def f(size: Size) -> str:
    """Does it."""
''',
)
ENUM = Divergence(
    "enum",
    "shows an enum as an object without properties",
    "its values",
    "a model has to know which there are; the decoder makes the member",
    '''
class Color(Enum):
    RED = "red"

@tool()
def f(color: Color) -> str:
    """Does it."""
''',
)
LITERAL = Divergence(
    "literal",
    "takes a bool for an integer, and puts enum members into the schema as Python objects",
    "constants have their own JSON type; a member is its value",
    "`true` is no integer in JSON, and a Python object has no JSON form",
    '''
@tool()
def f(flag: Literal[True]) -> str:
    """Does it."""
''',
)
OPTIONAL = Divergence(
    "optional",
    "drops the null of an optional type, and does not require the parameter",
    "null stays, and only a default makes a parameter optional",
    "without a default the call fails where the argument is left out",
    '''
@tool()
def f(count: int | None) -> str:
    """Does it."""
''',
)
IMPLICIT_OPTIONAL = Divergence(
    "none-by-default",
    "shows `x: int = None` as an integer whose default is null",
    "null is admitted, with a warning",
    "a schema should admit its own default",
    '''
@tool()
def f(count: int = None) -> str:  # type: ignore
    """Does it."""
''',
)
ANNOTATED = Divergence(
    "annotated",
    "drops what stands behind the type in `Annotated[...]`; in a class's fields the whole becomes a string",
    "bounds, descriptions, aliases and schemas that are given there are in the schema, and checked",
    "they are written for exactly this",
    '''
@tool()
def f(count: Annotated[int, Ge(1)]) -> str:
    """Does it."""
''',
)
VALUE_TYPE = Divergence(
    "value-type",
    "shows date, UUID, Decimal, Path and the like as a string, or as an object without properties",
    "a string with its format (or pattern); the tool gets the object",
    "a model has to know the form, and the tool asked for a date",
    '''
@tool()
def f(day: date) -> str:
    """Does it."""
''',
)
BYTES = Divergence(
    "bytes",
    "asks for base64, and hands the text over as it is",
    "text, as pydantic does; `Base64Bytes` for base64",
    "models write text; nothing decoded the base64",
    '''
@tool()
def f(content: bytes) -> str:
    """Does it."""
''',
)
CONTAINER = Divergence(
    "container",
    "shows sets, Sequence, Mapping, deque, a bare tuple and the like as a string, or an object without properties",
    "arrays and objects, with their items",
    "that is what they are in JSON",
    '''
@tool()
def f(names: set[str]) -> str:
    """Does it."""
''',
)
TUPLE = Divergence(
    "tuple-length",
    "does not say how many items a tuple has",
    "the length is in the schema",
    "a tuple of another length is none",
    '''
@tool()
def f(pair: tuple[int, str]) -> str:
    """Does it."""
''',
)
KEYS = Divergence(
    "keys",
    "says nothing of the keys of a dict",
    "`propertyNames` says which there are",
    "keys have a type too, and the decoder makes it",
    '''
@tool()
def f(counts: dict[Literal["a", "b"], int]) -> str:
    """Does it."""
''',
)
NULL = Divergence(
    "null",
    "shows None as a string",
    "null",
    "None is null",
    '''
@tool()
def f(nothing: None) -> str:
    """Does it."""
''',
)
OBJECT = Divergence(
    "object",
    "shows `object` as a string",
    "any value, as for Any",
    "every value is an object",
    '''
@tool()
def f(value: object) -> str:
    """Does it."""
''',
)
NAMED = Divergence(
    "named-type",
    "shows NewType, type variables, `type X = ...` and classes with type arguments as a string",
    "what they stand for",
    "a name for a type changes nothing about its values",
    '''
UserId = NewType("UserId", int)

@tool()
def f(user: UserId) -> str:
    """Does it."""
''',
)
DEPTH = Divergence(
    "depth",
    "shows what is nested more than ten deep as a string, recursive classes too",
    "definitions and references, of any depth",
    "recursion is what `$ref` is for",
    '''
@tool()
def f(deep: list[list[list[list[list[list[list[list[list[list[list[int]]]]]]]]]]]) -> str:
    """Does it."""
''',
)
MODEL = Divergence(
    "model-definitions",
    "leaves the definitions of a pydantic model inside the property, where its references do not find them",
    "definitions stand at the root",
    "`#/$defs/...` is looked for there",
    '''
class Part(BaseModel):
    count: int

class Item(BaseModel):
    part: Part

@tool()
def f(item: Item) -> str:
    """Does it."""
''',
)
KEYWORDS = Divergence(
    "keyword-parameters",
    "shows `**kwargs` as one required property of that name",
    "further properties of its type, or those of the TypedDict in `Unpack[...]`",
    "that is what the function takes",
    '''
@tool()
def f(**counts: int) -> str:
    """Does it."""
''',
)
RECEIVER = Divergence(
    "receiver",
    "leaves out parameters called `self` or `cls`, wherever they stand, and shows a receiver with another name",
    "the first parameter of a method is left out, whatever its name",
    "that is what Python binds",
    '''
@tool()
class F:
    """Does it."""

    def run(this, count: int) -> str:
        return ""
''',
)
CONTEXT = Divergence(
    "context",
    "takes every annotation whose text has `ToolContext` in it for the context, and no ToolCallContext",
    "what means the context: ToolContext and ToolCallContext, by what the name leads to",
    "a class of one's own may be called so",
    '''
@dataclass
class MyToolContext:
    name: str

@tool()
def f(mine: MyToolContext) -> str:
    """Does it."""
''',
)
DEFAULT = Divergence(
    "default-object",
    "puts the default into the schema as the Python object it is",
    "its JSON form; none where it has none, or is no value of the type",
    "a model can take it for a value; what JSON has no form of makes the request fail",
    '''
class Odd:
    pass

@tool()
def f(count: int = cast(int, Odd())) -> str:
    """Does it."""
''',
)
OPTION = Divergence(
    "unknown-option",
    "raises TypeError for `timeout`, `input_schema` and `schema`",
    "they are options of `tool()`",
    "time limits and schemas of one's own are this runtime's",
    '''
@tool(timeout=5)
def f(count: int) -> str:
    """Does it."""
''',
)
DESCRIPTION = Divergence(
    "description",
    "shows the first paragraph of the docstring alone, with a section that no blank line sets apart; of a class "
    "its own docstring, an inherited one too",
    "all paragraphs before the first section",
    "what a model should know is in all of them; a header is none of it",
    '''
@tool()
def f(count: int) -> str:
    """Does it.

    Well.
    """
''',
    "note",
)
PARAMETER_TEXT = Divergence(
    "parameter-text",
    "reads `Args:`, `Arguments:` and `Parameters:` of Google's style, of a tool class in its own docstring alone",
    "all common styles; of a tool class in `run`'s docstring first, then in its own",
    "the texts are written for the model",
    '''
@tool()
def f(count: int) -> str:
    """Does it.

    :param count: How many.
    """
''',
    "note",
)
CLASS_TEXT = Divergence(
    "class-text",
    "shows no texts of classes and their fields",
    "docstrings of classes and fields are descriptions",
    "they say what the values mean",
    '''
@dataclass
class Item:
    """One of them."""

    name: str

@tool()
def f(item: Item) -> str:
    """Does it."""
''',
    "note",
)
NAME = Divergence(
    "name",
    "puts an underscore before every capital of a class's name, and leaves a function's as it is",
    "runs of capitals are one word, for functions too",
    "`http_fetch`, not `h_t_t_p_fetch`; a name is checked. LC419 tells",
    '''
@tool()
class HTTPFetch:
    """Does it."""

    def run(self, count: int) -> str:
        return ""
''',
    None,
)
ROOT = Divergence(
    "closed-root",
    "says nothing of further arguments",
    "`additionalProperties: false`",
    "an argument that no parameter takes is a mistake of the model, and it is told so",
    '''
@tool()
def f(count: int) -> str:
    """Does it."""
''',
    None,
)
DEFINITIONS = Divergence(
    "definitions",
    "writes a class out wherever it is used",
    "one definition, and references to it",
    "shorter, and the only way for what is recursive",
    '''
@dataclass
class Item:
    name: str

@tool()
def f(item: Item) -> str:
    """Does it."""
''',
    None,
)
SPELLING = Divergence(
    "spelling",
    "writes no `items` or `additionalProperties` where anything goes, and `enum` for one constant",
    "`items: {}`, `additionalProperties: true`, `const`, as pydantic does",
    "the same values are admitted",
    '''
@tool()
def f(names: list, unit: Literal["m"]) -> str:
    """Does it."""
''',
    None,
)

DIVERGENCES: tuple[Divergence, ...] = (
    *(UNEVALUATED, FIELD_TEXT, INHERITED_FIELDS, REQUIRED_FIELDS, OTHER_FIELDS, NAMED_TUPLE, ENUM, LITERAL),
    *(OPTIONAL, IMPLICIT_OPTIONAL, ANNOTATED, VALUE_TYPE, BYTES, CONTAINER, TUPLE, KEYS, NULL, OBJECT, NAMED, DEPTH),
    *(MODEL, KEYWORDS, RECEIVER, CONTEXT, DEFAULT, OPTION),
    *(DESCRIPTION, PARAMETER_TEXT, CLASS_TEXT, NAME, ROOT, DEFINITIONS, SPELLING),
)
BY_NAME = {each.name: each for each in DIVERGENCES}
