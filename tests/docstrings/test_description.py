"""The description: where it ends, and which line breaks it keeps."""

from __future__ import annotations

import pytest
from lauren_compiler.syntax.docstrings import read_docstring

ARGS = "\n\nArgs:\n    a: first\n"

PROSE: list[tuple[str, str, str]] = [
    ("empty", "", ""),
    ("blank", " \n\t\n ", ""),
    ("one line", "Summary.", "Summary."),
    ("around", "\n    Summary.\n    ", "Summary."),
    ("joined", "One\n    two\n    three.", "One two three."),
    ("paragraphs", "One\n  two.\n\n\n\n  Three\n  four.", "One two.\n\nThree four."),
    ("bullets", "Takes:\n- a\n- b\n* c\n+ d", "Takes:\n- a\n- b\n* c\n+ d"),
    ("numbers", "Steps:\n1. a\n12) b\na) c", "Steps:\n1. a\n12) b\na) c"),
    ("no list", "This is\n-5 or e.\ng. x) or\n*this*", "This is -5 or e. g. x) or *this*"),
    ("wrapped item", "Takes:\n- a\n  b\nthen", "Takes:\n- a\n  b\nthen"),
    ("indented", "Like\n    x = 1\n    y = 2\n  and\nso on.", "Like\n    x = 1\n    y = 2\n  and\nso on."),
    ("fenced", "Like\n```\na\n\nb\n```\nand\nso on.", "Like\n```\na\n\nb\n```\nand so on."),
    ("carriage returns", "One\r\n    two\r    three\r\n\r\n    four", "One two three\n\nfour"),
    ("role", "Makes\n:class:`X` of\n@decorated things.", "Makes :class:`X` of @decorated things."),
    ("unknown section", "One.\n\nUsage:\n    run it", "One.\n\nUsage:\n    run it"),
    ("unknown underlined", "One\n\nUsage\n-----\nrun", "One\n\nUsage ----- run"),
    ("sentence with a colon", "Takes the\nfollowing parameters:\n  x", "Takes the following parameters:\n  x"),
]


@pytest.mark.parametrize(("text", "expected"), [case[1:] for case in PROSE], ids=[case[0] for case in PROSE])
def test_prose(text: str, expected: str) -> None:
    found = read_docstring(text)
    assert (found.description, found.parameters, found.style) == (expected, (), "prose")


@pytest.mark.parametrize(
    "section",
    [
        "Args:\n    a: x",
        "Returns:\n    x",
        "RAISES:\n    E: x",
        "Example:\n    x",
        "Yields:\n    x",
        "Parameters\n----------\na : int",
        "Returns\n-------\nint",
        "See Also\n--------\nother",
        ":param a: x",
        ":returns: x",
        ":type a: int",
        "@return: x",
    ],
)
@pytest.mark.parametrize("gap", ["\n", "\n\n", "\n\n\n"])
def test_a_header_ends_it(section: str, gap: str) -> None:
    assert read_docstring(f"One\ntwo.{gap}{section}\n\nThree.").description == "One two."
    assert read_docstring(section).description == ""


KEPT: list[tuple[str, str, str]] = [
    ("before", "One.\n\nNote:\n    Be\n    quick." + ARGS, "One.\n\nNote: Be quick."),
    ("after", "One." + ARGS + "\nWarning:\n    cannot be undone\n", "One.\n\nWarning: cannot be undone"),
    ("beside", "One." + ARGS + "\nWarning: cannot\nbe undone\n\nMore.", "One.\n\nWarning: cannot be undone"),
    ("below, not deeper", "One." + ARGS + "\nTip:\nuse it\n", "One.\n\nTip: use it"),
    ("underlined", "One." + ARGS + "\nNotes\n-----\nSlow.\n\nVery.\n", "One.\n\nNotes: Slow.\n\nVery."),
    ("directive", "One.\n\n:param a: x\n\n.. warning:: hot\n   stuff\n", "One.\n\nWarning: hot stuff"),
    ("directive with a block", "One.\n\n:param a: x\n\n.. note::\n\n   hot\n", "One.\n\nNote: hot"),
    (
        "after fields",
        "Delete a row.\n\n:param a: x\n\nWarning:\n    no way back",
        "Delete a row.\n\nWarning: no way back",
    ),
    ("field", "One.\n\n@param a: x\n@note: slow", "One.\n\nNote: slow"),
    ("list", "One." + ARGS + "Note:\n    - a\n    - b", "One.\n\nNote:\n- a\n- b"),
    ("two", "Note:\n    x\nTip:\n    y\n\nEnd.", "Note: x\n\nTip: y\n\nEnd."),
    ("inline before a section is prose", "One.\nNote: two.\nThree.", "One. Note: two. Three."),
]


@pytest.mark.parametrize(("text", "expected"), [case[1:] for case in KEPT], ids=[case[0] for case in KEPT])
def test_notes_are_kept(text: str, expected: str) -> None:
    assert read_docstring(text).description == expected
