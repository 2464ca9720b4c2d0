"""Where a lesson is given: step forward, back, play; one picture, one sentence, the numbers involved.

The stage is a fragment: stepping redraws it alone. While it plays, the fragment runs by the clock and goes
on when the next step is due; at the end, and at Pause, the page runs once more so that the clock stops.
Heights are fixed and axes never move, so that only what changes moves.
"""

from __future__ import annotations

import html
import time
import zlib
from dataclasses import replace
from functools import partial
from importlib.resources import files
from typing import TYPE_CHECKING

import streamlit as st

from microagg.figures import lesson as figure
from microagg.lessons.table import table
from microagg.ui.components import display, widgets
from microagg.ui.components.page_choices import Choices, one_of, whole
from microagg.ui.components.words import plain
from microagg.ui.lessons.lesson_choices import at_most
from microagg.ui.state import session

if TYPE_CHECKING:
    from microagg.lessons.lesson import Quantity, Records, Step
    from microagg.lessons.question import Question
    from microagg.ui.lessons.lesson_choices import Chosen

PACES = {"slow": 4.0, "normal": 2.0, "fast": 1.0}
_EARLY = 0.2  # a tick this long before it is due still counts, or every second one would be missed
_HEIGHT = 430
_CHOICES = Choices("lessons", "lesson_step", "lesson_speed", "lesson_tab")
TABS = ["Three questions", "Records"]


def give(chosen: Chosen, records: Records) -> tuple[Question, Question, Question]:
    """Draw the stage; return the questions, which belong below it."""
    key = (chosen.lesson.name, chosen.k, repr(sorted(chosen.options.items())), _identity(records))
    steps = session.memory().recall(
        ("trace", *key), lambda: chosen.lesson.walk(records, chosen.k, chosen.options), 2_000_000
    )
    _begin(key)
    _stage(chosen, records, steps)
    return session.memory().recall(
        ("questions", *key), lambda: chosen.lesson.ask(records, chosen.k, chosen.options)
    )


def tab() -> widgets.Place[str]:
    """Which tab below the stage is open."""
    return _CHOICES.place("lesson_tab", one_of(TABS), TABS[0])


def ask(questions: tuple[Question, Question, Question]) -> None:
    """Draw the questions; whoever chooses an answer is told whether it is right, and why.

    An answer is one of these records under this k; other records, or another lesson, are asked about anew.
    """
    answers: dict[str, str | None] = st.session_state.setdefault("lesson_answers", {})
    asked = f"{zlib.crc32(repr((st.session_state.lesson_key, questions)).encode()):08x}"
    for number, question in enumerate(questions, 1):
        key = f"lesson_answer_{number}_{asked}"
        with st.container(key=f"lesson_question_{number}"):
            given = widgets.radio(
                widgets.Place(key, answers.get(key), partial(answers.__setitem__, key)),
                f"{number}. {plain(question.asks)}",
                [answer.text for answer in question.answers],
                words=plain,
                horizontal=True,
            )
            for answer in question.answers:
                if answer.text == given:
                    icon = ":material/check_circle:" if answer.right else ":material/cancel:"
                    st.markdown(f"{icon} {plain(answer.verdict)}")


def _identity(records: Records) -> tuple[bytes, tuple[str, ...], str]:
    return records.values.tobytes(), records.names, records.nouns


def _begin(key: tuple[object, ...]) -> None:
    """Another lesson, or the same with other records, does not play yet."""
    state = st.session_state
    if state.get("lesson_key") != key:
        state.lesson_key, state.lesson_playing = key, False


def _step_of(count: int) -> widgets.Place[int]:
    """Which step is shown, from 1."""
    asked = _CHOICES.place("lesson_step", whole(1), 1)
    if asked.now > count:
        session.complain(f"There is no step {asked.now:,}: this lesson has {count}; the last one is shown.")
    place = at_most(asked, count)

    def take(step: int) -> None:
        place.take(step)
        st.session_state.lesson_playing = False

    return replace(place, take=take)


def _pace() -> widgets.Place[str]:
    """How fast it plays."""
    return _CHOICES.place("lesson_speed", one_of(PACES), "normal")


