"""Reading the body of an answer, of which no more is read or unpacked than is wanted."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import httpx

ACCEPTED = "gzip"
"""What to send as Accept-Encoding: other forms can't be unpacked piece by piece with the standard library."""
_GZIP_BEGINS = b"\x1f"


class Body(NamedTuple):
    """`content` after decompression; `cut`: there was more of it, or it breaks off in the middle."""

    content: bytes
    cut: bool


class PackedWrong(ValueError):
    """A body is packed in a way that was not asked for, or is not what it says."""


async def body_of(response: httpx.Response, most: int) -> Body:
    """The body of an answer that is still open, so many bytes at most.

    Raises PackedWrong, and what httpx and httpcore raise.
    """
    encoding = response.headers.get("content-encoding", "").strip().lower()
    content = bytearray()
    unpacker = _Gzip() if encoding in ("gzip", "x-gzip") else _Plain()
    async for chunk in response.aiter_raw():
        if encoding not in ("", "identity", "gzip", "x-gzip"):  # said of no body at all it does no harm
            raise PackedWrong(f"the answer is compressed as {encoding[:50]!r}, which was not asked for")
        while chunk and len(content) <= most:
            part, chunk = unpacker.unpack(chunk, most + 1 - len(content))
            content += part
        if len(content) > most:
            break
    return Body(bytes(content[:most]), len(content) > most or not unpacker.is_whole)


class _Plain:
    is_whole = True

    def unpack(self, chunk: bytes, room: int) -> tuple[bytes, bytes]:
        """As `_Gzip` does."""
        return chunk[:room], chunk[room:]


class _Gzip:
    """Unpacks gzip data, which may be of several members (RFC 1952); what comes after the last of them is left out."""

    def __init__(self) -> None:
        self._member = _member()
        self._is_first = self._is_new = True
        self._is_over = False

    @property
    def is_whole(self) -> bool:
        """Whether what came so far does not end within a member."""
        return self._is_over or self._is_new or self._member.eof

    def unpack(self, chunk: bytes, room: int) -> tuple[bytes, bytes]:
        """So many bytes at most of a chunk, and what is left of the chunk. Raises PackedWrong."""
        if self._member.eof:
            self._member, self._is_first, self._is_new = _member(), False, True
            self._is_over = self._is_over or chunk[:1] != _GZIP_BEGINS
        if self._is_over:
            return b"", b""
        try:
            part = self._member.decompress(chunk, room)
        except zlib.error as error:
            if not self._is_first:
                self._is_over = True
                return b"", b""
            raise PackedWrong("the answer is not the gzip data that it says it is") from error
        self._is_new = False
        return part, self._member.unused_data if self._member.eof else self._member.unconsumed_tail


def _member() -> Any:
    return zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
