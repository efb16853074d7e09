"""The approvals example: its page and its form posts, without a browser."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from harness import requires
from lauren_runtime import Approvals, SQLiteApprovalStore, Table, ToolCall, ToolExecutor

SCRIPT = "<script>alert(1)</script>"


class Site:
    """The application with a store in a file, and a visitor."""

    def __init__(self, table: Table, path: Path, who: str = "ann") -> None:
        client = requires.package("starlette.testclient", "starlette")
        from approvals.app import create_app
        from approvals.clerk import Clerk

        self.store = SQLiteApprovalStore(path, poll=0.05)
        self.approvals = Approvals(self.store, table=table, time_limit=None)
        self.clerk = Clerk(self.approvals, table)
        app = create_app(self.approvals, self.clerk, lambda _: who)
        self.client: Any = client.TestClient(app, follow_redirects=True)

    def __enter__(self) -> Site:
        self.client.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.client.__exit__(None, None, None)
        self.store.close()

    def page(self) -> str:
        response = self.client.get("/")
        assert response.status_code == 200
        return str(response.text)

    def post(self, path: str, **fields: str) -> Any:
        [token, *_] = re.findall(r'name="token" value="([0-9a-f]+)"', self.page())
        return self.client.post(path, data={"token": token, **fields})

    def asked(self, subject: str = "Your lamp") -> dict[str, str]:
        """Have the clerk ask, and give the hidden fields of the question's form, and its text."""
        answer = self.post("/runs", to="ann@example.org", subject=subject, body="It is on its way.")
        assert "The clerk has begun." in answer.text
        [each] = wait_for(self.approvals.pending)
        return {"agent_run_id": each.agent_run_id, "tool_use_id": each.tool_use_id, **shown(self.page())}

    def told(self) -> Any:
        """What the agent was told last."""
        return wait_for(lambda: self.clerk.results)[0][1]


