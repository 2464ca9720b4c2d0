"""Nothing that is printed, formatted or raised shows a cell: a marked value is in none of it."""

from __future__ import annotations

import json
import traceback
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

import microagg as ma
from microagg import cli
from microagg.assessment.audit import audit
from microagg.cli.input_file import opened
from microagg.handover.release_file import Outgoing
from microagg.handover.verification import check
from microagg.io.reading import read_table
from microagg.io.writing import csv_bytes
from microagg.measures.matching import match_records
from microagg.preparation.prepare import prepare, settle
from microagg.preparation.strata import stratify

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MARK, NUMBER = "Marquesa", 87654321.25
SHOWN = ("Marquesa", "87654321", "8.765432")


def secret(records: int = 24) -> pd.DataFrame:
    """Every cell is marked: texts by a name, numbers by their first digits."""
    draw = np.random.default_rng(3)
    return pd.DataFrame(
        {
            "age": NUMBER + draw.integers(0, 5, records) / 1000,
            "rent": NUMBER + draw.integers(0, 9, records) / 1000,
            "sum": NUMBER + draw.integers(0, 9, records) / 1000,
            "town": [f"{MARK} {i % 2}" for i in range(records)],
            "name": [f"{MARK} {i}" for i in range(records)],
            "day": pd.Timestamp("2001-01-01"),
        },
        index=pd.Index([f"{MARK} {i}" for i in range(records)], name="pid"),
    )


ROLES = {
    "age": "quasi_identifier",
    "rent": "quasi_identifier",
    "sum": "confidential",
    "town": "stratum",
    "name": "identifier",
    "day": "other",
}


def data() -> ma.Microdata:
    return ma.Microdata.from_frame(secret(), roles=ROLES, name="people")


def assert_discreet(text: str) -> None:
    for mark in SHOWN:
        assert mark not in text


def everything(folder: Path) -> list[Any]:
    """One of each public thing, and of what stands behind it, made from marked data."""
    people = data()
    plan = ma.Plan(k=4, shuffle=3)
    release = ma.protect(people, plan)
    written = csv_bytes(release.protected)
    (folder / "people.csv").write_bytes(csv_bytes(secret()))
    found = ma.assess(release, weights="paper 1")
    compared = ma.compare(people, ma.Microdata.from_frame(release.protected, roles={}), plan=plan)
    estimator = ma.Microaggregator(k=4).fit(secret()[["age", "rent"]])
    return [
        people,
        release,
        compared,
        *people.attributes,
        *release.partitions,
        *release.left_out,
        found,
        found.lost,
        found.disclosed,
        prepare(people, plan),
        prepare(people, plan).division,
        settle(people, plan),
        stratify(people, ("town",), 4, "refuse"),
        read_table(written, name="x.csv"),
        opened(str(folder / "people.csv")),
        Outgoing(release),
        audit(release),
        check(written, "x.csv", release),
        estimator,
        match_records(release.original_values, release.protected_values),
        ma.sweep(people, [plan]).drop(columns="plan"),
    ]


def test_nothing_that_is_printed_shows_a_cell(tmp_path: Path) -> None:
    for one in everything(tmp_path):
        for text in (repr(one), str(one), f"{one}", f"{[one]!r}", f"{one!s:.2000}"):
            assert_discreet(text)
        html = getattr(one, "_repr_html_", None)
        if html is not None:
            assert_discreet(str(html()))


def test_every_public_class_is_among_what_was_printed(tmp_path: Path) -> None:
    printed = {type(one).__name__ for one in everything(tmp_path)}
    without_data = {"Plan", "Knowledge", "Cancelled", "DataError", "MicroaggError", "PlanError", "Finding"}
    public = {name for name in ma.__all__ if isinstance(getattr(ma, name), type)}
    assert public <= printed | without_data


def spoiled(column: str, value: Any, frame: pd.DataFrame | None = None) -> pd.DataFrame:
    frame = (secret() if frame is None else frame).copy()
    frame[column] = frame[column].astype(object)
    frame.iloc[7, list(frame).index(column)] = value
    return frame


def release() -> ma.Release:
    return ma.protect(data(), ma.Plan(k=4))


