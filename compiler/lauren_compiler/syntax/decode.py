"""From the bytes of a source file to its text, as Python decodes it."""

from __future__ import annotations

import io
import tokenize

from ..diagnostics.model import Sink
from ..diagnostics.rules import reading
from ..source.span import Position, Span


def decode(data: bytes, shown: str, sink: Sink) -> str | None:
    """The text of a source file, decoded by its BOM or cookie as Python does, line ends made newlines.

    None, with a diagnostic, if it can't be decoded. Bytes outside the encoding are accepted in comments only, as
    CPython does for a file that is imported.
    """
    whole = Span.of_file(shown)
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return _newlines(data.decode(encoding))
    except SyntaxError as error:
        sink.add(reading.UNDECODABLE_FILE.at(whole, f"the file can't be decoded: {error.msg}"))
    except LookupError as error:
        sink.add(reading.UNDECODABLE_FILE.at(whole, f"the file can't be decoded: {error}"))
    except UnicodeDecodeError as error:
        return _decode_around(data, error, shown, sink)
    except UnicodeError as error:
        sink.add(reading.UNDECODABLE_FILE.at(whole, f"the file can't be decoded: {error}"))
    return None


def _newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")


def _decode_around(data: bytes, error: UnicodeDecodeError, shown: str, sink: Sink) -> str | None:
    """The text with bad bytes replaced, if all of them stand in comments."""
    before = _newlines(data[: error.start].decode(error.encoding, "replace"))
    line = before.count("\n") + 1
    place = Position(line, len(before) - (before.rfind("\n") + 1) + 1)
    span = Span(shown, place, Position(line, place.column + 1))
    text = _newlines(data.decode(error.encoding, "replace"))
    problem = f"the file is not in its encoding, {error.encoding}"
    if "\ufffd" in data.decode(error.encoding, "ignore") or not _only_in_comments(text):
        sink.add(reading.UNDECODABLE_FILE.at(span, problem, label=f"byte 0x{data[error.start]:02x}"))
        return None
    sink.add(reading.INVALID_BYTES.at(span, "a comment holds bytes that are not in the file's encoding"))
    return text


def _only_in_comments(text: str) -> bool:
    """Whether every replacement character of `text` stands in a comment."""
    in_comments = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                in_comments += token.string.count("\ufffd")
    except (tokenize.TokenError, SyntaxError):
        return False
    return in_comments == text.count("\ufffd")