class Fields(HTMLParser):
    """The digest and the text of the first question's form, as a browser has them."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self._inside = False

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        named = dict(attrs)
        if named.get("name") == "arguments_digest":
            self.found.setdefault("arguments_digest", named["value"])
        self._inside = tag == "textarea" and named.get("name") == "arguments" and "arguments" not in self.found

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.found["arguments"] = data.removeprefix("\n")
            self._inside = False


def shown(page: str) -> dict[str, str]:
    parser = Fields()
    parser.feed(page)
    return {**parser.found, "arguments": parser.found["arguments"].replace("\n", "\r\n")}  # as browsers send it


def wait_for(look: Any) -> Any:
    end = time.monotonic() + 30
    while not (found := look()):
        assert time.monotonic() < end
        time.sleep(0.01)
    return found


@pytest.fixture
def site(table: Table, tmp_path: Path) -> Iterator[Site]:
    with Site(table, tmp_path / "approvals.db") as site:
        yield site


def test_an_approved_call_runs(site: Site, outbox: list[dict[str, str]]) -> None:
    asked = site.asked()
    assert "send_email" in site.page()
    assert outbox == []
    answer = site.post("/decisions", verdict="approved", **asked)
    assert "Approved: the call runs." in answer.text
    assert site.told().status == "executed"
    assert outbox == [{"to": "ann@example.org", "subject": "Your lamp", "body": "It is on its way."}]
    record = site.approvals.get(asked["agent_run_id"], asked["tool_use_id"])
    assert record is not None
    assert record.decision is not None
    assert (record.decision.by, record.decision.edited) == ("ann", False)


def test_a_rejected_call_does_not_run(site: Site, outbox: list[dict[str, str]]) -> None:
    answer = site.post("/decisions", verdict="rejected", reason="Not today", **site.asked())
    assert "Rejected: the agent is told." in answer.text
    assert site.told().content == "The user denied permission to run 'send_email': Not today"
    assert outbox == []


def test_edited_arguments_run(site: Site, outbox: list[dict[str, str]]) -> None:
    asked = site.asked()
    asked["arguments"] = asked["arguments"].replace("Your lamp", "Your two lamps")
    site.post("/decisions", verdict="approved", **asked)
    assert site.told().status == "executed"
    assert outbox[0]["subject"] == "Your two lamps"
    assert "approved, edited" in site.page()


def test_an_edit_that_does_not_fit_is_shown_again(site: Site, outbox: list[dict[str, str]]) -> None:
    asked = site.asked()
    asked["arguments"] = '{"to": 5, "subject": "</textarea>' + SCRIPT + '"}'
    answer = site.post("/decisions", verdict="approved", **asked)
    assert answer.status_code == 422
    assert "to: expected a string, got 5" in answer.text
    assert SCRIPT not in answer.text
    assert [each.tool_use_id for each in site.approvals.pending()] == [asked["tool_use_id"]]
    assert outbox == []


@pytest.mark.parametrize(
    ("change", "note"),
    [
        ({"tool_use_id": "c9"}, "There is no such call."),
        ({"arguments_digest": "0" * 64}, "Not taken: the call has other arguments by now."),
    ],
)
def test_decisions_that_are_not_taken(site: Site, change: dict[str, str], note: str) -> None:
    asked = site.asked()
    for verdict in ("approved", "rejected"):
        assert note in site.post("/decisions", **{**asked, **change}, verdict=verdict).text
    assert len(site.approvals.pending()) == 1


def test_the_second_of_two_people_is_told(site: Site) -> None:
    asked = site.asked()
    site.post("/decisions", verdict="approved", **asked)
    assert (
        "Somebody else has decided this call before you." in site.post("/decisions", verdict="rejected", **asked).text
    )


def test_nothing_that_an_agent_writes_becomes_markup(site: Site) -> None:
    asked = site.asked(SCRIPT)
    assert SCRIPT not in site.page()
    assert "&lt;script&gt;" in site.page()
    site.post("/decisions", verdict="rejected", reason=SCRIPT, **asked)
    site.told()
    assert SCRIPT not in site.page()
    headers = site.client.get("/").headers
    assert headers["content-security-policy"].startswith("default-src 'none'")
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["/decisions", "/interrupted", "/runs"])
def test_other_sites_cannot_post(site: Site, path: str) -> None:
    asked = {"verdict": "approved", "act": "released", **site.asked()}
    for token in ("", "0" * 64, "Ünï"):
        assert site.client.post(path, data={**asked, "token": token}).status_code == 403
    [token, *_] = re.findall(r'name="token" value="([0-9a-f]+)"', site.page())
    site.client.cookies.clear()
    assert site.client.post(path, data={**asked, "token": token}).status_code == 403
    site.client.cookies.set("visitor", "another")
    assert site.client.post(path, data={**asked, "token": token}).status_code == 403
    assert len(site.approvals.pending()) == 1


def test_forms_that_are_none(site: Site) -> None:
    site.page()
    assert site.client.post("/runs", content=b"x" * 100_000).status_code == 413
    assert site.client.post("/runs", content=b"\xff").status_code == 400
    assert site.client.get("/runs").status_code == 405


def test_the_cookie_is_ours_alone(site: Site) -> None:
    cookie = site.client.get("/").headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie


def test_a_restart_loses_nothing(table: Table, tmp_path: Path, outbox: list[dict[str, str]]) -> None:
    with Site(table, tmp_path / "approvals.db") as site:
        site.asked()
    with Site(table, tmp_path / "approvals.db", who="bob") as site:
        [each] = site.approvals.pending()
        key = {"agent_run_id": each.agent_run_id, "tool_use_id": each.tool_use_id}
        site.post("/decisions", verdict="approved", **key, **shown(site.page()))
        assert site.told().status == "executed"
    assert len(outbox) == 1


@pytest.mark.parametrize(("act", "sent", "note"), [("released", 1, "Released"), ("abandoned", 0, "Closed")])
def test_interrupted_calls_are_settled_by_people(
    table: Table, tmp_path: Path, outbox: list[dict[str, str]], act: str, sent: int, note: str
) -> None:
    interrupt(table, tmp_path / "approvals.db")
    with Site(table, tmp_path / "approvals.db") as site:
        assert "Interrupted (1)" in site.page()
        answer = site.post("/interrupted", agent_run_id="r1", tool_use_id="c1", act=act, reason="no mail left")
        assert note in answer.text
        assert "Interrupted" not in answer.text
        if sent:
            assert site.told().status == "executed"
        record = site.approvals.get("r1", "c1")
        assert record is not None
        assert [(each.by, each.note) for each in record.history if each.what == act] == [("ann", "no mail left")]
    assert len(outbox) == sent


def interrupt(table: Table, path: Path) -> None:
    """Leave an approved call behind whose runner is no more: its claim is over, and no end was noted."""

    class Stopped(SQLiteApprovalStore):
        def swap(self, key: Any, old: Any, new: Any) -> bool:
            if new is not None and new.state == "finished":
                raise OSError("the process is gone")
            return super().swap(key, old, new)

    async def run(store: Stopped) -> None:
        approvals = Approvals(store, table=table, lease=0.001)
        call = ToolCall("c1", "send_email", {"to": "a", "subject": "b", "body": "c"})
        executor = ToolExecutor(table)
        await approvals.execute(
            executor, call, agent_run_id="r1", notify=lambda each: approvals.approve_tool(*each.key)
        )

    with Stopped(path, clock=lambda: time.time() - 3600) as store:
        asyncio.run(run(store))
    __import__(table["send_email"].module).OUTBOX.clear()
