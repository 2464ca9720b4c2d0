"""The web server around the pages: whom it answers, what it sends along, and whom it never asks.

Streamlit serves the pages; each part of this package is one thing that it does not do by itself. ``app.py``
hands `lifespan` and `middleware` to it, so that they hold however the dashboard was started.
"""

from __future__ import annotations

import contextlib
import threading
import webbrowser
from typing import TYPE_CHECKING, Any

from starlette.middleware import Middleware
from streamlit import config
from streamlit.web.server import server_util

from microagg.ui.server.address_lookups import forbid_address_lookups
from microagg.ui.server.gate import Gate
from microagg.ui.server.own_media import OwnMedia, remember_owners
from microagg.ui.server.turns import share_out
from microagg.ui.server.upload_limit import UploadLimit
from microagg.ui.shell import log_redaction

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from streamlit import App

__all__ = ["lifespan", "middleware"]


def middleware() -> list[Middleware]:
    """What every request passes, the outermost first."""
    return [Middleware(Gate), Middleware(OwnMedia), Middleware(UploadLimit)]


@contextlib.asynccontextmanager
async def lifespan(_app: App) -> AsyncIterator[dict[str, Any] | None]:
    """Before the first request: ask nobody, draw in turn, write down no cell; then open a browser, if any."""
    forbid_address_lookups()
    share_out()
    remember_owners()
    log_redaction.guard()
    if not config.get_option("server.headless"):
        address = server_util.get_url(config.get_option("browser.serverAddress"))
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    yield None
