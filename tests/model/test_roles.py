"""What is guessed of columns as surveys, registers, hospitals and firms have them."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microagg.errors import DataError
from microagg.model.microdata import Microdata
from microagg.model.plan import Plan
from microagg.model.roles import guess
from microagg.protection.protect import protect

N = 300
DRAWN = np.random.default_rng(5)


def drawn(values: list, n: int = N) -> list:
    """Values drawn with replacement, each at least once."""
    rest = DRAWN.integers(0, len(values), n - len(values))
    return [*values, *(values[i] for i in rest)]


def amounts(low: float, high: float, digits: int = 0) -> np.ndarray:
    """Amounts in no order."""
    found = DRAWN.uniform(low, high, N).round(digits)
    return found if digits else found.astype(np.int64)


def homes(first: int = 1) -> np.ndarray:
    """Numbers of households of one to five people."""
    return np.repeat(np.arange(first, first + N), DRAWN.integers(1, 6, N))[:N]


def shuffled(values: np.ndarray) -> np.ndarray:
    return DRAWN.permutation(values)


FIRST = [
    "Ada",
    "Ben",
    "Cleo",
    "Dora",
    "Emil",
    "Fritz",
    "Greta",
    "Hugo",
    "Ines",
    "Jan",
    "Karl",
    "Lea",
    "Mira",
    "Nils",
    "Olga",
    "Paul",
    "Rita",
    "Sam",
]
LAST = [
    "Abbot",
    "Baker",
    "Castro",
    "Dahl",
    "Engel",
    "Fisher",
    "Garcia",
    "Hansen",
    "Ito",
    "Jensen",
    "Keller",
    "Lopez",
    "Meyer",
    "Novak",
    "Olsen",
    "Perez",
]
PEOPLE = [f"{first} {last}" for first in FIRST for last in LAST][:N]
DIAGNOSES = ["E11.9", "I10", "J45.0", "F32.1", "C50.9", "M54.5"]

QI, ID, SECRET = "quasi_identifier", "identifier", "confidential"
EXAMPLES = [
    # EU-SILC
    ("DB030", homes(100), "unit", "nominal", "EU-SILC"),
    ("HB030", homes(100), "unit", "nominal", "EU-SILC"),
    ("RB030", np.arange(N) * 100 + 1, ID, "continuous", "EU-SILC"),
    ("DB090", amounts(200, 900, 4), "weight", "continuous", "EU-SILC"),
    ("RB050", amounts(200, 900, 4), "weight", "continuous", "EU-SILC"),
    ("PB040", [0.0, *amounts(200, 900, 4)[1:]], "undecided", "continuous", "1 records have none above 0"),
    ("DB040", drawn(["AT11", "AT12", "AT13", "AT21"]), QI, "nominal", "region"),
    ("RB090", drawn([1, 2]), QI, "nominal", "sex"),
    ("RB080", shuffled(drawn(list(range(1935, 2005)))), QI, "continuous", "vary"),
    ("PE040", drawn([100, 200, 300, 344, 500]), QI, "ordinal", "education"),
    ("PL051", drawn([11, 12, 21, 22, 51, 93]), QI, "nominal", "occupation"),
    ("PL111", drawn(["a", "b - e", "f", "g"]), QI, "nominal", "branch"),
    ("PL060", amounts(5, 70), QI, "continuous", "vary"),
    ("PY010G", amounts(0, 80_000, 2), QI, "continuous", "vary"),
    ("PH010", drawn([1, 2, 3, 4, 5]), SECRET, "nominal", "health"),
    # IPUMS
    ("SERIAL", homes(7), "unit", "nominal", "household"),
    ("PERNUM", drawn([1, 2, 3, 4, 5]), QI, "continuous", "vary"),
    ("PERWT", amounts(20, 300), "weight", "continuous", "IPUMS"),
    ("HHWT", amounts(20, 300), "weight", "continuous", "IPUMS"),
    ("ASECWT", amounts(500, 3000, 2), "weight", "continuous", "IPUMS"),
    ("STATEFIP", drawn([1, 4, 5, 6, 8]), QI, "nominal", "place"),
    ("COUNTYFIP", drawn([1, 3, 5, 7, 9]), QI, "nominal", "place"),
    ("SEX", drawn([1, 2]), QI, "nominal", "others may know"),
    ("MARST", drawn([1, 2, 3, 4, 6]), QI, "nominal", "others may know"),
    ("RACE", drawn([1, 2, 3, 4]), QI, "nominal", "others may know"),
    ("EDUC", drawn([0, 2, 6, 10, 11]), QI, "ordinal", "education"),
    ("OCC", drawn([10, 20, 430, 4720]), QI, "nominal", "occupation"),
    ("INCTOT", amounts(0, 200_000), QI, "continuous", "vary"),
    # Demographic and Health Surveys
    ("caseid", [f"  {i:05d}  1" for i in range(N)], ID, "nominal", "different in every record"),
    ("v001", drawn(list(range(1, 40))), QI, "nominal", "cluster"),
    ("v005", amounts(100_000, 3_000_000), "weight", "continuous", "Demographic"),
    ("hv005", amounts(100_000, 3_000_000), "weight", "continuous", "Demographic"),
    ("v024", drawn([1, 2, 3, 4]), QI, "nominal", "region"),
    ("v012", amounts(15, 49), QI, "continuous", "vary"),
    ("v106", drawn([0, 1, 2, 3]), QI, "ordinal", "education"),
    ("v130", drawn([1, 2, 3]), SECRET, "nominal", "religion"),
    ("v131", drawn([1, 2, 3]), QI, "nominal", "ethnicity"),
    ("hhid", [f"{i // 3:06d}" for i in range(N)], "unit", "nominal", "3.0 records"),
    # labour-force surveys
    ("household_id", homes(), "unit", "nominal", "household"),
    ("HouseholdNumber", homes(), "unit", "nominal", "household"),
    ("person_id", np.arange(N) + 40_000, ID, "continuous", "different in every record"),
    ("pid", np.repeat(np.arange(N // 4), 4), "unit", "nominal", "4.0 records"),
    ("wgt", amounts(0.2, 4, 3), "weight", "continuous", "weight"),
    ("final_weight", amounts(40, 90, 1), "weight", "continuous", "weight"),
    ("pweight", amounts(0.5, 2, 3), "weight", "continuous", "weight"),
    ("expansion_factor", amounts(50, 900, 1), "weight", "continuous", "weight"),
    ("age", amounts(15, 90), QI, "continuous", "vary"),
    ("occupation", drawn(["clerk", "farmer", "nurse"]), QI, "nominal", "occupation"),
    ("isco08_3d", drawn(["011", "021", "111", "223"]), QI, "nominal", "occupation"),
    ("nace_rev2", drawn([1110, 2051, 4711, 8610]), QI, "nominal", "occupation"),
    ("nationality", drawn(["AT", "DE", "TR"]), QI, "nominal", "others may know"),
    ("employed", DRAWN.random(N) < 0.6, QI, "nominal", "yes or no"),
    ("hours_usual", amounts(1, 60), QI, "continuous", "vary"),
    ("trade_union_member", DRAWN.random(N) < 0.2, SECRET, "nominal", "secret"),
    (
        "interview_date",
        pd.to_datetime("2024-01-01") + pd.to_timedelta(amounts(0, 90), "D"),
        QI,
        "nominal",
        "dates",
    ),
    ("household_size", drawn([1, 2, 3, 4, 5]), QI, "continuous", "vary"),
    ("hh_income", amounts(8_000, 120_000), QI, "continuous", "vary"),
    ("region_income", amounts(8_000, 120_000), QI, "continuous", "vary"),
    ("wave", [3] * N, QI, "continuous", "the same in every record"),
    ("country", ["AT"] * N, QI, "nominal", "the same in every record"),
    ("comment", [None] * N, "undecided", "nominal", "empty"),
    # hospitals
    ("patient_id", np.repeat(np.arange(N // 2) + 7, 2), "unit", "nominal", "2.0 records"),
    ("MRN", shuffled(np.arange(N) + 512_000), ID, "continuous", "different"),
    ("patient_name", PEOPLE, ID, "nominal", "name"),
    ("surname", drawn(LAST), ID, "nominal", "name"),
    ("birth_date", [f"{1930 + i % 70}-0{1 + i % 9}-1{i % 9}" for i in range(N)], QI, "nominal", "dates"),
    ("dob", [19_300_101 + 10_000 * (i % 70) for i in range(N)], QI, "nominal", "dates"),
    (
        "admission",
        pd.to_datetime("2024-01-01 08:00") + pd.to_timedelta(np.arange(N), "h"),
        QI,
        "nominal",
        "dates",
    ),
    ("arrival", [f"{i % 24:02d}:{i % 60:02d}" for i in range(N)], QI, "nominal", "dates or times"),
    ("zip", drawn(["08001", "08002", "43001"]), QI, "nominal", "place"),
    ("postcode", [f"{1000 + i}" for i in range(N)], QI, "nominal", "place"),
    ("ZIP Code", drawn([90210, 94024, 94305]), QI, "nominal", "place"),
    ("diagnosis", drawn(["asthma", "diabetes", "none"]), SECRET, "nominal", "secret"),
    ("icd10", drawn(DIAGNOSES), SECRET, "nominal", "secret"),
    ("ICD9", drawn([250, 401, 493, 311, *range(700, 730)]), SECRET, "nominal", "secret"),
    ("hiv", drawn([0, 1]), SECRET, "nominal", "secret"),
    ("religion", drawn(["a", "b", "c"]), SECRET, "nominal", "secret"),
    ("medication", drawn(["x", "y", "z"]), SECRET, "nominal", "secret"),
    ("drug_cost", amounts(10, 9000, 2), QI, "continuous", "vary"),
    ("weight_kg", amounts(45, 120, 1), QI, "continuous", "vary"),
    ("weight", amounts(45, 120, 1), "undecided", "continuous", "may be a body's"),
    ("weight", amounts(1800, 4500), "undecided", "continuous", "may be a body's"),
    ("weight", amounts(400, 4500, 2), "weight", "continuous", "weight"),
    ("birthweight", amounts(1800, 4500), QI, "continuous", "vary"),
    ("body_weight", amounts(45, 120), QI, "continuous", "vary"),
    ("e_mail", [f"p{i}@example.org" for i in range(N)], ID, "nominal", "address"),
    ("kontakt", [f"p{i}@example.org" for i in range(N)], ID, "nominal", "e-mail"),
    ("phone", [f"+43 1 5{i:06d}" for i in range(N)], ID, "nominal", "phone"),
    ("mobile", drawn([0, 1]), QI, "continuous", "vary"),
    ("ssn", [f"{i:03d}-45-6789" for i in range(N)], ID, "nominal", "different"),
    (
        "remarks",
        [f"came on foot, case {i}, went home" for i in range(N)],
        "undecided",
        "nominal",
        "different",
    ),
    # business registers
    ("firm_id", np.repeat(np.arange(N // 5), 5), "unit", "nominal", "5.0 records"),
    ("company", [f"Company {i} Ltd" for i in range(N)], ID, "nominal", "different"),
    ("company_name", [f"Firm {i}" for i in range(N)], ID, "nominal", "name"),
    ("city_name", drawn(["Reus", "Valls", "Salou"]), QI, "nominal", "others may know"),
    ("turnover", shuffled(np.arange(N) * 937 + 10_000), QI, "continuous", "vary"),
    ("vat", [f"ATU{i:08d}" for i in range(N)], "undecided", "nominal", "codes, different in every record"),
    ("sector", drawn(["A", "B", "C"]), QI, "nominal", "others may know"),
    ("region_id", drawn([1, 2, 3, 4]), QI, "nominal", "place"),
    ("rating", pd.Categorical(drawn(["A", "B", "C"]), ["C", "B", "A"], ordered=True), QI, "ordinal", "order"),
    ("nr", range(1, N + 1), ID, "continuous", "own numbers"),
    ("Unnamed: 0", range(N), ID, "continuous", "own numbers"),
    ("number", np.cumsum(DRAWN.integers(1, 9, N)), "undecided", "continuous", "rise"),
    ("age", range(N), QI, "continuous", "vary"),
    ("year", range(N), QI, "continuous", "vary"),
    ("vote", drawn(["left", "right"]), SECRET, "nominal", "secret"),
    ("party_size", drawn([1, 2, 3]), QI, "continuous", "vary"),
    ("health_region", drawn(["north", "south"]), QI, "nominal", "categories"),
    ("disabled", [1.0, None] * (N // 2), SECRET, "nominal", "secret"),
    ("flag", [1.0, None] * (N // 2), QI, "nominal", "one value or none"),
]


@pytest.mark.parametrize(
    ("name", "values", "role", "scale", "reason"),
    EXAMPLES,
    ids=[f"{i}-{e[0]}" for i, e in enumerate(EXAMPLES)],
)
def test_columns_as_people_have_them(name, values, role, scale, reason):
    found = guess(name, pd.Series(values))
    assert (found.role, found.scale) == (role, scale), found.reason
    assert reason in found.reason


def test_the_examples_are_many():
    assert len(EXAMPLES) >= 60
    assert {e[2] for e in EXAMPLES} == {QI, ID, SECRET, "weight", "unit", "undecided"}


def test_ages_beside_the_incomes_of_twelve_people_are_protected():
    frame = pd.DataFrame({"age": range(30, 42), "income": [31, 18, 44, 29, 35, 52, 27, 61, 33, 48, 25, 39]})
    release = protect(Microdata.from_frame(frame), Plan(k=3))
    assert release.columns_dropped == ()
    assert release.attributes == ("age", "income")
    assert release.protected.value_counts().min() >= 3


@pytest.mark.parametrize("start", [2, 30, 1000])
def test_a_run_that_does_not_begin_at_the_beginning_is_no_serial_number(start):
    assert guess("x", pd.Series(range(start, start + 50))).role == "quasi_identifier"


def test_a_run_in_another_order_is_no_serial_number_unless_it_is_named_so():
    numbers = pd.Series(np.random.default_rng(1).permutation(50))
    assert guess("x", numbers).role == "quasi_identifier"
    assert guess("id", numbers).role == "identifier"


def test_numbers_that_repeat_evenly_are_units_only_if_they_are_named_so():
    numbers = pd.Series([1, 1, 1, 2, 2, 2, 3, 3, 3])
    assert guess("id", numbers).role == "unit"
    assert guess("family", numbers).role == "unit"
    assert guess("children", numbers).role == "quasi_identifier"
    assert guess("family", pd.Series(drawn([1, 2, 3, 4]))).role == "quasi_identifier"


def test_a_unit_that_some_records_lack_is_undecided():
    assert guess("firm_id", pd.Series([1.0, 1, 2, 2, 3, 3, None])).role == "undecided"


MISSING = {-9: "refused", -8: "don't know"}


@pytest.mark.parametrize(
    ("values", "labels", "scale"),
    [
        ([1, 2, 3, 4, 2], {1: "N", 2: "S", 3: "E", 4: "W"}, "nominal"),
        ([1, 2, 3, 4, -9], {1: "N", 2: "S", 3: "E", 4: "W", **MISSING}, "nominal"),
        ([1210, 840, -9, 2210, 1745], MISSING, "continuous"),
        ([30, 40, -9, -8, 40], MISSING, "continuous"),
        ([0, 31, 44, 52, 90], {0: "under one year", 90: "90 and above"}, "continuous"),
        ([0, 3, 5, 7, 10], {0: "not at all", 10: "wholly"}, "continuous"),
        ([0, 1, 1, 0, 1], {0: "no", 1: "yes"}, "nominal"),
    ],
)
def test_labels_of_most_values_make_codes_and_labels_of_missing_ones_do_not(values, labels, scale):
    found = guess("v12", pd.Series(values), labels)
    assert (found.role, found.scale) == ("quasi_identifier", scale)


@pytest.mark.parametrize("measure", ["ordinal", "nominal"])
def test_a_measure_that_the_file_says_is_taken(measure):
    assert guess("v12", pd.Series([1, 2, 3, 2]), None, measure).scale == measure
    assert guess("v12", pd.Series(["a", "b", "a"]), None, measure).scale == "nominal"


CELLS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=12),
    st.binary(max_size=4),
    st.decimals().filter(lambda number: not number.is_snan()),
    st.fractions(),
    st.complex_numbers(),
    st.dates(),
    st.times(),
    st.datetimes(),
    st.timedeltas(),
    st.tuples(st.integers(), st.text(max_size=2)),
    st.lists(st.integers(), max_size=2),
)
NAMES = st.one_of(st.sampled_from(sorted({example[0] for example in EXAMPLES})), st.text(max_size=20))
COLUMNS = st.one_of(
    st.lists(CELLS, max_size=30).map(lambda cells: pd.Series(cells, dtype=object)),
    st.lists(st.floats(), max_size=30).map(lambda cells: pd.Series(cells, dtype=np.float64)),
    st.lists(st.floats(width=32), max_size=30).map(lambda cells: pd.Series(cells, dtype=np.float32)),
    st.lists(st.integers(-(2**63), 2**63 - 1), max_size=30).map(
        lambda cells: pd.Series(cells, dtype=np.int64)
    ),
    st.lists(st.one_of(st.none(), st.integers(-9, 9)), max_size=30).map(
        lambda c: pd.Series(c, dtype="Int64")
    ),
    st.lists(st.one_of(st.none(), st.booleans()), max_size=30).map(lambda c: pd.Series(c, dtype="boolean")),
    st.lists(st.one_of(st.none(), st.text(max_size=9)), max_size=30).map(
        lambda c: pd.Series(c, dtype="string")
    ),
    st.lists(st.sampled_from("abc"), max_size=30).map(lambda cells: pd.Series(cells, dtype="category")),
    st.lists(st.datetimes(pd.Timestamp("1900-01-01"), pd.Timestamp("2100-01-01")), max_size=30).map(
        lambda cells: pd.Series(cells, dtype="datetime64[us]")
    ),
    st.lists(st.complex_numbers(), max_size=9).map(lambda cells: pd.Series(cells, dtype=np.complex128)),
)
LABELS = st.one_of(st.none(), st.dictionaries(st.integers(-9, 9), st.text(max_size=9), max_size=5))


@settings(max_examples=600)
@given(NAMES, COLUMNS, LABELS, st.sampled_from([None, "nominal", "ordinal", "continuous"]))
def test_nothing_is_guessed_to_be_other_and_every_guess_has_its_reason(name, column, labels, measure):
    found = guess(name, column, labels, measure)
    assert found.role not in ("other", "stratum")
    assert found.reason
    assert found.reason.isprintable()
    if found.role == "weight":
        assert (column.astype(np.float64) > 0).all()
    if found.role == "unit":
        assert 1 < column.nunique() < len(column)
    if found.scale == "continuous" and found.role == "quasi_identifier":
        assert pd.api.types.is_numeric_dtype(column)


def test_numbers_of_any_kind_are_looked_at():
    assert guess("x", pd.Series([np.inf, -np.inf, 1.0])).role == "quasi_identifier"
    assert guess("x", pd.Series([1e308, -1e308, 3.0])).role == "quasi_identifier"
    assert guess("x", pd.Series([Decimal("1.5"), Decimal("1.5"), Decimal(2)])).role == "quasi_identifier"
    assert guess("x", pd.Series([2**64, 2**64, 3], dtype=object)).role == "quasi_identifier"


SURVEY = ("age", "income", "hours")
LEFT = ("sex", "region", "education", "occupation")


def test_a_survey_under_the_defaults_protects_its_numbers_and_names_all_that_it_leaves(household_survey):
    release = protect(household_survey, Plan(k=5))
    assert release.attributes == SURVEY
    assert release.columns_dropped == ("id",)
    assert release.columns_untouched == ("household", *LEFT[:1], *LEFT[1:], "weight", "diagnosis")
    before, after = household_survey.frame, release.protected
    pd.testing.assert_frame_equal(after[[*release.columns_untouched]], before[[*release.columns_untouched]])
    assert after.groupby(list(SURVEY)).size().min() >= 5
    (note,) = release.notes
    assert note.startswith(
        "sex, region, education and occupation are quasi-identifiers and leave as they are"
    )
    assert "mixed" in note


def test_a_method_for_categories_leaves_none(household_survey):
    few = household_survey.records(np.arange(400))
    release = protect(few, Plan(method="mixed", k=5))
    assert set(release.attributes) == {*SURVEY, *LEFT}
    assert release.notes == ()
    assert release.protected.groupby([*SURVEY, *LEFT]).size().min() >= 5


def test_columns_that_a_plan_names_are_refused_where_the_method_cannot_take_them(household_survey):
    with pytest.raises(DataError, match="'sex' holds text"):
        protect(household_survey, Plan(columns=("age", "sex")))


def test_columns_of_which_nobody_has_said_anything_leave_as_they_are_and_are_named():
    frame = pd.DataFrame({"age": range(20, 40), "vat": [f"ATU{i:08d}" for i in range(20)], "one": "AT"})
    release = protect(Microdata.from_frame(frame), Plan(k=4))
    assert release.columns_untouched == ("vat", "one")
    (note,) = release.notes
    assert note.startswith("vat leaves as it is, and nobody has said what for")


def test_strata_that_a_plan_names_are_not_protected_too(household_survey):
    release = protect(household_survey, Plan(k=5, strata=("sex",)))
    assert "sex" in release.columns_untouched
    assert release.protected.groupby([*SURVEY, "sex"]).size().min() >= 5
    (note,) = release.notes
    assert note.startswith("region, education and occupation are")
    few = household_survey.records(np.arange(400))
    mixed = protect(few, Plan(method="mixed", k=5, strata=("sex",)))
    assert mixed.columns_untouched == ("household", "sex", "weight", "diagnosis")


@pytest.fixture(scope="module")
def household_survey() -> Microdata:
    from microagg.io.household_survey import household_survey as made

    return Microdata.from_frame(made())
