"""A job runs beside the page, hands back piece by piece, stops when asked and when nobody holds it."""

from __future__ import annotations

import gc
import threading
import time
from typing import TYPE_CHECKING

import pytest
from streamlit.testing.v1 import AppTest

from microagg.ui.components.jobs import Job
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def until(condition: Callable[[], bool], seconds: float = PATIENCE) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.005)


def counting(total: int, seen: threading.Event | None = None) -> Callable[[threading.Event], Iterator[int]]:
    """Work that yields numbers until it is stopped; ``seen`` tells that it has ended."""

    def work(stop: threading.Event) -> Iterator[int]:
        for number in range(total):
            if stop.wait(0.002):
                break
            yield number
        if seen is not None:
            seen.set()

    return work


def test_pieces_come_in_order_and_each_is_taken_once():
    job = Job(counting(20), 20)
    taken: list[int] = []
    until(lambda: taken.extend(job.take()) or not job.running)
    taken += job.take()
    assert taken == list(range(20))
    assert job.take() == []
    assert not job.cancelled


def test_cancel_ends_it_at_once_for_the_page_and_keeps_what_is_done():
    job = Job(counting(100_000), 100_000)
    until(lambda: job.done >= 3)
    job.cancel()
    assert not job.running
    assert job.cancelled
    assert job.take()[:3] == [0, 1, 2]


def test_a_fault_is_raised_where_the_pieces_are_taken():
    def broken(_stop: threading.Event) -> Iterator[int]:
        yield 1
        raise ZeroDivisionError("a defect")

    job = Job(broken, 2)
    until(lambda: not job.running)
    with pytest.raises(ZeroDivisionError, match="a defect"):
        job.take()


def test_a_job_that_nobody_holds_stops():
    ended = threading.Event()
    held = [Job(counting(100_000, ended), 100_000)]
    until(lambda: held[0].done > 0)
    held.clear()
    gc.collect()
    assert ended.wait(20)


def test_the_time_left_follows_the_pace():
    job = Job(counting(100_000), 100_000)
    until(lambda: job.done >= 5)
    assert job.left > 0
    job.cancel()


def test_the_page_runs_again_where_a_job_ended_after_the_page_had_looked_at_it():
    def page() -> None:
        import threading

        import streamlit as st

        from microagg.ui.components import jobs
        from microagg.ui.state import session

        session.begin("")
        held = st.session_state.get("job")
        if held is None:
            looked = threading.Event()

            def work(_stop: threading.Event):
                looked.wait(20)
                yield 7

            held = st.session_state.job = jobs.Job(work, 1)
            st.session_state.found = held.take()
            looked.set()
            held.wait(20)
        else:
            st.session_state.found += held.take()
        st.text(f"found {st.session_state.found}")
        jobs.watch(lambda: [held], lambda: None, "watch")

    assert [text.value for text in AppTest.from_function(page).run().text] == ["found [7]"]
