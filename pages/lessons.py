"""Lessons: the algorithms step by step, on a few records that a teacher can change."""

from dataclasses import replace

import streamlit as st

from microagg.ui.components import display, widgets
from microagg.ui.components.words import plain
from microagg.ui.lessons import lesson_choices, lesson_keys, lesson_stage, lesson_table
from microagg.ui.shell import data_chooser, frame

frame.enter(__file__)

with st.sidebar:
    lesson = lesson_choices.lesson()
    parameters = st.container()
    origin = lesson_choices.origin(lesson)

st.html(lesson_stage.STYLE)
lesson_keys.listen()
st.markdown(f"**{lesson.title}.** {plain(lesson.story)} :small[({plain(lesson.reference)})]")
stage = st.container()
questions, table = widgets.tabs(lesson_stage.tab(), lesson_stage.TABS)

with display.trouble():
    if origin is None:
        with stage:
            data_chooser.get()
        st.stop()
    drawn = lesson_choices.fresh(lesson, origin)
    if drawn is None:
        stage.info(f"Choose {lesson.attributes[0]} attributes at the left.", icon=":material/checklist:")
        st.stop()
    with table:
        edited = lesson_choices.editor(drawn, origin)
    records = None
    with stage, display.trouble():
        records = replace(lesson_table.records_of(edited), units=drawn.units, nouns=drawn.nouns)
    with parameters:
        chosen = lesson_choices.parameters(lesson, records)
    if records is None:
        st.stop()
    asked = None
    with stage, display.trouble():
        asked = lesson_stage.give(chosen, records)
    if asked is not None:
        with questions:
            lesson_stage.ask(asked)
