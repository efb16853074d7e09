"""Sources to compile and to import: N tools in N/5 modules, drawn from a seed, the same for every framework.

One to six parameters a tool, a docstring in Google's style, one enum and one dataclass a module, and in half of them a
pydantic model.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

TOOLS_A_MODULE = 5
_VERBS = "search fetch create update delete list convert schedule cancel resolve export validate archive assign notify"
_NOUNS = "invoice customer ticket order shipment report document payment contact project task message policy route"
_WORDS = "the a current maximum number of results to return identifier used for records by status region owner whether"
_NAMES = (
    "query limit offset region status owner_id tags labels weights threshold title body amount note timeout_s dry_run"
)


@dataclass(frozen=True)
class Framework:
    """How a framework's tools are written; `listed` is one of them in the module's list `TOOLS`."""

    package: str
    imports: str
    decorator: str
    listed: str
    future: bool = True


FRAMEWORKS = {
    "lauren": Framework("lauren_tools", "from lauren_ai import tool\n", "@tool()\n", "{0}"),
    "pydantic-ai": Framework("pydantic_ai_tools", "from pydantic_ai import Tool\n", "", "Tool({0})"),
    "openai-agents": Framework(
        "openai_agents_tools", "from agents import function_tool\n", "@function_tool(strict_mode=False)\n", "{0}"
    ),
    "langchain-core": Framework(
        "langchain_tools", "from langchain_core.tools import tool\n", "@tool(parse_docstring=True)\n", "{0}", False
    ),
    "fastmcp": Framework("fastmcp_tools", "from fastmcp.tools import Tool\n", "", "Tool.from_function({0})"),
}


def write_tree(folder: Path, tools: int, framework: str = "lauren", seed: int = 1) -> Path:
    """Write a package of `tools` tools (a multiple of five) into `folder`; gives the package's folder."""
    written = FRAMEWORKS[framework]
    package = folder / written.package
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    for number in range(tools // TOOLS_A_MODULE):
        text = _module(random.Random(f"{seed}-{number}"), number, written)
        (package / f"mod_{number:04d}.py").write_text(text)
    return package


def _sentence(draw: random.Random, least: int, most: int) -> str:
    return " ".join(draw.choice(_WORDS.split()) for _ in range(draw.randint(least, most))).capitalize() + "."


def _parameter(draw: random.Random, number: int, *, has_model: bool) -> tuple[str, str | None]:
    """An annotation and a default."""
    if has_model and draw.random() < 0.07:
        return f"Filter{number}", None
    kinds: list[tuple[int, list[str], list[str | None]]] = [
        (26, ["str"], [None, None, '"default"', '""']),
        (16, ["int"], [None, "10", "100"]),
        (8, ["float"], [None, "0.5"]),
        (10, ["bool"], [None, "False", "True"]),
        (12, ["Optional[str]", "int | None", "Optional[float]", "str | None"], ["None", "None", None]),
        (8, ['Literal["asc", "desc"]', 'Literal["json", "csv", "xml"]', "Literal[1, 2, 3]"], [None]),
        (5, [f"Kind{number}"], [None]),
        (8, ["list[str]", "list[int]"], [None]),
        (4, ["dict[str, int]", "dict[str, float]"], [None]),
        (3, [f"Item{number}"], [None]),
    ]
    [(_, annotations, defaults)] = draw.choices(kinds, weights=[weight for weight, _, _ in kinds])
    return draw.choice(annotations), draw.choice(defaults)


def _module(draw: random.Random, number: int, framework: Framework) -> str:
    has_model = draw.random() < 0.5
    parts = [
        f'"""Tools of group {number}: {_sentence(draw, 6, 12)}"""\n\n',
        "from __future__ import annotations\n\n" if framework.future else "",
        "import enum\nfrom dataclasses import dataclass\nfrom typing import Literal, Optional\n\n",
        "from pydantic import BaseModel, Field\n" if has_model else "",
        framework.imports,
        _classes(draw, number, has_model=has_model),
    ]
    names: list[str] = []
    for place in range(TOOLS_A_MODULE):
        verb, noun = draw.choice(_VERBS.split()), draw.choice(_NOUNS.split())
        names.append(f"{verb}_{noun}_{number * TOOLS_A_MODULE + place}")
        parts.append(_tool(draw, names[-1], number, framework, has_model=has_model))
    listed = ", ".join(framework.listed.format(name) for name in names)
    return "".join([*parts, f"\n\nTOOLS = [{listed}]\n"])


def _classes(draw: random.Random, number: int, *, has_model: bool) -> str:
    text = f'''

class Kind{number}(enum.Enum):
    """{_sentence(draw, 4, 8)}"""

    ALPHA = "alpha"
    BETA = "beta"
    GAMMA = "gamma"


@dataclass
class Item{number}:
    """{_sentence(draw, 5, 10)}"""

    sku: str
    quantity: int
    price: float = 0.0
    note: Optional[str] = None
'''
    if has_model:
        text += f'''

class Filter{number}(BaseModel):
    """{_sentence(draw, 5, 10)}"""

    field: str = Field(description="{_sentence(draw, 3, 6)}")
    op: Literal["eq", "lt", "gt"] = "eq"
    value: float
    tags: list[str] = []
'''
    return text


def _tool(draw: random.Random, name: str, number: int, framework: Framework, *, has_model: bool) -> str:
    chosen = dict.fromkeys(draw.choice(_NAMES.split()) for _ in range(draw.randint(1, 6)))
    parameters = [(each, *_parameter(draw, number, has_model=has_model)) for each in chosen]
    parameters.sort(key=lambda each: each[2] is not None)
    lines = [
        f"    {each}: {annotation}{f' = {default}' if default else ''},\n" for each, annotation, default in parameters
    ]
    documented = "".join(f"        {each}: {_sentence(draw, 5, 14)}\n" for each, _, _ in parameters)
    shown = "".join(
        f'    if {each} is not None:\n        parts.append(f"{each}={{{each}!r}}")\n' for each, _, _ in parameters
    )
    return f'''

{framework.decorator}async def {name}(
{"".join(lines)}) -> str:
    """{_sentence(draw, 5, 10)}

    {_sentence(draw, 8, 14)}
    {_sentence(draw, 6, 12)}

    Args:
{documented}
    Returns:
        {_sentence(draw, 4, 8)}
    """
    parts = []
{shown}    return "{name}: " + ", ".join(parts)
'''
