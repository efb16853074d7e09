"""Where the files lie that ship beside the code: templates, pages of rules, the manifest's schema.

A wheel has the templates inside the package, a checkout at its top level; neither has the other's folder.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def own_files() -> tuple[Path, ...]:
    """What tells this compiler from others: what it was installed from, else all its modules, pages and templates."""
    installed = sorted(_PACKAGE.parent.glob("lauren_compile-*.dist-info/RECORD"))
    if installed:
        return tuple(installed)
    inside = (path for path in _PACKAGE.rglob("*") if path.suffix != ".pyc" and path.is_file())
    return tuple(sorted({*inside, *templates().iterdir()}))


def templates() -> Path:
    """The folder of the templates. Raises FileNotFoundError for a broken installation."""
    for folder in (_PACKAGE / "templates", _PACKAGE.parent.parent / "templates"):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"the templates of lauren-compile are missing beside {_PACKAGE}")


def page(code: str) -> str:
    """The page of a rule, Markdown. Raises FileNotFoundError if there is none."""
    return (_PACKAGE / "diagnostics" / "docs" / f"{code}.md").read_text("utf-8")


def manifest_schema() -> str:
    """The JSON Schema of manifest format 1."""
    return (_PACKAGE / "driver" / "validate" / "manifest.schema.json").read_text("utf-8")
