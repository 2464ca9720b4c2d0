"""A user with a browser: what can be done on the pages, and what they show when they are at rest.

At rest every control, the address, the figures and the saved file are of one plan. What should be seen is
worked out from the address alone, by the library.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from microagg.assessment.assess import assess
from microagg.errors import MicroaggError
from microagg.io.datasets import load_dataset
from microagg.io.reading import read_table
from microagg.io.writing import csv_bytes
from microagg.lessons.example import SEED
from microagg.measures.knowledge import Knowledge
from microagg.methods import METHODS
from microagg.model.microdata import Microdata
from microagg.protection.protect import protect
from microagg.ui.components.words import text
from microagg.ui.plan import controls, policies, row_options
from microagg.ui.results import headline
from microagg.ui.state.plan_settings import honoured, typed
from microagg.ui.state.settings import UPLOADED, Settings, is_setting, read_query
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

    from microagg.model.plan import Plan
    from microagg.ui.state.plan_settings import Honoured

OWN = "walk.csv"
CONTENT = (
    "person;age;rent;hours;ill\n"
    + "".join(
        f"P{i:02};{20 + i * 7 % 41};{800 + i * 37 % 211};{i * 11 % 40 + 1};{'yes' if i % 3 else 'no'}\n"
        for i in range(40)
    )
).encode()
PAGES = ("Data", "Explore", "Compare", "Attack", "Use", "Release", "Papers", "Lessons")

_SEEN = """() => {
  const app = document.querySelector("[data-testid=stApp]");
  const controls = {};
  for (const element of document.querySelectorAll("[class*='st-key-']")) {
    for (const name of element.classList) {
      const key = name.match(/^st-key-(.+)-\\d+$/);
      if (!key) continue;
      const range = [...element.querySelectorAll("input[type=range]")];
      const box = element.querySelector("input[type=checkbox]");
      const radio = element.querySelector("input[type=radio]:checked, [role=radio][aria-checked=true]");
      const other = element.querySelector("input:not([type=file]), textarea");
      const told = (e) => (e.closest("label") || e).innerText.trim();
      if (range.length) controls[key[1]] = range.map((e) => e.value).join("-");
      else if (box) controls[key[1]] = String(box.checked);
      else if (radio) controls[key[1]] = told(radio);
      else if (other) controls[key[1]] = other.value;
    }
  }
  const figures = {};
  for (const metric of document.querySelectorAll(".st-key-picture [data-testid=stMetric]")) {
    figures[metric.querySelector("[data-testid=stMetricLabel]").innerText.trim()] =
      metric.querySelector("[data-testid=stMetricValue]").innerText.trim();
  }
  return {
    running: app ? app.getAttribute("data-test-script-state") : "loading",
    url: location.href, controls, figures,
    errors: [...document.querySelectorAll("[data-testid=stException], [data-testid=stDialog]")]
      .map((e) => e.innerText),
    said: [...document.querySelectorAll("[data-testid=stAlert]")].map((e) => e.innerText).join(" "),
  };
}"""


@dataclass(frozen=True)
class Seen:
    """What a page shows.

    Parameters
    ----------
    running : str
        State of the script.
    url : str
    controls : dict of str to str
        Text of each control by its name.
    figures : dict of str to str
        Of Explore, by title.
    errors : list of str
        Tracebacks and dialogs.
    said : str
        Messages.
    """

    running: str
    url: str
    controls: dict[str, str]
    figures: dict[str, str]
    errors: list[str]
    said: str

    @property
    def page(self) -> str:
        """The page's part of the address."""
        return urlsplit(self.url).path.strip("/") or "data"

    @property
    def query(self) -> dict[str, str]:
        """What the address says."""
        return dict(parse_qsl(urlsplit(self.url).query, keep_blank_values=True))

    @property
    def settings(self) -> Settings:
        """The settings that the address says; all of it must mean something."""
        settings, complaints = read_query(self.query)
        assert not complaints, complaints
        return settings

    @property
    def choices(self) -> dict[str, str]:
        """What the address says beside the settings."""
        return {name: value for name, value in self.query.items() if not is_setting(name)}


