"""Code that tries to get out of its sandbox, to outlive it, or to use up what is there: as root and as a user, in each
kind of sandbox, in processes of their own."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness import requires
from harness.sandboxed import SECRET, USER, Place, copied_python, processes_with

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the sandboxes are Linux's"),
    pytest.mark.xdist_group("sandbox"),
]
KINDS = ("bubblewrap", "namespaces", "none")
WHO = ("root", "user")


@pytest.fixture(scope="module")
def copy() -> Iterator[Path]:
    with copied_python() as folder:
        yield folder


@pytest.fixture(
    scope="module", params=[(who, kind) for who in WHO for kind in KINDS], ids=lambda param: " ".join(param)
)
def place(request: pytest.FixtureRequest, copy: Path) -> Place:
    who, kind = request.param
    if who == "root" and os.geteuid() != 0:
        pytest.skip("the tests do not run as root, as CI's do")
    user = USER if who == "user" and os.geteuid() == 0 else None
    found = Place(user, kind, str(copy / "bin" / "python"), str(copy / "runtime"))
    [tried] = found.run("")
    if "error" in tried:
        requires.missing(f"as {who}: {tried['error']}")
    return found


def printed(place: Place, code: str, **options: object) -> str:
    """What one program prints, which has to end well."""
    [result] = place.run(code, **options)  # type: ignore[arg-type]
    assert result.get("exit_code") == 0, result
    assert result["sandbox"] == place.kind
    assert result["not_isolated"] == ([] if place.is_isolated else ["network", "files", "processes"])
    return str(result["stdout"]).strip()


def wait_until_gone(text: str) -> None:
    end = time.monotonic() + 5
    while processes_with(text) and time.monotonic() < end:
        time.sleep(0.05)
    assert processes_with(text) == []


def test_what_a_program_sees_of_itself(place: Place) -> None:
    code = """
import json, os, sys
with open("/proc/self/status") as file:
    status = {line.partition(":")[0]: line.partition(":")[2].strip() for line in file}
print(json.dumps({
    "environment": sorted(set(os.environ) - {"LC_CTYPE"}), "isolated": sys.flags.isolated, "utf8": sys.flags.utf8_mode,
    "rights": status["CapEff"].strip("0"), "gains": status["NoNewPrivs"], "user": os.getuid(), "groups": os.getgroups(),
    "open": sorted(int(name) for name in os.listdir("/proc/self/fd"))[:-1], "here": os.listdir("."),
    "stdin": sys.stdin.read(), "core": __import__("resource").getrlimit(4),
}))
"""
    seen = json.loads(printed(place, code))
    assert seen["environment"] == ([] if place.is_isolated else ["TMPDIR"])
    assert (seen["isolated"], seen["utf8"], seen["rights"], seen["gains"]) == (1, 1, "", "1")
    assert seen["user"] != 0
    assert not {0, os.getgid()} & set(seen["groups"])
    assert seen["open"] == [0, 1, 2]
    assert "main.py" in seen["here"]
    assert (seen["stdin"], seen["core"]) == ("", [0, 0])


def test_the_environment_of_the_program_is_not_read(place: Place) -> None:
    code = """
import os
found = []
for name in os.listdir("/proc"):
    try:
        found += [name] if b"SECRET" in open(f"/proc/{name}/environ", "rb").read() else []
    except OSError:
        pass
print(found)
"""
    found = printed(place, code)
    if place.is_isolated or place.changes_user:
        assert found == "[]"
    else:  # which is what it says: processes are not isolated
        assert found.count("'") == 2, "only the program itself, and not what watches over the code"


def test_the_files_of_the_program_are_not_read(place: Place) -> None:
    folder = Path(tempfile.mkdtemp(prefix="lauren-secret-"))
    try:
        folder.chmod(0o755)
        file = folder / "secret"
        file.write_text(SECRET)
        file.chmod(0o600)
        if place.user is not None:
            os.chown(file, place.user, place.user)
        code = f"""
import os
for path in ({str(file)!r}, "/etc/passwd", "/proc/1/root", "/home", "/var"):
    try:
        print(len(os.listdir(path) if os.path.isdir(path) else open(path).read()) > 0, end=" ")
    except OSError as error:
        print(type(error).__name__, end=" ")
