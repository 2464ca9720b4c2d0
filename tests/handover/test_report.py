"""The report is one file, escapes what it is given, and outside tells nothing that helps an intruder."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

import microagg as ma
from microagg.handover.release_file import Outgoing
from microagg.handover.report import contents, report
from microagg.handover.reproduction import Source
from microagg.io.table import Labels
from microagg.io.writing import csv_bytes
from tests.cli.test_cli import run

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = "<script>alert(1)</script>\"'&{{ 7*7 }}"
DAY = dt.date(2026, 1, 31)


def made(plan: ma.Plan, *, external: bool, name: str = "people") -> str:
    frame = pd.DataFrame(
        {
            "name": [f"Secret {i}" for i in range(30)],
            HOSTILE: [17.25 + 7 * i % 31 for i in range(30)],
            "rent": [5.125 + i * 5 % 17 for i in range(30)],
            "illness": [f"ill{i % 4}" for i in range(30)],
        }
    )
    roles = {"name": "identifier", "illness": "confidential"}
    release = ma.protect(ma.Microdata.from_frame(frame, roles=roles, name=name), plan)
    return report(
        Outgoing(release), ma.assess(release), date=DAY, source=Source(f"{name}.csv"), external=external
    )


PLAN = ma.Plan(method="constrained_lloyd", k=3, seed=987654, shuffle=123457, blocks="single")


class Tags(HTMLParser):
    """All tags with their attributes, in order; and whether each is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in {"meta", "link", "br", "rect", "path"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.mark.parametrize("external", [False, True])
def test_it_is_one_well_formed_file_without_scripts_or_outside_links(external: bool) -> None:
    text = made(PLAN, external=external)
    tags = Tags(text)
    assert tags.open == []
    assert not {"script", "img", "iframe", "object", "form"} & {tag for tag, _ in tags.found}
    links = [a.get("href") or a.get("src") for _, a in tags.found if a.get("href") or a.get("src")]
    assert all(link.startswith(("#", "data:")) for link in links)
    assert not re.search(r"https?://|url\(|@import|\son\w+=", text)


@pytest.mark.parametrize("external", [False, True])
def test_names_are_text_and_never_markup(external: bool) -> None:
    text = made(PLAN, external=external, name="<b>bold</b>")
    assert "<script" not in text
    assert "<b>bold" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "{{ 7*7 }}" in text


@pytest.mark.parametrize("external", [False, True])
def test_no_name_label_or_reason_becomes_a_tag_or_a_link(external: bool) -> None:
    marks = (
        "<script>alert(1)</script>",
        "![i](http://h.org)",
        "[x](javascript:go)",
        "<img src=x onerror=go>",
    )
    marks += ("<a href='javascript:go'>x</a>", '" onload="go')
    frame = pd.DataFrame(
        {
            marks[0]: [17.25 + 7 * i % 31 for i in range(30)],
            marks[1]: [5.125 + i * 5 % 17 for i in range(30)],
            marks[2]: [marks[i % 6] for i in range(30)],
            marks[3]: [marks[(i + i // 6) % 6] for i in range(30)],
            marks[4]: [i * 11 % 7 for i in range(30)],
        }
    )
    roles = {marks[2]: "quasi_identifier", marks[3]: "confidential", marks[4]: "stratum"}
    data = ma.Microdata.from_frame(frame, roles={marks[0]: "quasi_identifier", **roles}, name=marks[5])
    plan = ma.Plan(method="mixed", k=3, accept={"secrets": f"three words of {marks[3]} {marks[1]}"})
    plan = plan.replace(small_strata="merge together", orders={marks[2]: marks}, scales={marks[2]: "ordinal"})
    release = ma.protect(data, plan)
    labels = Labels(dict.fromkeys(frame, marks[0]), {marks[4]: dict(enumerate(marks))}, {})
    outgoing = Outgoing(release, labels=labels)
    source = Source(f"{marks[3]}.csv", {"delimiter": marks[0], "sheet": marks[2]})
    tags = Tags(report(outgoing, ma.assess(release), date=DAY, source=source, external=external))
    assert tags.open == []
    assert not {"script", "img", "iframe", "object", "form"} & {tag for tag, _ in tags.found}
    assert not [name for _, given in tags.found for name in given if name.startswith("on")]
    for tag, given in tags.found:
        for name in ("href", "src"):
            assert (given.get(name) or "#").startswith(("#", "data:")), (tag, given)


@pytest.mark.parametrize("external", [False, True])
def test_no_value_of_a_record_is_in_it(external: bool) -> None:
    text = made(PLAN, external=external)
    assert "Secret" not in text
    assert "ill0" not in text


def test_inside_it_holds_plan_measures_checks_and_date() -> None:
    text = made(PLAN, external=False)
    for part in (
        "2026-01-31",
        "987654",
        "123457",
        "Size-constrained Lloyd",
        "For the data owner",
        "Signature",
    ):
        assert part in text
    for measure in ("Information loss: 100", "Share of released records whose nearest original"):
        assert measure in text
    assert "microagg protect people.csv" in text
    assert text.count("<svg") == 3


def test_outside_nothing_tells_how_groups_were_made_or_what_an_intruder_finds() -> None:
    text = made(PLAN, external=True).partition("</style>")[2]
    for hidden in (
        *(
            "987654",
            "123457",
            "Lloyd",
            "each on its own",
            "block",
            "random order",
            "nearest original",
            "Unchanged",
        ),
        *("seed", "quasi_identifier", "microagg protect", "numba", "linked"),
    ):
        assert hidden not in text, hidden
    assert "replaced by the group&#39;s mean" in text


def test_a_red_check_is_said_in_both() -> None:
    plan = PLAN.replace(keep_identifiers=True)
    for external in (False, True):
        text = made(plan, external=external)
        assert "The file names its records by name." in text
        assert "✗" in text
    assert "are green." not in text


def test_the_same_day_gives_the_same_text() -> None:
    assert made(PLAN, external=False) == made(PLAN, external=False)


def test_a_release_of_categories_alone_has_a_report() -> None:
    frame = pd.DataFrame({"town": list("aabbccab"), "sex": list("fmfmfmfm")})
    data = ma.Microdata.from_frame(frame, roles={"town": "quasi_identifier", "sex": "quasi_identifier"})
    release = ma.protect(data, ma.Plan(method="mixed", k=2))
    text = report(Outgoing(release), ma.assess(release), date=DAY)
    assert "most frequent value" in text
    assert "nan" not in text


def test_the_command_writes_what_the_library_does(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text('{"method": "mdav", "k": 3}', encoding="utf-8")
    arguments = ("survey", "--plan", tmp_path / "plan.json", "--out", tmp_path / "r.html")
    assert run(capsys, "report", *arguments, "--date", "2026-01-31", "--external")[0] == 0
    release = ma.protect(ma.load_dataset("survey"), ma.Plan(k=3))
    text = report(Outgoing(release), ma.assess(release), date=DAY, source=Source("survey"), external=True)
    assert (tmp_path / "r.html").read_text(encoding="utf-8") == text
    status, _, error = run(capsys, "report", *arguments, "--date", "tomorrow", "--force")
    assert (status, "2026-01-31" in error) == (2, True)


def test_the_check_command_says_red_with_status_1(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text('{"method": "mdav", "k": 3}', encoding="utf-8")
    release = ma.protect(ma.load_dataset("survey"), ma.Plan(k=3))
    (tmp_path / "good.csv").write_bytes(csv_bytes(release.protected))
    (tmp_path / "bad.csv").write_bytes(csv_bytes(release.data.frame))
    plan = ("--plan", tmp_path / "plan.json")
    status, printed, _ = run(capsys, "check", "survey", tmp_path / "good.csv", *plan, "--json")
    told = json.loads(printed)
    assert not [one for one in told["checks"] if one["status"] == "red"]
    red = [one["finding"] for one in told["audit"] if one["status"] == "red"]
    assert (status, red[0]) == (1, "k, exposed")
    why = [part for name in red for part in ("--accept", f"{name}=It is made up.")]
    assert run(capsys, "check", "survey", tmp_path / "good.csv", *plan, *why)[0] == 0
    status, printed, _ = run(capsys, "check", "survey", tmp_path / "bad.csv", *plan, *why, "--json")
    red = {one["name"] for one in json.loads(printed)["checks"] if one["status"] == "red"}
    assert status == 1
    assert {"Identifiers", "Protected values", "k′, all protected", "Unchanged values"} <= red
    assert run(capsys, "check", "survey", tmp_path / "none.csv", *plan)[0] == 2


def test_a_red_check_alone_is_status_1(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text('{"method": "mdav", "k": 5}', encoding="utf-8")
    protected = ma.protect(ma.load_dataset("tarragona"), ma.Plan(k=5)).protected
    words = ("check", "tarragona", tmp_path / "out.csv", "--plan", tmp_path / "plan.json", "--json")
    found = []
    for frame in (protected, protected.assign(FIXED_ASSETS=protected["FIXED_ASSETS"] + 1)):
        (tmp_path / "out.csv").write_bytes(csv_bytes(frame))
        status, printed, _ = run(capsys, *words)
        told = json.loads(printed)
        red = {one["name"] for one in told["checks"] if one["status"] == "red"}
        assert "red" not in {one["status"] for one in told["audit"]}
        found.append((status, red))
    assert found[0] == (0, set())
    assert found[1][0] == 1
    assert "Protected values" in found[1][1]


def test_every_figure_that_is_not_defined_is_left_out() -> None:
    assert "not defined" not in made(PLAN, external=False)


def _public(release: ma.Release) -> tuple[str, list[str], list[str]]:
    """The headline of the public report, the findings and the checks that it shows by their marks."""
    text = report(Outgoing(release), ma.assess(release), date=DAY, external=True)
    said = re.search(r'<p class="verdict \w+">(.*?)</p>', text)
    assert said
    first, last = (
        re.findall(r'<td class="mark \w+">(. [^<]*)', part) for part in text.split("Checks of the file")
    )
    return said[1], first, last


@pytest.mark.parametrize(
    ("plan", "roles"),
    [
        (ma.Plan(k=3), {}),
        (ma.Plan(k=3, blocks="single"), {}),
        (ma.Plan(k=3, method="mic1d"), {}),
        (ma.Plan(k=3, columns=("age",)), {"rent": "quasi_identifier"}),
        (ma.Plan(k=3, shuffle=5), {}),
    ],
)
def test_the_headline_of_the_public_report_counts_what_it_shows(plan: ma.Plan, roles: dict[str, str]) -> None:
    frame = pd.DataFrame(
        {"age": [17.25 + 7 * i % 31 for i in range(30)], "rent": [i * 5 % 17 for i in range(30)]}
    )
    release = ma.protect(ma.Microdata.from_frame(frame, roles=roles), plan)
    out = Outgoing(release)
    said, findings, checks = _public(release)
    for rows, every, what in ((findings, out.audit, "finding"), (checks, out.checks, "check")):
        assert 0 < len(rows) <= len(every)
        for count in re.findall(rf"of (\d+) {what}", said):
            assert int(count) == len(rows)
        further = re.search(rf"(\d+) further {what}", said)
        assert len(every) - len(rows) == (int(further[1]) if further else 0)
    red = {found.name for found in out.checks if found.status == "red"}
    hidden = {name for name in red if name.startswith("k′, block") or name == "Unchanged values"}
    assert {row[2:] for row in checks if row.startswith("✗")} == red - hidden
    assert ("✗" in said[:1]) == any(one.status == "red" for one in (*out.audit, *out.checks))


def test_a_red_k_of_columns_left_unprotected_is_shown_outside() -> None:
    frame = pd.DataFrame(
        {"age": [17.25 + 7 * i % 31 for i in range(30)], "rent": [i * 5 % 17 for i in range(30)]}
    )
    roles = {"age": "quasi_identifier", "rent": "quasi_identifier"}
    release = ma.protect(ma.Microdata.from_frame(frame, roles=roles), ma.Plan(k=3, columns=("age",)))
    assert "✗ k′, with unprotected" in _public(release)[2]


def test_totals_and_missing_values_say_that_they_are_of_the_released_records() -> None:
    frame = pd.DataFrame(
        {"age": [float(i) for i in range(30)], "rent": [i * 5 % 17 for i in range(28)] + [None] * 2}
    )
    release = ma.protect(ma.Microdata.from_frame(frame), ma.Plan(k=3, missing="drop"))
    text = report(Outgoing(release), ma.assess(release), date=DAY)
    assert "Both are of the 28 released records" in text
    assert "As many as before in every column, among the 28 released records: 0 in all." in text
    whole = ma.protect(ma.Microdata.from_frame(frame.dropna()), ma.Plan(k=3))
    of_all = report(Outgoing(whole), ma.assess(whole), date=DAY)
    assert "Both are of" not in of_all
    assert "among the" not in of_all


PEOPLE = pd.DataFrame(
    {
        "age": [17.25 + 7 * i % 31 for i in range(40)],
        "rent": [5.125 + i * i % 17 for i in range(40)],
        "debt": [0.5 + (3 * i) ** 2 % 101 for i in range(40)],
    }
)


def test_the_owner_reads_the_loss_in_per_cent_and_which_column_is_guessed_most_easily() -> None:
    release = ma.protect(ma.Microdata.from_frame(PEOPLE), ma.Plan(k=5))
    text = report(Outgoing(release), ma.assess(release), date=DAY)
    lost = np.square(PEOPLE - release.protected).sum() / np.square(PEOPLE - PEOPLE.mean()).sum()
    assert f"{100 * lost.mean():.0f} % of the variety in the protected numbers is gone." in text
    places = PEOPLE.rank() - release.protected.apply(
        lambda column: [
            (PEOPLE[column.name] < x).sum() + (PEOPLE[column.name] == x).sum() / 2 + 0.5 for x in column
        ]
    )
    inside = np.mean(
        [places.abs() <= width * len(PEOPLE) / 100 + 1e-9 for width in range(1, 11)], axis=(0, 1)
    )
    assert len(set(inside.round(6))) == 3
    most, share = PEOPLE.columns[inside.argmax()], inside.max()
    assert f"The column most easily guessed is {most} ({100 * share:.0f} in 100)." in text


def test_columns_are_described_before_and_after_as_pandas_does() -> None:
    release = ma.protect(ma.Microdata.from_frame(PEOPLE), ma.Plan(k=5, aggregate="median"))
    for found in contents.columns(release):
        before, after = PEOPLE[found.name], release.protected[found.name]
        assert (found.missing, found.distinct, found.distinct_after) == (0, before.nunique(), after.nunique())
        assert (found.mean, found.spread) == pytest.approx((before.mean(), before.std(ddof=0)))
        assert (found.mean_after, found.spread_after) == pytest.approx((after.mean(), after.std(ddof=0)))
        assert found.mean_after != pytest.approx(found.mean)


def test_the_bars_are_the_loss_and_the_interval_disclosure_of_each_attribute() -> None:
    release = ma.protect(ma.Microdata.from_frame(PEOPLE), ma.Plan(k=5))
    result = ma.assess(release)
    drawn = str(contents.figures(release, result, external=False)[0].drawing)
    told = [float(number) for number in re.findall(r">(\d+\.\d) ?%?<", drawn)]
    lost = np.square(PEOPLE - release.protected).sum() / np.square(PEOPLE - PEOPLE.mean()).sum()
    known = result.disclosed.intervals.by_attribute
    expected = [round(100 * value, 1) for pair in zip(lost, known, strict=True) for value in pair]
    assert told == pytest.approx(expected, abs=0.051)


def test_the_digest_in_it_is_of_the_bytes_that_are_saved() -> None:
    release = ma.protect(ma.Microdata.from_frame(PEOPLE, name="people"), ma.Plan(k=5))
    digest = hashlib.sha256(csv_bytes(release.protected)).hexdigest()
    for external in (False, True):
        assert f"<code>{digest}</code>" in report(
            Outgoing(release), ma.assess(release), date=DAY, external=external
        )


def test_the_report_command_looks_with_the_knowledge_that_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "plan.json").write_text('{"method": "mdav", "k": 3}', encoding="utf-8")
    words = ("survey", "--plan", tmp_path / "plan.json", "--out", tmp_path / "r.html", "--date", "2026-01-31")
    assert run(capsys, "report", *words, "--knowledge", "up-to:1")[0] == 0
    release = ma.protect(ma.load_dataset("survey"), ma.Plan(k=3))
    result = ma.assess(release, knowledge=ma.Knowledge.up_to(1))
    text = report(Outgoing(release), result, date=DAY, source=Source("survey"))
    assert (tmp_path / "r.html").read_text(encoding="utf-8") == text
    assert text != report(Outgoing(release), ma.assess(release), date=DAY, source=Source("survey"))


def test_what_a_plan_accepts_stays_accepted_beside_what_is_accepted_now(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    plan = {"method": "mdav", "k": 3, "accept": {"k, exposed": "Nobody knows it."}}
    (tmp_path / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    release = ma.protect(ma.load_dataset("survey"), ma.Plan(k=3))
    (tmp_path / "p.csv").write_bytes(csv_bytes(release.protected))
    red = {found.name for found in ma.audit(release) if found.status == "red"}
    assert {"k, exposed", "singled out"} <= red
    now = [part for name in red - {"k, exposed"} for part in ("--accept", f"{name}=It is made up.")]
    words = ("check", "survey", tmp_path / "p.csv", "--plan", tmp_path / "plan.json", "--json")
    assert run(capsys, *words)[0] == 1
    status, printed, _ = run(capsys, *words, *now)
    reasons = {one["finding"]: one.get("reason", "") for one in json.loads(printed)["audit"]}
    assert (status, reasons["k, exposed"]) == (0, "Nobody knows it.")
    assert reasons["singled out"] == "It is made up."


def test_the_public_headline_is_red_where_the_audit_alone_is() -> None:
    frame = PEOPLE.assign(illness=["flu" if age < 32 else "cold" for age in PEOPLE["age"]])
    release = ma.protect(ma.Microdata.from_frame(frame, roles={"illness": "confidential"}), ma.Plan(k=5))
    out = Outgoing(release)
    assert out.audit.status == "red"
    assert "red" not in {found.status for found in out.checks}
    text = report(out, ma.assess(release), date=DAY, external=True)
    assert re.search(r'<p class="verdict red">✗', text)
    assert "in the report for the house" in text