def seen(page: Page) -> Seen:
    """Look at a page now."""
    return Seen(**page.evaluate(_SEEN))


@dataclass
class Visit:
    """One tab: what is expected of it, and whether a file was uploaded in it.

    Parameters
    ----------
    page : Page
    uploaded : bool
    url : str
        Where it was at rest.
    patience : float
        Seconds in which it must come to rest.
    """

    page: Page
    uploaded: bool = False
    url: str = ""
    patience: float = PATIENCE / 2

    def settle(self, expected: Callable[[Seen], str] = lambda _: "") -> Seen:
        """Wait until the page is at rest and right; what is wrong after long enough is a fault.

        Parameters
        ----------
        expected : callable
            Says what is missing of that which the last action was to bring, or nothing.
        """
        until, before = time.monotonic() + self.patience, None
        while True:
            now = seen(self.page)
            asked = self.page.get_by_role("button", name="Use what the link says")
            if (
                now.running == "notRunning" and asked.count()
            ):  # after a reload a visit does not know its address
                asked.click()
                continue
            wrong = ["running"] if now.running != "notRunning" else [*faults(now, self), expected(now)]
            wrong = [one for one in wrong if one]
            if not wrong and before == now:
                self.url = now.url
                return now
            late = time.monotonic() - until
            assert late < 0 or (not wrong and late < self.patience), f"{now.url}\n" + "\n".join(wrong)
            before = None if wrong else now
            time.sleep(0.1)


@lru_cache(maxsize=200)
def data_of(settings: Settings, *, uploaded: bool) -> Microdata | None:
    """The data that an address speaks of, with its roles; None where the page has to ask for the file."""
    if not settings.data.startswith(UPLOADED):
        return typed(load_dataset(settings.data), settings)
    if not uploaded:
        return None
    table = read_table(CONTENT, name=OWN)
    return typed(Microdata.from_frame(table.frame, name=table.name), settings)


def faults(now: Seen, visit: Visit) -> list[str]:
    """Where a page at rest does not show what its address says."""
    found = [f"shows {error[:300]!r}" for error in now.errors]
    settings = now.settings
    data = data_of(settings, uploaded=visit.uploaded)
    if now.page in ("papers", "lessons"):
        return found + _differing(now, _of_lesson(now))
    title = "data_set" if now.page == "data" else "data"
    shown = now.controls.get(title, "")
    name = settings.data.removeprefix(UPLOADED)
    if not shown.lower().startswith(name.split("_")[0]):
        found.append(f"{title} shows {shown!r}, in force is {settings.data}")
    if data is None:
        return found if OWN in now.said else [*found, "does not say which file it needs"]
    wanted = honoured(settings, data)
    found += _differing(now, _of_page(now, settings, data, wanted))
    if now.page == "explore":
        found += _figures(now, settings, data, wanted)
    return found


def _differing(now: Seen, expected: dict[str, str]) -> list[str]:
    return [
        f"{name} shows {now.controls.get(name)!r}, in force is {value!r}"
        for name, value in expected.items()
        if now.controls.get(name) != value
    ]


def _of_lesson(now: Seen) -> dict[str, str]:
    if now.page == "papers":
        return {}
    own = {"lesson_step": "1", "lesson_seed": str(SEED), "lesson_count": "16"}
    if "records are needed" in now.said:  # too few for the k that is set: there is no step to show
        del own["lesson_step"]
    return {name: now.choices.get(name, default) for name, default in own.items()} | (
        {"lesson_k": now.choices.get("lesson_k", "3")} if now.choices.get("lesson") != "mic1d" else {}
    )


