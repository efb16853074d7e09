"""One set of diagnostics for all five renderers: every part of one, and every character that is hard to draw."""

from __future__ import annotations

from lauren_compiler.diagnostics.model import Diagnostic, Edit, Fix, Label, Level, Sink
from lauren_compiler.diagnostics.render import KnownLines
from lauren_compiler.diagnostics.rules import names, tools, types, writing
from lauren_compiler.source.span import Position, Span

FILES = {
    "tools/calendar.py": (
        "from shop.models import Ordr",
        "",
        "@tool()",
        "def book(",
        "    title: str, when: complex,",
        "\tgrund: Größe, 日本語: 型, e\u0301: \u0301X",
        'x = "\u202eevil\u202c\x1b[31m\x00"; y: Bad',
        "long = (",
        "    1,",
        "    2)",
    ),
    "shop/models.py": ("class Order:", "    pass"),
}
SOURCES = KnownLines(FILES)

_CALENDAR = "tools/calendar.py"


def _span(path: str, line: int, start: int, end: int, last: int | None = None) -> Span:
    return Span(path, Position(line, start), Position(last or line, end))


def _all() -> list[Diagnostic]:
    at = _CALENDAR
    return [
        types.UNSUPPORTED_TYPE.at(
            _span(at, 5, 23, 30),
            "parameter `when` has a type with no JSON form",
            label="`complex` cannot be written as JSON",
            labels=[Label(_span(at, 4, 5, 9), "in this tool")],
            help="use `float`",
        ),
        names.MISSING_EXPORT.at(
            _span(at, 1, 25, 29),
            "`shop.models` does not define `Ordr`",
            label="not defined",
            labels=[Label(_span("shop/models.py", 1, 7, 12), "the nearest name")],
            notes=["looked in shop/models.py", "two lines\nof one note"],
            help="did you mean `Order`?",
            fix=Fix("use `Order`", (Edit(_span(at, 1, 25, 29), "Order"),), safe=True),
        ),
        names.UNRESOLVED_NAME.at(_span(at, 6, 9, 14), "`Größe` is not defined", label="behind a tab"),
        names.UNRESOLVED_NAME.at(_span(at, 6, 21, 22), "`型` is not defined", label="behind wide characters"),
        names.UNRESOLVED_NAME.at(_span(at, 6, 29, 30), "`X` is not defined", label="behind combining marks"),
        types.NOT_A_TYPE.at(
            _span(at, 7, 24, 27), "hostile \u202etext\x1b[2J and \ud800, 100%: a,b", label="behind escapes\r\n"
        ),
        tools.DEFAULT_NOT_JSON.at(_span(at, 8, 8, 7, last=10), "a span over three lines", label="starts here"),
        tools.OTHER_RUNTIME_NAME.at(_span(at, 4, 5, 9), "a note"),
        writing.STALE_OUTPUT.at(Span.of_file("lauren build"), "a path without a source", help="build again"),
        tools.UNDECIDABLE_TOOL.at(_span(at, 99, 1, 2), "a line past the end", label="nowhere", level=Level.ERROR),
    ]


def diagnostics() -> tuple[Diagnostic, ...]:
    """The set, in report order."""
    sink = Sink()
    sink.extend(_all())
    return tuple(sink)
