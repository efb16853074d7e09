"""A build is not used for sources that have changed since."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness.applications import compiled, loaded
from lauren_runtime import BuildMismatchError, LaurenFactory

SOURCE = """
from lauren_runtime import Scope, injectable, module, post_construct, use_class, use_existing, use_factory, use_value

class Plugin: ...

@injectable()
class Prices: ...

@injectable(provides=[Plugin], multi=True)
class Till:
    prices: Prices

    def __init__(self, first: Prices):
        self.first = first

    def start(self): ...

async def opened(prices):
    yield 1

@module(providers=[Prices], exports=[Prices])
class Catalogue: ...

@module(
    imports=[Catalogue],
    providers=[
        Till,
        use_value(provide="rate", value=1),
        use_factory(provide="x", factory=opened, injects=[Prices]),
        use_class(provide="other", use=Prices),
        use_existing(provide="again", existing="rate"),
    ],
    exports=[Till],
)
class Shop: ...
"""

CHANGES = {
    "a parameter": ("first: Prices)", "first: Prices, second: Prices = None)"),
    "a default": ("first: Prices)", "first: Prices = None)"),
    "an attribute": ("    prices: Prices\n", "    prices: Prices\n    other: Prices\n"),
    "a hook": ("    def start", "    @post_construct\n    def start"),
    "a scope": ("@injectable()\nclass Prices", "@injectable(scope=Scope.REQUEST)\nclass Prices"),
    "a token": ("provides=[Plugin], ", ""),
    "multi": (", multi=True", ""),
    "what is declared": ("        Till,\n", "        Till,\n        use_value(provide='new', value=1),\n"),
    "a custom provider": ('provide="rate", value', 'provide="rates", value'),
    "an alias": ('existing="rate"', 'existing="x"'),
    "a factory": ("async def opened(prices)", "async def opened(price)"),
    "injects": ("injects=[Prices]", "injects=[Till]"),
    "a class": ("use=Prices", "use=Till"),
    "exports": ("exports=[Till]", "exports=[Till, Prices]"),
    "imports": ("imports=[Catalogue],\n    providers=[\n", "providers=[\n        Prices,\n"),
    "exports of an import": ("exports=[Prices]", "exports=[]"),
}


def built(folder: Path) -> None:
    found = compiled(SOURCE, folder)
    assert found.wiring, found.errors


def test_what_has_not_changed_is_used(tmp_path: Path) -> None:
    built(tmp_path)
    source = tmp_path / "shop.py"
    source.write_text("# moved down\n\n" + source.read_text().replace("yield 1", "yield 2"))
    with loaded(tmp_path) as (module, table):
        LaurenFactory.create(module.Shop, table=table)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_has_changed_is_refused(change: tuple[str, str], tmp_path: Path) -> None:
    built(tmp_path)
    source = tmp_path / "shop.py"
    text = source.read_text()
    assert change[0] in text
    source.write_text(text.replace(change[0], change[1], 1))
    with loaded(tmp_path) as (module, table), pytest.raises(BuildMismatchError, match="rebuild with lauren-compile"):
        LaurenFactory.create(module.Shop, table=table)


@pytest.mark.parametrize("damage", [None, "", "DIGEST = 'another'\nROOTS = {}\n", "raise SystemExit"])
def test_a_file_that_is_not_the_tables_is_refused(damage: str | None, tmp_path: Path) -> None:
    built(tmp_path)
    file = tmp_path / "lauren_build" / "_wiring.py"
    if damage is None:
        file.unlink()
    else:
        file.write_text(damage)
    with loaded(tmp_path) as (module, table), pytest.raises(BuildMismatchError, match="rebuild"):
        LaurenFactory.create(module.Shop, table=table)