def _of_page(now: Seen, settings: Settings, data: Microdata, wanted: Honoured) -> dict[str, str]:
    plan, chosen = wanted.plan, now.choices
    order = {
        "rounding": row_options.ROUNDING[plan.rounding],
        "shuffled": _on(plan.shuffle is not None),
        "shuffle": str(plan.shuffle or 0),
        "keep_identifiers": _on(plan.keep_identifiers and bool(data.columns("identifier"))),
    }
    match now.page:
        case "data":
            return {"data_k": str(settings.k), "missing": policies.MISSING[settings.missing]}
        case "explore":
            return order | {
                "method": METHODS[settings.method].title,
                "k": str(settings.k),
                "k_box": str(settings.k),
                "lam": f"{plan.lam:g}",
                "blocks": controls.BLOCKS[str(plan.blocks).partition(":")[0]]
                if isinstance(plan.blocks, str)
                else "Drawn by hand",
                "aggregate": plan.aggregate,
                "seed": str(plan.seed),
                "refining": _on(plan.refine is not None),
                "weighted": _on(plan.weighted),
            }
        case "release":
            return order
        case "attack":
            return {"attack_loss": chosen.get("attack_loss", "50")}
        case "compare":
            return {
                "wish_loss": chosen.get("wish_loss", "50"),
                "wish_dr": chosen.get("wish_dr", ""),
                "grid_k": chosen.get("grid_k", "3-12"),
            }
        case "use":
            return {"use_folds": chosen.get("use_folds", "5"), "use_seed": chosen.get("use_seed", "0")}
    return {}


def _on(value: object) -> str:
    return "true" if value else "false"


def _figures(now: Seen, settings: Settings, data: Microdata, wanted: Honoured) -> list[str]:
    expected = _expected_figures(data, wanted.plan, settings.knowledge)
    if isinstance(expected, str):
        return [] if not now.figures and now.said else [f"shows figures, but the library says {expected}"]
    shown = list(now.figures.values())
    return [] if shown == expected else [f"figures are {shown}, by the library {expected}"]


@lru_cache(maxsize=200)
def _expected_figures(data: Microdata, plan: Plan, knowledge: str) -> list[str] | str:
    """The figures by the library, or the sentence with which it refuses."""
    try:
        release = protect(data, plan)
    except MicroaggError as error:
        return str(error)
    figures = assess(release, knowledge=Knowledge.parse(knowledge)).figures()
    return [text(name, figures[name]) for name in headline.FIGURES]


def released(visit: Visit, now: Seen) -> bytes:
    """The file that the library makes for the address."""
    data = data_of(now.settings, uploaded=visit.uploaded)
    assert data is not None
    release = protect(data, honoured(now.settings, data).plan)
    own = now.settings.data.startswith(UPLOADED)
    return csv_bytes(release.protected, read_table(CONTENT, name=OWN).dialect if own else None)


def saved(page: Page, button: str, folder: Path) -> bytes:
    """What a button saves."""
    with page.expect_download() as download:
        page.get_by_role("button", name=button, exact=True).click()
    target = folder / "saved"
    download.value.save_as(target)
    return target.read_bytes()


def part(name: str) -> str:
    """Selector of a control by its name."""
    return f"[class*='st-key-{name}-']"


def keys(page: Page, name: str, key: str, times: int, pause: float) -> None:
    """Press a key on a control, several times, so many seconds apart."""
    page.locator(f"{part(name)} input").first.focus()
    for _ in range(times):
        page.keyboard.press(key)
        time.sleep(pause)


def drag(page: Page, name: str, share: float) -> None:
    """Drag a slider's handle to a share of its length."""
    rail = page.locator(f"{part(name)} input[type=range]").first
    rail.scroll_into_view_if_needed()
    handle, whole = rail.bounding_box(), page.locator(part(name)).first.bounding_box()
    assert handle is not None
    assert whole is not None
    y = handle["y"] + handle["height"] / 2
    page.mouse.move(handle["x"] + handle["width"] / 2, y)
    page.mouse.down()
    page.mouse.move(whole["x"] + 8 + share * (whole["width"] - 16), y, steps=4)
    page.mouse.up()


def plan_of(now: Seen, **changes: Any) -> str:
    """A plan as a file, for the data of an address."""
    data = load_dataset(now.settings.data)
    return json.dumps(json.loads(honoured(now.settings.replace(**changes), data).plan.to_json()))
