"""Redact log records: keep the type and place of an exception, and nothing of an upload.

``could not convert string to float: 'Reus'`` is a fine message and a leak. Whoever logs an error in this
process, Streamlit and the web server included, logs what `Fault` keeps of it.
"""

from __future__ import annotations

import logging
import sys
import threading
from typing import TYPE_CHECKING, Any

import streamlit as st
from starlette.formparsers import MultiPartParser

from microagg.ui.shell.uploads import MOST
from microagg.workers import Broken, Fault

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

_LOG = logging.getLogger("microagg")


def told(error: BaseException) -> str:
    """Kind and place of an error.

    Examples
    --------
    >>> told(ValueError("Reus is no number"))
    'ValueError in an unknown place'
    """
    fault = Fault.of(error)
    return f"{fault.kind} in {fault.place}"


def show(error: Exception) -> None:
    """Say on the page that something is broken, and write down what and where."""
    _LOG.error("A page broke: %s", told(error))
    st.exception(Broken(f"Something is broken here: {told(error)}. Your data and settings are as before."))


def guard() -> None:
    """From now on nothing in this process writes down the text of an error, or an upload that comes in."""
    MultiPartParser.spool_max_size = (MOST + 1) * 2**20  # above, it would wait in a temporary file
    usual = logging.getLogRecordFactory()
    if getattr(usual, "discreet", False):
        return
    logging.setLogRecordFactory(_without_text(usual))
    sys.excepthook = _uncaught
    threading.excepthook = lambda args: _uncaught(args.exc_type, args.exc_value, args.exc_traceback)


def _without_text(usual: Callable[..., logging.LogRecord]) -> Callable[..., logging.LogRecord]:
    def make(*args: Any, **options: Any) -> logging.LogRecord:
        record = usual(*args, **options)
        if isinstance(record.args, tuple):
            record.args = tuple(
                told(value) if isinstance(value, BaseException) else value for value in record.args
            )
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            record.msg, record.args = f"{record.getMessage()}: {told(error)}", ()
        record.exc_info = None
        return record

    make.discreet = True  # type: ignore[attr-defined]
    return make


def _uncaught(_kind: type[BaseException], error: BaseException | None, _place: TracebackType | None) -> None:
    if error is not None and not isinstance(error, SystemExit | KeyboardInterrupt):
        _LOG.error("Not caught: %s", told(error))
