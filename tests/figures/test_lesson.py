"""A step's figure holds its marks, on panels of their own, in colours that can be told apart."""

from __future__ import annotations

import numpy as np
import pytest

from microagg.figures.lesson import COLOURS, GROUP_COLOURS, GROUP_SYMBOLS, NOW, step
from microagg.lessons import LESSONS
from microagg.lessons.example import made_up
from microagg.lessons.scene import Area, Dots, Panel, Word
from tests.figures.test_figures import luminance


@pytest.mark.parametrize("background", ["#ffffff", "#0f141b"])
@pytest.mark.parametrize("colour", [NOW, *GROUP_COLOURS])
def test_colours_keep_three_to_one_on_both_backgrounds(colour: str, background: str) -> None:
    lighter, darker = sorted((luminance(colour), luminance(background)), reverse=True)
    assert (lighter + 0.05) / (darker + 0.05) >= 3.0


def test_groups_never_share_colour_and_shape_with_one_of_the_next_29() -> None:
    pairs = {(g % len(GROUP_COLOURS), g % len(GROUP_SYMBOLS)) for g in range(30)}
    assert len(pairs) == 30


def test_groups_have_no_colour_that_means_something_else() -> None:
    assert not set(GROUP_COLOURS) & set(COLOURS.values())


def test_marks_stand_where_they_are_put_and_keep_their_words() -> None:
    dots = Dots(np.array([[1.0, 2.0], [3.0, 4.0]]), "group", np.array([0, 1]), ("1", "2"), ("a", "<b>"))
    area = Area(np.array([[0.0, 0.0]]), np.array([[1.0, 5.0]]), "faint")
    panel = Panel("D_X", "x", "y", (0.0, 4.0), (0.0, 5.0), (area, dots, Word(1.0, 1.0, "r", "now")))
    figure = step((panel, panel))
    drawn = figure.data[1]
    assert (list(drawn.x), list(drawn.y)) == ([1.0, 3.0], [2.0, 4.0])
    assert list(drawn.hovertext) == ["a", "&lt;b&gt;"]
    assert len(set(drawn.marker.color)) == len(set(drawn.marker.symbol)) == 2
    assert np.nanmax(figure.data[0].y) == 5.0
    assert figure.layout.annotations[0].text == "D<sub>X</sub>"
    assert {trace.xaxis for trace in figure.data} == {"x", "x2"}


def test_an_empty_panel_still_has_its_axes() -> None:
    figure = step((Panel("", "x", "y", (0.0, 4.0), (0.0, 5.0), ()),))
    assert len(figure.data) == 1
    assert figure.layout.xaxis.range == (0.0, 4.0)


@pytest.mark.parametrize("name", LESSONS)
def test_every_step_of_every_lesson_can_be_drawn(name: str) -> None:
    for shown in LESSONS[name].walk(made_up(2, 12), 2, {}):
        assert step(shown.panels).layout.height == 440
