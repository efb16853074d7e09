"""How much code in a sandbox may use."""

from __future__ import annotations


class SandboxLimits:
    """Limits for one run. Sizes are in bytes.

    seconds: the longest that it may run, whatever is asked for, and the CPU time of each process. memory: address space
    of each process. processes: how many there may be, threads counted. file_size: the largest file. disk: all files in
    /tmp, and all in /dev/shm, where the sandbox has file systems of its own. open_files: for each process. stdout and
    stderr: how many characters of them are kept.

    Raises ValueError for a limit that is not positive.
    """

    def __init__(
        self,
        *,
        seconds: float = 30.0,
        memory: int = 512 * 1024 * 1024,
        processes: int = 32,
        file_size: int = 16 * 1024 * 1024,
        disk: int = 64 * 1024 * 1024,
        open_files: int = 128,
        stdout: int = 4096,
        stderr: int = 2048,
    ) -> None:
        if min(seconds, memory, processes, file_size, disk, open_files, stdout, stderr) <= 0:
            raise ValueError("the limits of a sandbox have to be positive")
        self.seconds = seconds
        self.memory = memory
        self.processes = processes
        self.file_size = file_size
        self.disk = disk
        self.open_files = open_files
        self.stdout = stdout
        self.stderr = stderr
