"""Whatever is done, in whatever order and however fast: at rest, all that a page shows is of one plan.

A walk is drawn from a seed, which is printed: ``MICROAGG_WALK=<seed>`` takes the same walks again. One that
fails is made shorter as far as it still fails, and its actions are printed.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from playwright.sync_api import Browser, Error, Page, sync_playwright

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
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Action: TypeAlias = tuple[str, dict[str, Any]]
PAUSES = (0.03, 0.06, 0.1, 0.15, 0.3)
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


class Walk:
    """A visitor with two tabs."""

    site = ""
    browser: Browser
    rests = 0

    def __init__(self, patience: float = PATIENCE / 2) -> None:
        self.context = self.browser.new_context(
            viewport={"width": 1440, "height": 1300}, accept_downloads=True
        )
        self.context.set_default_timeout(WAIT)
        self.folder = tempfile.TemporaryDirectory()
        self.missed: list[str] = []
        self.tabs = [Visit(self._tab(), patience=patience) for _ in range(2)]
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

    @property
    def now_at(self) -> str:
        return seen(self.page).page

    def open(self) -> None:
        for visit, k in zip(self.tabs, (3, 4), strict=True):
            visit.page.goto(f"{self.site}/explore?data=survey&k={k}")
            visit.settle()

    def press(self, pick: float, pause: float, times: int, *, up: bool) -> None:
        """Press an arrow key on a slider, in a burst."""
        now = seen(self.page)
        name = one_of(sorted(SLIDERS[now.page]), pick)
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

    def drag(self, pick: float, share: float) -> None:
        now = seen(self.page)
        name = one_of(sorted(SLIDERS[now.page]), pick)
        rail = self.page.locator(f"{part(name)} input[type=range]")
        if rail.count() and not rail.is_disabled():
            drag(self.page, name, share)
            self.do()

    def switch(self, pick: float) -> None:
        now = seen(self.page)
        name = one_of(SWITCHES[now.page], pick)
        self._unfold(now)
        box = self.page.locator(f"{part(name)} input[type=checkbox]")
        if box.count() and box.is_enabled():
            wanted = "false" if now.controls[name] == "true" else "true"
            self.page.locator(f"{part(name)} label").first.click()
            self.do(lambda now: "" if now.controls.get(name) == wanted else f"{name} is not {wanted}")

    def choose(self, pick: float, times: int) -> None:
        now = seen(self.page)
        name = one_of(LISTS[now.page], pick)
        self._unfold(now)
        field = self.page.locator(f"{part(name)} input")
        if not field.count() or field.first.is_disabled():
            return
        options = self.page.get_by_role("option")
        for _ in range(30):  # a list that is drawn anew as it is clicked stays closed
            field.first.click()
            try:
                options.first.wait_for(timeout=WAIT / 30)
                break
            except Error:
                continue
        said = options.all_inner_texts()
        fit = [i for i, text in enumerate(said) if name not in ("data", "data_set") or small(text)]
        options.nth(fit[times % len(fit)]).click()
        self.do()

    def type(self, pick: float, number: int) -> None:
        now = seen(self.page)
        name = one_of(BOXES[now.page], pick)
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

    def back(self, times: int) -> None:
        for _ in range(times):
            self.page.go_back()
            if not self.page.url.startswith(self.site):
                self.page.go_forward()
                break
        self._same_visit()
        self.do()

    def forward(self) -> None:
        self.page.go_forward()
        self._same_visit()
        self.do()

    def _same_visit(self) -> None:
        self.page.wait_for_selector("[data-testid=stApp]")

    def reload(self) -> None:
        before = seen(self.page).url
        self.page.reload()
        self.tab.uploaded = False
        self.do(lambda now: "" if now.url == before else f"reload turned {before} into {now.url}")

    def button(self, name: str) -> None:
        button = self.page.get_by_role("button", name=name, exact=True)
        if button.count() and button.is_enabled():
            button.click()
            self.do()

    def upload(self) -> None:
        self.page.locator(f"{part('file')} input[type=file]").set_input_files(
            {"name": OWN, "mimeType": "text/csv", "buffer": CONTENT}
        )
        self.tab.uploaded = True
        self.do(lambda now: "" if now.settings.data == f"file:{OWN}" else "not the uploaded file")

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

    def other_tab(self) -> None:
        """Turn to the other tab: nothing has changed there."""
        self.now = 1 - self.now
        url = self.tab.url
        self.page.bring_to_front()
        self.do(lambda now: "" if now.url == url else f"the other tab went from {url} to {now.url}")

    def close(self) -> None:
        self.context.close()
        self.folder.cleanup()


def one_of(names: Sequence[str], pick: float) -> str:
    """The name at a share of the way through a list."""
    return names[min(int(pick * len(names)), len(names) - 1)]


def small(option: str) -> bool:
    """Whether a data set takes no time."""
    return option.lower().startswith(tuple(name.split(".")[0] for name in SMALL))


ROLES = ("Other", "Confidential", "Quasi-identifier")
DRAWN: dict[str, tuple[int, Callable[[random.Random], dict[str, Any]]]] = {
    "press": (
        8,
        lambda draw: {
            "pick": draw.random(),
            "pause": draw.choice(PAUSES),
            "times": draw.randint(1, 8),
            "up": draw.random() < 0.5,
        },
    ),
    "drag": (3, lambda draw: {"pick": draw.random(), "share": draw.random()}),
    "switch": (4, lambda draw: {"pick": draw.random()}),
    "choose": (5, lambda draw: {"pick": draw.random(), "times": draw.randint(1, 6)}),
    "type": (4, lambda draw: {"pick": draw.random(), "number": draw.randint(4, 9)}),
    "turn": (8, lambda draw: {"name": draw.choice(PAGES)}),
    "back": (4, lambda draw: {"times": draw.randint(1, 3)}),
    "forward": (2, lambda _: {}),
    "reload": (1, lambda _: {}),
    "button": (4, lambda draw: {"name": draw.choice(("Undo", "Redo", "Pin", "Unpin"))}),
    "upload": (2, lambda _: {}),
    "open_plan": (2, lambda draw: {"k": draw.randint(2, 8), "shuffle": draw.choice((None, 3))}),
    "role": (2, lambda draw: {"row": draw.randint(1, 4), "role": draw.choice(ROLES)}),
    "other_tab": (2, lambda _: {}),
}
"""How often each action is drawn, and how its particulars are."""
WHERE: dict[str, tuple[str, ...]] = {
    "press": tuple(SLIDERS),
    "drag": tuple(SLIDERS),
    "switch": tuple(SWITCHES),
    "choose": tuple(LISTS),
    "type": tuple(BOXES),
    "button": ("explore",),
    **dict.fromkeys(("upload", "open_plan", "role"), ("data",)),
}
"""The pages on which it can be done; on others it is left out."""
SHORTENING = 600.0
"""Seconds for making a walk that fails shorter, with less patience: it only makes the message better."""


def drawn(seed: int, steps: int) -> list[Action]:
    """The actions of a walk."""
    draw = random.Random(seed)  # noqa: S311 - no secret
    weights = [weight for weight, _ in DRAWN.values()]
    return [(name, DRAWN[name][1](draw)) for name in draw.choices(list(DRAWN), weights, k=steps)]


def taken(actions: Sequence[Action], patience: float = PATIENCE / 2) -> tuple[Exception | None, int]:
    """Take a walk: what went wrong, and how many actions it took."""
    walk, done = Walk(patience), 0
    try:
        walk.open()
        for name, how in actions:
            done += 1
            if os.environ.get("MICROAGG_WALK"):
                sys.__stdout__.write(f"{done} {name} {how}\n")
                sys.__stdout__.flush()
            walk.page.mouse.move(5, 5)  # away from what tells a tip, which can cover the next control
            if walk.now_at in WHERE.get(name, (walk.now_at,)):
                getattr(walk, name)(**how)
    except (AssertionError, Error) as error:
        return error, done
    finally:
        walk.close()
    return None, done


def shortened(actions: list[Action]) -> list[Action]:
    """The same walk without what it fails without."""
    part, until = max(len(actions) // 2, 1), time.monotonic() + SHORTENING
    while part and time.monotonic() < until:
        for start in range(0, len(actions), part):
            if time.monotonic() > until:
                break
            fewer = actions[:start] + actions[start + part :]
            if fewer and taken(fewer, patience=PATIENCE / 20)[0] is not None:
                actions = fewer
                break
        else:
            part //= 2
    return actions


@pytest.fixture
def walking() -> Iterator[None]:
    with served() as site, sync_playwright() as playwright, chromium(playwright) as browser:
        Walk.site, Walk.browser, Walk.rests = site, browser, 0
        yield


def walk(walks: int, steps: int) -> None:
    """Take walks, each from an empty browser."""
    seed = int(os.environ.get("MICROAGG_WALK") or random.SystemRandom().randrange(10**9))
    sys.__stdout__.write(f"\nMICROAGG_WALK={seed}\n")  # whatever becomes of the test
    for number in range(walks):
        actions = drawn(seed + number, steps)
        trouble, done = taken(actions)
        if trouble is not None:
            short = shortened(actions[:done])
            told = "\n".join(f"  {name} {how}" for name, how in short)
            pytest.fail(
                f"MICROAGG_WALK={seed}, {number * steps + done} actions\n{trouble}\nThese suffice:\n{told}"
            )


@pytest.mark.usefixtures("walking")
def test_at_rest_all_that_a_page_shows_is_of_one_plan() -> None:
    walk(2, 30)


@pytest.mark.nightly
@pytest.mark.usefixtures("walking")
def test_at_rest_all_that_a_page_shows_is_of_one_plan_for_long() -> None:
    walk(100, 50)
