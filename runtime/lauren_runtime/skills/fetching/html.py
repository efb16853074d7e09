"""HTML as the text that it shows, through lxml and inscriptis; neither says anything of its types.

A page may be made to keep a converter busy: what is converted is cut to a length of which the worst page known (tens of
thousands of attributes of one element) takes seconds, and tables are not laid out, as one wide cell would then widen
every row.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any
from urllib.parse import urljoin, urlsplit

from ..errors import FetchError, missing

LONGEST = 250_000
"""How many characters of a page are converted, without what shows nothing."""
_SHOWN = re.compile(r"\s*(display|white-space)\s*:", re.IGNORECASE)
_LINKED = ("http", "https", "mailto", "tel")
_SILENT = re.compile(r"<(?:(script|style|svg|template|noscript)\b|!--)", re.IGNORECASE)


def shown_text(html: str, url: str) -> str:
    """What a page shows, its title first; links as `[text](address)`. Raises SkillSetupError without inscriptis."""
    try:
        lxml = import_module("lxml.html")
        inscriptis = import_module("inscriptis.html_engine")
        config = _config()
    except ImportError as error:
        raise missing("inscriptis", "Reading HTML") from error
    parser = lxml.HTMLParser(encoding="utf-8")
    try:
        content = without_silent_parts(html)[:LONGEST].encode("utf-8", "replace")
        tree = lxml.document_fromstring(content, parser=parser)
    except lxml.etree.ParserError:  # there is nothing in it
        return ""
    _tidy(tree, url)
    title = " ".join((tree.findtext(".//title") or "").split())
    try:
        shown = inscriptis.Inscriptis(tree, config).get_text()
    except Exception as error:  # pages are made by anybody, and the converter is not made for all of them
        raise FetchError("its HTML could not be made into text") from error
    lines = [line.rstrip() for line in shown.splitlines()]
    body = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")
    return f"{title}\n\n{body}" if title and not body.lstrip().startswith(title) else body


def _tidy(tree: Any, url: str) -> None:
    """Make links absolute, and leave of styles what shows or hides: indents could be made to fill the memory."""
    first = next(tree.iter("base"), None)
    base = _joined(url, "" if first is None else first.get("href") or "") or url
    for element in tree.iter("*"):
        style = element.attrib.pop("style", None)
        if style:
            element.set("style", ";".join(each for each in style.split(";") if _SHOWN.match(each)))
        link = element.get("href")
        if link is not None:
            place = _joined(base, link)
            if place is None:
                del element.attrib["href"]
            else:
                element.set("href", place)


def _joined(base: str, link: str) -> str | None:
    """Where a link leads; None if nowhere that can be fetched or written to."""
    try:
        found = urljoin(base, link.strip())
        return found if urlsplit(found).scheme in _LINKED else None
    except ValueError:
        return None


def is_cut(html: str) -> bool:
    """Whether a page is longer than what is converted of it."""
    return len(html) > LONGEST and len(without_silent_parts(html)) > LONGEST


def without_silent_parts(html: str) -> str:
    """A page without comments and the elements that show nothing, in one pass; one that does not end hides the rest."""
    kept: list[str] = []
    position = 0
    while (found := _SILENT.search(html, position)) is not None:
        kept.append(html[position : found.start()])
        end = "-->" if found[1] is None else f"</{found[1]}"
        close = re.compile(re.escape(end), re.IGNORECASE).search(html, found.end())
        if close is None:
            return "".join(kept)
        position = close.end() if found[1] is None else html.find(">", close.end()) + 1
        if position == 0:
            return "".join(kept)
    return "".join([*kept, html[position:]])


def _config() -> Any:
    config = import_module("inscriptis.model.config")
    elements = import_module("inscriptis.model.html_element")
    properties = import_module("inscriptis.html_properties")
    profiles = import_module("inscriptis.css_profiles")
    tags = import_module("inscriptis.model.tag")
    cells = {"td": _end_cell, "th": _end_cell}
    plain = tags.CustomHtmlTagHandlerMapping(
        start_tag_mapping=dict.fromkeys(("table", "tr", "td", "th")),
        end_tag_mapping={"table": None, **cells},
    )
    css = {**profiles.CSS_PROFILES["relaxed"], "tr": elements.HtmlElement(display=properties.Display.block)}
    return config.ParserConfig(css=css, display_links=True, custom_html_tag_handler_mapping=plain)


def _end_cell(state: Any) -> None:
    state.tags[-1].write(" | ")
