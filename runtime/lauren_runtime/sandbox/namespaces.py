"""A sandbox of Linux's namespaces: no network, its own processes, a file system of which only /tmp can be written.

What it shows of the machine are the system's libraries and the interpreter. Needs Linux 5.14 (limits on processes that
count within a user namespace; `mount_setattr`, which makes a tree of mounts read-only) and user namespaces that may be
made. See user_namespaces(7), mount_namespaces(7), pivot_root(2).
"""

from __future__ import annotations

import ctypes
import os
import platform
import stat
from typing import Any, NoReturn

from .confining import run_first

NOBODY = 65534
"""Who the code is inside."""
_MOUNTS = 0x00020000
_CLONE = {
    "host name": 0x04000000,
    "ipc": 0x08000000,
    "users": 0x10000000,
    "processes": 0x20000000,
    "network": 0x40000000,
}
_MS = {"nosuid": 2, "nodev": 4, "noexec": 8, "bind": 0x1000, "recursive": 0x4000, "private": 0x40000}
_MNT_DETACH = 2
_AT_FDCWD = -100
_AT_RECURSIVE = 0x8000
_READ_ONLY, _NO_SUID, _NO_DEVICES = 1, 2, 4
_MOUNT_SETATTR = 442
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41, "riscv64": 41}
_DEVICES = ("null", "zero", "full", "random", "urandom")
_PR_SET_PDEATHSIG = 1
_SIGKILL = 9
_LINUX = (5, 14)


def supported() -> bool:
    """Whether this system may have what is needed; trying shows whether it has."""
    return counts_processes() and platform.machine() in _PIVOT_ROOT


def counts_processes() -> bool:
    """Whether a limit on processes counts those of the user namespace alone."""
    numbers = platform.release().split("-")[0].split(".")[:2]
    return platform.system() == "Linux" and tuple(int(each) for each in numbers if each.isdigit()) >= _LINUX


def enter(user: int | None) -> None:
    """Put this process, and those that it forks from now on, into namespaces of their own, but for mounts.

    `user` is who the code is outside, if another than the caller, who must then be root. Raises OSError.
    """
    outside, group = os.geteuid(), os.getegid()  # inside, until they are mapped, they are nobody's
    write_map = _mapper(user) if user is not None else None
    _checked(_libc().unshare(sum(_CLONE.values())), "unshare")
    if write_map is not None:
        write_map()
        return
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/gid_map", f"{NOBODY} {group} 1")
    _write("/proc/self/uid_map", f"{NOBODY} {outside} 1")


def first_process(spec: dict[str, Any], report: int) -> NoReturn:
    """Be the first process in the namespaces: make the file system, then run the code."""
    try:
        _libc().prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)
        _checked(_libc().unshare(_MOUNTS), "unshare")  # only here: the launcher goes on seeing the machine's files
        _make_root(spec)
        _forbid_more_namespaces()
    except OSError as error:
        os.write(report, f"failed the namespaces could not be set up: {error}\n".encode("utf-8", "replace"))
        os._exit(1)
    run_first(spec, report)


def _mapper(user: int) -> Any:
    """Forks a process that stays outside, as only from there root may name other users; gives what lets it do so."""
    start, done = os.pipe(), os.pipe()
    ours = os.getpid()
    if os.fork() == 0:
        try:
            os.read(start[0], 1)
            for kind in ("uid_map", "gid_map"):
                _write(f"/proc/{ours}/{kind}", f"0 0 1\n{NOBODY} {user} 1")
            os.write(done[1], b"y")
        finally:
            os._exit(0)

    def write_map() -> None:
        os.close(done[1])
        os.write(start[1], b"y")
        answer = os.read(done[0], 1)
        os.wait()
        for descriptor in (*start, done[0]):
            os.close(descriptor)
        if not answer:
            raise OSError("the users of the namespace could not be set")

    return write_map


def _make_root(spec: dict[str, Any]) -> None:
    root: str = spec["root"]
    with open(spec["program"], "rb") as file:
        program = file.read()
    _mount("none", "/", None, _MS["recursive"] | _MS["private"])
    _mount("tmpfs", root, "tmpfs", _MS["nosuid"] | _MS["nodev"], "mode=755,size=1m")
    for folder in ("tmp", "dev/shm"):
        os.makedirs(f"{root}/{folder}")
        options = f"mode=1777,size={spec['disk']},nr_inodes=10000"
        _mount("tmpfs", f"{root}/{folder}", "tmpfs", _MS["nosuid"] | _MS["nodev"], options)
    for path in spec["shown"]:
        _show(path, root)
    _add_devices(root)
    _write(f"{root}{spec['folder']}/{os.path.basename(spec['program'])}", program)
    os.mkdir(f"{root}/proc", 0o555)
    mounted = _MS["nosuid"] | _MS["nodev"] | _MS["noexec"]
    _mount("proc", f"{root}/proc", "proc", mounted)
    os.chdir(root)
    _checked(_libc().syscall(_PIVOT_ROOT[platform.machine()], b".", b"."), "pivot_root")
    _checked(_libc().umount2(b".", _MNT_DETACH), "umount2")
    os.chdir("/")
    _restrict("/", recursive=False)


def _show(path: str, root: str) -> None:
    """Have a file or folder of the machine at the same place in the sandbox, not to be written; a link as a link."""
    place = root + path
    if os.path.lexists(place) or not os.path.lexists(path):
        return
    os.makedirs(os.path.dirname(place), exist_ok=True)
    if os.path.islink(path):
        os.symlink(os.readlink(path), place)
        return
    if os.path.isdir(path):
        os.mkdir(place)
    else:
        _write(place, b"")
    _mount(path, place, None, _MS["bind"] | _MS["recursive"])
    _restrict(place, recursive=True)


def _add_devices(root: str) -> None:
    for name in _DEVICES:
        if os.path.exists(f"/dev/{name}") and stat.S_ISCHR(os.stat(f"/dev/{name}").st_mode):
            _write(f"{root}/dev/{name}", b"")
            _mount(f"/dev/{name}", f"{root}/dev/{name}", None, _MS["bind"])


def _forbid_more_namespaces() -> None:
    """The code may not make user namespaces, in which it would have rights again over what is its own."""
    _write("/proc/sys/user/max_user_namespaces", "0")


def _restrict(path: str, *, recursive: bool) -> None:
    attributes = (ctypes.c_uint64 * 4)(_READ_ONLY | _NO_SUID | _NO_DEVICES, 0, 0, 0)
    flags = _AT_RECURSIVE if recursive else 0
    size = ctypes.c_size_t(ctypes.sizeof(attributes))
    done = _libc().syscall(_MOUNT_SETATTR, _AT_FDCWD, os.fsencode(path), flags, ctypes.byref(attributes), size)
    _checked(done, f"mount_setattr {path}")


def _mount(source: str, target: str, kind: str | None, flags: int, options: str = "") -> None:
    given = kind.encode() if kind else None
    flagged = ctypes.c_ulong(flags)
    done = _libc().mount(os.fsencode(source), os.fsencode(target), given, flagged, options.encode() or None)
    _checked(done, f"mount {target}")


def _write(path: str, content: str | bytes) -> None:
    with open(path, "wb") as file:
        file.write(content.encode("ascii") if isinstance(content, str) else content)


def _libc() -> Any:
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> None:
    if result:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
