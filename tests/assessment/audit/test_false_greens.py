"""Files that an audit once called green: counts are worked out by pandas, or by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

import microagg as ma
from microagg.assessment.audit.forecast import forecast
from microagg.handover.verification import look
from microagg.io.writing import csv_bytes
from tests.assessment.audit.test_small_inputs import QI, released

if TYPE_CHECKING:
    from microagg.model.roles import Role

N = 40
AGES = [20 + i for i in range(N)]
NAMES = [f"{a}{b} Lee" for a in ("Ann", "Ben", "Cleo", "Dora", "Ed") for b in "abcdefgh"]
IBANS = [f"DE{10 + i}3704004405320130{i:02}" for i in range(N)]
UNIQUE: dict[str, list[Any]] = {
    "contact": [f"p{i}@home.org" for i in range(N)],
    "call": [f"+34 600 12 34 {i:02}" for i in range(N)],
    "account": IBANS,
    "who": NAMES,
    "remark": [f"it was on day {i} that he left" for i in range(N)],
    "code": [f"{chr(65 + i % 26)}/{i}" for i in range(N)],
}


def mixed(column: str, values: list[Any]) -> ma.Release:
    return released({"age": AGES, column: values}, {"age": QI, column: QI}, method="mixed", k=5)


@pytest.mark.parametrize("column", UNIQUE)
def test_a_mode_of_what_names_people_is_red(column: str) -> None:
    release = mixed(column, UNIQUE[column])
    found = ma.audit(release).named("identifiers")
    own = int((release.protected[column] == pd.Series(UNIQUE[column])).sum())
    assert own > 0
    assert (found.status, found.records) == ("red", N)
    assert f"{column} is protected, and its released values name fewer than 5 people" in found.sentence
    assert f"{own} records with its own" in found.sentence
    assert ma.audit(release).named("untouched columns").records == own
    written = look(csv_bytes(release.protected), "x.csv", release)[1].named("identifiers")
    assert (written.status, written.records) == ("red", N)
    data = release.data
    assert release.plan is not None
    assert forecast(data, release.plan).named("identifiers").status == "red"
    pair = ma.compare(data, ma.Microdata.from_frame(release.protected, roles={"age": QI, column: QI}), k=5)
    assert ma.audit(pair).named("identifiers").status == "red"


def test_a_median_that_is_somebody_elses_value_is_counted_as_one_persons() -> None:
    ages, pay = [20, 21, 23, 24, 22, 50, 52, 54], [0, 0, 0, 0, 900, 900, 900, 900]
    release = released({"age": ages, "pay": pay}, {"age": QI, "pay": QI}, k=4, aggregate="median")
    assert release.protected["age"].tolist() == [22.0] * 4 + [51.0] * 4  # 22 is the fifth record's alone
    found = ma.audit(release).named("untouched columns")
    assert (found.status, found.records) == ("amber", 4)
    assert "age (protected, 4 records with a single person's value, which nobody else has)" in found.sentence


def test_a_mode_of_names_that_many_share_is_amber() -> None:
    release = mixed("first_name", ["Ann", "Ben"] * 20)
    found = ma.audit(release).named("identifiers")
    assert (found.status, found.records) == ("amber", N)


def test_ordinary_categories_and_means_give_back_nobody() -> None:
    release = released(
        {"age": AGES, "job": ["cook", "smith"] * 20, "income": [7 * i for i in range(N)]},
        {"age": QI, "job": QI, "income": QI}, method="mixed", k=5,
    )  # fmt: skip
    found = ma.audit(release)
    assert (found.named("identifiers").status, found.named("untouched columns").status) == ("green", "green")


def test_a_rare_category_that_is_released_is_amber() -> None:
    frame = {"age": [20, 21, 22, 60, 61, 62], "job": ["cook"] * 3 + ["pope", "nun", "imam"]}
    release = released(frame, {"age": QI, "job": QI}, method="mixed", k=3)
    own = release.protected["job"].isin(["pope", "nun", "imam"]) & (
        release.protected["job"] == release.data.frame["job"]
    )
    found = ma.audit(release).named("untouched columns")
    assert own.any()
    assert (found.status, found.records) == ("amber", own.sum())


def test_medians_count_who_keeps_his_own_value() -> None:
    income = [1000 + 37 * i + i * i for i in range(N)]
    roles: dict[str, Role] = {"income": QI}
    release = released({"income": income}, roles, aggregate="median", k=5)
    own = int((release.protected["income"] == pd.Series(income)).sum())
    found = ma.audit(release).named("untouched columns")
    assert own == N // 5
    assert (found.status, found.records) == ("amber", own)
    assert f"{own} records with their own value" in found.sentence
    assert ma.audit(release).named("identifiers").status == "green"
    assert release.plan is not None
    assert forecast(release.data, release.plan).named("untouched columns").status == "amber"
    for method, status in (("mean", "green"), ("median", "amber")):
        plain = released({"income": income}, roles, aggregate=method, k=5)
        pair = ma.compare(plain.data, ma.Microdata.from_frame(plain.protected, roles=roles), k=5)
        assert ma.audit(pair).named("untouched columns").status == status


def test_a_median_of_numbers_of_people_is_red() -> None:
    numbers = [10**8 + 7919 * (i * 17 % N) for i in range(N)]
    found = ma.audit(released({"ssn": numbers}, {"ssn": QI}, aggregate="median", k=5)).named("identifiers")
    assert (found.status, found.records) == ("red", N)


SHARED: dict[str, tuple[list[Any], str]] = {
    "iban": ([IBANS[i // 2] for i in range(N)], "red"),
    "account": ([IBANS[i // 10] for i in range(N)], "amber"),
    "kunde": ([f"p{i // 2}@home.org" for i in range(N)], "red"),
    "contact": ([f"p{i // 10}@home.org" for i in range(N)], "amber"),
    "nationalnumber": ([10**12 + 7919 * (i * 17 % N) for i in range(N)], "red"),
    "ssn": ([10**8 + 7919 * (i // 10) for i in range(N)], "amber"),
}


@pytest.mark.parametrize("role", ["confidential", "weight", "unit", "stratum", "other", "undecided"])
@pytest.mark.parametrize("column", SHARED)
def test_what_names_people_is_told_in_whatever_role_and_however_many_share_it(
    column: str, role: Role
) -> None:
    values, status = SHARED[column]
    found = ma.audit(released({"age": AGES, column: values}, {"age": QI, column: role}, k=4, strata=()))
    assert found.named("identifiers").status == status
    assert f"{column} looks like an identifier and is released" in found.named("identifiers").sentence
    said = ma.audit(
        released({"age": AGES, column: values}, {"age": QI, column: role}, k=4, strata=()),
        {"identifiers": "They are numbers of test accounts."},
    )
    assert said.named("identifiers").status == "amber"


def test_an_identifier_that_is_released_is_among_the_untouched() -> None:
    release = released(
        {"age": AGES, "pid": range(N)}, {"age": QI, "pid": "identifier"}, keep_identifiers=True
    )
    found = ma.audit(release).named("untouched columns")
    assert (found.status, found.records, "pid" in found.sentence) == ("red", N, True)
    shared = released(
        {"age": AGES, "pid": [1, 2] * 20}, {"age": QI, "pid": "identifier"}, keep_identifiers=True
    )
    assert ma.audit(shared).named("untouched columns").status == "amber"


def test_no_promise_is_kept_by_columns_that_are_not_in_the_file() -> None:
    release = released({"age": AGES, "town": ["a", "b"] * 20}, {"age": QI, "town": "other"})
    found = look(csv_bytes(release.protected[["town"]]), "x.csv", release)[1]
    for name in ("promise of the method", "k, protected"):
        assert (found.named(name).status, "age" in found.named(name).sentence) == ("red", True)


def names(found: ma.Findings) -> list[str]:
    return [one.name for one in found]


def test_without_a_unit_nothing_is_said_of_units() -> None:
    assert "units" not in names(ma.audit(released({"age": AGES}, {"age": QI})))


@pytest.mark.parametrize(
    "column", ["hh", "firmennr", "school_id", "kundennr", "klasse", "school", "customer", "household_id"]
)
@pytest.mark.parametrize("role", ["identifier", "confidential", "other"])
def test_what_looks_like_a_unit_is_amber_and_counted(column: str, role: Role) -> None:
    homes = [1000 + i // 3 for i in range(N)]
    release = released({"age": AGES, column: homes}, {"age": QI, column: role}, k=3)
    exposed = [name for name in release.protected if name == "age" or role == "other"]
    classes = release.protected.assign(home=homes).groupby(exposed)["home"].transform("nunique")
    found = ma.audit(release).named("units")
    assert (found.status, found.records) == ("amber", int((classes < 3).sum()))
    assert found.sentence.startswith(
        f"{column} looks like a unit, and k counts records; give it the role unit."
    )
    assert release.plan is not None
    assert forecast(release.data, release.plan).named("units").status == "amber"


@pytest.mark.parametrize(
    ("homes", "status", "records"),
    [
        (["h1", "h2", "h3", "h4"], "green", 0),
        (["h1", "H1 ", "h2", "h3"], "red", 4),
        (["1", "01", "2", "3"], "red", 4),
        (["h1", None, "h2", "h3"], "amber", 0),
        (["h1", None, None, "h2"], "red", 4),
    ],
)
def test_units_are_one_however_they_are_written(homes: list[Any], status: str, records: int) -> None:
    frame = {"age": [20.0] * 4 + [60.0] * 4, "home": [*homes, "a", "b", "c", "d"]}
    release = released(frame, {"age": QI, "home": "unit"}, k=4)
    away = ma.Microdata.from_frame(release.protected[["age"]], roles={"age": QI})
    found = ma.audit(ma.compare(release.data, away, k=4)).named("units")
    assert (found.status, found.records) == (status, records), found


def secret(values: Any) -> Any:
    ages = [20.0] * 4 + [60.0] * 4
    return ma.audit(released({"age": ages, "x": values}, {"age": QI, "x": "confidential"}, k=4)).named(
        "secrets"
    )


@pytest.mark.parametrize(
    ("values", "status", "records", "what"),
    [
        (["D3", "D3 ", " d3", "D3", "a", "b", "c", "d"], "red", 4, "x in 1 class (4 records)"),
        (["D3", None, "d3 ", "D3", "a", "b", "c", "d"], "amber", 4, "all who answered share one value of x"),
        ([None, None, None, "D3", "a", "b", "c", "d"], "amber", 4, "all who answered"),
        ([5.0, None, 5.0, 5.0, 1, 2, 3, 4], "amber", 4, "all who answered"),
        ([5000, 5001, 5002, 5003, 1, 2, 3, 4], "amber", 4, "x differs by less than 0.1%"),
        ([-5000, -5001, None, -5003, 1, 2, 3, 4], "amber", 4, "x differs by less than 0.1%"),
        ([2**60, 2**60 + 1, 2**60 + 2, 2**60 + 4, 1, 2, 3, 4], "amber", 4, "x differs by less than 0.1%"),
        ([2**60, 2**60 + 2**51, 2**60, 2**60, 1, 2, 3, 4], "green", 0, "No class"),
        ([5000, 5001, 5002, 5006, 1, 2, 3, 4], "green", 0, "No class"),
        ([0.0, 0.0, 0.0, 1e-9, 1, 2, 3, 4], "green", 0, "No class"),
        ([5.0, None, 5.0, 5.0, 7, 7, 7, 7], "red", 4, "all who answered"),
    ],
)  # fmt: skip
def test_secrets_that_are_told_in_other_words(values: Any, status: str, records: int, what: str) -> None:
    found = secret(values)
    assert (found.status, found.records, what in found.sentence) == (status, records, True), found


@pytest.mark.parametrize(
    ("values", "status", "what"),
    [
        (["7", "07", "7.0", " 7,0", "a", "b", "c", "d"], "red", "x in 1 class (4 records)"),
        (
            ["caf\u00e9", "cafe\u0301", "Caf\u00e9\u00a0", "caf\u00e9", "a", "b", "c", "d"],
            "red",
            "x in 1 class",
        ),
        (
            ["flu", "unknown", "n/a", "flu", "a", "b", "c", "d"],
            "amber",
            "all who answered share one value of x",
        ),
        (["flu", "-", "?", "refused", "a", "b", "c", "d"], "amber", "all who answered share one value of x"),
        (["7", "8", "7", "7", "a", "b", "c", "d"], "green", "No class"),
        (["flu", "cold", "-", "flu", "a", "b", "c", "d"], "green", "No class"),
    ],
)
def test_secrets_that_are_written_in_several_ways(values: Any, status: str, what: str) -> None:
    found = secret(values)
    assert (found.status, what in found.sentence) == (status, True), found


def test_codes_that_labels_call_no_value_are_no_answer() -> None:
    frame = pd.DataFrame({"age": [20.0] * 4 + [60.0] * 4, "debt": [5000, -9, -8, 5000, 1, 2, 3, 4]})
    roles: dict[str, Role] = {"age": QI, "debt": "confidential"}
    for labels, status in ({}, "green"), ({"debt": {-9: "refused", -8: "no answer"}}, "amber"):
        data = ma.Microdata.from_frame(frame, roles=roles, labels=labels)
        assert ma.audit(ma.protect(data, ma.Plan(k=4))).named("secrets").status == status


@pytest.mark.parametrize(
    ("again", "red"),
    [
        (lambda pay: pay, True),
        (lambda pay: pay * 0.19 + 3, True),
        (lambda pay: pay.map("band {}".format), True),
        (lambda pay: pay.where(pay > 1000, 2000), False),
        (lambda pay: pay.sample(frac=1, random_state=1).to_numpy(), False),
    ],
)
def test_a_confidential_column_that_gives_back_a_protected_one_is_red(again: Any, *, red: bool) -> None:
    pay = pd.Series([1000 * (1 + i * 7 % 9) for i in range(N)])
    columns = {"age": AGES, "pay": pay, "tax": again(pay)}
    roles: dict[str, Role] = {"age": QI, "pay": QI, "tax": "confidential"}
    release = released(columns, roles, k=4)
    found = ma.audit(release).named("untouched columns")
    assert (found.status == "red") == red
    assert ("tax (gives back pay, which is protected)" in found.sentence) == red
    unique = {"age": AGES, "pay": AGES[::-1], "tax": AGES[::-1]}
    assert ma.audit(released(unique, roles, k=4)).named("untouched columns").status == "red"
    unique["tax"] = [i * i for i in range(N)]  # as unique, and only by that one for one
    assert ma.audit(released(unique, roles, k=4)).named("untouched columns").status == "amber"


def test_like_nobody_else_at_k_of_two() -> None:
    release = released({"age": [1, 2, 3, 4], "x": [1, 1, 1, 2]}, {"age": QI, "x": "other"}, k=2)
    found = ma.audit(release)
    assert "like nobody else in all that is released" in found.named("k, exposed").sentence
    assert "at least 1 other in" in found.named("k, protected").sentence
