"""No source is imported or run by a compile: not tool modules, not what they import, not installed packages."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

#: What a module does at its top level, were it ever imported: leave a file, end the process, fail, or never come back.
EFFECTS = {
    "writes": "import pathlib\npathlib.Path({mark!r}).write_text('imported')\n",
    "exits": "import sys\nsys.exit(7)\n",
    "dies": "import os\nos._exit(7)\n",
    "raises": "raise RuntimeError('imported')\n",
    "recurses": "def f(): f()\nf()\n",
    "loops": "while True:\n    pass\n",
    "kills": "import os, signal\nos.kill(os.getpid(), signal.SIGTERM)\n",
    "prints": "print('imported')\n",
}
TOOL = '''
from lauren_runtime import tool
from {models} import Size

class Lazy:
    def __class_getitem__(cls, item):
        open({mark!r}, "w").write("evaluated")
        return int

@tool()
def measure(size: Size, label: str = "".join(["a"]) if False else "x") -> str:
    """Measure something."""
    return label
'''
MODELS = """
from enum import Enum
class Size(Enum):
    SMALL = "s"
    LARGE = "l"
"""


def build(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "lauren_compiler", "build", *arguments, "-o", str(folder / "lauren_build")]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("place", ["tool module", "imported module", "package above"])
@pytest.mark.parametrize("effect", sorted(EFFECTS))
def test_top_level_is_not_run(effect: str, place: str, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    code = EFFECTS[effect].format(mark=str(mark))
    package = tmp_path / "shop"
    package.mkdir()
    texts = {
        "__init__.py": code if place == "package above" else "",
        "models.py": MODELS + (code if place == "imported module" else ""),
        "tools.py": (code if place == "tool module" else "") + TOOL.format(mark=str(mark), models="shop.models"),
    }
    for name, text in texts.items():
        (package / name).write_text(text, "utf-8")
    before = sorted(path.name for path in tmp_path.iterdir())
    done = build(tmp_path, str(package))
    assert done.returncode == 0, done.stderr
    assert "imported" not in done.stdout
    assert not mark.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*before, "lauren_build"])
    schema = json.loads((tmp_path / "lauren_build" / "schemas" / "measure.json").read_text("utf-8"))
    assert list(schema["properties"]) == ["size", "label"]


def test_installed_package_is_not_run(tmp_path: Path) -> None:
    """A type of an installed package is read from its source; neither that nor the environment's start-up files run."""
    mark = tmp_path / "mark"
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    [packages] = environment.rglob("site-packages")
    code = EFFECTS["writes"].format(mark=str(mark))
    (packages / "sizes").mkdir()
    (packages / "sizes" / "__init__.py").write_text(code + MODELS, "utf-8")
    (packages / "start.pth").write_text(f"import sys; open({str(mark)!r}, 'w')\n", "utf-8")
    (packages / "sitecustomize.py").write_text(code, "utf-8")
    source = tmp_path / "tools.py"
    source.write_text(TOOL.format(mark=str(mark), models="sizes"), "utf-8")
    python = next(path for path in environment.rglob("python*") if path.name in ("python", "python.exe"))
    done = build(tmp_path, str(source), "--python", str(python))
    assert done.returncode == 0, done.stderr
    assert not mark.exists()
    manifest = json.loads((tmp_path / "lauren_build" / "manifest.json").read_text("utf-8"))
    assert manifest["tools"][0]["input_schema"]["$defs"]["Size"]["enum"] == ["s", "l"]


def test_sources_named_like_the_library_are_not_run(tmp_path: Path) -> None:
    """The compiler starts beside files called like modules that it imports itself."""
    mark = tmp_path / "mark"
    code = EFFECTS["writes"].format(mark=str(mark))
    for name in ("json", "enum", "jinja2", "lauren_runtime", "sitecustomize", "models"):
        (tmp_path / f"{name}.py").write_text(code + (MODELS if name == "models" else ""), "utf-8")
    source = tmp_path / "tools.py"
    source.write_text(TOOL.format(mark=str(mark), models="models"), "utf-8")
    command = [str(Path(sys.executable).with_name("lauren-compile")), "build", str(source), "-o", str(tmp_path / "out")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert not mark.exists(), done.stderr
    assert "Traceback" not in done.stderr
