"""An index can name every record: it stays in the house unless it is asked for, and then that is said."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pyarrow.feather
import pyarrow.parquet
import pytest

import microagg as ma
from microagg import cli
from microagg.handover.release_file import Outgoing
from microagg.handover.verification import check
from microagg.io.formats import FORMATS
from microagg.io.reading import read_table
from microagg.io.saving import table_bytes

if TYPE_CHECKING:
    from pathlib import Path

AGES = [20, 21, 22, 60, 61, 62]
IDS = [f"ES-{4711 + 13 * i}" for i in range(6)]
NAMED = "The index 'person_id' is left out of the release, since it can name every record."
UNNAMED = "The index is left out of the release, since it can name every record."
INDEXES = {
    "named text": (pd.Index(IDS, name="person_id"), NAMED),
    "named count": (pd.RangeIndex(6, name="person_id"), NAMED),
    "unnamed text": (pd.Index(IDS), UNNAMED),
    "numbers": (pd.Index([4711, 8, 15, 16, 23, 42]), UNNAMED),
    "some of a larger file": (pd.Index([0, 3, 4, 7, 8, 9]), UNNAMED),
    "days": (pd.date_range("1980-05-01", periods=6), UNNAMED),
    "two levels": (
        pd.MultiIndex.from_arrays([IDS, range(6)], names=["person_id", None]),
        NAMED,
    ),
}
WRITABLE = [row.name for row in FORMATS.values() if row.write is not None]


def people(index: pd.Index | None = None) -> pd.DataFrame:
    return pd.DataFrame({"age": AGES, "wage": [1.0, 2, 3, 9, 8, 7]}, index=index)


@pytest.mark.parametrize(("index", "note"), INDEXES.values(), ids=INDEXES)
def test_the_index_is_left_out_and_a_note_says_so(index, note):
    release = ma.protect(ma.Microdata.from_frame(people(index)), ma.Plan(k=3))
    assert type(release.protected.index) is pd.RangeIndex
    assert release.protected.index.equals(pd.RangeIndex(6))
    assert release.protected.index.name is None
    assert release.notes == (note,)
    assert release.data.frame.index.equals(index)


@pytest.mark.parametrize("index", [None, pd.RangeIndex(6), pd.Index(range(6)), pd.RangeIndex(10, 16)])
def test_an_index_that_only_counts_is_not_worth_a_note(index):
    release = ma.protect(ma.Microdata.from_frame(people(index)), ma.Plan(k=3))
    assert release.notes == ()
    assert release.protected.index.equals(pd.RangeIndex(6))


def test_records_that_are_left_out_leave_no_gap_in_the_index():
    frame = people().assign(age=[*AGES[:5], np.nan])
    frame = pd.concat([frame.iloc[[5]], frame.iloc[:5]], ignore_index=True)
    release = ma.protect(ma.Microdata.from_frame(frame), ma.Plan(k=3, missing="drop"))
    assert release.protected.index.equals(pd.RangeIndex(5))
    assert release.data.frame.index.tolist() == [1, 2, 3, 4, 5]


def test_an_index_that_is_asked_for_is_kept_and_the_check_calls_it_an_identifier():
    data = ma.Microdata.from_frame(people(pd.Index(IDS, name="person_id")), index="keep")
    release = ma.protect(data, ma.Plan(k=3))
    assert release.protected.index.tolist() == IDS
    assert release.notes == ()
    found = {one.name: one for one in Outgoing(release, "parquet").checks}["Identifiers"]
    assert (found.status, found.sentence, found.detail) == (
        "red",
        "The file names its records by the index 'person_id'.",
        "The data keep their index.",
    )


def test_an_index_that_is_kept_and_a_shuffle_do_not_go_together():
    data = ma.Microdata.from_frame(people(pd.Index(IDS)), index="keep")
    with pytest.raises(
        ma.PlanError, match=r"^The plan shuffles the rows, and the index, which the data keep"
    ):
        ma.protect(data, ma.Plan(k=3, shuffle=1))


def test_another_word_for_the_index_is_refused():
    with pytest.raises(ma.DataError, match=r"^data: the index is 'hide'; it must be 'drop' or 'keep'\.$"):
        ma.Microdata.from_frame(people(), index="hide")


def test_keeping_the_index_makes_other_data():
    frame = people(pd.Index(IDS))
    kept = ma.Microdata.from_frame(frame, index="keep")
    assert ma.Microdata.from_frame(frame).fingerprint != kept.fingerprint
    assert kept.with_roles({"wage": "other"}).index == "keep"


@pytest.mark.parametrize("kind", WRITABLE)
def test_no_format_carries_the_index(kind):
    frame = people(pd.Index(IDS, name="person_id"))
    frame.attrs = {"interviewer": "Sentinel-1"}
    release = ma.protect(ma.Microdata.from_frame(frame), ma.Plan(k=3))
    written = Outgoing(release, kind).written
    back = read_table(written, name=f"x{FORMATS[kind].suffixes[0]}").frame
    assert back.index.equals(pd.RangeIndex(6))
    assert list(back.columns) == ["age", "wage"]
    for told in (b"person_id", b"ES-47", b"Sentinel-1"):
        assert told not in written


@pytest.mark.parametrize("kind", ["parquet", "feather", "rds", "rda"])
def test_the_check_sees_an_index_that_the_file_carries(kind):
    frame = people(pd.Index(IDS, name="person_id"))
    release = ma.protect(ma.Microdata.from_frame(frame), ma.Plan(k=3))
    leaking = table_bytes(release.protected.set_axis(frame.index), kind)
    name = f"x{FORMATS[kind].suffixes[0]}"
    found = {one.name: one for one in check(leaking, name, release)}["Identifiers"]
    assert found.status == "red"
    assert found.sentence.startswith("The file names its records by the index")
    assert found.detail == "They should have been left out."
    right = {one.name: one for one in check(table_bytes(release.protected, kind), name, release)}
    assert right["Identifiers"].status == "green"


@pytest.mark.parametrize("ending", ["parquet", "feather"])
def test_from_parquet_to_parquet_no_id_leaves(tmp_path: Path, capsys, ending):
    source, out = tmp_path / f"in.{ending}", tmp_path / f"out.{ending}"
    source.write_bytes(table_bytes(people(pd.Index(IDS, name="person_id")), ending))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["microagg", "protect", str(source), "--k", "3", "--out", str(out)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
    assert ended.value.code == 0
    assert f"note: {NAMED}\n" in capsys.readouterr().err
    read = pyarrow.parquet.read_table if ending == "parquet" else pyarrow.feather.read_table
    table = read(io.BytesIO(out.read_bytes()))
    assert table.schema.names == ["age", "wage"]
    assert b"person_id" not in out.read_bytes()
    assert table.to_pydict()["age"] == [21, 21, 21, 61, 61, 61]


@pytest.mark.parametrize("kind", ["parquet", "feather", "rds"])
def test_categories_that_no_released_record_has_are_not_written(kind):
    towns = pd.Categorical(["Reus", "Reus", "Reus", "Valls", "Valls", "Valls", "Sentinel-1"])
    frame = pd.DataFrame({"age": [*AGES, np.nan], "town": towns})
    data = ma.Microdata.from_frame(frame, roles={"town": "other"})
    release = ma.protect(data, ma.Plan(k=3, missing="drop", columns=("age",)))
    written = Outgoing(release, kind).written
    back = read_table(written, name=f"x{FORMATS[kind].suffixes[0]}").frame
    assert back["town"].tolist() == ["Reus"] * 3 + ["Valls"] * 3

    assert b"Sentinel-1" not in written
