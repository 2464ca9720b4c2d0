"""Whom the server answers: requests by one of its own names, from its own pages; and nobody may frame these.

Streamlit checks both for its websocket alone. ``Host`` must be one of ``server.allowedHosts``, or a foreign
name that points here would make a foreign page one of ours (DNS rebinding). ``Origin``, which browsers send
with whatever a page could do harm with, must be that host, or be listed in ``server.corsAllowedOrigins`` by
whoever has a proxy that changes ``Host``. The headers tell the browser to show the pages in no frame, to
guess no types, to tell no other site where it came from, and to load nothing from anywhere else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from streamlit import config
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_POLICY_VIOLATION = 1008  # of the websocket protocol


class Gate:
    """ASGI middleware: refuse foreign requests, and send the headers with every answer.

    Parameters
    ----------
    app : ASGI application
        What is behind the gate.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with 403 and one sentence."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        complaint = refusal(headers)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(security_headers(headers.get("host", "")))
            await send(message)

        if not complaint:
            await self._app(scope, receive, send_with_headers)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION, "reason": complaint})
        else:
            await PlainTextResponse(complaint + "\n", 403)(scope, receive, send_with_headers)


def refusal(headers: Headers) -> str:
    """Why a request is not answered, in one sentence; nothing where it is.

    Parameters
    ----------
    headers : Headers
        Of the request.

    Returns
    -------
    str

    Examples
    --------
    >>> refusal(Headers({"host": "localhost:8501", "origin": "http://localhost:8501"}))
    ''
    >>> refusal(Headers({"host": "localhost:8501", "origin": "null"}))
    'Requests from other pages than its own are not answered by this dashboard.'
    """
    hosts, origins = headers.getlist("host"), headers.getlist("origin")
    if len(hosts) != 1 or not is_host_allowed(hosts[0]):
        return "This dashboard does not answer to that name; those it answers to are server.allowedHosts."
    if not all(_is_own(origin, hosts[0]) for origin in origins):
        return "Requests from other pages than its own are not answered by this dashboard."
    return ""


def _is_own(origin: str, host: str) -> bool:
    if origin in {listed.strip() for listed in config.get_option("server.corsAllowedOrigins")}:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


def security_headers(host: str) -> dict[str, str]:
    """The headers of every answer.

    Streamlit's pages need inline styles and scripts, and WebAssembly; what the policy holds is that they load
    from and talk to this host alone. Some browsers do not take ``'self'`` to mean its websocket too.

    Parameters
    ----------
    host : str
        By which the server was asked, one that it answers to.
    """
    policy = {
        "default-src": "'self' 'unsafe-inline' 'unsafe-eval' data: blob:",
        "connect-src": f"'self' ws://{host} wss://{host} data: blob:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "X-Frame-Options": "DENY",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
    }
