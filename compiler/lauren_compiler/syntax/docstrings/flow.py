"""The paragraph rule: which line breaks of a docstring are kept."""

from __future__ import annotations

from collections.abc import Iterable

_BULLETS = ("- ", "* ", "+ ", "• ")
_FENCES = ("```", "~~~")


def flow(lines: Iterable[str]) -> str:
    """The text of `lines`, which are indented relative to their block.

    The lines of a paragraph are joined by one space and paragraphs are set apart by one blank line. List items,
    indented lines, what follows them, and fenced code keep their line breaks.

        ["Adds", "numbers:", "- a", "- b"]  ->  "Adds numbers:\\n- a\\n- b"
    """
    kept: list[list[str]] = []
    joins = False
    fence = ""
    for line in lines:
        text = line.strip()
        if fence:
            kept.append([line.rstrip()])
            fence = "" if text.startswith(fence) else fence
            joins = False
            continue
        own = _keeps_its_break(line, text) if text else line[:1] == " "
        if joins and not own and text:
            kept[-1].append(text)
            continue
        if text or (kept and kept[-1] != [""]):
            kept.append([line.rstrip()])
        fence = text[:3] if text.startswith(_FENCES) else ""
        joins = bool(text) and not own
    return "\n".join(" ".join(parts) for parts in kept).strip("\n")


def bullet(text: str) -> str:
    """The text after a bullet (`- `, `* `, `+ ` or `• `); "" if `text` does not start with one."""
    return text[2:].lstrip() if text.startswith(_BULLETS) else ""


def _keeps_its_break(line: str, text: str) -> bool:
    if line[:1].isalpha() and line[1:2] != ")":
        return False
    return line[:1] == " " or text.startswith(_BULLETS) or text.startswith(_FENCES) or _numbered(text)


def _numbered(text: str) -> bool:
    """Whether it starts an item such as `1. `, `12) ` or `a) `."""
    marker = text[:5].partition(" ")[0]
    if len(marker) == len(text) or marker[-1:] not in (".", ")"):
        return False
    label = marker[:-1]
    return label.isascii() and (label.isdigit() or (marker[-1] == ")" and len(label) == 1 and label.isalpha()))
