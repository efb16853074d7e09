"""Form posts that only our own page can have made."""

from __future__ import annotations

import hmac
import secrets
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

COOKIE = "visitor"
FIELD = "token"
LARGEST = 64 * 1024


class Forms:
    """Gives each visitor a cookie, and each form a token that belongs to it and that no other site can know."""

    def __init__(self) -> None:
        self._secret = secrets.token_bytes(32)

    def visitor(self, request: Request) -> str:
        """The visitor's cookie, or one for a new visitor."""
        return request.cookies.get(COOKIE) or secrets.token_urlsafe(16)

    def token(self, visitor: str) -> str:
        """What the visitor's forms carry."""
        return hmac.new(self._secret, visitor.encode(), "sha256").hexdigest()

    def remember(self, response: Response, visitor: str) -> None:
        """Give the visitor their cookie."""
        response.set_cookie(COOKIE, visitor, httponly=True, samesite="strict")

    async def read(self, request: Request) -> dict[str, str]:
        """The fields of a form. Raises HTTPException if it is not from our page, or too large."""
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > LARGEST:
                raise HTTPException(413, "The form is too large.")
        try:
            fields = dict(parse_qsl(body.decode("ascii"), keep_blank_values=True, errors="strict"))
        except ValueError:
            raise HTTPException(400, "This is no form.") from None
        visitor = request.cookies.get(COOKIE, "")
        if not visitor or not hmac.compare_digest(fields.get(FIELD, "").encode(), self.token(visitor).encode()):
            raise HTTPException(403, "This form is not from this page, or too old. Go back and reload the page.")
        return fields