"""
        secret, passwords, around, *folders = printed(place, code).split()
        if place.is_isolated:
            assert (secret, passwords, around) == ("FileNotFoundError", "FileNotFoundError", around)
            assert around in ("FileNotFoundError", "PermissionError")
            assert folders == ["FileNotFoundError", "FileNotFoundError"]
        elif place.changes_user:
            assert secret == "PermissionError"
        else:
            assert secret == "True", "which is what it says: files are not isolated"
    finally:
        shutil.rmtree(folder)


def test_nothing_of_the_machine_can_be_written(place: Place) -> None:
    shown = place.is_isolated or os.geteuid() == 0  # else the interpreter is the user's own
    prefix = os.path.dirname(os.path.dirname(place.python)) if shown else "/usr"
    code = f"""
import os
settings = ("/proc/sys/kernel/hostname", "/proc/sys/user/max_user_namespaces")
for path in ("/", "/usr", "/dev", "/etc", {prefix!r}, *settings):
    try:
        open(path if os.path.isfile(path) else os.path.join(path, "written"), "w").close()
        print("written:", path)
    except OSError as error:
        pass
for attempt in (lambda: os.setuid(0), lambda: os.chroot("/tmp"), lambda: os.mknod("/tmp/sda", 0o60600, 0x800)):
    try:
        attempt()
        print("done")
    except OSError as error:
        pass
with open("mine", "w") as file:
    file.write("x")
print(open("mine").read())
"""
    assert printed(place, code) == "x"


def test_mounts_and_namespaces_are_not_changed(place: Place) -> None:
    code = """
import ctypes
libc = ctypes.CDLL(None)
MS_REMOUNT, MS_BIND = 32, 4096
print(libc.mount(b"none", b"/usr", None, MS_REMOUNT | MS_BIND, None), end=" ")
print(libc.umount2(b"/tmp", 2), libc.umount2(b"/usr", 2))
print(libc.unshare(0x10000000))
"""
    mounts, users = printed(place, code).splitlines()
    assert (mounts, users) == ("-1 -1 -1", "-1")


def test_there_is_no_network(place: Place) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = f"""
import socket
for family, address in ((socket.AF_INET, ("127.0.0.1", {server.getsockname()[1]})), (socket.AF_INET, ("1.1.1.1", 53))):
    try:
        with socket.socket(family, socket.SOCK_STREAM) as ours:
            ours.settimeout(2)
            ours.connect(address)
            print("connected")
    except OSError as error:
        print("no")
print(len(socket.if_nameindex()))
"""
        first, second, interfaces = printed(place, code).split()
        if place.is_isolated:
            assert (first, second, interfaces) == ("no", "no", "1")
        else:
            assert first == "connected", "which is what it says: the network is not isolated"


def test_the_program_gets_no_signals(place: Place) -> None:
    """Where the code could send one (processes are not isolated), it is its parent that watches over it."""
    if not place.is_isolated and not place.changes_user:
        [result] = place.run(
            "import os, signal; os.kill(os.getppid(), signal.SIGKILL); print(1, flush=True); open('x')"
        )
        assert result == {"error": "the process that watches over the code was ended; the code was stopped"}
        return
    code = """
import os, signal
alive = 0
for process in [1, os.getppid(), *range(2, 400)]:
    if process not in (os.getpid(), 0):
        for number in (0, signal.SIGTERM, signal.SIGKILL):
            try:
                os.kill(process, number)
                alive += process != 1
            except OSError:
                pass
print(alive)
"""
    assert printed(place, code) == "0"


LEFT_BEHIND = """
import os, subprocess, sys, time
for detach in (False, True):
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)", "{mark}"], start_new_session=detach)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(60)", "{mark}"])
    os._exit(0)
time.sleep(0.3)
print("over", flush=True)
{end}
"""


@pytest.mark.parametrize("end", ["", "time.sleep(60)", "os.kill(os.getpid(), 9)"], ids=["ended", "stopped", "killed"])
def test_nothing_is_left_behind(place: Place, end: str) -> None:
    mark = f"mark-{place.kind}-{os.getpid()}-{time.monotonic_ns()}"
    [result] = place.run(LEFT_BEHIND.format(mark=mark, end=end), timeout=1.5)
    assert result["stdout"] == "over\n", result
    assert processes_with(mark) == []
    assert result["exit_code"] == {"": 0, "time.sleep(60)": -1}.get(end, -9)


def test_nothing_is_left_when_the_program_is_killed(place: Place) -> None:
    mark = f"mark-{place.kind}-{os.getpid()}-{time.monotonic_ns()}"
    process = place.start(LEFT_BEHIND.format(mark=mark, end="time.sleep(60)"), timeout=30)
    end = time.monotonic() + 20
    while len(processes_with(mark)) < 3 and time.monotonic() < end:
        time.sleep(0.05)
    assert len(processes_with(mark)) >= 3
    process.kill()
    process.communicate()
    wait_until_gone(mark)
    end = time.monotonic() + 5
    while os.listdir(place.temporary) and time.monotonic() < end:
        time.sleep(0.05)
    assert os.listdir(place.temporary) == []


def test_signals_do_not_hold_it_up(place: Place) -> None:
    code = """
