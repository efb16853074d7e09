"""Draws sources of applications for a container: modules, providers of every kind, and mistakes in them."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

from hypothesis import strategies as st

HEAD = """\
from typing import Annotated, Protocol, runtime_checkable
from lauren import (
    Inject, OptionalDep, Scope, Token, injectable, module, post_construct, pre_destruct,
    use_class, use_existing, use_factory, use_value,
)
LOG = []


class Made:
    def __init__(self, **parts):
        self.__dict__.update(parts)


@runtime_checkable
class Speaks(Protocol):
    def speak(self) -> str: ...


@runtime_checkable
class Plugin(Protocol):
    def plug(self) -> str: ...


class Handler: ...

"""
SCOPES = ("TRANSIENT", "REQUEST", "SINGLETON")
"""From narrow to wide."""


@dataclass(frozen=True)
class Graph:
    """The source of an application whose root is `Root`; without the imports that are mistakes; with everything in one
    module.
    """

    text: str
    sound: str
    flat: str


@dataclass
class Planned:
    """Something that can be asked for: `name` is its token as source."""

    name: str
    scope: str
    module: int
    kind: str = ""
    target: str = ""


@dataclass
class Drawn:
    """One application, as it is put together."""

    random: random.Random
    modules: int
    classes: list[Planned] = field(default_factory=list)
    tokens: list[Planned] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    items: list[tuple[int, str]] = field(default_factory=list)  # module, what it declares
    owned: list[tuple[int, str]] = field(default_factory=list)  # module, token
    imports: dict[int, list[int]] = field(default_factory=dict)  # module, those it imports

    def chance(self, one_in: int) -> bool:
        return self.random.randrange(one_in) == 0

    def planned(self, name: str, kind: str = "") -> Planned:
        scope = self.random.choice((*SCOPES, "SINGLETON", "SINGLETON"))
        return Planned(name, scope, self.random.randrange(self.modules), kind)

    def asked_by(self, one: Planned) -> list[Planned]:
        """What something may depend on: mostly what it sees, what lives as long, and what makes no cycle."""
        everything = [*self.classes, *self.tokens]
        if self.chance(60):
            return [each for each in everything if each.kind != "existing"]
        later = everything[everything.index(one) + 1 :]
        return [
            other
            for other in later
            if other.module >= one.module and SCOPES.index(other.scope) >= SCOPES.index(one.scope)
        ]


def graph(chosen: random.Random) -> Graph:
    """The application that these choices make."""
    drawn = Drawn(chosen, modules=chosen.randint(1, 3))
    kinds = ("", "", "", "plugin", "plugin", "speaker", "handler", "function")
    drawn.classes = [drawn.planned(f"C{number}", chosen.choice(kinds)) for number in range(chosen.randint(1, 6))]
    customs = ("value", "class", "factory", "existing")
    drawn.tokens = [drawn.planned(f"'T{number}'", chosen.choice(customs)) for number in range(chosen.randint(0, 4))]
    for one in drawn.tokens:
        if one.kind == "existing":
            sound = [each for each in drawn.classes if each.module >= one.module]
            target = chosen.choice(sound if sound and not drawn.chance(10) else drawn.classes)
            one.target, one.scope = target.name, target.scope  # theirs does not hold an alias to a scope
    for one in drawn.classes:
        (_function if one.kind == "function" else _class)(drawn, one)
    for one in drawn.tokens:
        _custom(drawn, one)
    head = ("from __future__ import annotations\n" if drawn.chance(2) else "") + HEAD + "\n".join(drawn.texts)
    text = "\n".join([head, *_modules(drawn), _asked(drawn)])
    everything = ", ".join(dict.fromkeys(item for _, item in drawn.items))
    sound = re.sub(r"\*\[.*?\]", "", text)
    return Graph(text, sound, f"{head}\n@module(providers=[{everything}])\nclass Root: ...\nASK = []\n")


graphs: st.SearchStrategy[Graph] = st.integers(0, 2**48).map(lambda seed: graph(random.Random(seed)))
"""Applications. Shrinking would change what the numbers stand for, so it is left to the reader."""

KINDS = {
    "plugin": (", provides=[Plugin], multi=True", "    def plug(self): return 'plug'\n"),
    "speaker": ("", "    def speak(self): return 'hello'\n"),
    "handler": (", provides=[Handler]", ""),
}
BY_KIND = {"plugin": "list[Plugin]", "speaker": "Speaks", "handler": "Handler", "": "str"}
"""What asks for a class by what it is, not by name; a text is nobody's."""
HOOKS = """\
    @post_construct
    def up(self): LOG.append('{name} up')
    @pre_destruct
    async def down(self): LOG.append('{name} down')
"""


def _class(drawn: Drawn, one: Planned) -> None:
    options, methods = KINDS.get(one.kind, ("", ""))
    if one.scope == "SINGLETON" and one.kind != "plugin" and drawn.chance(3):
        methods += HOOKS.format(name=one.name)
        one.kind = "hooked"
    before = drawn.classes[: drawn.classes.index(one)]
    bases = [each.name for each in before if each.kind not in ("function", "hooked")]
    base = f"({drawn.random.choice(bases)})" if bases and drawn.chance(20) else ""
    decorator = "" if drawn.chance(50) else f"@injectable(scope=Scope.{one.scope}{options})\n"
    drawn.texts.append(
        f"{decorator}class {one.name}{base}:\n"
        f"    def __init__({', '.join(['self', *_needs(drawn, one)])}):\n"
        f"        self.__dict__.update((key, value) for key, value in locals().items() if key != 'self')\n{methods}"
    )
    _declare(drawn, one, one.name)


