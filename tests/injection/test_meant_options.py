"""An option that there is not comes with the one that was meant, at build time and at run time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lauren_compiler.commands.main import main
from lauren_compiler.lower.injection import agent_modules
from lauren_runtime import AgentModule
from lauren_runtime.agents.recipe import ModuleOptions

SOURCE = """
from lauren_runtime import AgentModule, injectable, module, use_value

@injectable(provide=["mail"])
class Mail: ...

Support = AgentModule.for_root(agents=[], share_tools=[], model_client=object())

@module(provider=[], providers=[Mail, use_value(provide="x", value=1, multiple=True)], imports=[Support])
class Shop: ...
"""


def test_what_the_compiler_suggests(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "shop.py").write_text(SOURCE)
    assert main(["check", str(tmp_path / "shop.py"), "--no-cache"]) == 1
    shown = capsys.readouterr().err
    assert [line.partition("did you mean ")[2] for line in shown.splitlines() if "= help" in line] == [
        *("`provides`?", "`shared_tools`?", "`providers`?", "`multi`?")
    ]


def test_what_the_runtime_suggests() -> None:
    options: Any = {"share_tools": []}
    with pytest.raises(TypeError, match=r"no option .share_tools., did you mean shared_tools\?"):
        AgentModule.for_root(agents=[], **options)


def test_the_compiler_knows_every_option() -> None:
    named = AgentModule.for_root.__annotations__.keys() - {"options", "return"}
    assert named | ModuleOptions.__annotations__.keys() == agent_modules.OPTIONS
