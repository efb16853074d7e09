"""What was seen of a path, in a form that is cheap to compare later.

Four questions are asked of a file system: what kind of thing a path is, which names a folder holds, what a file holds,
and what a file holds that may be no link. The answer to each is kept as a digest, with the file's marks: if those are
as they were, so is the answer, and nothing is read. Marks lie only where something was changed so shortly before it was
looked at that a second change could have left them alone; such an answer is always looked at again.

A file system that tells its own time (`Moment`) tells more exactly what was left alone since.

Imports nothing that a process has not loaded when it starts, for an unchanged build is all start.
"""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

KIND, NAMES, CONTENT, OUTPUT = "kind", "names", "content", "output"
SEPARATOR = "\0"
"""No path has it."""
CACHE = ".lauren_cache"
"""The name of the folder that runs are remembered in."""

LARGEST = 64 * 1024 * 1024
"""Files with more bytes than this are not read: no source is so long."""
_COARSEST = 2_000_000_000
"""The longest step, in nanoseconds, in which a file system counts time: two seconds, on FAT."""
_MISSING = "missing"
_GONE = (-1, 0, 0, 0)
"""What no file has, nor what has no marks."""
NUMBERS = 4
"""How many numbers marks are, where there are many files' to compare: all zero for none."""
_NO_BOUND = float("inf")
_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0)
_RELATIVE = os.stat in os.supports_dir_fd and os.open in os.supports_dir_fd
"""Whether a name can be looked for in an open folder: there is less to walk than along the path from the root."""
UNKNOWN = "unknown"
"""An answer that no later one is equal to: something stood in the way."""


class Seen:
    """One answer. `marks` is "" if the answer has to be looked at again whatever the marks are."""

    __slots__ = ("answer", "marks", "path", "question")

    def __init__(self, question: str, path: str, answer: str, marks: str = "") -> None:
        self.question = question
        self.path = path
        self.answer = answer
        self.marks = marks

    def holds(self, now: int) -> bool:
        """Whether the same question would have the same answer now. `marks` are set if they would do the next time."""
        if self.question == KIND:
            return kind_of(self.path) == self.answer
        if self.marks and marks_of(self.path, links=self.question != OUTPUT) == self.marks:
            return True
        found = look(self.question, self.path, now)
        self.marks = found.marks
        return found.answer == self.answer


def differing(question: str, folder: str, names: list[str], marks: list[int]) -> list[int]:
    """The places of the names in a folder whose marks are not, or can't be, what they were. `marks` are those of all,
    as numbers. Without a folder, the names are paths."""
    links = question != OUTPUT
    handle = None
    found: list[int] = []
    try:
        if folder and _RELATIVE:
            handle = os.open(folder, _FOLDER)
        else:
            names = [os.path.join(folder, name) for name in names]
        for name in names:
            try:
                now = os.stat(name, dir_fd=handle) if links else os.lstat(name, dir_fd=handle)
                found += (now.st_ino, now.st_size, now.st_mtime_ns, now.st_ctime_ns)
            except (OSError, ValueError):
                found += _GONE
    except OSError:
        return list(range(len(names)))  # no such folder any more, or none that may be opened
    finally:
        if handle is not None:
            os.close(handle)
    if found == marks:
        return []
    both = zip(range(0, len(marks), NUMBERS), range(NUMBERS, len(marks) + 1, NUMBERS), strict=True)
    return [place for place, (start, stop) in enumerate(both) if found[start:stop] != marks[start:stop]]


def numbers_of(marks: str) -> list[int]:
    """Marks as numbers."""
    return [int(number) for number in marks.split(" ")] if marks else [0] * NUMBERS


def marks_from(numbers: list[int]) -> str:
    """The marks that are these numbers."""
    return " ".join(map(str, numbers)) if any(numbers) else ""


def look(question: str, path: str, since: int = 0) -> Seen:
    """The answer now. Marks are kept if they tell of no change after `since` (nanoseconds of the epoch)."""
    if question == KIND:
        return Seen(KIND, path, kind_of(path))
    marks = marks_of(path, links=question != OUTPUT)
    return Seen(question, path, _ANSWERS[question](path), marks if is_settled(marks, since) else "")


def marks_of(path: str, *, links: bool = True) -> str:
    """Which file it is, its size, and its times; "" if there is none. `links` are followed."""
    try:
        return _marks(os.stat(path, follow_symlinks=links))
    except (OSError, ValueError):
        return ""


def _marks(found: os.stat_result) -> str:
    return f"{found.st_ino} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns}"


class Moment:
    """A time by the clock of a file system: that at which a file of it, given as it is found now, was last changed."""

    __slots__ = ("device", "time")

    def __init__(self, found: os.stat_result) -> None:
        self.device = found.st_dev
        self.time = found.st_mtime_ns


def marks_before(path: str, now: Moment, written: tuple[Moment, int] | None = None) -> str:
    """The marks of a file or folder, no link, if any change after the moment `now` shows in them; "" if not.

    Of a file that was whole at a moment, and has that inode, only if it is that one, and was left as it was. What was
    changed in the same step of the clock as a moment may have been changed before it or after.
    """
    try:
        found = os.lstat(path)
    except OSError:
        return ""
    if found.st_dev != now.device or max(found.st_mtime_ns, found.st_ctime_ns) >= now.time:
        return ""
    if written is not None:
        whole, inode = written
        if (found.st_dev, found.st_ino) != (whole.device, inode) or found.st_mtime_ns >= whole.time:
            return ""
    return _marks(found)


def is_settled(marks: str, since: int) -> bool:
    """Whether a file was last changed so long before `since` that any later change shows in its marks."""
    if not marks:
        return False
    _, _, modified, changed = marks.split(" ")
    return max(int(modified), int(changed)) + _COARSEST < since


def kind_of(path: str) -> str:
    """ "file", "folder", "other" or "missing"; links are followed."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return "link" if os.path.lexists(path) else _MISSING
    return "file" if stat.S_ISREG(mode) else "folder" if stat.S_ISDIR(mode) else "other"


def digest(data: bytes) -> str:
    """The digest of a content."""
    from hashlib import sha256

    return sha256(data).hexdigest()


def names_digest(names: tuple[str, ...] | list[str]) -> str:
    """The digest of the names in a folder, in any order, but for our own cache's: that is no source."""
    listed = sorted(name for name in names if name != CACHE)
    return digest("\0".join(listed).encode("utf-8", "surrogatepass"))


def _names(path: str) -> str:
    try:
        return names_digest(os.listdir(path))
    except OSError:
        return _MISSING


def _content(path: str, most: float = LARGEST) -> str:
    try:
        # Asked before it is opened: to open a pipe is to wait for its other end, and devices never end.
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode) or found.st_size > most:
            return _MISSING
        return _digest_of_file(path)
    except OSError:
        return _MISSING


def _digest_of_file(path: str) -> str:
    """Raises OSError."""
    from hashlib import sha256

    found = sha256()
    # Through one buffer: to fill new memory takes longer than to digest it.
    buffer = memoryview(bytearray(1 << 18))
    with open(path, "rb", buffering=0) as file:
        while size := file.readinto(buffer):
            found.update(buffer[:size])
    return found.hexdigest()


def _output(path: str) -> str:
    return _MISSING if os.path.islink(path) else _content(path, _NO_BOUND)


_ANSWERS: dict[str, Callable[[str], str]] = {NAMES: _names, CONTENT: _content, OUTPUT: _output}
