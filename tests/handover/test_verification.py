"""The check finds, in the bytes of a file, every way in which it can break its promise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

import microagg as ma
from microagg.assessment.equal_cells import alike
from microagg.handover.verification import check, look
from microagg.io.dialect import Dialect
from microagg.io.formats import FORMATS
from microagg.io.saving import table_bytes
from microagg.io.writing import csv_bytes, neutralise
from microagg.protection.shuffle_seed import GUESSABLE

if TYPE_CHECKING:
    from microagg.handover.file_check import Check

PEOPLE = pd.DataFrame(
    {
        "name": list("ABCDEFGH"),
        "age": [20, 21, 22, 40, 41, 42, 43, 44],
        "rent": [5.5, 6.25, 6.5, 9.0, 9.5, 8.75, 9.25, 8.0],
        "wage": [10.0, None, 12.0, 20.0, 21.0, 22.0, 23.0, 24.0],
        "remark": ["x", "=1+1", None, "y", "z", "u", "v", "w"],
    }
)
ROLES = {
    "name": "identifier",
    "age": "quasi_identifier",
    "rent": "quasi_identifier",
    "wage": "confidential",
    "remark": "other",
}
WRITABLE = [row for row in FORMATS.values() if row.write is not None]


def released(**plan: object) -> ma.Release:
    data = ma.Microdata.from_frame(PEOPLE, roles=ROLES)
    return ma.protect(data, ma.Plan(**{"k": 3, **plan}))


def found(release: ma.Release, frame: pd.DataFrame | None = None) -> dict[str, Check]:
    frame = release.protected if frame is None else frame
    return {one.name: one for one in check(csv_bytes(frame), "x.csv", release)}


def red(checks: dict[str, Check]) -> set[str]:
    return {name for name, one in checks.items() if one.status == "red"}


def test_a_file_as_it_was_made_passes_all_but_the_formula_it_holds() -> None:
    assert red(found(released())) == {"Formula cells"}


@pytest.mark.parametrize("row", WRITABLE, ids=lambda row: row.name)
@pytest.mark.parametrize("shuffle", [None, 5])
def test_every_format_passes_once_formulas_are_neutralised(row, shuffle) -> None:
    release = released(shuffle=shuffle)
    written = table_bytes(neutralise(release.protected), row.name)
    checks = check(written, f"x{row.suffixes[0]}", release, neutralised=True)
    assert [one.name for one in checks if one.status == "red"] == []


@pytest.mark.parametrize(
    ("spoil", "names"),
    [
        (lambda f: f.iloc[:-1], {"Records"}),
        (lambda f: f.drop(columns="wage"), {"Columns", "Copied columns"}),
        (lambda f: f[["rent", "age", "wage", "remark"]], {"Columns"}),
        (lambda f: f.iloc[::-1], {"Order", "Copied columns", "Protected values"}),
        (lambda f: f.assign(name=list("ABCDEFGH")), {"Columns", "Identifiers"}),
        (lambda f: f.assign(wage=f["wage"] + 1), {"Copied columns"}),
        (lambda f: f.assign(wage=f["wage"].fillna(0)), {"Copied columns", "Missing values"}),
        (lambda f: f.assign(age=PEOPLE["age"]), {"Protected values", "k′, all protected"}),
        (
            lambda f: f.assign(age=PEOPLE["age"], rent=PEOPLE["rent"]),
            {"Protected values", "k′, all protected", "Unchanged values"},
        ),
    ],
)
def test_each_fault_turns_its_own_checks_red(spoil, names) -> None:
    release = released()
    assert names <= red(found(release, spoil(release.protected)))
    kept = {"Records", "Columns", "Order", "Identifiers", "Copied columns", "Missing values"} - names
    if "Records" not in names:
        assert not kept & red(found(release, spoil(release.protected)))


def test_a_class_of_one_record_fewer_than_k_is_red() -> None:
    release = released()
    written = release.protected.copy()
    written.loc[0, ["age", "rent"]] = written.loc[7, ["age", "rent"]]
    sizes = written.groupby(["age", "rent"]).size()
    assert sizes.min() == 2
    over_all = found(release, written)["k′, all protected"]
    assert over_all.status == "red"
    assert "the smallest class has 2 records, below k = 3." in over_all.sentence
    assert over_all.detail.startswith(f"{sizes[sizes < 3].sum()} records are released like")


def test_a_file_that_cannot_be_read_is_one_red_check() -> None:
    (only,) = check(b"", "x.xlsx", released())
    assert (only.name, only.status) == ("Readable", "red")
    assert "empty" in only.detail


def test_anonymity_is_measured_over_all_protected_columns_and_each_block() -> None:
    """Values by hand: in a block of one column, sorted runs of three and of four or five remain."""
    checks = found(released(blocks="single"))
    assert {"k′, all protected", "k′, block 1", "k′, block 2"} <= set(checks)
    assert checks["k′, block 1"].status == "green"
    assert checks["k′, block 2"].status == "green"


def test_strata_are_taken_as_known_too() -> None:
    frame = PEOPLE.assign(town=list("aaaabbbb"))
    data = ma.Microdata.from_frame(frame, roles=ROLES)
    apart = found(ma.protect(data, ma.Plan(k=3, strata=("town",))))
    assert apart["k′, with strata"].status == "green"
    mixed = ma.protect(data.with_roles({"town": "stratum"}), ma.Plan(k=3, strata=()))
    assert "k′, with strata" not in found(mixed)


def test_quasi_identifiers_that_were_left_as_they_are_count_against_the_release() -> None:
    checks = found(released(columns=("age",)))
    assert checks["k′, all protected"].status == "green"
    assert checks["k′, with unprotected"].status == "red"


def test_a_class_whose_values_all_agree_is_said_to_release_its_value() -> None:
    data = ma.Microdata.from_frame(pd.DataFrame({"age": [20.0, 20, 60, 64], "rent": [1.0, 3, 5, 9]}))
    one = found(ma.protect(data, ma.Plan(k=2, columns=("age", "rent"))))["Unchanged values"]
    assert one.status == "green"
    assert one.sentence.startswith("2 cells (25.0 %)")
    assert one.detail.startswith("Of these cells, 2 stand in classes whose records all agreed")


def test_identifiers_that_the_plan_keeps_are_red_with_the_reason() -> None:
    one = found(released(keep_identifiers=True))["Identifiers"]
    assert (one.status, one.detail) == ("red", "The plan keeps identifiers.")


def test_records_that_stay_at_home_are_counted() -> None:
    frame = PEOPLE.assign(age=PEOPLE["age"].astype(float).where(PEOPLE.index != 2))
    data = ma.Microdata.from_frame(frame, roles=ROLES)
    checks = found(ma.protect(data, ma.Plan(k=3, missing="drop")))
    assert red(checks) == {"Formula cells"}
    assert checks["Records"].sentence == "7 records; 1 of the original are left out, as promised."


def test_an_index_that_tells_the_order_before_the_shuffle_is_found() -> None:
    release = released(shuffle=4)
    traced = release.protected.set_axis(release.order, axis=0)
    checks = {one.name: one for one in check(table_bytes(traced, "parquet"), "x.parquet", release)}
    assert checks["Order"].status == "red"


def test_a_text_without_a_header_is_read_in_its_own_dialect() -> None:
    release, dialect = released(), Dialect(";", ",", header=False)
    checks = check(csv_bytes(release.protected, dialect), "x.csv", release, dialect=dialect)
    assert [one.name for one in checks if one.status == "red"] == ["Formula cells"]


def test_values_are_alike_across_types_but_not_beyond_fifteen_digits() -> None:
    assert alike(pd.Series([1, 2]), pd.Series(["1", "x"])).tolist() == [True, False]
    assert alike(pd.Series([1.0]), pd.Series([1.0 + 1e-14])).tolist() == [False]
    large = pd.Series([2**53 + 1, 2**53 + 1])
    assert alike(large, pd.Series([2**53 + 1, 2**53])).tolist() == [True, False]


def test_nothing_is_raised_whatever_columns_are_there() -> None:
    for frame in (pd.DataFrame({"other": np.arange(8)}), PEOPLE[["name"]], PEOPLE.iloc[:3]):
        assert red(found(released(), frame))


@pytest.mark.parametrize(
    ("seed", "status"), [(0, "amber"), (1, "amber"), (GUESSABLE - 1, "amber"), (GUESSABLE, "green")]
)
def test_an_order_whose_seed_can_be_guessed_is_not_green(seed: int, status: str) -> None:
    order = found(released(shuffle=seed))["Order"]
    assert order.status == status
    assert ("can be guessed" in order.sentence) == (status == "amber")


def test_identifiers_that_leave_under_another_name_are_red() -> None:
    release = released()
    frame = release.protected.assign(zz=PEOPLE["name"].to_numpy(), aa=PEOPLE["age"].to_numpy())
    checks = found(release, frame)
    assert checks["Identifiers"].sentence == "Values of an identifier leave under another name: name as zz."
    assert "Original values under another name: name, age." in checks["Columns"].detail
    other = found(release, release.protected.assign(zz=list("STUVWXYZ")))
    assert other["Identifiers"].status == "green"


def test_rows_in_another_order_are_red_where_one_column_stays_and_nothing_is_said_of_their_values() -> None:
    data = ma.Microdata.from_frame(PEOPLE.assign(land="ES"), roles=ROLES | {"land": "other"})
    release = ma.protect(data, ma.Plan(k=3))
    checks = found(release, release.protected.iloc[::-1])
    assert {"Order", "Unchanged values"} <= red(checks)
    assert "cannot be told" in checks["Unchanged values"].sentence
    changed = found(release, release.protected.drop(columns=["age", "rent", "wage", "remark"]))
    assert changed["Missing values"].status == "amber"
    assert found(release, PEOPLE[["name"]])["Missing values"].status == "red"


def test_every_column_is_named_by_what_it_is_in_the_file_that_was_read() -> None:
    release = released()
    own = look(csv_bytes(release.protected), "x.csv", release)[2]
    assert own == {
        "protected": ["age", "rent"],
        "untouched": ["wage", "remark"],
        "dropped": ["name"],
    }
    whole = look(csv_bytes(PEOPLE), "x.csv", release)[2]
    assert whole["untouched"] == ["name", "age", "rent", "wage", "remark"]
    assert whole["dropped"] == []
    odd = look(csv_bytes(release.protected.assign(age=1, more=2)), "x.csv", release)[2]
    assert odd["changed"] == ["age", "more"]


def test_digits_that_tell_records_apart_are_red() -> None:
    release = released()
    lines = csv_bytes(release.protected).decode().splitlines()
    first = [line.split(",", 1) for line in lines[1:]]
    spread = [lines[0], *(f"{cell}{'0' * i},{rest}" for i, (cell, rest) in enumerate(first))]
    one = {c.name: c for c in check("\n".join(spread).encode(), "x.csv", release)}["Nothing beside the table"]
    assert (one.status, "equal values of 'age' written in several ways" in one.sentence) == ("red", True)
    ends = "\r\n".join(lines).encode()
    two = {c.name: c for c in check(ends, "x.csv", release)}["Nothing beside the table"]
    assert two.status == "amber"
