"""`CodeExecutionTool`: Python that the model wrote, run apart from the program."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING, Annotated, Literal, TypedDict

from .. import tool
from .code.limits import SandboxLimits
from .errors import SandboxError, SkillSetupError

if TYPE_CHECKING:
    from annotated_types import Gt, Le

    from .code.choosing import Sandbox
    from .code.interpreter import Interpreter
    from .code.running import Outcome

SandboxChoice = Literal["auto", "required", "bubblewrap", "namespaces", "none"]
_STOPPED = -1
_PROBE = b""
_PROBE_SECONDS = 20.0


class ExecutedCode(TypedDict):
    """What came of running code. `not_isolated` is what it could have reached: of network, files, processes."""

    stdout: str
    stderr: str
    exit_code: int
    truncated: bool
    sandbox: str
    not_isolated: list[str]


@tool(requires_confirmation=True)
class CodeExecutionTool:
    """Run Python code in a new interpreter and get what it printed.

    Nothing is kept from one run to the next. Print what you want to see.
    """

    def __init__(
        self, *, sandbox: SandboxChoice = "auto", limits: SandboxLimits | None = None, python: str | None = None
    ) -> None:
        """`sandbox`: "auto" takes the best that the system offers, and says what it does not isolate; "required"
        refuses to run code that is not isolated; a kind of sandbox takes that one. `python` is the interpreter for the
        code, with the packages that it may use (default: the running one)."""
        self.limits = SandboxLimits() if limits is None else limits
        self._wanted: SandboxChoice = sandbox
        self._python = sys.executable if python is None else os.path.abspath(python)
        self._place: tuple[Sandbox, Interpreter] | None = None

    async def run(self, code: str, timeout: Annotated[float, Gt(0), Le(30)] = 10.0) -> ExecutedCode:
        """What the code printed and how it ended; `exit_code` is -1 where it was stopped.

        Raises SandboxError if it could not be run, SkillSetupError where the system has no way to.

        Args:
            code: A whole Python program.
            timeout: After how many seconds it is stopped.
        """
        if os.name != "posix":
            raise SkillSetupError(f"CodeExecutionTool runs on Linux and macOS, not on {sys.platform}")
        from .code.running import run_code

        try:
            program = code.encode("utf-8")
        except UnicodeEncodeError as error:
            raise SandboxError(f"the code is no text: {error.reason}") from error
        if self._place is None:  # it is found out once, by trying
            self._place = await self._found()
        sandbox, python = self._place
        seconds = min(timeout, self.limits.seconds)
        outcome = await run_code(program, seconds, sandbox, self.limits, python)
        return _told(outcome, sandbox, seconds)

    async def _found(self) -> tuple[Sandbox, Interpreter]:
        """The sandbox to use, which is the first that works, and the interpreter."""
        from .code.choosing import candidates
        from .code.interpreter import interpreter
        from .code.running import run_code

        python = await interpreter(self._python)
        refused: list[str] = []
        for sandbox in candidates():
            if self._wanted not in ("auto", "required", sandbox.kind):
                continue
            if self._wanted == "required" and sandbox.not_isolated:
                continue
            try:
                tried = await run_code(_PROBE, _PROBE_SECONDS, sandbox, self.limits, python)
            except SandboxError as error:
                refused.append(f"{sandbox.kind}: {error}")
                continue
            if tried.exit_code == 0:
                return sandbox, python
            refused.append(f"{sandbox.kind}: the interpreter does not start in it ({tried.stderr.strip()[-300:]})")
        wanted = "isolated sandbox" if self._wanted == "required" else f"sandbox ({self._wanted})"
        how = "; ".join(refused) or "install bubblewrap, or allow user namespaces"
        raise SandboxError(f"this system offers no {wanted} to run code in: {how}")


def _told(outcome: Outcome, sandbox: Sandbox, seconds: float) -> ExecutedCode:
    note = ""
    if outcome.exit_code is None:
        note = f"[stopped after {seconds:g} seconds]"
    elif outcome.exit_code < 0:
        note = f"[ended by {_signal(-outcome.exit_code)}]"
    stderr = outcome.stderr
    if note:
        stderr += f"\n{note}" if stderr and not stderr.endswith("\n") else note
    return ExecutedCode(
        stdout=outcome.stdout,
        stderr=stderr,
        exit_code=_STOPPED if outcome.exit_code is None else outcome.exit_code,
        truncated=outcome.truncated,
        sandbox=sandbox.kind,
        not_isolated=sandbox.not_isolated,
    )


def _signal(number: int) -> str:
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    return {"SIGXCPU": "SIGXCPU: it used up its CPU time", "SIGXFSZ": "SIGXFSZ: a file grew too large"}.get(name, name)
