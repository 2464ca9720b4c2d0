"""Codes for "missing" are not averaged without a word, and those that no record has are named."""

from __future__ import annotations

import pandas as pd
import pytest

import microagg as ma
from microagg.cli import app
from microagg.io.reading import read_table
from microagg.preparation.missing import suspicious

INCOMES = pd.DataFrame({"income": [1200.0, 900, -999, 1500, -999, 1100, 1300, 950], "age": range(30, 38)})
ROLES = dict.fromkeys(INCOMES, "quasi_identifier")


def test_values_that_the_labels_call_none_are_refused_until_the_plan_says_so() -> None:
    data = ma.Microdata.from_frame(INCOMES, roles=ROLES, labels={"income": {-999: "refused"}})
    with pytest.raises(ma.PlanError, match=r"'income' holds -999, .*\(income=-999\)"):
        ma.protect(data, ma.Plan(k=2))
    said = ma.Plan(k=2, missing="drop", missing_codes={"income": (-999,)})
    assert ma.protect(data, said).protected["income"].mean() == pytest.approx(6950 / 6)


def test_values_that_look_like_codes_are_noted_with_column_value_and_count() -> None:
    notes = ma.protect(ma.Microdata.from_frame(INCOMES, roles=ROLES), ma.Plan(k=2)).notes
    assert sum("'income' has -999 in 2 records" in note for note in notes) == 1
    assert not [note for note in notes if "'age' has" in note]


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ([20, 30, 41, 9999], {9999.0: 1}),
        ([20, 30, 41, -9], {-9.0: 1}),
        ([5, 9, 3, 1], {}),
        ([-9, -4, 3, 8], {}),
        ([90, 95, 99, 101], {}),
        ([-999, -999], {}),
    ],
)
def test_only_values_apart_from_all_others_are_suspicious(values, found) -> None:
    assert suspicious(pd.Series(values)) == found


def test_codes_that_no_record_has_are_named() -> None:
    data = ma.Microdata.from_frame(INCOMES, roles=ROLES)
    plan = ma.Plan(k=2, missing="drop", missing_codes={"income": (-999, -98), "*": (77,)})
    notes = " ".join(ma.protect(data, plan).notes)
    assert "No record has -98 in column 'income'" in notes
    assert "No record has 77 in any protected column" in notes


def test_a_first_line_that_looks_like_a_record_is_one() -> None:
    bare = b"60,11286,m\n31,9000,f\n44,12000,m\n52,8000,f\n"
    table = read_table(bare, name="x.csv")
    assert (len(table.frame), table.frame.iloc[0, 0]) == (4, 60)
    assert [note for note in table.notes if "looks like a record" in note]
    assert list(read_table(bare, name="x.csv", header=True).frame.columns) == ["60", "11286", "m"]


@pytest.mark.parametrize(
    ("text", "names", "noted"),
    [
        (b"who,60,11286\nAnn,31,9000\nBen,44,12000\n", ["who", "60", "11286"], True),
        (b"region,2019,2020\nN,31,9000\nS,44,12000\n", ["region", "2019", "2020"], False),
        (b"age,income,sex\n31,9000,f\n44,12000,m\n", ["age", "income", "sex"], False),
        (b"town,land\nReus,ES\nSalou,ES\nVila,ES\n", ["town", "land"], False),
    ],
)
def test_other_first_lines_stay_names(text, names, noted) -> None:
    table = read_table(text, name="x.csv")
    assert list(table.frame.columns) == names
    assert any("above columns of numbers" in note for note in table.notes) is noted


@pytest.mark.parametrize(
    ("option", "said"), [(["--budget", "-1"], "--budget is -1"), (["--out", "-"], "standard output")]
)
def test_a_negative_budget_and_standard_output_are_refused_in_words(option, said, tmp_path) -> None:
    from typer.testing import CliRunner

    INCOMES.to_csv(tmp_path / "x.csv", index=False)
    out = [] if "--out" in option else ["--out", str(tmp_path / "y.csv")]
    done = CliRunner().invoke(app, ["protect", str(tmp_path / "x.csv"), *out, *option])
    assert done.exit_code != 0
    assert said in done.output + str(done.exception)
