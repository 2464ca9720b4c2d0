"""What one visit may leave on the server: `VISIT_LIMIT` megabytes of uploaded files together.

Streamlit bounds one file and holds what was sent until the visit ends or its page takes it back; whoever
sends files without the page could fill the memory. Here the bytes of a visit's files, with those that are
just arriving, are counted as they come, and the one that passes the limit is refused.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from streamlit import config
from streamlit.runtime import Runtime

from microagg.ui.shell.uploads import VISIT_LIMIT

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_ROUTE = "_stcore/upload_file"
_MULTIPART = 65_536
"""Bytes that a browser puts around a file, at most."""


class UploadLimit:
    """ASGI middleware: refuse the upload by which a visit would hold too much.

    Parameters
    ----------
    app : ASGI application
        That takes uploads at ``/_stcore/upload_file/VISIT/FILE``.
    limit : int
        Bytes.
    """

    def __init__(self, app: ASGIApp, limit: int = VISIT_LIMIT * 2**20) -> None:
        self._app, self._limit = app, limit
        self._arriving: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; count what it brings where it is an upload."""
        visit, file = _upload(scope)
        if not visit:
            await self._app(scope, receive, send)
            return
        brought = 0

        async def counted() -> Message:
            nonlocal brought
            message = await receive()
            size = len(message.get("body", b""))
            brought += size
            self._arriving[visit] += size
            if size and held(visit, file) + self._arriving[visit] > self._limit + _MULTIPART:
                raise HTTPException(413, f"A visit may hold {self._limit >> 20} MB of files together.")
            return message

        try:
            await self._app(scope, counted, send)
        finally:
            self._arriving[visit] -= brought
            if not self._arriving[visit]:
                del self._arriving[visit]


def held(visit: str, file: str = "") -> int:
    """Bytes of the files that the server holds for a visit, but for the one that is being replaced.

    Parameters
    ----------
    visit, file : str
        As Streamlit calls them in the address of an upload.
    """
    # Streamlit has no public way to ask for this; a test holds it to the version at hand.
    storage = getattr(Runtime.instance().uploaded_file_mgr, "file_storage", {})
    files = dict(storage.get(visit, {}))
    return sum(len(one.data) for name, one in files.items() if name != file)


def _upload(scope: Scope) -> tuple[str, str]:
    """Visit and file of an upload; nothing of any other request."""
    if scope["type"] != "http" or scope["method"] != "PUT":
        return "", ""
    path = scope["path"].strip("/").removeprefix(str(config.get_option("server.baseUrlPath")).strip("/"))
    visit, _, file = path.strip("/").removeprefix(_ROUTE).strip("/").partition("/")
    return (visit, file) if path.strip("/").startswith(_ROUTE) else ("", "")
