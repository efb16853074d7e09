"""What a body is: text or not, and in which encoding."""

from __future__ import annotations

import codecs
import re

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_META = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]{2,40})", re.IGNORECASE)
_META_WITHIN = 1024
_LONGEST_LABEL = 40
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


def is_text(kind: str, content: bytes, stated: str | None = None) -> bool:
    """Whether a body of that media type is text; without a type, or with the one that servers give to whatever they
    don't know (text/plain), whether it looks like it (WHATWG's MIME Sniffing Standard, section 7.2)."""
    if not kind or kind == "text/plain":
        wide = (_encoding(stated) or "").startswith("utf-16") or content.startswith(_WIDE)
        return wide or b"\0" not in content[:_META_WITHIN]
    return kind.startswith("text/") or kind in _TEXT_KINDS or kind.endswith(("+json", "+xml"))


def decoded(content: bytes, stated: str | None, is_html: bool, cut: bool) -> str:
    """The text of a body: by its byte order mark, what its header states, what HTML says within; else UTF-8 if it is
    that, else windows-1252. What is wrong in it becomes U+FFFD. `cut`: it may end within a character."""
    for mark, marked in _BOMS:
        if content.startswith(mark):
            return content[len(mark) :].decode(marked, "replace")
    inside = _META.search(content[:_META_WITHIN]) if is_html else None
    encoding = _encoding(stated) or (_encoding(inside[1].decode("ascii")) if inside else None)
    if encoding is not None:
        return content.decode(encoding, "replace")
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(content, final=not cut)
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _encoding(label: str | None) -> str | None:
    if not label or len(label) > _LONGEST_LABEL:  # Python keeps each that it was ever asked for
        return None
    try:
        name = codecs.lookup(label.strip()).name
    except (LookupError, ValueError):
        return None
    return None if name not in _ENCODINGS else "cp1252" if name in _LATIN else name
