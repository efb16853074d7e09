"""A file of the sources → its text, with diagnostics for what stands in the way."""

from __future__ import annotations

from ..diagnostics.model import Sink
from ..diagnostics.rules import reading
from ..source.file import SourceFile
from ..source.filesystem import FileSystem
from ..source.span import Span
from .decode import decode


def read_source(
    files: FileSystem, path: str, shown: str, relative: str, module: str, is_package: bool, sink: Sink
) -> SourceFile | None:
    """The file; None, with a diagnostic, if it can't be had."""
    try:
        data = files.read(path)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        sink.add(reading.UNREADABLE_FILE.at(Span.of_file(shown), f"the file can't be read: {reason}"))
        return None
    text = decode(data, shown, sink)
    if text is None:
        return None
    return SourceFile(path, shown, relative, module, is_package, text)
