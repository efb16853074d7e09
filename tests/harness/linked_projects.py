"""Random projects whose modules import each other in every way, and edits of one module at a time.

Modules are numbered, and each imports from those before it: `M3`, `A3`, `C3` and `P3` are a model, an alias, a constant
and a class with a tool in module 3. What each of them is, and how it is imported, is drawn anew by an edit.
"""

from __future__ import annotations

import random
from pathlib import Path

PACKAGES = ("", "shop.", "shop.deep.", "space.")
"""Of modules; `space` has no `__init__`."""

_MODELS = (
    "@dataclasses.dataclass\nclass {name}({base}):\n    x: {type}\n",
    "@dataclasses.dataclass\nclass {name}:\n    '''{doc}'''\n    x: {type}\n    y: int = {constant}\n",
    "class {name}(typing.TypedDict, total=False):\n    x: {type}\n",
    "class {name}(pydantic.BaseModel):\n    '''{doc}'''\n    x: {type}\n    y: int = pydantic.Field({constant})\n",
    "class {name}(typing.NamedTuple):\n    x: {type}\n",
    "class {name}(enum.Enum):\n    A = '{doc}'\n    B = {constant}\n",
    "class {name}(str, enum.Enum):\n    A = '{doc}'\n",
    "@dataclasses.dataclass\nclass {name}:\n    x: {type}\n    z: int = os.getpid()\n",
    "class {name}(pydantic.BaseModel):\n    x: {type}\n    def __init__(self, **given): ...\n",
    "class {name}(pydantic.BaseModel):\n    x: '{later}'\n    y: {type} = pydantic.Field(default_factory=os.getpid)\n",
    "@dataclasses.dataclass\nclass {name}:\n    x: 'typing.Optional[{later}]' = None\n    _y: {type} = None\n",
    "{name} = typing.NewType('{name}', str)\n",
    "if typing.TYPE_CHECKING:\n    {name} = int\nelse:\n    {name} = int\n",
)
_ALIASES = (
    "{name} = {type}\n",
    "{name}: typing.TypeAlias = 'list[{type}]'\n",
    "{name} = typing.Optional[{type}]\n",
    "{name} = typing.Annotated[{type}, object()]\n",
    "{name} = typing.Annotated[{type}, print, pydantic.Field(description='{doc}')]\n",
    "{name} = '{later}'\n",
    "{name} = typing.Annotated[{type}, '{doc}']\n",
    "{name} = typing.Literal['{doc}', {constant}]\n",
)
_CONSTANTS = ("{name} = {number}\n", "{name}: typing.Final = {number}\n", "{name} = {constant}\n")
_TOOLS = (
    "@tool()\ndef {tool}(x: {type}, n: int = {constant}) -> {result}:\n    '''{doc}.'''\n    ...\n",
    "@tool(name='{tool}', description='{doc}')\nasync def _{tool}(*, x: {type}) -> {result}: ...\n",
    "@tool()\nclass {tool}:\n    '''{doc}'''\n    def run(self, x: {type}) -> str: return ''\n",
    "@tool()\ndef {tool}(x: {type}) -> {result}:  # lauren: ignore[LC403]\n    '''{doc}'''\n",
    "@tool()\ndef {tool}() -> None:\n    '''{doc}'''\n",
    "@hub.made\ndef {tool}(x: hub.Money) -> hub.Money:\n    '''{doc}.'''\n    ...\n",
    "@made.made\ndef {tool}(x: made.Money, y: made.Other) -> None:\n    '''{doc}.'''\n    ...\n",
    "def {tool}(x: {type}) -> None:\n    '''{doc}.'''\n\nhub.register({tool})\n",
)
_METHODS = (
    "class {name}:\n    @tool()\n    def {method}(self, x: {type}) -> int:\n        '''{doc}'''\n",
    "class {name}({parent}):\n    pass\n",
    "class {name}({parent}):\n    @tool(name='{method}')\n    def go(self, x: {type}) -> int:\n        '''{doc}'''\n",
    "class {name}:\n    pass\n",
)
_HEAD = "import dataclasses, enum, os, typing\nimport pydantic\nimport hub, made\n"
CONFIGURATION = """\
decorators = ["hub:made"]
[tool.lauren-compile.types."hub.Money"]
schema = { type = "string" }
"""
"""Of what `hub` and `made` define, and `hub` only hands on."""
_HUBS = (
    "from made import Money, made, register\n",
    "from made import Other as Money, made, register\n",
    "from made import *\nfrom made import Alternative as Money\n",
    "from made import Money, register\nfrom made import alternative as made\n",
)
_MADE = (
    """\
from lauren_runtime import tool
def made(f): return tool()(f)
def alternative(f): return tool()(f)
def register(f): tool()(f)
class Money: ...
class Alternative: ...
Other = int
""",
    """\
from lauren_runtime import tool
def alternative(f): return tool()(f)
made = alternative
def register(f): return f
Money = str
class Other: ...
Alternative = str
""",
)
_REMARKS = ("# where they come from\n", "# what to import\n", "'''Not from x import (y'''\n", "", "\f\n", "\ufeff")


