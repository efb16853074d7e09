"""Which calls of Linux code may not make, as a filter that the kernel runs (seccomp(2)).

Namespaces and limits leave out some things: sockets that no network namespace holds (to a virtual machine's host, for
one), keys that come with the session of whoever started the program, memory that counts for no process, and new
namespaces, with rights of their own in them.
"""

from __future__ import annotations

import errno
import platform
import struct

_NEW_USERS = 0x10000000
"""CLONE_NEWUSER"""
_FAMILIES = (1, 2, 10, 16)
"""The sockets of a network namespace: AF_UNIX, AF_INET, AF_INET6, AF_NETLINK."""
_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7, "riscv64": 0xC00000F3}
_X32 = 0x40000000
"""Calls above it are x86_64's own, under other numbers."""

#: Calls by their numbers on x86_64 and elsewhere, and what they fail with; as unknown where libraries have other ways.
_REFUSED = (
    ((250, 219), errno.EPERM),  # keyctl
    ((248, 217), errno.EPERM),  # add_key
    ((249, 218), errno.EPERM),  # request_key
    ((29, 194), errno.EPERM),  # shmget: what nobody has attached counts for nobody
    ((64, 190), errno.EPERM),  # semget
    ((68, 186), errno.EPERM),  # msgget
    ((319, 279), errno.ENOSYS),  # memfd_create
    ((447, 447), errno.ENOSYS),  # memfd_secret
    ((425, 425), errno.ENOSYS),  # io_uring_setup: its requests pass no filter
    ((435, 435), errno.ENOSYS),  # clone3: no filter can read its arguments
    ((272, 97), errno.EPERM),  # unshare
    ((308, 268), errno.EPERM),  # setns
    ((321, 280), errno.EPERM),  # bpf
    ((298, 241), errno.EPERM),  # perf_event_open
    ((323, 282), errno.EPERM),  # userfaultfd
)
_SOCKETS = ((41, 198), (53, 199))
"""socket, socketpair"""
_CLONE = (56, 220)

_LOAD, _JUMP_EQUAL, _JUMP_BITS, _JUMP_FROM, _RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
_NUMBER, _ARCHITECTURE, _FIRST = 0, 4, 16
"""Where a call's number, its architecture and its first argument stand."""
_ALLOW, _KILL, _FAIL = 0x7FFF0000, 0x80000000, 0x00050000


def program() -> bytes:
    """The filter for this machine, as `struct sock_filter`s; empty where the numbers of its calls are not known."""
    machine = platform.machine()
    architecture = _ARCHITECTURES.get(machine)
    if architecture is None:
        return b""
    column = 0 if machine == "x86_64" else 1
    made = [_one(_LOAD, _ARCHITECTURE), _one(_JUMP_EQUAL, architecture, 1, 0), _one(_RETURN, _KILL)]
    made.append(_one(_LOAD, _NUMBER))
    if machine == "x86_64":
        made += [_one(_JUMP_FROM, _X32, 0, 1), _one(_RETURN, _FAIL | errno.ENOSYS)]
    for numbers, error in _REFUSED:
        made += [_one(_JUMP_EQUAL, numbers[column], 0, 1), _one(_RETURN, _FAIL | error)]
    for numbers in _SOCKETS:
        known = [_one(_JUMP_EQUAL, family, len(_FAMILIES) - at, 0) for at, family in enumerate(_FAMILIES)]
        made += _with_first(numbers[column], [*known, _one(_RETURN, _FAIL | errno.EAFNOSUPPORT)])
    made += _with_first(_CLONE[column], [_one(_JUMP_BITS, _NEW_USERS, 0, 1), _one(_RETURN, _FAIL | errno.EPERM)])
    return b"".join([*made, _one(_RETURN, _ALLOW)])


def _with_first(number: int, then: list[bytes]) -> list[bytes]:
    """Look at the first argument of a call; what goes past `then` is allowed."""
    made = [_one(_LOAD, _FIRST), *then, _one(_RETURN, _ALLOW)]
    return [_one(_JUMP_EQUAL, number, 0, len(made)), *made]


def _one(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)
