"""Small files whose verdict is worked out by hand, and what a person may say against it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

import microagg as ma
from microagg.assessment.audit import columns_of
from microagg.model.findings import NAMES
from tests.conftest import reference_file

if TYPE_CHECKING:
    from microagg.model.roles import Role

QI: Role = "quasi_identifier"


def released(columns: dict[str, Any], roles: dict[str, Role], **plan: Any) -> ma.Release:
    data = ma.Microdata.from_frame(pd.DataFrame(columns), roles=roles)
    return ma.protect(data, ma.Plan(**{"k": 3} | plan))


def statuses(found: ma.Findings) -> dict[str, str]:
    return {one.name: one.status for one in found}


SECRET = {
    "age": [20, 21, 22, 60, 61, 62],
    "income": [1, 2, 3, 7, 8, 9],
    "diagnosis": list("xxxyyz"),
}
SECRET_ROLES: dict[str, Role] = {"age": QI, "income": QI, "diagnosis": "confidential"}


def test_one_value_of_mic1d_puts_nobody_among_others() -> None:
    frame = pd.read_csv(reference_file("census"))
    data = ma.Microdata.from_frame(frame, roles=dict.fromkeys(frame.columns, QI), name="census")
    release = ma.protect(data, ma.Plan(method="mic1d", k=10))
    found = ma.audit(release)
    sizes = release.protected.groupby(list(frame.columns), dropna=False).size()
    for name in ("k, protected", "k, exposed", "promise of the method"):
        assert (found.named(name).status, found.named(name).records) == ("red", sizes[sizes < 10].sum())
    assert found.named("singled out").records == (sizes == 1).sum() > 1000


def test_merged_strata_single_out_the_fourth_record() -> None:
    release = released(
        {"town": list("aaaabb"), "age": [20, 21, 22, 60, 61, 62], "income": [1, 2, 3, 9, 8, 7]},
        {"town": "stratum", "age": QI, "income": QI},
        small_strata="merge next",
    )
    found = ma.audit(release)
    assert found.named("k, protected").status == "green"
    assert (found.named("k, exposed").status, found.named("k, exposed").records) == ("red", 3)
    assert (found.named("singled out").status, found.named("singled out").records) == ("red", 1)


def test_a_secret_that_a_class_shares_is_red_though_it_is_no_number() -> None:
    found = ma.audit(released(SECRET, SECRET_ROLES))
    assert (found.named("secrets").status, found.named("secrets").records) == ("red", 3)
    assert "diagnosis in 1 class (3 records)" in found.named("secrets").sentence
    assert found.named("k, exposed").status == "green"


def test_a_missing_secret_is_a_value_like_any_other() -> None:
    for shared, status in (([None] * 3, "red"), (["x", None, "x"], "amber"), (["x", None, "y"], "green")):
        found = ma.audit(released(SECRET | {"diagnosis": [*shared, "u", "v", None]}, SECRET_ROLES))
        assert found.named("secrets").status == status
        assert found.named("secrets").records == (0 if status == "green" else 3)


def test_a_class_of_one_household_is_nobody_hidden() -> None:
    release = released(
        {"id": [1, 1, 1, 2, 2, 2, 3, 3, 3], "income": [10] * 3 + [50] * 3 + [90] * 3},
        {"id": "unit", "income": QI},
    )
    found = ma.audit(release)
    assert found.named("k, protected").status == "green"
    assert (found.named("units").status, found.named("units").records) == ("red", 9)


def test_classes_of_many_households_are_green_where_the_household_does_not_leave() -> None:
    frame = pd.DataFrame({"firm": [1, 2, 3, 1, 2, 3], "income": [10.0] * 3 + [50.0] * 3})
    data = ma.Microdata.from_frame(frame, roles={"firm": "unit", "income": QI})
    after = ma.Microdata.from_frame(frame[["income"]], roles={"income": QI})
    assert ma.audit(ma.compare(data, after, k=3)).named("units").status == "green"
    assert ma.audit(ma.compare(data, after, k=4)).named("units").records == 6


def test_single_blocks_say_how_many_stand_alone() -> None:
    rng = np.random.default_rng(7)
    frame = {name: rng.normal(size=60) for name in "abc"}
    release = released(frame, dict.fromkeys("abc", QI), blocks="single", k=5)
    found = ma.audit(release)
    sizes = release.protected.groupby(list("abc")).size()
    assert found.named("singled out").records == (sizes == 1).sum() > 0
    assert f"{(sizes == 1).sum()} of 60 records" in found.named("singled out").sentence
    assert found.named("promise of the method").status == "red"


def test_blocks_that_happen_to_keep_k_are_amber_because_nothing_was_promised() -> None:
    same = {"a": [1.0] * 3 + [9.0] * 3, "b": [2.0] * 3 + [7.0] * 3}
    found = ma.audit(released(same, dict.fromkeys("ab", QI), blocks="single"))
    assert found.named("k, protected").status == "green"
    assert found.named("promise of the method").status == "amber"


@pytest.mark.parametrize(
    ("values", "role", "status", "what"),
    [
        ([f"p{i}@home.org" for i in range(12)], "other", "red", "e-mail addresses in 12 records"),
        ([f"p{i}@home.org" for i in range(12)], "confidential", "red", "e-mail addresses"),
        (["none"] * 11 + ["write to ann@home.org"], "other", "red", "e-mail addresses in 1 record"),
        ([f"+34 600 12 34 {i:02}" for i in range(12)], "other", "red", "telephone numbers"),
        ([f"https://x.org/{i}" for i in range(12)], "other", "red", "links"),
        (pd.date_range("2020-01-01", periods=12), "other", "red", "dates, nearly unique"),
        (pd.to_datetime(["2020-01-01", "2020-02-01"] * 6), "other", "amber", "dates, each shared"),
        ([f"{i + 1}.3.2020" for i in range(12)], "confidential", "amber", "confidential, dates"),
        (np.linspace(1, 2, 12), "weight", "red", "nearly unique: 12 records"),
        ([1.0, 2.0] * 6, "weight", "amber", "weights, each shared by at least 3"),
        (np.linspace(1, 2, 12), "confidential", "amber", "confidential, nearly unique: 12 records"),
        ([f"He said that it was on day {i} that all of it came to its end, and left" for i in range(12)],
         "other", "red", "free text in 12 records"),
        ([19800501 + i for i in range(12)], "other", "red", "dates, nearly unique"),
        ([19800501, 19810612] * 6, "other", "amber", "dates, each shared"),
        (["19800501", "19810612"] * 6, "other", "amber", "dates, each shared"),
        (["1980-05", "1981-06"] * 6, "other", "amber", "dates, each shared"),
        (["3 May 1980", "4. Juni 1981"] * 6, "confidential", "amber", "confidential, dates"),
        (["May 1980", "June 3, 1981"] * 6, "other", "amber", "dates, each shared"),
        (["Hauptstr. 12, 10115 Berlin", "Am Markt 3a 8001 Bern"] * 6, "other", "red", "street addresses in"),
        (["12 High Street, Leeds LS1 4AP", "1600 Main Ave, Dallas 75201"] * 6, "other", "red", "street addr"),
        (["DE89 3704 0044 0532 0130 00", "none"] * 6, "confidential", "red", "bank accounts in 6 records"),
        (["GB29NWBK60161331926819"] * 12, "other", "red", "bank accounts in 12 records"),
        ([f"10.0.0.{i}" for i in range(12)], "other", "red", "IP addresses in 12 records"),
        (["2001:db8::1", "fe80::1"] * 6, "other", "red", "IP addresses in 12 records"),
        (["Class 12, group 3", "Class 13, group 4"] * 6, "other", "green", "not found: dates"),
        (["10-14 years", "15-19 years"] * 6, "other", "green", "IP addresses, telephone numbers."),
        ([10000000, 20000000] * 6, "other", "green", "shared by at least 3"),
        (["n"] * 10 + ["s", "s"], "other", "amber", "2 records with a value that fewer than 3 share"),
        (["n"] * 6 + ["s"] * 6, "other", "green", "shared by at least 3 records"),
        ([None] * 10 + ["s"] * 2, "other", "amber", "2 records with a value"),
    ],
)  # fmt: skip
def test_columns_that_leave_as_they_are(values: Any, role: Role, status: str, what: str) -> None:
    found = ma.audit(released({"age": range(12), "x": values}, {"age": QI, "x": role}))
    one = found.named("untouched columns")
    assert (one.status, what in one.sentence) == (status, True), one


@pytest.mark.parametrize("column", ["hochrechnungsfaktor", "survey_weight", "perwt"])
@pytest.mark.parametrize("role", ["other", "confidential"])
def test_a_weight_by_name_is_a_weight_in_another_role(column: str, role: Role) -> None:
    found = ma.audit(released({"age": range(12), column: [1.5, 2.5] * 6}, {"age": QI, column: role}))
    one = found.named("untouched columns")
    assert (one.status, "weights, each shared by at least 3" in one.sentence) == ("amber", True)


@pytest.mark.parametrize("reason", ["Public.", "由统计局公布"])
def test_a_short_reason_in_words_is_one_where_it_says_enough(reason: str) -> None:
    if reason.isascii():
        with pytest.raises(ma.PlanError, match="three of them or ten letters"):
            ma.Plan(accept={"secrets": reason})
    else:
        assert ma.Plan(accept={"secrets": reason}).accept == {"secrets": reason}


def test_identifiers_by_role_by_look_and_in_the_index() -> None:
    frame = pd.DataFrame({"name": [f"P{i}" for i in range(12)], "age": [float(i) for i in range(12)]})
    out = ma.Microdata.from_frame(frame, roles={"name": "identifier", "age": QI})
    assert ma.audit(ma.protect(out, ma.Plan(k=3))).named("identifiers").status == "green"
    kept = ma.audit(ma.protect(out, ma.Plan(k=3, keep_identifiers=True)))
    assert kept.named("identifiers").status == "red"
    left = ma.audit(ma.protect(out.with_roles({"name": "other"}), ma.Plan(k=3)))
    assert "name looks like an identifier" in left.named("identifiers").sentence
    index = ma.Microdata.from_frame(frame.set_index("name"), roles={"age": QI})
    after = ma.Microdata.from_frame(frame.assign(age=1.0).set_index("name"), roles={"age": QI})
    assert "The index name" in ma.audit(ma.compare(index, after)).named("identifiers").sentence


def test_records_that_stay_at_home_do_not_make_the_index_telling() -> None:
    release = released({"age": [1.0, None, 2, 3, 4, 5]}, {"age": QI}, missing="drop", k=2)
    assert ma.audit(release).named("identifiers").status == "green"


def test_long_numbers_are_told_apart_to_the_last_digit() -> None:
    release = released(
        {"age": [20.0] * 6, "card": [2**60 + i for i in range(6)]}, {"age": QI, "card": "other"}
    )
    assert ma.audit(release).named("singled out").records == 6


def test_a_value_and_its_text_are_two_values() -> None:
    release = released({"age": [20.0] * 6, "x": [1, True, 1, True, 1, True]}, {"age": QI, "x": "other"}, k=4)
    assert ma.audit(release).named("k, exposed").records == 6


def test_a_person_may_accept_a_finding_with_a_reason() -> None:
    release = released(SECRET, SECRET_ROLES)
    before, after = ma.audit(release), ma.audit(release, {"secrets": "  Published anyway. "})
    assert (after.named("secrets").status, after.named("secrets").reason) == ("amber", "Published anyway.")
    assert statuses(after) | {"secrets": "red"} == statuses(before)
    assert ma.audit(release, {"k, exposed": "Nothing to accept."}) == before


def test_a_column_that_nobody_can_know_leaves_k_amber_at_best() -> None:
    release = released({"age": [20, 21, 22, 60, 61, 62], "random": range(6)}, {"age": QI, "random": "other"})
    assert ma.audit(release).named("k, exposed").records == 6
    found = ma.audit(release, {"random": "Drawn by us."})
    for name in ("k, exposed", "singled out"):
        assert (found.named(name).status, found.named(name).reason) == ("amber", "random: Drawn by us.")
        assert "Taken as known to nobody: random" in found.named(name).sentence
    assert found.named("untouched columns").status == "amber"
    still = ma.audit(released({"age": range(6), "r": range(6)}, {"age": QI, "r": "other"}, blocks="single"),
                     {"age": "It is not known."})  # fmt: skip
    assert still.named("k, exposed").status == "red"


@pytest.mark.parametrize(
    "reason", ["", "   ", "\t\n", "—", "…", "x", "ok", "So.", "x x x x", "1 2 3 4 5", "Not known."]
)
def test_a_reason_without_a_word_is_refused(reason: str) -> None:
    with pytest.raises(ma.PlanError, match="needs a reason in words"):
        ma.Plan(accept={"secrets": reason})
    with pytest.raises(ma.PlanError, match="needs a reason in words"):
        ma.audit(released(SECRET, SECRET_ROLES), {"secrets": reason})


def test_what_is_neither_finding_nor_column_is_refused_before_the_run() -> None:
    with pytest.raises(
        ma.PlanError, match="no finding or column 'secret' to accept; the findings are k, pro"
    ):
        released(SECRET, SECRET_ROLES, accept={"secret": "It is known."})
    with pytest.raises(ma.PlanError, match="no finding or column"):
        ma.audit(released(SECRET, SECRET_ROLES), {"secret": "It is known."})


def test_accepting_changes_no_byte_and_travels_with_the_plan() -> None:
    plain, said = (
        released(SECRET, SECRET_ROLES),
        released(SECRET, SECRET_ROLES, accept={"secrets": "So it was decided."}),
    )
    pd.testing.assert_frame_equal(plain.protected, said.protected)
    assert said.plan is not None
    assert ma.Plan.from_json(said.plan.to_json()).accept == {"secrets": "So it was decided."}
    assert ma.audit(said).named("secrets").reason == "So it was decided."


@pytest.mark.parametrize("accept", ['["secrets"]', '{"secrets": 1}', '"secrets"', "3", '{"secrets": null}'])
def test_a_plan_that_accepts_in_another_form_is_refused_in_words(accept: str) -> None:
    with pytest.raises(ma.PlanError, match="accept"):
        ma.Plan.from_json(f'{{"method": "mdav", "k": 3, "accept": {accept}}}')


def test_a_column_called_like_a_finding_is_accepted_as_the_finding() -> None:
    release = released({"age": range(6), "secrets": list("xyzuvw")}, {"age": QI, "secrets": "other"})
    found = ma.audit(release, {"secrets": "It is public."})
    assert found.named("k, exposed").status == "red"


def test_a_pair_of_files_is_looked_at_alike_and_its_maker_promises_nothing() -> None:
    release = released(SECRET, SECRET_ROLES)
    after = ma.Microdata.from_frame(release.protected, roles=SECRET_ROLES)
    pair = ma.audit(ma.compare(release.data, after, k=3))
    assert statuses(pair) == statuses(ma.audit(release)) | {"promise of the method": "amber"}


def test_a_column_that_the_original_lacks_counts_as_known_and_is_undecided() -> None:
    release = released(SECRET, SECRET_ROLES)
    after = ma.Microdata.from_frame(release.protected.assign(more=range(6)), roles=SECRET_ROLES)
    found = ma.audit(ma.compare(release.data, after, k=3))
    assert found.named("singled out").records == 6
    assert (found.named("undecided").status, "more" in found.named("undecided").sentence) == ("amber", True)


def test_what_becomes_of_each_column_is_named() -> None:
    release = released(SECRET | {"name": [f"P{i}" for i in range(6)]}, SECRET_ROLES | {"name": "identifier"})
    assert columns_of(release) == {
        "protected": ["age", "income"],
        "untouched": ["diagnosis"],
        "dropped": ["name"],
    }


def test_findings_are_as_json_holds_them() -> None:
    found = ma.audit(released(SECRET, SECRET_ROLES), {"secrets": "So it was decided."})
    listed = found.to_list()
    assert [one["finding"] for one in listed] == [
        name for name in NAMES if name not in ("units", "undecided")
    ]
    assert all(set(one) - {"reason"} == {"finding", "status", "records", "sentence"} for one in listed)
    assert [one["finding"] for one in listed if "reason" in one] == ["secrets"]


def test_the_worst_finding_is_the_status_of_all() -> None:
    assert ma.audit(released(SECRET, SECRET_ROLES)).status == "red"
    calm = ma.audit(released({"age": [1, 2, 3, 7, 8, 9]}, {"age": QI}))
    assert (calm.status, calm.of("green")) == ("green", tuple(calm))


NAMING = {
    "x1": [
        f"{first} {last}" for first in ("Ann", "Ben", "Cleo") for last in ("Smith", "Jones", "Brown", "Lee")
    ],
    "remark": [f"u{i}@example.org" for i in range(12)],
    "ssn": [100_000_000 + 7919 * i % 999_983 for i in range(12)],
}


@pytest.mark.parametrize("role", ["confidential", "other", "stratum", "weight", "unit", "undecided"])
@pytest.mark.parametrize("column", NAMING)
def test_what_looks_like_an_identifier_is_red_in_whatever_role_it_leaves(column: str, role: Role) -> None:
    frame = pd.DataFrame({"age": [30 + i // 4 for i in range(12)], column: NAMING[column]})
    data = ma.Microdata.from_frame(frame, roles={"age": QI, column: role})
    release = ma.protect(data, ma.Plan(k=4, strata=()))
    if role in ("weight", "unit"):  # a column of these roles stays in the file
        assert column in release.protected
    found = ma.audit(release).named("identifiers")
    assert found.status == "red"
    assert f"{column} looks like an identifier and is released" in found.sentence