def _function(drawn: Drawn, one: Planned) -> None:
    """A factory or a generator, sync or async."""
    kind = drawn.random.choice(("return", "yield"))
    if kind == "yield" and not drawn.chance(20):
        one.scope = "SINGLETON"
    end = f"\n    LOG.append('{one.name} closed')" if kind == "yield" and one.scope == "SINGLETON" else ""
    drawn.texts.append(
        f"@injectable(scope=Scope.{one.scope})\n"
        f"{drawn.random.choice(('', 'async '))}def {one.name}({', '.join(_needs(drawn, one))}):\n"
        f"    {kind} Made(**locals()){end}\n"
    )
    _declare(drawn, one, one.name)


def _needs(drawn: Drawn, one: Planned) -> list[str]:
    """Parameters, those with defaults last."""
    needs = [_need(drawn, one, f"p{number}") for number in range(drawn.random.choice((0, 1, 1, 2, 3)))]
    return sorted((need for need in needs if need), key=lambda need: "=" in need)


def _need(drawn: Drawn, one: Planned, name: str) -> str:
    """One parameter; none where there is nothing to ask for."""
    if drawn.chance(60):
        return name
    default = " = None" if drawn.chance(5) else ""
    if drawn.chance(60):
        return f"{name}: 'Nowhere'"
    candidates = drawn.asked_by(one)
    kinds = [BY_KIND[each.kind] for each in candidates if each.kind in BY_KIND and (each.kind or drawn.chance(15))]
    if kinds and drawn.chance(4):
        return f"{name}: {drawn.random.choice(kinds)}{default}"
    if not candidates:
        return ""
    asked = drawn.random.choice(candidates)
    if asked.kind == "function" or asked.name.startswith("'"):
        return f'{name}: "Annotated[object, Inject({asked.name})]"{default}'
    return f'{name}: "{asked.name}"{default}'


def _custom(drawn: Drawn, one: Planned) -> None:
    chosen, token = drawn.random, one.name
    if one.kind == "value":
        one.scope = "SINGLETON"
        text = f"use_value(provide={token}, value={chosen.randrange(3)})"
    elif one.kind == "class":
        made = f"Made_{token.strip(chr(39))}"
        text = f"use_class(provide={token}, use={made}, scope=Scope.{one.scope})"
        parameters = ", ".join(["self", *_needs(drawn, one)])
        body = "self.__dict__.update(got=[*locals().values()][1:])"
        drawn.texts.append(f"class {made}:\n    def __init__({parameters}):\n        {body}\n")
    elif one.kind == "factory":
        injects = [each.name for each in drawn.asked_by(one)[: chosen.randrange(3)]]
        if drawn.chance(3):
            injects.append(f"OptionalDep({chosen.choice([one.name for one in drawn.classes] + [repr('T9')])})")
        text = (
            f"use_factory(provide={token}, factory=lambda *got: Made(got=list(got)), "
            f"injects=[{', '.join(injects)}], scope=Scope.{one.scope})"
        )
    else:
        text = f"use_existing(provide={token}, existing={one.target})"
    _declare(drawn, one, text)


def _declare(drawn: Drawn, one: Planned, item: str) -> None:
    if drawn.chance(60):
        return
    drawn.items.append((one.module, item))
    drawn.owned.append((one.module, one.name))
    if drawn.chance(60):
        drawn.items.append((drawn.random.randrange(drawn.modules), item))


def _modules(drawn: Drawn) -> list[str]:
    """The modules, the last first; each imports most of those written before it."""
    texts: list[str] = []
    for number in reversed(range(drawn.modules)):
        later = [each for each in range(number + 1, drawn.modules) if not drawn.chance(8)]
        drawn.imports[number] = later
        imports = [_module(each) for each in later]
        if drawn.chance(60):
            imports.append(drawn.random.choice(["*[C0]", "*['NoSuchModule']", "*['Root']"]))
        items = [item for module, item in drawn.items if module == number]
        exports = [token for module, token in drawn.owned if module == number and not drawn.chance(10)]
        exports += [token for module, token in drawn.owned if module in later and drawn.chance(20)]
        if drawn.chance(60):
            exports.append("C0")
        texts.append(
            f"@module(providers=[{', '.join(items)}], imports=[{', '.join(imports)}], "
            f"exports=[{', '.join(exports)}])\nclass {_module(number)}: ...\n"
        )
    return texts


def _module(number: int) -> str:
    return "Root" if number == 0 else f"M{number}"


def _asked(drawn: Drawn) -> str:
    """Every token of the modules that the root reaches, as its own module sees it."""
    reached = {0}
    for number in sorted(drawn.imports):
        reached.update(drawn.imports[number] if number in reached else ())
    asked = [f"({token}, {_module(number)})" for number, token in drawn.owned if number in reached]
    return f"ASK = [{', '.join(asked)}]\n"
