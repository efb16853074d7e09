"""Alias generators of one's own: what following their bodies gives is what Python makes of the names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from harness.compiling import compile_source

HEAD = """
import re
from pydantic import AliasGenerator, BaseModel, ConfigDict
from pydantic.alias_generators import to_camel
from lauren_runtime import tool
"""
MODEL = """
class Model(BaseModel):
    model_config = ConfigDict(alias_generator=generate)
    some_name: int
    name: int
    a_b_c: int
    x1_y2: int
    id_: int
    HTTPPort: int
"""
TOOL = """
@tool()
def use(model: Model):
    '''Use it.'''
"""
GENERATORS = {
    "unpacking": """
def generate(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)
""",
    "enumerate": """
def generate(name):
    return "".join(word.capitalize() if index else word for index, word in enumerate(name.split("_")))
""",
    "branches": """
def generate(name: str, prefix: str = "p") -> str:
    "Make it."
    if name == "name":
        return "title"
    elif "_" not in name:
        result = prefix
    else:
        result = ""
    result += name
    return result.swapcase()
""",
    "map": """
def generate(name):
    words = name.split("_")
    return words[0].lower() + "".join(map(str.title, words[1:]))
""",
    "lambda": 'generate = lambda name: f"{name[:1].upper()}{name[1:]}"\n',
    "nested": """
def _words(name):
    return [word for word in name.split("_") if word]
def generate(name):
    return "-".join(_words(to_camel(name))) + str(len(_words(name)))
""",
    "table": """
NAMES = {"id_": "id", "name": "@name"}
def generate(name):
    return NAMES.get(name, name)
""",
    "method": "generate = AliasGenerator(validation_alias=str.upper, serialization_alias=str.lower)\n",
    "loop of letters": """
def generate(name: str) -> str:
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name).lstrip("_")
""",
}


@pytest.mark.parametrize("source", GENERATORS.values(), ids=GENERATORS)
def test_the_names_are_pythons(source: str, tmp_path: Path) -> None:
    names: dict[str, Any] = {"__name__": "generated"}
    exec(HEAD + source + MODEL, names)
    build = compile_source(HEAD + source + MODEL + TOOL, tmp_path)
    assert not build.errors, build.messages
    (model,) = build.tools["use"]["input_schema"]["$defs"].values()
    assert list(model["properties"]) == list(names["Model"].model_json_schema()["properties"])


@pytest.mark.parametrize(
    "source",
    [
        "def generate(name):\n    for letter in name:\n        pass\n    return name\n",
        'def generate(name):\n    return re.sub("_", "", name)\n',
        "def generate(name):\n    return generate(name)\n",
        "def generate(name):\n    return None if name else name\n",
        "import functools\n@functools.cache\ndef generate(name):\n    return name\n",
        "generate = lambda name, *, other: name\n",
        "generate = print\n",
    ],
)
def test_what_can_not_be_followed_is_said(source: str, tmp_path: Path) -> None:
    assert set(compile_source(HEAD + source + MODEL + TOOL, tmp_path).errors) == {"LC304"}