import os, signal, time
for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)
if os.fork() == 0:
    os.kill(os.getppid(), signal.SIGSTOP)
while True:
    time.sleep(1)
"""
    started = time.monotonic()
    [result] = place.run(code, timeout=1)
    assert result["exit_code"] == -1
    assert result["stderr"] == "[stopped after 1 seconds]"
    assert time.monotonic() - started < 15


def test_a_fork_bomb(place: Place) -> None:
    mark = f"mark_{time.monotonic_ns()}"
    code = f"""
import os, sys, time
if "again" not in sys.argv:
    os.execv(sys.executable, [sys.executable, "-I", sys.argv[0], "again", "{mark}"])
made = 0
while True:
    try:
        if os.fork() == 0:
            made = 0
        made += 1
    except OSError:
        print("no more", flush=True)
        time.sleep(0.2)
"""
    process = place.start(code, timeout=2, limits={"processes": 12})
    most = 0
    while process.poll() is None:
        most = max(most, len(processes_with(mark)))
        time.sleep(0.05)
    out, err = process.communicate()
    [result] = json.loads(out)["results"]
    assert result["exit_code"] == -1, (result, err)
    assert "no more" in result["stdout"]
    assert 2 <= most <= 13
    assert processes_with(mark) == []


def test_output_without_end(place: Place) -> None:
    code = "import sys\nwhile True:\n    sys.stdout.write('x' * 1_000_000); sys.stderr.write('y' * 1_000_000)"
    process = place.start(code, timeout=1.5)
    answer = json.loads(process.communicate()[0])
    [result] = answer["results"]
    assert (result["stdout"], result["truncated"]) == ("x" * 4096, True)
    assert result["stderr"] == "y" * 2048 + "\n[stopped after 1.5 seconds]"
    assert answer["memory"] < 200_000, "kilobytes"


def test_memory(place: Place) -> None:
    code = "try:\n    bytearray(3 * 2**30)\nexcept MemoryError:\n    print('no')"
    assert printed(place, code) == "no"


def test_large_files(place: Place) -> None:
    code = """
import os
try:
    with open("large", "wb") as file:
        for _ in range(64):
            file.write(bytes(2**20))
except OSError as error:
    print(type(error).__name__, os.path.getsize("large") <= 16 * 2**20)
"""
    assert printed(place, code) == "OSError True"


def test_many_files(place: Place) -> None:
    if not place.is_isolated:
        pytest.skip("only a file system of its own is limited; the documentation says so")
    code = """
try:
    for number in range(40):
        with open(f"file{number}", "wb") as file:
            file.write(bytes(8 * 2**20))
except OSError as error:
    print(error.errno, number)
"""
    number = printed(place, code).split()
    assert number[0] == "28", "no space left on device"
    assert int(number[1]) <= 8


def test_cpu_time(place: Place) -> None:
    [result] = place.run("while True: pass", timeout=1)
    assert (result["exit_code"], result["stderr"]) == (-1, "[stopped after 1 seconds]")


def test_the_folder_is_removed(place: Place) -> None:
    code = """
import os
os.makedirs("a/b/c")
open("a/b/c/file", "w").close()
os.symlink("/usr", "a/link")
for path in ("a/b/c", "a/b", "a"):
    os.chmod(path, 0)
print(os.getcwd())
"""
    folder = printed(place, code)
    if not place.is_isolated:
        assert not os.path.exists(folder)
    assert os.path.isdir("/usr")
    assert os.listdir(place.temporary) == []


def test_the_folder_is_not_put_elsewhere(place: Place) -> None:
    """Else what is removed afterwards, by root it may be, is what a link leads to."""
    victim = Path(tempfile.mkdtemp(prefix="lauren-victim-"))
    victim.chmod(0o755)
    (victim / "kept").touch()
    code = f"""
import os
folder = os.getcwd()
for each in (folder, os.path.dirname(folder)):
    try:
        os.rename(each, each + "-moved")
        os.symlink({str(victim)!r}, each)
    except OSError:
        pass
