"""From the bytes of a source file to its text, as Python decodes it."""

from __future__ import annotations

import codecs
import io

from ..diagnostics.model import Sink
from ..diagnostics.rules import reading
from ..source.span import Position, Span


def decode(data: bytes, shown: str, sink: Sink) -> str | None:
    """The text of a source file, decoded by its BOM or cookie as Python does, line ends made newlines.

    None, with a diagnostic, if it can't be decoded. Bytes outside the encoding are accepted in comments only, as
    CPython does for a file that is imported.
    """
    plain = _plain(data)
    if plain is not None:
        return plain
    import tokenize

    whole = Span.of_file(shown)
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return _newlines(data.decode(encoding))
    except SyntaxError as error:
        # `detect_encoding` reads the first two lines as UTF-8, and does not tell where it could not.
        bad = _first_bad_byte(data) if error.msg.startswith("invalid or missing encoding") else None
        if bad is None:
            sink.add(reading.UNDECODABLE_FILE.at(whole, f"the file can't be decoded: {error.msg}"))
        else:
            _report(data, bad, shown, sink)
    except LookupError as error:
        sink.add(reading.UNDECODABLE_FILE.at(whole, f"the file can't be decoded: {error}"))
    except UnicodeDecodeError as error:
        return _decode_around(data, error, shown, sink)
    except UnicodeError as error:
        sink.add(reading.UNDECODABLE_FILE.at(whole, f"the file can't be decoded: {error}"))
    return None


def _plain(data: bytes) -> str | None:
    """The text of what is UTF-8 and says nothing else, as nearly all files are; None for any other."""
    said = data.startswith(codecs.BOM_UTF8) or any(b"coding" in line for line in data.split(b"\n", 2)[:2])
    try:
        return None if said else _newlines(data.decode())
    except UnicodeDecodeError:
        return None  # told with the encoding that Python takes it for


def _newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")


def _first_bad_byte(data: bytes) -> UnicodeDecodeError | None:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error
    return None


def _decode_around(data: bytes, error: UnicodeDecodeError, shown: str, sink: Sink) -> str | None:
    """The text with bad bytes replaced, if all of them stand in comments."""
    text = _newlines(data.decode(error.encoding, "replace"))
    if "\ufffd" in data.decode(error.encoding, "ignore") or not _only_in_comments(text):
        _report(data, error, shown, sink)
        return None
    span = _place(data, error, shown)
    sink.add(reading.INVALID_BYTES.at(span, "a comment holds bytes that are not in the file's encoding"))
    return text


def _report(data: bytes, error: UnicodeDecodeError, shown: str, sink: Sink) -> None:
    message = f"the file is not in its encoding, {error.encoding}"
    help = "save it as UTF-8, or declare the encoding that it has in its first two lines"
    span, label = _place(data, error, shown), f"byte 0x{data[error.start]:02x}"
    sink.add(reading.UNDECODABLE_FILE.at(span, message, label=label, help=help))


def _place(data: bytes, error: UnicodeDecodeError, shown: str) -> Span:
    """Where the first byte stands that is not in the encoding."""
    before = _newlines(data[: error.start].decode(error.encoding, "replace"))
    line = before.count("\n") + 1
    place = Position(line, len(before) - (before.rfind("\n") + 1) + 1)
    return Span(shown, place, Position(line, place.column + 1))


def _only_in_comments(text: str) -> bool:
    """Whether every replacement character of `text` stands in a comment."""
    import tokenize

    in_comments = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                in_comments += token.string.count("\ufffd")
    except (tokenize.TokenError, SyntaxError):
        return False
    return in_comments == text.count("\ufffd")
