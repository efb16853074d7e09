"""What mends a missing protocol: never to declare the protocol itself, which nothing can make."""

from __future__ import annotations

from pathlib import Path

import pytest
from lauren_compiler.commands.main import main

SOURCE = """
from typing import Protocol, runtime_checkable
from lauren_runtime import LaurenFactory, injectable, module

{mark}
class Store(Protocol):
    def get(self, number: int) -> str: ...

@injectable()
class Memory:
    {member}

@injectable()
class Desk:
    def __init__(self, store: Store) -> None: ...

@module(providers=[Memory])
class Stores: ...

@module(imports=[{imports}], providers=[Desk])
class Shop: ...

@module(imports=[Shop, Stores])
class App: ...
"""
GET = "def get(self, number: int) -> str: ..."


@pytest.mark.parametrize(
    ("mark", "member", "imports", "expected"),
    [
        ("@runtime_checkable", GET, "Stores", "`Memory` has its members: export it from `Stores`"),
        ("@runtime_checkable", GET, "", "`Memory` has its members: import `Stores` in `Shop`, and export it from"),
        ("", GET, "Stores", "`Memory` has its members: mark it `@injectable(provides=[Store])`, or `Store` with `@ru"),
        ("@runtime_checkable", "size = 1", "Stores", "provide a class that has its members, in `Shop` or a module it"),
    ],
)
def test_what_would_stand_for_it(
    mark: str, member: str, imports: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "shop.py").write_text(SOURCE.format(mark=mark, member=member, imports=imports))
    main(["check", str(tmp_path / "shop.py"), "--no-cache"])
    shown = capsys.readouterr().err
    assert "LC701" in shown
    helps = [line.partition("= help: ")[2] for line in shown.splitlines() if "= help: " in line]
    assert helps[0].startswith(expected)
