"""What a visitor leaves behind goes when they have left for good: microdata, results, uploads, charts.

Streamlit keeps a visit for two minutes in case its visitor comes back (``server.disconnectedSessionTTL``),
and then forgets it when the next visitor leaves, which may be tomorrow. Here a thread looks every few
seconds: visits whose time is over are shut down, what they held is collected, and the memory is given back to
the system.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import gc
import threading
import time
from typing import Any

import streamlit as st
from streamlit.runtime import Runtime

EVERY = 10.0  # seconds
_M_ARENA_MAX = -8  # of malloc.h


@st.cache_resource(show_spinner=False)
def start() -> threading.Thread | None:
    """Begin to look, once for the server; None where there is none, as in tests of a single page."""
    runtime = Runtime.instance()
    if type(runtime) is not Runtime:
        return None
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").mallopt(_M_ARENA_MAX, 2)  # else each thread keeps free memory of its own
    thread = threading.Thread(target=_look, args=(runtime,), name="leaving", daemon=True)
    thread.start()
    return thread


def _look(runtime: Runtime) -> None:
    # Streamlit has no public way to ask for this; a test holds it to the version at hand.
    sessions: Any = runtime._session_mgr
    storage, loop = sessions._session_storage, runtime._get_async_objs().eventloop

    async def see_off() -> int:
        gone = [info.session for _, info in storage._cache.expire()]
        for session in gone:
            session.shutdown()
            session.session_state.clear()  # Streamlit itself holds the last session until the next one comes
        return len(gone)

    left = 0
    while not loop.is_closed():
        time.sleep(EVERY)
        with contextlib.suppress(RuntimeError, TimeoutError):  # the server is stopping
            gone = asyncio.run_coroutine_threadsafe(see_off(), loop).result(EVERY)
            if gone or left:  # once more a round later: a page that was just being drawn has ended by then
                give_back()
            left = gone


def give_back() -> None:
    """Collect what nobody holds, and give free memory back to the system where it takes it."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)
