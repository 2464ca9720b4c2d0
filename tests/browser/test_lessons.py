"""Lessons in a real browser: step, back, play, the keyboard, and a slip typed into the table."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect


@pytest.fixture(autouse=True)
def at_the_first_step(site: str, page: Page) -> None:
    page.goto(f"{site}/lessons")
    stands(page, 1)


def stands(page: Page, step: int, title: str = "") -> None:
    """Wait until the words are those of a step."""
    expect(page.locator(".lesson-words")).to_contain_text(f"{step} of 13 · {title}")
    expect(page.locator(".js-plotly-plot")).to_have_count(1)


def places(page: Page) -> list[dict[str, float] | None]:
    """Where the stage's parts stand."""
    parts = (".st-key-lesson_controls", ".lesson-words", ".js-plotly-plot", ".lesson-numbers")
    return [page.locator(part).bounding_box() for part in parts]


def test_forward_and_back_change_the_step_and_move_nothing(page: Page) -> None:
    before = places(page)
    page.get_by_role("button", name="Forward").click()
    stands(page, 2, "The centroid of what is left")
    assert places(page) == before
    page.get_by_role("button", name="Forward").click()
    stands(page, 3, "r, the farthest record")
    page.get_by_role("button", name="Back").click()
    stands(page, 2)
    assert places(page) == before
    expect(page.locator("[data-testid=stException]")).to_have_count(0)


def test_play_walks_to_the_end_by_itself_and_pause_stops_it(page: Page) -> None:
    page.get_by_role("radio", name="fast").click()
    page.get_by_role("button", name="Play").click()
    stands(page, 3)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    held = page.locator(".lesson-words").inner_text()
    page.wait_for_timeout(2500)
    assert page.locator(".lesson-words").inner_text() == held
    slider = page.locator("[class*='st-key-lesson_step-'] input[type=range]")
    slider.press("End")
    slider.press("ArrowLeft")
    stands(page, 12)
    page.get_by_role("button", name="Play").click()
    stands(page, 13, "What is released")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_keys_and_the_slider_step_without_a_mouse(page: Page) -> None:
    page.keyboard.press("f")
    stands(page, 2)
    page.keyboard.press("f")
    stands(page, 3)
    page.keyboard.press("b")
    stands(page, 2)
    page.locator("[class*='st-key-lesson_step-'] input[type=range]").press("End")
    stands(page, 13)


def test_keys_pressed_while_a_step_is_drawn_are_not_lost(page: Page) -> None:
    for _ in range(5):
        page.keyboard.press("f")
        page.wait_for_timeout(80)
    stands(page, 6)
    for key in "bbf":
        page.keyboard.press(key)
    stands(page, 5)
    for _ in range(12):
        page.keyboard.press("f")
    stands(page, 13)


def test_keys_step_wherever_the_focus_is_except_where_text_is_typed(page: Page) -> None:
    page.get_by_role("radio", name="MDAV").focus()
    page.keyboard.press("f")
    stands(page, 2)
    page.locator("[class*='st-key-lesson_step-'] input[type=range]").focus()
    page.keyboard.press("f")
    stands(page, 3)
    page.locator(".st-key-lesson_question_1 input[type=radio]").first.focus()
    page.keyboard.press("b")
    stands(page, 2)
    seed = page.locator("[class*='st-key-lesson_seed-'] input")
    seed.focus()
    page.keyboard.press("f")
    page.wait_for_timeout(1000)
    stands(page, 2)
    page.locator(".lesson-words").click()
    page.keyboard.press("f")
    stands(page, 3)


def test_an_answer_is_called_right_or_wrong_when_it_is_given(page: Page) -> None:
    first = page.locator(".st-key-lesson_question_1")
    expect(first).not_to_contain_text("Right.")
    expect(first).not_to_contain_text("Wrong.")
    first.get_by_text("3", exact=True).click()
    expect(first).to_contain_text("Wrong. k is the least size of a group")
    first.get_by_text("5", exact=True).click()
    expect(first).to_contain_text("Right. Their sizes are 3, 3, 3, 3 and 4")


def test_text_typed_into_the_table_is_answered_in_words_and_can_be_undone(page: Page) -> None:
    page.get_by_role("tab", name="Records").click()
    grid = page.locator("[data-testid=stDataFrame]")
    expect(grid).to_be_visible()
    box = grid.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 300, box["y"] + 55)
    page.keyboard.type("4x", delay=150)
    page.keyboard.press("Enter")
    expect(page.get_by_text("'4x' is no number")).to_be_visible()
    page.get_by_role("button", name="Undo edits").click()
    stands(page, 1)
