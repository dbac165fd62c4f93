"""a question from the page -> a trace, live, on this machine alone (needs the extra `look`)."""

import json
from collections.abc import Callable
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from regard.errors import RegardError

HOSTS = ["127.0.0.1", "localhost"]
"""What the page may be called: a name that points here from elsewhere is turned away."""
MOST = 1 << 16
"""Bytes of a question."""
HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}

Answer = Callable[[dict[str, Any]], Any]
"""A question as JSON has it -> what the page reads; raises a `RegardError` for a wrong one."""


def application(page: str, answer: Answer) -> Starlette:
    """The page at `/`, its questions at `/api/trace`.

    A question is a POST of JSON that says so: another site's page cannot send one unasked.

    Args:
        page: The page, as HTML.
        answer: Is asked in a thread of its own.
    """

    async def show(_: Request) -> Response:
        return HTMLResponse(page, headers=HEADERS)

    async def trace(request: Request) -> Response:
        if request.headers.get("content-type", "").partition(";")[0] != "application/json":
            return _refused(415, "the question must be application/json")
        try:
            question = await _question(request)
        except ValueError as error:
            return _refused(400, str(error))
        try:
            found = await run_in_threadpool(answer, question)
        except RegardError as error:
            return _refused(400, str(error))
        return JSONResponse(found, headers=HEADERS)

    return Starlette(
        routes=[Route("/", show), Route("/api/trace", trace, methods=["POST"])],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=HOSTS, www_redirect=False)],
    )


async def _question(request: Request) -> dict[str, Any]:
    whole = b""
    async for part in request.stream():
        whole += part
        if len(whole) > MOST:
            raise ValueError(f"the question is longer than {MOST} bytes; ask for less")
    try:
        question = json.loads(whole)
    except (ValueError, RecursionError):
        raise ValueError("the question is not JSON") from None
    if not isinstance(question, dict):
        raise ValueError("the question must be a JSON object")  # noqa: TRY004 - answered as 400
    return question


def _refused(status: int, why: str) -> Response:
    return JSONResponse({"error": why}, status_code=status, headers=HEADERS)
