"""Lessons: a step at a time, on records that can be changed, and a sentence for every slip."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

import microagg as ma
from microagg.errors import DataError
from microagg.lessons import LESSONS
from microagg.lessons.example import SEED, made_up
from microagg.lessons.lesson import Records
from microagg.ui.lessons import lesson_table
from tests.ui.conftest import Opened, choose, said

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest
    from streamlit.testing.v1.element_tree import Radio

COLUMNS = ("age", "income")


def at_step(page: AppTest) -> int:
    return int(page.slider(key="lesson_step").value)


def press(page: AppTest, name: str) -> AppTest:
    return page.button(key=f"lesson_{name}").click().run()


def layout(page: AppTest) -> dict:
    return json.loads(page.get("plotly_chart")[0].proto.spec)["layout"]


def edited(page: AppTest, frame: pd.DataFrame) -> AppTest:
    """The page after the table was changed to this."""
    cells = frame.astype("object").where(frame.notna(), None).to_numpy().tolist()
    return choose(page, "lessons", lesson_table=page.session_state["lesson_mark"] + json.dumps(cells))


def typed(records: Records) -> pd.DataFrame:
    return lesson_table.table_of(records)


@pytest.mark.parametrize("name", LESSONS)
def test_every_lesson_can_be_walked_to_its_end_and_asks_three_questions(opened: Opened, name: str):
    page = opened("lessons")
    page.radio(key="lesson").set_value(name).run()
    assert at_step(page) == 1
    assert page.button(key="lesson_back").disabled
    last = page.slider(key="lesson_step").max
    page.slider(key="lesson_step").set_value(last).run()
    assert not page.exception
    assert page.button(key="lesson_forward").disabled
    asked = LESSONS[name].ask(made_up(SEED, 16, LESSONS[name].example), 8 if name == "mic1d" else 3, {})
    radios = answers(page)
    labels = [radio.label.replace("\\", "") for radio in radios]
    assert labels == [f"{i}. {question.asks}" for i, question in enumerate(asked, 1)]
    assert not any(word in said(page) for word in ("Right. ", "Wrong. "))
    for number, question in enumerate(asked):
        for answer in question.answers:
            answers(page)[number].set_value(answer.text).run()
            assert answer.verdict in said(page)
    assert not page.exception


def answers(page: AppTest) -> list[Radio]:
    return [radio for radio in page.radio if str(radio.key).startswith("lesson_answer_")]


def test_an_answer_is_forgotten_with_other_records_and_another_lesson(opened: Opened):
    page = opened("lessons")
    first = answers(page)[0]
    first.set_value(first.options[0]).run()
    page.number_input(key="lesson_seed").set_value(7).run()
    assert [radio.value for radio in answers(page)] == [None] * 3
    answers(page)[0].set_value(answers(page)[0].options[0]).run()
    page.radio(key="lesson").set_value("kward").run()
    assert [radio.value for radio in answers(page)] == [None] * 3


def test_forward_and_back_move_one_step_and_no_axis(opened: Opened):
    page = press(press(opened("lessons"), "forward"), "forward")
    assert at_step(page) == 3
    before = layout(page)
    press(page, "back")
    assert at_step(page) == 2
    for name in ("xaxis", "yaxis", "xaxis2", "yaxis2"):
        assert layout(page)[name] == before[name]
    assert layout(page)["height"] == before["height"]


def test_play_goes_on_by_the_clock_and_stops_at_the_end(opened: Opened):
    page = opened("lessons")
    page.segmented_control(key="lesson_speed").set_value("fast").run()
    last = page.slider(key="lesson_step").max
    page.slider(key="lesson_step").set_value(last - 2).run()
    press(page, "play")
    assert page.button(key="lesson_play").label == "Pause"
    assert at_step(page) == last - 2
    for step in (last - 1, last):
        time.sleep(1.0)
        page.run()
        assert at_step(page) == step
    assert page.button(key="lesson_play").label == "Play"
    time.sleep(1.0)
    assert at_step(page.run()) == last
    press(page, "play")
    assert at_step(page) == 1


def test_pause_stops_where_it_is(opened: Opened):
    page = press(press(opened("lessons"), "play"), "play")
    page.session_state["lesson_due"] = 0.0
    assert at_step(page.run()) == 1
    assert page.button(key="lesson_play").label == "Play"


def test_another_lesson_begins_anew_and_other_records_stay_at_the_step(opened: Opened):
    page = press(press(opened("lessons"), "forward"), "forward")
    page.number_input(key="lesson_seed").set_value(7).run()
    assert at_step(page) == 3
    page.radio(key="lesson").set_value("kward").run()
    assert at_step(page) == 1


def test_edited_records_are_those_that_are_traced(opened: Opened):
    page = opened("lessons")
    records = Records(np.array([[1, 1], [2, 1], [1, 2], [50, 51], [52, 50], [51, 50.5]]), COLUMNS)
    page = edited(page, typed(records))
    page.slider(key="lesson_step").set_value(page.slider(key="lesson_step").max).run()
    assert page.slider(key="lesson_k").max == 3
    key = page.session_state["lesson_key"]
    assert key[3][:2] == (records.values.tobytes(), COLUMNS)
    answers(page)[0].set_value("2").run()
    assert "Right. Their sizes are 3 and 3" in said(page)


@pytest.mark.parametrize(
    ("cell", "sentence"),
    [
        ("abc", "Row 3, income: 'abc' is no number. Type one such as 42 or 3.5."),
        (None, "Row 3 has no income yet: type a number, or tick the row and delete it."),
        ("1e40", "Row 3, income: '1e40' is too large for a lesson"),
    ],
)
def test_a_slip_in_the_table_is_said_in_words_and_can_be_mended(
    opened: Opened, cell: str | None, sentence: str
):
    page = opened("lessons")
    frame = typed(made_up(SEED, 16))
    frame.loc[2, "income"] = cell
    page = edited(page, frame)
    assert not page.exception
    assert sentence in said(page)
    assert not page.get("plotly_chart")
    page = edited(page, typed(made_up(SEED, 16)))
    assert page.get("plotly_chart")


def test_too_few_records_for_k_are_said_in_words(opened: Opened):
    page = edited(opened("lessons"), typed(made_up(SEED, 16)).iloc[:3])
    assert "With k = 3 at least 6 records are needed for two groups; here are 3." in said(page)


def test_too_many_records_and_none_are_said_in_words():
    many = pd.DataFrame({"a": ["1"] * 61, "b": ["2"] * 61})
    with pytest.raises(DataError, match="at most 60 records; the table has 61"):
        lesson_table.records_of(many)
    with pytest.raises(DataError, match="The table is empty"):
        lesson_table.records_of(pd.DataFrame({"a": ["", None], "b": [" ", None]}))


def test_two_attributes_of_the_loaded_data_can_be_looked_at(opened: Opened):
    page = opened("lessons", data="tarragona")
    page.segmented_control(key="lesson_source").set_value("From the data").run()
    columns = list(ma.load_dataset("tarragona").frame.columns[[4, 7]])
    page.multiselect(key="lesson_columns").set_value(columns).run()
    assert not page.exception
    held = page.session_state["lesson_key"][3]
    assert held[1] == tuple(columns)
    values = np.frombuffer(held[0]).reshape(-1, 2)
    whole = ma.load_dataset("tarragona").matrix(columns)
    assert len(values) == 16
    assert all((whole == row).all(axis=1).any() for row in values)
    assert any("16 companies, one record each." in html.proto.body for html in page.get("html"))


def test_fewer_attributes_than_a_lesson_needs_are_asked_for(opened: Opened):
    page = opened("lessons", data="tarragona")
    page.segmented_control(key="lesson_source").set_value("From the data").run()
    page.multiselect(key="lesson_columns").set_value([]).run()
    assert "Choose 2 attributes at the left." in said(page)


def test_settings_of_a_lesson_survive_another_page(opened: Opened):
    page = opened("lessons")
    page.radio(key="lesson").set_value("optimal").run()
    page.selectbox(key="lesson_optimal_attribute").set_value("income").run()
    page.slider(key="lesson_k").set_value(4).run()
    page.switch_page("pages/explore.py").run()
    page.switch_page("pages/lessons.py").run()
    assert page.radio(key="lesson").value == "optimal"
    assert page.selectbox(key="lesson_optimal_attribute").value == 1  # the second, "income"
    assert page.slider(key="lesson_k").value == 4


def test_texts_of_numbers_come_back_as_the_same_numbers():
    values = np.array([[0.1, -2.5e-7], [123456789.123, 3.0]])
    assert (lesson_table.records_of(typed(Records(values, COLUMNS))).values == values).all()


def test_k_stays_what_it_is_when_its_range_moves(opened: Opened):
    page = opened("lessons")
    page.slider(key="lesson_k").set_value(5).run()
    page.number_input(key="lesson_count").set_value(30).run()
    assert (page.slider(key="lesson_k").value, page.slider(key="lesson_k").max) == (5, 15)
    page.number_input(key="lesson_count").set_value(8).run()
    assert (page.slider(key="lesson_k").value, page.slider(key="lesson_k").max) == (4, 4)


def test_what_one_visitor_types_is_not_seen_by_another(opened: Opened):
    edited(opened("lessons"), typed(made_up(SEED, 16)).iloc[:6])
    held = opened("lessons").session_state["lesson_key"][3]
    assert held == (made_up(SEED, 16).values.tobytes(), COLUMNS, "people")