"""
    try:
        assert printed(place, code) == ""
        assert (victim.stat().st_mode & 0o777, os.listdir(victim)) == (0o755, ["kept"])
        if place.is_isolated or place.changes_user:
            assert os.listdir(place.temporary) == []
    finally:
        shutil.rmtree(victim)
        for left in Path(place.temporary).iterdir():
            shutil.rmtree(left)


def test_runs_at_the_same_time_do_not_see_each_other(place: Place) -> None:
    keeps = "import time; open('secret', 'w').close(); print('kept', flush=True); time.sleep(3)"
    looks = """
import glob, os, tempfile, time
found, end = set(), time.monotonic() + 2
while time.monotonic() < end:
    for folder in glob.glob(os.path.join(os.path.dirname(os.path.dirname(os.getcwd())), "lauren-code-*", "inside")):
        try:
            found |= set(os.listdir(folder))
        except OSError:
            pass
    time.sleep(0.05)
print("secret" in found)
"""
    first, second = place.run(keeps, looks, together=True)
    assert first["stdout"] == "kept\n"
    if place.is_isolated or place.changes_user:
        assert second["stdout"] == "False\n"
    else:
        assert second["stdout"] == "True\n", "which is what it says: files are not isolated"


def test_what_no_namespace_and_no_limit_holds_is_refused(place: Place) -> None:
    code = """
import ctypes, platform, socket
libc = ctypes.CDLL(None)
KEYCTL = {"x86_64": 250}.get(platform.machine(), 219)
IO_URING_SETUP, NEW_USERS, PRIVATE, CREATE = 425, 0x10000000, 0, 0o1600
CLONE = {"x86_64": 56}.get(platform.machine(), 220)
for family in (socket.AF_VSOCK, getattr(socket, "AF_ALG", 38), 30):
    try:
        socket.socket(family, socket.SOCK_STREAM)
        print("made", family)
    except OSError as error:
        print(error.errno, end=" ")
print(libc.syscall(KEYCTL, 0, -3, 0), libc.shmget(PRIVATE, 4096, CREATE), libc.msgget(PRIVATE, CREATE), end=" ")
print(libc.semget(PRIVATE, 1, CREATE), libc.memfd_create(b"x", 0), end=" ")
print(libc.syscall(IO_URING_SETUP, 1, ctypes.create_string_buffer(256)), libc.syscall(CLONE, NEW_USERS, 0, 0, 0, 0))
for family in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK):
    kind = socket.SOCK_RAW if family == socket.AF_NETLINK else socket.SOCK_STREAM
    socket.socket(family, kind).close()
one, other = socket.socketpair()
one.send(b"still there")
print(other.recv(20).decode())
"""
    refused, allowed = printed(place, code).splitlines()
    assert refused == "97 97 97" + " -1" * 7
    assert allowed == "still there"


def test_one_run_sees_nothing_of_another(place: Place) -> None:
    write = "open('kept', 'w').close(); print(sorted(__import__('os').listdir('.')))"
    first, second = place.run(write, write)
    assert first["stdout"] == second["stdout"]
    assert "kept" in first["stdout"]


def test_threads_of_the_interpreter_and_its_packages_work(place: Place) -> None:
    code = """
import asyncio, concurrent.futures, decimal, json, multiprocessing, sqlite3, subprocess, sys, tempfile, zlib
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    print(sum(pool.map(abs, [-1, -2])))
print(subprocess.run([sys.executable, "-c", "print(4)"], capture_output=True, text=True).stdout.strip())
print(multiprocessing.Lock().acquire(), end=" ")
print(tempfile.NamedTemporaryFile().name.startswith("/tmp"), asyncio.run(asyncio.sleep(0, 5)), "é")
"""
    assert printed(place, code).splitlines() == ["3", "4", "True True 5 é"]


def test_the_kill_of_a_process_group(place: Place) -> None:
    [result] = place.run("import os, signal; print('x', flush=True); os.killpg(0, signal.SIGKILL)")
    assert (result["exit_code"], result["stdout"], result["stderr"]) == (-9, "x\n", "[ended by SIGKILL]")


def test_tests_end_with_nothing_running() -> None:
    wait_until_gone("lauren_runtime.sandbox.supervising")
    assert subprocess.run(["true"]).returncode == 0
    assert signal.getsignal(signal.SIGCHLD) is signal.SIG_DFL