def _stage(chosen: Chosen, records: Records, steps: tuple[Step, ...]) -> None:
    playing = st.session_state.lesson_playing
    pace = PACES[_pace().now]

    @st.fragment(run_every=pace if playing else None, key="stage")
    def stage() -> None:
        state = st.session_state
        if state.lesson_playing and time.monotonic() >= state.lesson_due - _EARLY:
            _go(_step_of(len(steps)).now + 1, len(steps))
            state.lesson_playing = _step_of(len(steps)).now < len(steps)
        if (state.lesson_playing, PACES[_pace().now]) != (
            playing,
            pace,
        ) and state.lesson_playing | playing:
            st.rerun()
        at = _step_of(len(steps))
        _controls(at, len(steps))
        _step(chosen, records, steps, at.now)
        session.write_address()

    stage()


def _go(step: int, count: int) -> None:
    """Turn to a step; while playing, the next one is due a pace later."""
    _CHOICES.place("lesson_step", whole(1), 1).take(min(max(step, 1), count))
    st.session_state.lesson_due = time.monotonic() + PACES[_pace().now]


def _by(steps: int, count: int) -> None:
    """Go some steps on, or back."""
    _go(_step_of(count).now + steps, count)


def _play(count: int) -> None:
    state = st.session_state
    state.lesson_playing = not state.lesson_playing
    at = _step_of(count).now
    _go(1 if state.lesson_playing and at == count else at, count)


def _controls(at: widgets.Place[int], count: int) -> None:
    with st.container(horizontal=True, wrap=False, vertical_alignment="center", key="lesson_controls"):
        _buttons(at.now, count, playing=st.session_state.lesson_playing)
        widgets.slider(at, "Step", 1, count, 1, label_visibility="collapsed")
        widgets.segments(_pace(), "Pace", list(PACES), label_visibility="collapsed")


def _buttons(at: int, count: int, *, playing: bool) -> None:
    st.button(
        "", icon=":material/first_page:", key="lesson_first", help="To the first step", width=44,
        disabled=at == 1, on_click=_go, args=(1, count),
    )  # fmt: skip
    st.button(
        "Back", icon=":material/chevron_left:", key="lesson_back", width=100, disabled=at == 1,
        on_click=_by, args=(-1, count), help="One step back (key B)", shortcut="B",
    )  # fmt: skip
    st.button(
        "Pause" if playing else "Play",
        icon=":material/pause:" if playing else ":material/play_arrow:",
        key="lesson_play", width=104, type="primary", on_click=_play, args=(count,),
        help="Step on by itself, to the end (key P)", shortcut="P",
    )  # fmt: skip
    st.button(
        "Forward", icon=":material/chevron_right:", icon_position="right", key="lesson_forward",
        width=122, disabled=at == count, on_click=_by, args=(1, count),
        help="One step forward (key F)", shortcut="F",
    )  # fmt: skip


def _step(chosen: Chosen, records: Records, steps: tuple[Step, ...], at: int) -> None:
    step, count = steps[at - 1], len(steps)
    st.html(
        '<div class="lesson-words" role="status"><b>'
        f"{at} of {count} · {_marked(step.title)}</b><br>{_marked(step.sentence)}</div>"
    )
    picture, numbers = st.columns([3.6, 1], gap="medium")
    with picture:
        display.chart(
            figure.step(step.panels, height=_HEIGHT),
            chosen.lesson.reading,
            "lesson-step",
            lambda: table(records, step),
            alt=f"{step.title}. {step.sentence}",
        )
    with numbers:
        st.html(_quantities(step.quantities))


def _quantities(quantities: tuple[Quantity, ...]) -> str:
    rows = "".join(
        f"<dt><span>{_marked(q.name)}</span><b>{html.escape(_text(q.value))}</b></dt>"
        f"<dd>{_marked(q.says)}</dd>"
        for q in quantities
    )
    elsewhere = "<dd>The numbers of each record are in the table below the picture.</dd>"
    return f'<dl class="lesson-numbers">{rows or elsewhere}</dl>'


def _marked(text: str) -> str:
    return figure.lowered(html.escape(text))


def _text(value: float | str) -> str:
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}".replace("-", "−")


STYLE = (
    "<style>"
    + files("microagg.ui.lessons").joinpath("lesson_stage.css").read_text(encoding="utf-8")
    + "</style>"
)
