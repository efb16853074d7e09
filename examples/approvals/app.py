"""The page and its form posts."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from getpass import getuser
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader
from lauren_runtime import Approval, Approvals
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from .clerk import Clerk
from .forms import Forms

HERE = Path(__file__).parent
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
NOTES = {
    "approved": "Approved: the call runs.",
    "rejected": "Rejected: the agent is told.",
    "released": "Released: the call may run again.",
    "abandoned": "Closed: the call is not run again.",
    "begun": "The clerk has begun.",
    "unknown": "There is no such call.",
    "repeated": "Somebody else has decided this call before you.",
    "late": "Too late: the time for this call was over, or nobody wants it any more.",
    "changed": "Not taken: the call has other arguments by now. Look again.",
}


def arguments_text(approval: Approval) -> str:
    """The arguments as people read and edit them."""
    return json.dumps(approval.arguments, indent=2, ensure_ascii=False)


def when(seconds: float) -> str:
    """A time as people and browsers read it."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%SZ")


def local_user(request: Request) -> str:
    """Who decides, as long as only this machine's user can reach the page. Put your login in its place."""
    return getuser()


class Desk:
    """The handlers. What blocks runs in a thread."""

    def __init__(self, approvals: Approvals, clerk: Clerk, who: Callable[[Request], str]) -> None:
        self._approvals = approvals
        self._clerk = clerk
        self._who = who
        self._forms = Forms()
        environment = Environment(loader=FileSystemLoader(HERE), autoescape=True)
        environment.filters.update(arguments_text=arguments_text, when=when)
        self._page = environment.get_template("page.html")

    async def page(self, request: Request) -> Response:
        return await self._shown(request, note=NOTES.get(request.query_params.get("note", ""), ""))

    async def decide(self, request: Request) -> Response:
        fields = await self._forms.read(request)
        key = (fields.get("agent_run_id", ""), fields.get("tool_use_id", ""))
        by, reason = self._who(request), fields.get("reason", "").strip()
        if fields.get("verdict") == "approved":
            answer = await run_in_threadpool(self._approve, key, fields, by, reason)
        else:
            digest = fields.get("arguments_digest", "")
            answer = await run_in_threadpool(
                self._approvals.reject_tool, *key, by=by, reason=reason, arguments_digest=digest
            )
        if answer.outcome == "invalid":
            refused = {"key": key, "text": fields["arguments"], "errors": [each.message for each in answer.errors]}
            return await self._shown(request, refused=refused, status=422)
        return _back(fields.get("verdict", "") if answer else answer.outcome)

    def _approve(self, key: tuple[str, str], fields: dict[str, str], by: str, reason: str) -> Any:
        shown = self._approvals.get(*key)
        text = fields.get("arguments", "").replace("\r\n", "\n")
        is_edited = shown is None or text != arguments_text(shown)
        return self._approvals.approve_tool(
            *key,
            by=by,
            reason=reason,
            arguments=text if is_edited else None,
            arguments_digest=fields.get("arguments_digest", ""),
        )

    async def settle(self, request: Request) -> Response:
        fields = await self._forms.read(request)
        act = self._approvals.release if fields.get("act") == "released" else self._approvals.abandon
        key = (fields.get("agent_run_id", ""), fields.get("tool_use_id", ""))
        answer = await run_in_threadpool(act, *key, by=self._who(request), reason=fields.get("reason", "").strip())
        if answer.outcome == "taken" and fields.get("act") == "released":
            self._clerk.take_up()
        return _back(fields.get("act", "") if answer else answer.outcome)

    async def begin(self, request: Request) -> Response:
        fields = await self._forms.read(request)
        self._clerk.send_email(*(fields.get(name, "") for name in ("to", "subject", "body")))
        return _back("begun")

    async def _shown(
        self, request: Request, *, note: str = "", refused: dict[str, Any] | None = None, status: int = 200
    ) -> Response:
        visitor = self._forms.visitor(request)
        lists = await run_in_threadpool(self._lists)
        token, results = self._forms.token(visitor), list(self._clerk.results)
        text = self._page.render(**lists, token=token, note=note, refused=refused, results=results)
        response = HTMLResponse(text, status, headers=HEADERS)
        self._forms.remember(response, visitor)
        return response

    def _lists(self) -> dict[str, list[Approval]]:
        closed = self._approvals.store.records(closed=True)
        latest = sorted(closed, key=lambda each: each.changed_at, reverse=True)[:20]
        return {
            "pending": self._approvals.pending(),
            "interrupted": self._approvals.interrupted(),
            "closed": latest,
        }


def _back(note: str) -> Response:
    return RedirectResponse("/?" + urlencode({"note": note}), 303, headers=HEADERS)


def create_app(approvals: Approvals, clerk: Clerk, who: Callable[[Request], str] = local_user) -> Starlette:
    """The application. `who` names the person behind a request, for the records."""
    desk = Desk(approvals, clerk, who)

    async def style(request: Request) -> Response:
        return FileResponse(HERE / "style.css", headers={"X-Content-Type-Options": "nosniff"})

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        clerk.take_up()
        yield
        await clerk.stop()

    routes = [
        Route("/", desk.page),
        Route("/style.css", style),
        Route("/decisions", desk.decide, methods=["POST"]),
        Route("/interrupted", desk.settle, methods=["POST"]),
        Route("/runs", desk.begin, methods=["POST"]),
    ]
    return Starlette(routes=routes, lifespan=lifespan)
