"""A file of the sources → its parsed module, with diagnostics for what stands in the way."""

from __future__ import annotations

from ..diagnostics.model import Sink
from ..diagnostics.rules import reading
from ..source.file import SourceFile
from ..source.filesystem import FileSystem
from ..source.span import Span
from .declarations import ParsedModule
from .decode import decode
from .parse import parse


def read_source(
    files: FileSystem, path: str, shown: str, relative: str, module: str, is_package: bool, sink: Sink
) -> tuple[SourceFile | None, ParsedModule | None]:
    """The file's text, and its module; each None, with a diagnostic, if it can't be had."""
    try:
        data = files.read(path)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        sink.add(reading.UNREADABLE_FILE.at(Span.of_file(shown), f"the file can't be read: {reason}"))
        return None, None
    text = decode(data, shown, sink)
    if text is None:
        return None, None
    file = SourceFile(path, shown, relative, module, is_package, text)
    return file, parse(file, sink, thorough=True)
