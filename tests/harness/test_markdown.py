"""The collector of Markdown cases itself: what it reads, refuses, proves and rewrites."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.markdown import Rewriter
from harness.sections import Block, CaseError, read_sections

TESTS = Path(__file__).parent.parent

CASE = """\
# Numbers

```toml
targets = ["mcp"]
```

## Half

Prose with `code`.

`a.py`:

```python
from b import half_of
```

`b.py`:
```python
def half_of(): ...
```

`a.py`:

```python
x = 1
```

```diagnostics
```

### Deeper

```toml
exclude = ["x"]
```

````python
text = '''
```
'''
````

```schema half
{}
```

# Elsewhere

```text
only prose
```
"""


def test_sections() -> None:
    half, deeper = read_sections(CASE)
    assert half.name == "Numbers / Half"
    assert half.files == {"a.py": "from b import half_of\nx = 1\n", "b.py": "def half_of(): ...\n"}
    assert half.settings == 'targets = ["mcp"]\n'
    assert [(block.language, block.lines, block.line) for block in half.expectations] == [("diagnostics", (), 29)]
    assert deeper.name == "Numbers / Half / Deeper"
    assert deeper.settings == 'targets = ["mcp"]\nexclude = ["x"]\n'
    assert deeper.files == {"tools.py": "text = '''\n```\n'''\n"}
    assert [(block.language, block.argument) for block in deeper.expectations] == [("schema", "half")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# A\n```schema\n{}\n```\n", "expects something of no file"),
        ("# A\n```python\nx = 1\n```\n", "has files and expects nothing"),
        ("# A\n```pyton\nx = 1\n```\n", "`pyton` is no kind of block"),
        ("# A\n```python\nx = 1\n", "never closed"),
        ("# A\n`a.py`:\n```schema\n{}\n```\n", "can't be the file a.py"),
        ("# A\n```python\n```\n```schema\n```\n# A\n```python\n```\n```schema\n```\n", "a second section of that name"),
    ],
)
def test_what_proves_nothing_is_refused(text: str, message: str) -> None:
    with pytest.raises(CaseError, match=message):
        read_sections(text)


def test_rewriting_from_the_end_keeps_places(tmp_path: Path) -> None:
    file = tmp_path / "case.md"
    file.write_text("a\n1\n2\nb\n3\nc\n", encoding="utf-8")
    rewriter = Rewriter()
    rewriter.add(file, Block("schema", "", ("1", "2"), 2), ["x", "y", "z"])
    rewriter.add(file, Block("schema", "", ("3",), 5), [])
    assert file.read_text(encoding="utf-8") == "a\n1\n2\nb\n3\nc\n"
    rewriter.write()
    assert file.read_text(encoding="utf-8") == "a\nx\ny\nz\nb\nc\n"


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "case.md"
    file.write_text("a new first line\na\n1\n", encoding="utf-8")
    rewriter = Rewriter()
    rewriter.add(file, Block("schema", "", ("1",), 2), ["x"])
    with pytest.raises(CaseError, match="changed while its tests ran"):
        rewriter.write()
    assert file.read_text(encoding="utf-8") == "a new first line\na\n1\n"


WHOLE = '''\
# Whole

## Right

```python
from lauren_runtime import tool

@tool()
def half(number: float) -> float:
    """Half of a number."""
    return number / 2
```

```diagnostics
```

## Wrong

```python
from lauren_runtime import tool

@tool()
def half(number: float) -> float:
    """Half of a number."""
    return number / 2
```

```schema
{}
```

```call
half {"number": 3}
half {"number": "x"}
```
'''


def run_pytest(folder: Path, *arguments: str, **environment: str) -> tuple[int, str]:
    """Pytest over the case files in `folder`, with this suite's own conftest."""
    conftest = (TESTS / "conftest.py").read_text(encoding="utf-8")
    (folder / "conftest.py").write_text(conftest.replace("Path(__file__).parent", f"Path({str(TESTS)!r})"))
    (folder / "pytest.ini").write_text("[pytest]\n")
    settings = {key: value for key, value in os.environ.items() if key != "CI"} | environment
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments, str(folder)]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=settings, check=False)
    return ended.returncode, ended.stdout + ended.stderr


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    folder = tmp_path / "mdtest"
    folder.mkdir()
    (folder / "whole.md").write_text(WHOLE, encoding="utf-8")
    return folder


def test_a_wrong_expectation_fails_and_is_shown(cases: Path) -> None:
    status, output = run_pytest(cases)
    assert status == 1
    assert "1 failed, 1 passed" in output
    assert "schema is not as expected" in output
    assert "call is not as expected" in output
    assert run_pytest(cases, "-k", "Right")[0] == 0


def test_update_makes_it_right(cases: Path) -> None:
    assert run_pytest(cases, "--update")[0] == 0
    text = (cases / "whole.md").read_text(encoding="utf-8")
    assert text.split("```schema")[0] == WHOLE.split("```schema")[0]
    assert 'half {"number": 3}\n  -> 1.5\nhalf {"number": "x"}\n  !! ' in text
    assert run_pytest(cases)[0] == 0


@pytest.mark.parametrize(("arguments", "environment"), [(("-n", "2"), {}), ((), {"CI": "true"})])
def test_update_is_refused_where_it_would_do_harm(
    cases: Path, arguments: tuple[str, ...], environment: dict[str, str]
) -> None:
    status, output = run_pytest(cases, "--update", *arguments, **environment)
    assert status == pytest.ExitCode.USAGE_ERROR
    assert "--update is refused" in output
    assert (cases / "whole.md").read_text(encoding="utf-8") == WHOLE


def test_a_case_that_can_not_be_meant_is_an_error(cases: Path) -> None:
    (cases / "orphan.md").write_text("# A\n```schema\n{}\n```\n", encoding="utf-8")
    status, output = run_pytest(cases)
    assert status == pytest.ExitCode.INTERRUPTED
    assert "expects something of no file" in output
