"""Runs that broke off, by cancellation or a killed process, are taken up again; nothing runs twice."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import lauren_runtime
import pytest
from harness.compiling import write_build
from lauren_runtime import Approvals, InMemoryConversationStore, SQLiteApprovalStore, ToolCall
from lauren_runtime.testing import AgentClient

from .conftest import App

RUNTIME = str(Path(lauren_runtime.__file__).parent.parent)
CALLS = [ToolCall("a", "add", {"a": 1}), ToolCall("p", "pay", {"amount": 5}), ToolCall("z", "add", {"a": 9})]
OPTIONS: dict[str, Any] = {"run_id": "R", "conversation_id": "c"}


def broken_off(app: App, approvals: Approvals, store: InMemoryConversationStore) -> None:
    """A run that is cancelled while its second call waits."""
    client = AgentClient(app.table, CALLS, approvals=approvals, conversation_store=store)

    async def go() -> None:
        run = asyncio.ensure_future(client.arun(app.Everything, "go", **OPTIONS))
        while not approvals.pending():
            await asyncio.sleep(0.001)
        run.cancel()
        await asyncio.wait([run])

    asyncio.run(go())


def results_of(client: AgentClient) -> dict[str, Any]:
    return {each["tool_use_id"]: each["content"] for each in client.model.results}


@pytest.mark.parametrize("approve", [True, False])
def test_a_cancelled_run_is_taken_up_with_what_was_decided_meanwhile(app: App, approve: bool) -> None:
    approvals, store = Approvals(on_cancel="keep", time_limit=None), InMemoryConversationStore()
    broken_off(app, approvals, store)
    assert app.RAN == [("add", 1, 1)]
    decide = approvals.approve_tool if approve else approvals.reject_tool
    assert decide("R", "p")
    client = AgentClient(app.table, "done", approvals=approvals, conversation_store=store)
    response = asyncio.run(client.runner.resume(app.Everything, **OPTIONS))
    assert (response.content, response.turns) == ("done", 1)
    told = results_of(client)
    assert list(told) == ["a", "p", "z"]
    assert told["a"] == "2"
    assert (told["p"] == "paid 5") is approve
    assert "The run ended before" in told["z"]
    ran = app.RAN
    assert ran == ([("add", 1, 1), ("pay", 5)] if approve else [("add", 1, 1)])
    with pytest.raises(ValueError, match="did not break off"):
        asyncio.run(client.runner.resume(app.Everything, **OPTIONS))


def test_a_run_that_is_not_taken_up_is_closed_by_the_next(app: App) -> None:
    approvals, store = Approvals(on_cancel="keep"), InMemoryConversationStore()
    broken_off(app, approvals, store)
    client = AgentClient(app.table, "done", approvals=approvals, conversation_store=store)
    client.run(app.Everything, "on", conversation_id="c")
    blocks = [each for message in client.model.requests[0].messages for each in message.content]
    told = {each["tool_use_id"]: each["content"] for each in blocks if each["type"] == "tool_result"}
    assert told["a"] == "2"
    assert "The run ended before" in told["p"]
    assert [each["text"] for each in blocks if each["type"] == "text"] == ["go", "on"]


def test_without_keeping_a_cancelled_run_is_over(app: App) -> None:
    approvals, store = Approvals(on_cancel="withdraw"), InMemoryConversationStore()
    broken_off(app, approvals, store)
    assert not approvals.approve_tool("R", "p")
    client = AgentClient(app.table, "done", approvals=approvals, conversation_store=store)
    asyncio.run(client.runner.resume(app.Everything, **OPTIONS))  # the model's turn is next
    assert "The run ended before" in results_of(client)["p"]
    assert ("pay", 5) not in app.RAN


def test_both_ids_are_needed(app: App) -> None:
    client = AgentClient(app.table)
    with pytest.raises(ValueError, match="by its run_id, in its conversation_id"):
        asyncio.run(client.runner.resume(app.Everything, run_id="R"))
    with pytest.raises(ValueError, match="did not break off"):
        asyncio.run(client.runner.resume(app.Everything, **OPTIONS))


SOURCE = '''
from lauren_runtime import agent, tool, use_tools


@tool()
def note(text: str) -> str:
    """Write a line."""
    with open("notes", "a") as file:
        file.write(text + chr(10))
    return "noted"


@tool(requires_confirmation=True)
def pay(amount: int) -> str:
    """Pay."""
    note(f"paid {amount}")
    return f"paid {amount}"


@agent(model="m")
@use_tools(note, pay)
class Clerk: ...
'''
SCRIPT = """
import asyncio, json, os, sys
sys.path[:0] = [sys.argv[1], os.getcwd()]
from lauren_runtime import AgentRunner, Approvals, SQLiteApprovalStore, ToolCall, load_build
from lauren_runtime.testing import ScriptedModel
import clerks

class Files:
    def load(self, name):
        return json.load(open(name)) if os.path.exists(name) else []
    def save(self, name, messages):
        with open(name + ".new", "w") as file:
            json.dump(messages, file)
        os.replace(name + ".new", name)
    def delete(self, name):
        os.remove(name)

calls = [ToolCall("n", "note", {"text": "begun"}), ToolCall("p", "pay", {"amount": 5})]
model = ScriptedModel(*([calls, "done"] if sys.argv[2] == "run" else ["done"]))
approvals = Approvals(SQLiteApprovalStore("approvals.db"), time_limit=None)
runner = AgentRunner(load_build("lauren_build"), model_client=model, approvals=approvals, conversation_store=Files())
options = {"run_id": "R", "conversation_id": "c"}
go = runner.run(clerks.Clerk, "go", **options) if sys.argv[2] == "run" else runner.resume(clerks.Clerk, **options)
print(asyncio.run(go).content, [each["content"] for each in model.results])
approvals.close()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL there")
def test_a_killed_process_loses_no_approval_and_runs_nothing_twice(tmp_path: Path) -> None:
    write_build(SOURCE, tmp_path, "clerks")
    command = [sys.executable, "-c", SCRIPT, RUNTIME]
    killed = subprocess.Popen([*command, "run"], cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    store = SQLiteApprovalStore(str(tmp_path / "approvals.db"))
    approvals = Approvals(store)
    end = time.monotonic() + 30
    while not approvals.pending() and time.monotonic() < end:
        time.sleep(0.02)
    os.kill(killed.pid, signal.SIGKILL)
    killed.communicate()
    assert (tmp_path / "notes").read_text() == "begun\n"
    kept = json.loads((tmp_path / "c").read_text())
    assert [each["role"] for each in kept] == ["user", "assistant"]
    assert approvals.approve_tool("R", "p", by="ann")
    done = subprocess.run([*command, "resume"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("done")
    assert "paid 5" in done.stdout
    assert "Whether it took effect is not known" in done.stdout  # of the note
    assert (tmp_path / "notes").read_text() == "begun\npaid 5\n"
    again = subprocess.run([*command, "resume"], cwd=tmp_path, capture_output=True, text=True)
    assert "did not break off" in again.stderr
    approvals.close()
    store.close()
