"""Two files are compared record by record: whose row is whose is known, confirmed or said, never assumed."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import microagg as ma
from microagg.assessment.alignment import confirmed
from microagg.errors import DataError, MicroaggError, PlanError

QUASI = ("age", "rent")


def people(records: int = 40) -> pd.DataFrame:
    draw = np.random.default_rng(6)
    return pd.DataFrame(
        {
            "age": draw.integers(18, 90, records),
            "rent": draw.normal(800, 200, records).round(2),
            "sex": draw.choice(["f", "m"], records),
            "key": [f"p{i:03}" for i in draw.permutation(records)],
        }
    )


def microdata(frame: pd.DataFrame) -> ma.Microdata:
    known = {
        "age": "quasi_identifier",
        "rent": "quasi_identifier",
        "sex": "confidential",
        "key": "identifier",
    }
    return ma.Microdata.from_frame(frame, roles={n: r for n, r in known.items() if n in frame}, name="file")


def released(frame: pd.DataFrame, **changes: object) -> pd.DataFrame:
    return ma.protect(microdata(frame), ma.Plan(k=4, keep_identifiers=True, **changes)).protected


def expected(frame: pd.DataFrame) -> dict[str, float]:
    """The figures of the release itself, which no alignment had a part in."""
    return ma.assess(ma.protect(microdata(frame), ma.Plan(k=4))).figures()


def figures(release: ma.Release) -> dict[str, float]:
    return ma.assess(release).figures()


def mixed(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.sample(frac=1, random_state=3)


@pytest.mark.parametrize("reset", [False, True])
def test_rows_in_another_order_are_matched_by_index_or_column(reset: bool) -> None:
    frame = people()
    other = mixed(released(frame))
    other = other.reset_index(drop=True) if reset else other
    align = "key" if reset else "index"
    found = ma.compare(microdata(frame), microdata(other), k=4, align=align)
    assert figures(found) == pytest.approx(expected(frame), nan_ok=True)
    assert found.notes == ()
    in_order = found.protected.set_index("key")["age"].reindex(frame["key"]).to_numpy()
    assert np.array_equal(found.aligned["age"], in_order)


def test_a_named_index_is_the_same_whatever_the_rows() -> None:
    frame = people().set_index("key")
    kept = ma.Microdata.from_frame(
        frame, roles=dict.fromkeys(QUASI, "quasi_identifier") | {"sex": "confidential"}, index="keep"
    )
    other = mixed(ma.protect(kept, ma.Plan(k=4)).protected)
    found = ma.compare(microdata(frame), microdata(other), k=4)
    assert figures(found) == pytest.approx(expected(people()), nan_ok=True)


def test_a_plan_undoes_its_shuffle() -> None:
    frame, plan = people(), ma.Plan(k=4, shuffle=11)
    data = microdata(frame)
    release = ma.protect(data, plan)
    found = ma.compare(data, microdata(release.protected), plan=plan)
    assert figures(found) == pytest.approx(figures(release), nan_ok=True)
    assert np.array_equal(found.order, release.order)
    assert found.k == 4


@pytest.mark.parametrize("method", ["mdav", "individual_ranking", "mic1d"])
def test_a_plan_gives_blocks_columns_and_what_is_left_out(method: str) -> None:
    frame = people()
    frame.loc[[3, 17], "rent"] = np.nan
    blocks = "single" if method == "individual_ranking" else "all"
    plan = ma.Plan(method, k=4, missing="drop", shuffle=2, blocks=blocks)
    data = microdata(frame)
    release = ma.protect(data, plan)
    found = ma.compare(data, microdata(release.protected), plan=plan)
    assert figures(found) == pytest.approx(figures(release), nan_ok=True)
    assert (found.k, found.blocks) == (release.k, release.blocks)
    assert [list(left.positions) for left in found.left_out] == [[3, 17]]


def test_a_file_of_another_plan_is_refused() -> None:
    frame = people()
    file = microdata(released(frame))
    with pytest.raises(DataError, match="another order: 'sex', 'key' holds the same values in other rows"):
        ma.compare(microdata(frame), file, plan=ma.Plan(k=4, shuffle=5))
    with pytest.raises(DataError, match=r"releases 40 of the 40 .* has 39"):
        ma.compare(microdata(frame), microdata(released(frame).head(39)), plan=ma.Plan(k=4))


def test_a_match_by_position_that_untouched_columns_disprove_is_refused() -> None:
    frame = people()
    other = mixed(released(frame)).reset_index(drop=True)
    with pytest.raises(DataError, match="The rows stand in another order"):
        ma.compare(microdata(frame), microdata(other))
    asked = ma.compare(microdata(frame), microdata(other), align="position")
    assert "'sex', 'key', with the same values in other rows" in " ".join(asked.notes)


def test_what_confirms_a_match_by_position_is_said() -> None:
    frame = people()
    file = released(frame)
    assert ma.compare(microdata(frame), microdata(file)).notes == ()
    nothing = ma.compare(microdata(frame), microdata(file[["age", "rent"]]))
    assert nothing.notes == ("Rows are matched by position: nothing in the files confirms it.",)
    some = ma.compare(microdata(frame), microdata(file[["age", "rent", "sex"]]))
    assert len(some.notes) == 1
    assert "'sex' agrees in every row, but 40 of 40 records share these values" in some.notes[0]


def test_a_constant_column_confirms_nothing_and_single_records_are_counted() -> None:
    frame = pd.DataFrame({"land": ["x"] * 5, "town": ["a", "a", "b", "c", "c"]})
    assert "nothing in the files" in confirmed(frame, frame, ["land"], refuse=True, how="position")[0]
    assert "4 of 5 records share" in confirmed(frame, frame, ["land", "town"], refuse=True, how="position")[0]
    assert confirmed(frame, frame, ["town"], refuse=True, how="") == ()


def test_lost_new_and_changed_columns_are_named() -> None:
    frame = people()
    data, file = microdata(frame), released(frame)
    lost = ma.compare(data, microdata(file.drop(columns="rent")))
    assert "Not compared: 'rent', which file has not." in lost.notes
    assert lost.columns == ("age",)
    new = ma.compare(data, microdata(file.assign(note="x")))
    assert new.notes == ("Not compared: 'note', which file has not.",)
    changed = ma.compare(data, microdata(file.assign(sex="f")))
    assert "Not compared: 'sex', changed in the released file." in changed.notes
    with pytest.raises(DataError, match="no column 'rent', and 'rent_1' instead"):
        ma.compare(data, microdata(file.rename(columns={"rent": "rent_1"})))
    named = ma.compare(data, microdata(file.rename(columns={"rent": "rent_1"})), columns="age")
    assert named.columns == ("age",)
    assert "Not compared: 'rent_1', which file has not." in named.notes


def test_records_that_are_not_released_are_left_out_where_names_say_which() -> None:
    frame = people()
    file = released(frame).drop(index=[0, 7])
    with pytest.raises(DataError, match="40 records and file has 38; give the plan, or a column"):
        ma.compare(microdata(frame), microdata(file.reset_index(drop=True)))
    for found in (
        ma.compare(microdata(frame), microdata(file)),
        ma.compare(microdata(frame), microdata(mixed(file).reset_index(drop=True)), align="key"),
    ):
        assert list(found.left_out[0].positions) == [0, 7]
        assert list(found.data.frame["key"]) == list(found.aligned["key"])


@pytest.mark.parametrize(
    ("change", "align", "message"),
    [
        (lambda f: f.assign(key="p"), "key", "names several records alike"),
        (lambda f: f.assign(key=f["key"].where(f["key"] != "p003")), "key", "does not name every record"),
        (
            lambda f: f.assign(key="z" + f["key"]),
            "key",
            "Column 'key' names 40 records of file that file has not",
        ),
        (lambda f: f.drop(columns="key"), "key", "no column 'key' to align"),
        (lambda f: f.set_axis(range(100, 140)), "index", "The index names 40 records"),
        (lambda f: f.set_axis([5] * 40), "index", "names several records alike"),
    ],
)
def test_names_that_cannot_match_are_refused_without_showing_one(
    change: object, align: str, message: str
) -> None:
    frame = people()
    with pytest.raises(DataError, match=message) as refused:
        ma.compare(microdata(frame), microdata(change(released(frame))), align=align)
    assert "p0" not in str(refused.value)


def test_an_index_that_only_the_original_has_matches_nothing() -> None:
    frame = people().set_index("key").sample(frac=1, random_state=1)
    release = ma.protect(microdata(frame), ma.Plan(k=4))
    with pytest.raises(DataError, match="has an index and file has none"):
        ma.compare(microdata(frame), microdata(release.protected))
    by_row = ma.compare(microdata(frame), microdata(release.protected), align="position", k=4)
    assert figures(by_row) == pytest.approx(figures(release), nan_ok=True)


def test_a_reversed_file_keeps_the_numbers_of_its_rows() -> None:
    frame = people()
    found = ma.compare(microdata(frame), microdata(released(frame)[::-1]), k=4)
    assert figures(found) == pytest.approx(expected(frame), nan_ok=True)


def test_numbers_and_texts_name_the_same_record() -> None:
    frame = people().assign(key=np.random.default_rng(1).permutation(40) + 100)
    other = mixed(released(frame)).reset_index(drop=True)
    other["key"] = other["key"].astype(str)
    found = ma.compare(microdata(frame), microdata(other), align="key", k=4)
    assert figures(found) == pytest.approx(expected(frame), nan_ok=True)


@pytest.mark.parametrize("k", [0, 1, -1, 41, 2.5, True, "5"])
def test_a_size_that_no_group_can_have_is_refused(k: object) -> None:
    with pytest.raises(PlanError, match="k is"):
        ma.compare(microdata(people()), microdata(released(people())), k=k)


def test_a_column_is_protected_or_confidential() -> None:
    with pytest.raises(PlanError, match=r"'rent' is confidential.*named as one to protect"):
        ma.Plan(columns=("age", "rent"), roles={"rent": "confidential"})
    frame = people().assign(sex=np.arange(40) / 4)
    over = ma.protect(microdata(frame), ma.Plan(k=4, columns=("age", "sex")))
    assert over.data["sex"].role == "quasi_identifier"
    assert ma.Plan(columns=("age", "sex")).pinned(microdata(frame)).roles["sex"] == "quasi_identifier"
    found = ma.compare(microdata(frame), microdata(over.protected), columns=("age", "sex"), k=4)
    assert found.data["sex"].role == "quasi_identifier"
    assert found.confidential_values.shape == (40, 0)


def test_no_refusal_shows_a_cell() -> None:
    frame = people().assign(sex=[f"marked{i}" for i in range(40)])
    file = released(frame)
    for wrong in (
        mixed(file).reset_index(drop=True),
        file.head(30),
        file.assign(age="marked"),
        file[["sex"]],
    ):
        with pytest.raises(MicroaggError) as refused:
            ma.compare(microdata(frame), microdata(wrong.reset_index(drop=True)))
        assert "marked" not in str(refused.value)