REFUSED: dict[str, Callable[[], Any]] = {
    "text": lambda: ma.protect(
        ma.Microdata.from_frame(spoiled("age", MARK), roles=ROLES), ma.Plan(k=4, columns="age")
    ),
    "infinite": lambda: ma.protect(
        ma.Microdata.from_frame(secret().assign(age=np.inf), roles=ROLES), ma.Plan(k=4)
    ),
    "list": lambda: ma.Microdata.from_frame(spoiled("name", [MARK])),
    "complex": lambda: ma.Microdata.from_frame(secret().assign(age=NUMBER + 1j)),
    "missing": lambda: ma.protect(
        ma.Microdata.from_frame(
            secret().assign(age=secret()["age"].mask([True] + [False] * 23)), roles=ROLES
        ),
        ma.Plan(k=4),
    ),
    "small strata": lambda: ma.protect(data(), ma.Plan(k=4, strata="name", roles={"name": "stratum"})),
    "order": lambda: ma.protect(
        data(), ma.Plan("mixed", k=4, columns=("town",), strata=(), orders={"town": ("low", "high")})
    ),
    "weights": lambda: ma.protect(
        ma.Microdata.from_frame(secret().assign(sum=-NUMBER), roles=ROLES),
        ma.Plan(k=4, weighted=True, roles={"sum": "weight"}),
    ),
    "lambda": lambda: ma.protect(
        ma.Microdata.from_frame(secret().assign(sum=np.nan), roles=ROLES), ma.Plan(k=4, lam=0.5)
    ),
    "nominal": lambda: ma.protect(data(), ma.Plan(k=4, columns="town", strata=())),
    "unordered": lambda: ma.protect(
        data(), ma.Plan("mixed", k=4, columns=("town",), strata=(), scales={"town": "ordinal"})
    ),
    "rows": lambda: ma.compare(
        data(), ma.Microdata.from_frame(release().protected.head(9)), align="position"
    ),
    "other index": lambda: ma.compare(data(), ma.Microdata.from_frame(secret().add_prefix("x"))),
    "other text": lambda: ma.compare(
        data(), ma.Microdata.from_frame(spoiled("age", MARK, secret())), align="position"
    ),
    "estimator": lambda: ma.Microaggregator(k=4).fit(secret()[["age", "town"]]),
}


@pytest.mark.parametrize("case", REFUSED)
def test_no_refusal_shows_a_cell_nor_does_its_traceback(case: str) -> None:
    with pytest.raises(Exception) as refused:  # noqa: PT011 - whatever is raised must show none
        REFUSED[case]()
    assert isinstance(refused.value, ma.MicroaggError)
    said = "\n".join(traceback.format_exception_only(refused.value))
    for chained in (refused.value.__cause__, refused.value.__context__):
        if chained is not None and not refused.value.__suppress_context__:
            said += str(chained)
    assert_discreet(said)


def test_the_command_line_shows_no_cell(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    secret().to_csv(tmp_path / "a.csv", index=False)
    spoiled("age", MARK).to_csv(tmp_path / "text.csv", index=False)
    plan = ma.Plan(k=4, roles=ROLES, shuffle=1)
    (tmp_path / "plan.json").write_text(plan.to_json(), encoding="utf-8")
    commands = [
        ["protect", "a.csv", "--plan", "plan.json", "--out", "b.csv"],
        ["protect", "a.csv", "--plan", "plan.json", "--out", "c.csv", "--json"],
        ["assess", "a.csv", "b.csv", "--plan", "plan.json"],
        ["assess", "a.csv", "b.csv", "--columns", "age,rent"],
        ["check", "a.csv", "b.csv", "--plan", "plan.json"],
        ["protect", "text.csv", "--plan", "plan.json", "--out", "d.csv"],
        ["sweep", "a.csv", "--k", "4"],
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        for command in commands:
            patch.setattr("sys.argv", ["microagg", *command])
            with pytest.raises(SystemExit):
                cli.main()
            printed = capsys.readouterr()
            assert printed.out + printed.err
            assert_discreet(printed.out + printed.err)
            assert_discreet(json.dumps(command))