class LinkedProject:
    """A project in a folder, which `edit` changes."""

    def __init__(self, folder: Path, seed: int, size: int = 9) -> None:
        self._folder = folder
        self._chosen = random.Random(seed)
        self._packages = [self._chosen.choice(PACKAGES) for _ in range(size)]
        self._seeds = [[self._chosen.random() for _ in range(6)] for _ in range(size)]
        self._texts: dict[str, bytes] = {}
        for name in ("shop", "shop.deep"):
            self._put(f"{name}.__init__", "")
        self._put("hub", _HUBS[0])
        self._put("made", _MADE[0])
        self._put("makers", "from lauren_runtime import tool as tool\n")
        self._write()

    def edit(self) -> None:
        """Draw one thing anew: mostly one definition of one module."""
        number = self._chosen.randrange(len(self._seeds))
        part = self._chosen.randrange(6)
        kind = self._chosen.random()
        if kind < 0.05:
            self._put(*self._chosen.choice((("hub", self._chosen.choice(_HUBS)), ("made", self._chosen.choice(_MADE)))))
        elif kind < 0.85:
            self._seeds[number][part] = self._chosen.random()
        elif kind < 0.9:
            self._put("shop.__init__", self._exporting("shop."))
        elif kind < 0.95:
            self._put("shop.deep.__init__", self._exporting("shop.deep."))
        else:
            form = self._chosen.choice(
                ("from lauren_runtime import tool", "from lauren_runtime import tool, use_tools")
            )
            self._put("makers", f"{form}\n{self._chosen.choice(('make = tool', ''))}\n")
        self._write()

    def _exporting(self, package: str) -> str:
        """An `__init__` that re-exports some of its modules, in one way or another."""
        lines = [""]
        for number, each in enumerate(self._packages):
            if each == package and self._chosen.random() < 0.5:
                lines.append(
                    self._chosen.choice(
                        (f"from .m{number} import M{number}", f"from .m{number} import *", f"from . import m{number}")
                    )
                )
        return "\n".join(lines) + "\n"

    def _write(self) -> None:
        for number in range(len(self._seeds)):
            self._put(f"{self._packages[number]}m{number}", self._text(number))

    def _put(self, module: str, text: str) -> None:
        data = text.encode()
        if self._texts.get(module) != data:
            self._texts[module] = data
            file = self._folder / (module.replace(".", "/") + ".py")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)

    def _text(self, number: int) -> str:
        imports, model, alias, constant, tool, method = (random.Random(seed) for seed in self._seeds[number])
        before = [place for place in range(number) if imports.random() < 0.6]
        spelled: dict[int, str] = {}
        text = imports.choice(_REMARKS)
        for place in before:
            line, prefix = self._imported(imports, number, place)
            text += imports.choice(_REMARKS[:4]) + line + "\n"
            spelled[place] = prefix
        maker = imports.choice(("from lauren_runtime import tool", "from makers import tool", "from makers import *"))

        later = imports.randrange(number, len(self._seeds))
        if later > number:
            line = f"from {self._packages[later]}m{later} import M{later}\n"
            text += imports.choice((f"import typing\nif typing.TYPE_CHECKING:\n    {line}",) * 5 + (line,))

        def filled(chosen: random.Random, forms: tuple[str, ...], name: str) -> str:
            return chosen.choice(forms).format(
                name=name,
                tool=chosen.choice((*[f"t{number}"] * 40, f"T{number}", f"tl{number}", "t1", "t_l")),
                method=chosen.choice(("go", "Go", f"go{number}", "t2", "T4")),
                parent=self._reference(chosen, spelled, "P") or "object",
                base="object",
                type=self._reference(chosen, spelled, "MA") or chosen.choice(("int", "str", "list[str]")),
                result=self._reference(chosen, spelled, "MA") or "str",
                later=f"M{later}",
                constant=self._reference(chosen, spelled, "C") or chosen.randrange(3),
                number=chosen.randrange(4),
                doc=chosen.choice(("One", "Two", "Été", "a }", "x\\n  },", "]", *[""] * (chosen.random() < 0.05))),
            )

        text += f"{_HEAD}{maker}\n"
        text += filled(constant, _CONSTANTS, f"C{number}")
        text += filled(model, _MODELS, f"M{number}")
        text += filled(alias, _ALIASES, f"A{number}")
        text += filled(method, _METHODS, f"P{number}") + "".join(
            filled(tool, _TOOLS, "") for _ in range(tool.choice((0, 1, 1, 1)))
        )
        if imports.random() < 0.1:
            text = text.replace("\ufeff", "").replace("\n", "\r\n")
        return text

    def _reference(self, chosen: random.Random, spelled: dict[int, str], kinds: str) -> str | None:
        if not spelled or chosen.random() < 0.2:
            return None
        place = chosen.choice(sorted(spelled))
        return f"{spelled[place]}{chosen.choice(kinds)}{place}"

    def _imported(self, chosen: random.Random, number: int, place: int) -> tuple[str, str]:
        """An import statement for a module, and what stands before its names then."""
        package, home = self._packages[place], self._packages[number]
        whole = f"{package}m{place}"
        names = f"M{place}, A{place}, C{place}, P{place}"
        forms = [
            (f"from {whole} import {names}", ""),
            (f"from {whole} import (  # those :)\n    {names.replace(',', ',  # (one)' + chr(10))},\n)", ""),
            (f"from {whole} import *", ""),
            (f"import {whole}", f"{whole}."),
            (f"import {whole} as x{place}", f"x{place}."),
            (f"from {whole.replace('.', ' . ')} \\\n    import M{place}, A{place}, \\\n C{place}, P{place}", ""),
            (f"if typing.TYPE_CHECKING:\n    from {whole} import {names}\nelse:\n    from {whole} import {names}", ""),
            (f"try:\n    from {whole} import {names}\nexcept ImportError: raise", ""),
        ]
        if package:
            forms.append((f"from {package[:-1]} import m{place}", f"m{place}."))
            forms.append((f"from {package[:-1]} import (  # :)\n m{place} as y{place})", f"y{place}."))
            forms.append((f"import {package[:-1]}, {whole}", f"{whole}."))
        if home and home == package:
            forms.append((f"from .m{place} import {names}", ""))
            forms.append((f"from . import m{place}", f"m{place}."))
        if home == "shop.deep." and package == "shop.":
            forms.append((f"from ..m{place} import {names}", ""))
            forms.append((f"from . . import m{place} as z{place}", f"z{place}."))
        return chosen.choice(forms)
