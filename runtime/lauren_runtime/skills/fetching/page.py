"""What a page says, as text: its encoding, its kind, and HTML as the text that it shows."""

from __future__ import annotations

import codecs
import re
from typing import Any

from ..errors import missing

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_META = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]{2,40})", re.IGNORECASE)
_META_WITHIN = 1024
_TEXT_KINDS = frozenset(
    """
    application/ecmascript application/javascript application/json application/ld+json application/rss+xml
    application/sql application/toml application/x-javascript application/x-ndjson application/x-www-form-urlencoded
    application/x-yaml application/xhtml+xml application/xml application/yaml
    """.split()
)
#: The encodings of the WHATWG's Encoding Standard, as Python's codecs are called; a codec outside it may be no encoding
#: of text at all, or take quadratic time (`idna`, `punycode`).
_ENCODINGS = frozenset(
    """
    ascii big5 big5hkscs cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 cp866 cp874 euc_jp euc_kr
    gb18030 gb2312 gbk iso2022_jp iso8859-1 iso8859-10 iso8859-13 iso8859-14 iso8859-15 iso8859-16 iso8859-2 iso8859-3
    iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 koi8-r koi8-u mac-cyrillic mac-roman shift_jis utf-16 utf-16-be
    utf-16-le utf-8
    """.split()
)
#: Pages that say one of these mean windows-1252, which has more characters (Encoding Standard, section 4.2).
_LATIN = frozenset({"ascii", "iso8859-1"})


def media_type(content_type: str) -> str:
    """`text/html` of `text/html; charset=utf-8`."""
    return content_type.partition(";")[0].strip().lower()


def is_text(kind: str, content: bytes) -> bool:
    """Whether a body of that media type is text; without a type, whether it looks like it."""
    if not kind:
        return b"\0" not in content[:_META_WITHIN]
    return kind.startswith("text/") or kind in _TEXT_KINDS or kind.endswith(("+json", "+xml"))


def decoded(content: bytes, stated: str | None, is_html: bool) -> str:
    """The text of a body: by its byte order mark, what its header states, what HTML says within; else UTF-8 if it is
    that, else windows-1252. What is wrong in it becomes U+FFFD."""
    for mark, encoding in _BOMS:
        if content.startswith(mark):
            return content[len(mark) :].decode(encoding, "replace")
    inside = _META.search(content[:_META_WITHIN]) if is_html else None
    encoding = _encoding(stated) or (_encoding(inside[1].decode("ascii")) if inside else None)
    if encoding is not None:
        return content.decode(encoding, "replace")
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(content)  # the end may be cut within a character
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _encoding(label: str | None) -> str | None:
    if not label:
        return None
    try:
        name = codecs.lookup(label.strip()).name
    except (LookupError, ValueError):
        return None
    return None if name not in _ENCODINGS else "cp1252" if name in _LATIN else name


def shown_text(html: str, url: str) -> str:
    """What a page of HTML shows, its title first; links as `[text](address)`. Raises SkillSetupError without inscriptis."""
    try:
        import lxml.etree
        import lxml.html
        from inscriptis import Inscriptis, ParserConfig
    except ImportError as error:
        raise missing("inscriptis", "Reading HTML") from error
    parser: Any = lxml.html.HTMLParser(encoding="utf-8")
    try:
        tree: Any = lxml.html.document_fromstring(html.encode("utf-8", "replace"), parser=parser)
    except lxml.etree.ParserError:  # there is nothing in it
        return ""
    tree.make_links_absolute(url, handle_failures="discard")
    title = " ".join((tree.findtext(".//title") or "").split())
    text = Inscriptis(tree, ParserConfig(display_links=True)).get_text()
    lines = [line.rstrip() for line in text.splitlines()]
    body = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")
    return f"{title}\n\n{body}" if title and not body.lstrip().startswith(title) else body
