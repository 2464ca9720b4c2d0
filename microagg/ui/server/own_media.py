"""A download is given to the browser that it was made for, and to nobody else who knows its address.

Streamlit keeps a download under an address made from its contents and gives it to whoever asks. Here every
browser gets a cookie with the page, which it sends with its visits and with its downloads alike: a download
is answered where one of the visits that it was made for came from the same browser.
"""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from streamlit import config
from streamlit.runtime import Runtime, media_file_manager

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "microagg_browser"
_ROUTE = "/media/"
_MOST = 10_000  # downloads that are remembered
_lock = threading.Lock()
_made: OrderedDict[str, set[str]] = OrderedDict()  # visits by the download that was made for them


class OwnMedia:
    """ASGI middleware: give a browser its cookie, and a download to its own browser alone.

    Parameters
    ----------
    app : ASGI application
        That answers downloads at ``/media/FILE``.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with 404 and one sentence."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        browser, file = _browser(scope), _file(scope)

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and _is_page(message):
                secure = "; Secure" if scope["scheme"] == "https" else ""
                MutableHeaders(scope=message).append(
                    "Set-Cookie",
                    f"{COOKIE}={secrets.token_urlsafe()}; Path=/; HttpOnly; SameSite=Lax{secure}",
                )
            await send(message)

        if file and not is_own(file, browser):
            await PlainTextResponse(
                "This is no download of yours, or one of a page that has changed.\n", 404
            )(scope, receive, send)
        else:
            await self._app(scope, receive, send if browser else send_with_cookie)


def is_own(file: str, browser: str) -> bool:
    """Whether a download was made for a visit from this browser.

    Parameters
    ----------
    file : str
        As Streamlit calls it in the address of a download, without an ending.
    browser : str
        Its cookie; nothing where it sent none.
    """
    for visit in tuple(_made.get(file, ())):
        client: Any = Runtime.instance().get_client(visit)
        if client is not None and browser and client.client_context.cookies.get(COOKIE) == browser:
            return True
    return False


def remember_owners() -> None:
    """From now on put down for which visit each download is made, with its page or on a press."""
    # Streamlit has no public way to ask for this; a test holds it to the version at hand.
    manager: Any = media_file_manager.MediaFileManager
    add, make = manager.add, manager.execute_deferred
    if hasattr(add, "remembered"):
        return

    def add_and_remember(self: Any, *what: Any, **how: Any) -> str:
        return _remember(media_file_manager._get_session_id(), add(self, *what, **how))

    def make_and_remember(self: Any, asked: str) -> str:
        visit = self._deferred_callables.get(asked, {}).get("session_id", "")
        return _remember(visit, make(self, asked))

    add_and_remember.remembered = True  # type: ignore[attr-defined]
    manager.add, manager.execute_deferred = add_and_remember, make_and_remember


def _remember(visit: str, address: str) -> str:
    name = _name(address)
    with _lock:
        _made.setdefault(name, set()).add(visit)
        _made.move_to_end(name)
        while len(_made) > _MOST:
            _made.popitem(last=False)
    return address


def _name(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


def _file(scope: Scope) -> str:
    """The file of a download; nothing of any other request."""
    base = str(config.get_option("server.baseUrlPath")).strip("/")
    path = scope["path"].removeprefix(f"/{base}" if base else "")
    return _name(path) or "?" if path.startswith(_ROUTE) else ""


def _browser(scope: Scope) -> str:
    """The cookie that a browser sent."""
    try:
        held = SimpleCookie("; ".join(Headers(scope=scope).getlist("cookie")))
    except CookieError:
        return ""
    return held[COOKIE].value if COOKIE in held else ""


def _is_page(message: Message) -> bool:
    return str(Headers(raw=message["headers"]).get("content-type", "")).startswith("text/html")
