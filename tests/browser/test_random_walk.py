"""Whatever is done, in whatever order and however fast: at rest, all that a page shows is of one plan.

A walk's seed is printed; ``MICROAGG_WALK=<seed>`` takes the same walk again. A walk that fails is made
shorter first, as far as it still fails.
"""

from __future__ import annotations

import os
import random
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, Verbosity, seed, settings
from hypothesis import strategies as some
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.served import WAIT, chromium, served
from tests.browser.walker import (
    CONTENT,
    OWN,
    PAGES,
    Seen,
    Visit,
    data_of,
    drag,
    keys,
    part,
    plan_of,
    released,
    saved,
    seen,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


PAUSES = some.sampled_from((0.03, 0.06, 0.1, 0.15, 0.3))
SLIDERS = {
    "explore": {"k": (1.0, "k", "5"), "lam": (0.05, "lam", "0.0")},
    "attack": {"attack_loss": (5.0, "attack_loss", "50")},
    "compare": {"wish_loss": (5.0, "wish_loss", "50")},
    "lessons": {"lesson_k": (1.0, "", ""), "lesson_step": (1.0, "lesson_step", "1")},
}
SWITCHES = {
    "explore": ("shuffled", "keep_identifiers", "refining"),
    "release": ("shuffled", "keep_identifiers"),
}
LISTS = {
    "data": ("data_set", "missing"),
    "explore": ("data", "method", "knowledge", "rounding", "aggregate", "blocks"),
    "attack": ("data", "attack_width", "attack_direction"),
    "release": ("data", "rounding"),
    "use": ("data", "use_model"),
    "papers": ("paper", "paper_table"),
}
BOXES = {
    "data": ("data_k",),
    "explore": ("k_box", "seed"),
    "use": ("use_seed",),
    "lessons": ("lesson_seed", "lesson_count"),
    "compare": ("wish_dr",),
}
SMALL = ("survey", OWN)
"""Only data sets that take no time to protect."""


class Walk(RuleBasedStateMachine):
    """A visitor with two tabs."""

    site = ""
    browser: Browser
    actions = 0
    rests = 0

    def __init__(self) -> None:
        super().__init__()
        self.context = self.browser.new_context(
            viewport={"width": 1440, "height": 1300}, accept_downloads=True
        )
        self.context.set_default_timeout(WAIT)
        self.folder = tempfile.TemporaryDirectory()
        self.missed: list[str] = []
        self.tabs = [Visit(self._tab()) for _ in range(2)]
        self.now = 0

    def _tab(self) -> Page:
        page = self.context.new_page()
        page.on("console", lambda line: self.missed.append(line.text) if "MISS" in line.text else None)
        return page

    @property
    def tab(self) -> Visit:
        return self.tabs[self.now]

    @property
    def page(self) -> Page:
        return self.tab.page

    def do(self, expected: Callable[[Seen], str] = lambda _: "") -> Seen:
        """An action was done: wait for rest, and look."""
        Walk.actions += 1
        now = self.tab.settle(expected)
        assert not self.missed, self.missed
        Walk.rests += 1
        if Walk.rests % 6 == 0:
            self._saved(now)
        return now

    def _saved(self, now: Seen) -> None:
        data = data_of(now.settings, uploaded=self.tab.uploaded)
        button = {"explore": "Save file", "release": "Protected file"}.get(now.page, "")
        wanted = self.page.get_by_role("button", name=button, exact=True) if button else None
        if data is not None and wanted is not None and wanted.count() and wanted.is_enabled():
            if now.page == "release" and "leave_format" in now.choices:
                return
            assert saved(self.page, button, Path(self.folder.name)) == released(self.tab, now)

    def here(self, table: dict[str, Any]) -> bool:
        return bool(self.tab.url) and seen(self.page).page in table

    @initialize()
    def open(self) -> None:
        for visit, k in zip(self.tabs, (3, 4), strict=True):
            visit.page.goto(f"{self.site}/explore?data=survey&k={k}")
            visit.settle()

    @precondition(lambda self: self.here(SLIDERS))
    @rule(draw=some.data(), pause=PAUSES, times=some.integers(1, 8), up=some.booleans())
    def press(self, draw: some.DataObject, pause: float, times: int, *, up: bool) -> None:
        """Press an arrow key on a slider, in a burst."""
        now = seen(self.page)
        name = draw.draw(some.sampled_from(sorted(SLIDERS[now.page])))
        rail = self.page.locator(f"{part(name)} input[type=range]")
        if not rail.count() or rail.is_disabled():
            return
        step = SLIDERS[now.page][name][0]
        low, high, before = (float(rail.get_attribute(end) or 0) for end in ("min", "max", "value"))
        before = float(now.controls[name])
        after = min(max(before + (1 if up else -1) * times * step, low), high)
        key = "ArrowRight" if up else "ArrowLeft"
        keys(self.page, name, key, times, pause)
        self.do(
            lambda now: (
                ""
                if abs(float(now.controls.get(name, "nan")) - after) < 1e-9
                else f"{times} × {key} on {name} from {before:g}: {now.controls.get(name)}"
            ),
        )

    @precondition(lambda self: self.here(SLIDERS))
    @rule(draw=some.data(), share=some.floats(0, 1))
    def drag(self, draw: some.DataObject, share: float) -> None:
        now = seen(self.page)
        name = draw.draw(some.sampled_from(sorted(SLIDERS[now.page])))
        rail = self.page.locator(f"{part(name)} input[type=range]")
        if rail.count() and not rail.is_disabled():
            drag(self.page, name, share)
            self.do()

    @precondition(lambda self: self.here(SWITCHES))
    @rule(draw=some.data())
    def switch(self, draw: some.DataObject) -> None:
        now = seen(self.page)
        name = draw.draw(some.sampled_from(SWITCHES[now.page]))
        self._unfold(now)
        box = self.page.locator(f"{part(name)} input[type=checkbox]")
        if box.count() and box.is_enabled():
            wanted = "false" if now.controls[name] == "true" else "true"
            self.page.locator(f"{part(name)} label").first.click()
            self.do(lambda now: "" if now.controls.get(name) == wanted else f"{name} is not {wanted}")

    @precondition(lambda self: self.here(LISTS))
    @rule(draw=some.data(), times=some.integers(1, 6))
    def choose(self, draw: some.DataObject, times: int) -> None:
        now = seen(self.page)
        name = draw.draw(some.sampled_from(LISTS[now.page]))
        self._unfold(now)
        field = self.page.locator(f"{part(name)} input")
        if not field.count() or field.first.is_disabled():
            return
        field.first.click()
        options = self.page.get_by_role("option")
        options.first.wait_for()
        said = options.all_inner_texts()
        fit = [i for i, text in enumerate(said) if name not in ("data", "data_set") or small(text)]
        options.nth(fit[times % len(fit)]).click()
        self.do()

    @precondition(lambda self: self.here(BOXES))
    @rule(draw=some.data(), number=some.integers(4, 9))
    def type(self, draw: some.DataObject, number: int) -> None:
        now = seen(self.page)
        name = draw.draw(some.sampled_from(BOXES[now.page]))
        self._unfold(now)
        field = self.page.locator(f"{part(name)} input")
        if field.count() and field.is_enabled():
            field.fill(str(number))
            field.press("Enter")
            self.do(
                lambda now: "" if now.controls.get(name) == str(number) else f"{name} is not {number}",
            )

    def _unfold(self, now: Seen) -> None:
        """Open the options, which are folded away."""
        if now.page == "explore":
            box = (
                self.page.locator("details")
                .filter(has=self.page.locator("summary", has_text="Options"))
                .first
            )
            if box.count() and box.get_attribute("open") is None:
                box.locator("summary").click()

    @rule(name=some.sampled_from(PAGES))
    def turn(self, name: str) -> None:
        self.page.get_by_role("link", name=name, exact=True).click()
        before = self.tab.url
        self.do(
            lambda now: (
                ""
                if now.page == name.lower() or (name == "Data" and not now.page)
                else f"{before}: not {name}"
            ),
        )

    @rule(times=some.integers(1, 3))
    def back(self, times: int) -> None:
        for _ in range(times):
            self.page.go_back()
            if not self.page.url.startswith(self.site):
                self.page.go_forward()
                break
        self._same_visit()
        self.do()

    @rule()
    def forward(self) -> None:
        self.page.go_forward()
        self._same_visit()
        self.do()

    def _same_visit(self) -> None:
        self.page.wait_for_selector("[data-testid=stApp]")

    @rule()
    def reload(self) -> None:
        before = seen(self.page).url
        self.page.reload()
        self.tab.uploaded = False
        self.do(lambda now: "" if now.url == before else f"reload turned {before} into {now.url}")

    @precondition(lambda self: self.here({"explore": ()}))
    @rule(name=some.sampled_from(("Undo", "Redo", "Pin", "Unpin")))
    def button(self, name: str) -> None:
        button = self.page.get_by_role("button", name=name, exact=True)
        if button.count() and button.is_enabled():
            button.click()
            self.do()

    @precondition(lambda self: self.here({"data": ()}))
    @rule()
    def upload(self) -> None:
        self.page.locator(f"{part('file')} input[type=file]").set_input_files(
            {"name": OWN, "mimeType": "text/csv", "buffer": CONTENT}
        )
        self.tab.uploaded = True
        self.do(lambda now: "" if now.settings.data == f"file:{OWN}" else "not the uploaded file")

    @precondition(lambda self: self.here({"data": ()}))
    @rule(k=some.integers(2, 8), shuffle=some.sampled_from((None, 3)))
    def open_plan(self, k: int, shuffle: int | None) -> None:
        now = seen(self.page)
        if now.settings.data != "survey":
            return
        self.page.get_by_role("button", name="Open a saved plan").click()
        self.page.locator(f"{part('plan_file')} input[type=file]").set_input_files(
            {
                "name": "plan.json",
                "mimeType": "application/json",
                "buffer": plan_of(now, k=k, shuffle=shuffle).encode(),
            }
        )
        self.do(
            lambda now: "" if (now.settings.k, now.settings.shuffle) == (k, shuffle) else "not the plan",
        )
        self.page.keyboard.press("Escape")

    @precondition(lambda self: self.here({"data": ()}))
    @rule(row=some.integers(1, 4), role=some.sampled_from(("Other", "Confidential", "Quasi-identifier")))
    def role(self, row: int, role: str) -> None:
        """Change a column's role in the table, which is drawn on a canvas."""
        table = self.page.locator("[data-testid=stDataFrame]").first
        if not table.is_visible():
            return
        place = table.bounding_box()
        assert place is not None
        self.page.mouse.dblclick(place["x"] + 260, place["y"] + 36 + 30 * row + 15)
        choice = self.page.get_by_role("option", name=role, exact=True)
        try:
            choice.click(timeout=3000)
        except Exception:  # noqa: BLE001 - no list: the cell stands elsewhere
            self.page.keyboard.press("Escape")
            return
        self.do()

    @rule()
    def other_tab(self) -> None:
        """Turn to the other tab: nothing has changed there."""
        self.now = 1 - self.now
        url = self.tab.url
        self.page.bring_to_front()
        self.do(lambda now: "" if now.url == url else f"the other tab went from {url} to {now.url}")

    def teardown(self) -> None:
        self.context.close()
        self.folder.cleanup()


def small(option: str) -> bool:
    """Whether a data set takes no time."""
    return any(name.split(".")[0] in option.lower() for name in SMALL)


@pytest.fixture
def walking() -> Iterator[None]:
    with served() as site, sync_playwright() as playwright, chromium(playwright) as browser:
        Walk.site, Walk.browser, Walk.actions, Walk.rests = site, browser, 0, 0
        yield


def walk(walks: int, steps: int) -> None:
    number = int(os.environ.get("MICROAGG_WALK") or random.SystemRandom().randrange(10**9))
    print(f"MICROAGG_WALK={number}")
    how = settings(
        max_examples=walks,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.normal,
        print_blob=False,
    )
    try:
        run_state_machine_as_test(seed(number)(Walk), settings=how)
    except Exception as error:
        error.add_note(f"MICROAGG_WALK={number}, after {Walk.actions} actions")
        raise
    finally:
        print(f"{Walk.actions} actions")


@pytest.mark.usefixtures("walking")
def test_at_rest_all_that_a_page_shows_is_of_one_plan() -> None:
    walk(10, 30)


@pytest.mark.nightly
@pytest.mark.usefixtures("walking")
def test_at_rest_all_that_a_page_shows_is_of_one_plan_for_long() -> None:
    walk(100, 50)
