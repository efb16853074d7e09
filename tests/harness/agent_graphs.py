"""Draws sources of applications with agents: modules that own tools, modules of agents, and mistakes in them."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from hypothesis import strategies as st

HEAD = """\
from lauren import Scope, injectable, module
from lauren_ai import AgentRunner, agent, tool, use_tools
from lauren_ai._module import AgentModule

"""


@dataclass
class Drawn:
    """One application, as it is put together."""

    random: random.Random
    texts: list[str] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)
    needy: list[str] = field(default_factory=list)  # tool classes that need Data
    agents: dict[str, list[str]] = field(default_factory=dict)  # agent, its tools

    def chance(self, one_in: int) -> bool:
        return self.random.randrange(one_in) == 0

    def some(self, of: list[str], most: int) -> list[str]:
        return self.random.sample(of, min(len(of), self.random.randint(0, most)))


def graph(chosen: random.Random) -> str:
    """The source of the application that these choices make: `root(LLM)` gives its root module, `AGENTS` its agents."""
    drawn = Drawn(chosen)
    drawn.texts.append("@injectable()\nclass Data: ...\n")
    for number in range(chosen.randint(1, 3)):
        drawn.functions.append(f"f{number}")
        drawn.texts.append(f'@tool()\nasync def f{number}() -> str:\n    """Give text."""\n    return "f{number}"\n')
    for number in range(chosen.randint(1, 4)):
        _tool_class(drawn, number)
    for number in range(chosen.randint(1, 3)):
        tools = drawn.some([*drawn.functions, *drawn.classes], 4)
        drawn.agents[f"A{number}"] = tools
        decorators = [f"@agent(model='m')\n@use_tools({', '.join(tools)})\n", "@agent(model='m')\n"]
        drawn.texts.append(f"{decorators[0 if tools else 1]}class A{number}: ...\n")
    return "\n".join([HEAD, *drawn.texts, *_modules(drawn)])


graphs: st.SearchStrategy[str] = st.integers(0, 2**48).map(lambda seed: graph(random.Random(seed)))
"""Applications. Shrinking would change what the numbers stand for, so it is left to the reader."""


def _tool_class(drawn: Drawn, number: int) -> None:
    """A tool class that counts its calls; one in three needs Data."""
    name = f"C{number}"
    drawn.classes.append(name)
    parameter = ""
    if drawn.chance(3):
        drawn.needy.append(name)
        parameter = ", data: Data"
    drawn.texts.append(
        f'@tool()\nclass {name}:\n    """Count."""\n\n'
        f"    def __init__(self{parameter}) -> None:\n        self.n = 0\n\n"
        f"    async def run(self) -> int:\n        self.n += 1\n        return self.n\n"
    )


def _modules(drawn: Drawn) -> list[str]:
    """`root`: what owns Data, what owns some tools, and one or two modules of agents."""
    names = list(drawn.agents)
    split = drawn.random.randint(0, len(names))
    groups = [group for group in (names[:split], names[split:]) if group]
    if drawn.chance(20):
        groups.append([drawn.random.choice(names)])
    owned = drawn.some(drawn.classes, 3)
    exported = [each for each in owned if not drawn.chance(12)]
    lines = ["def root(LLM):"]
    lines.append("    DataModule = module(providers=[Data], exports=[Data])(type('DataModule', (), {}))")
    lines.append(
        f"    Owner = module(providers=[{', '.join(owned)}], imports=[DataModule], exports=[{', '.join(exported)}])"
        "(type('Owner', (), {}))"
    )
    for number, group in enumerate(groups):
        lines.append(f"    M{number} = {_agent_module(drawn, group, owned, groups)}")
    made = ", ".join(f"M{number}" for number in range(len(groups)))
    lines.append(f"    return module(imports=[Owner, {made}])(type('Root', (), {{}}))")
    tools = [*drawn.functions, *map(str.lower, drawn.classes)]
    return ["\n".join(lines), f"AGENTS = [{', '.join(names)}]", f"TOOLS = {tools}"]


def _agent_module(drawn: Drawn, group: list[str], owned: list[str], groups: list[list[str]]) -> str:
    """A module of agents. What others use, or own, is mostly shared and imported."""
    used = [tool for each in group for tool in drawn.agents[each] if tool in drawn.classes]
    shared = sorted({each for each in used if each in owned and not drawn.chance(12)})
    imports = ["LLM"] if not drawn.chance(25) else []
    imports += ["Owner"] if shared and not drawn.chance(15) else []
    imports += ["DataModule"] if set(used) & set(drawn.needy) and not drawn.chance(15) else []
    options = f", shared_tools=[{', '.join(shared)}]" if shared else ""
    return f"AgentModule.for_root(agents=[{', '.join(group)}], imports=[{', '.join(imports)}]{options})"
