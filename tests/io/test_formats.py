"""Every format: what its own library writes is read, and what is written reads back equal."""

from __future__ import annotations

import datetime as dt
import io
import sys

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pyreadstat
import pytest
import rdata
from rdata.conversion.to_r import build_r_object
from rdata.parser import RObjectType

from microagg.errors import DataError, PlanError
from microagg.io.formats import FORMATS
from microagg.io.reading import read_microdata, read_table
from microagg.io.saving import table_bytes, write_table
from microagg.io.table import Labels
from microagg.model.plan import Plan
from microagg.protection.protect import protect

FRAME = pd.DataFrame(
    {
        "id": [1, 2, 3],
        "sex": pd.array([1, None, 2], dtype="Int64"),
        "rent": [1.5, np.nan, 2.25],
        "town": ["Reus", None, "Münster €"],
        "code": ["007", "=1+1", "10"],
    }
)
LABELS = Labels({"sex": "Sex of the person", "rent": "Rent, €"}, {"sex": {1: "female", 2: "male"}})
WRITABLE = [row for row in FORMATS.values() if row.write is not None or row.name == "csv"]
LABEL_KEEPERS = {"stata", "spss", "xport", "parquet", "feather"}


@pytest.mark.parametrize("row", WRITABLE, ids=lambda row: row.name)
def test_what_is_written_reads_back_equal(row):
    table = read_table(table_bytes(FRAME, row.name, labels=LABELS), name=f"data{row.suffixes[0]}")
    pd.testing.assert_frame_equal(table.frame, FRAME)
    assert (table.name, table.format) == ("data", row.name)
    assert table.notes == ()


@pytest.mark.parametrize("row", WRITABLE, ids=lambda row: row.name)
def test_labels_survive_where_the_format_has_a_place_for_them(row):
    labels = read_table(table_bytes(FRAME, row.name, labels=LABELS), name=f"x{row.suffixes[0]}").labels
    assert labels.columns == (LABELS.columns if row.name in LABEL_KEEPERS else {})
    assert labels.values == (LABELS.values if row.name in {"stata", "spss"} else {})


@pytest.mark.parametrize("row", WRITABLE, ids=lambda row: row.name)
def test_labels_of_columns_that_left_are_left_out(row):
    kept = FRAME[["rent"]]
    labels = read_table(table_bytes(kept, row.name, labels=LABELS), name=f"x{row.suffixes[0]}").labels
    assert set(labels.columns) <= {"rent"}
    assert not labels.values


@pytest.mark.parametrize("row", WRITABLE, ids=lambda row: row.name)
def test_the_moment_of_writing_leaves_no_trace(row, monkeypatch):
    class Later(dt.datetime):
        @classmethod
        def now(cls, tz=None):
            return super().now(tz) + dt.timedelta(days=400)

    first = table_bytes(FRAME, row.name, labels=LABELS)
    monkeypatch.setattr(dt, "datetime", Later)
    monkeypatch.setattr("time.time", lambda: 2e9)
    assert table_bytes(FRAME, row.name, labels=LABELS) == first
    assert str(dt.datetime.now(dt.UTC).year - 1).encode() not in first[:1024]


@pytest.mark.parametrize("row", [row for row in WRITABLE if row.name != "csv"], ids=lambda row: row.name)
def test_a_damaged_file_is_refused_in_words(row):
    whole = table_bytes(FRAME, row.name)
    for damaged in (b"not a table at all", whole[: len(whole) // 2]):
        with pytest.raises(DataError, match=r"data: |data\."):
            read_table(damaged, name=f"data{row.suffixes[0]}")


@pytest.mark.parametrize("row", WRITABLE, ids=lambda row: row.name)
def test_an_empty_file_is_refused(row):
    with pytest.raises(DataError, match="the file is empty"):
        read_table(b"", name=f"data{row.suffixes[0]}")


def test_write_table_goes_by_the_ending(tmp_path):
    write_table(FRAME, tmp_path / "out.xlsx")
    assert openpyxl.load_workbook(tmp_path / "out.xlsx").active["A1"].value == "id"


def test_an_unknown_kind_lists_the_known_ones():
    with pytest.raises(DataError, match="no format 'ods'; there are csv, excel"):
        table_bytes(FRAME, "ods")


def test_sas_data_sets_say_that_they_cannot_be_written():
    with pytest.raises(DataError, match=r"save as \.xpt"):
        table_bytes(FRAME, "sas")


def test_a_package_that_is_not_installed_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    with pytest.raises(DataError, match="Stata files need the package pyreadstat: pip install pyreadstat"):
        FORMATS["stata"].read(b"x", "a.dta", None)


def workbook(**sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        page = book.create_sheet(title)
        for row in rows:
            page.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def test_a_sheet_can_be_chosen_and_the_first_is_taken_otherwise():
    data = workbook(one=[["a"], [1]], two=[["b"], [2]])
    assert read_table(data, name="x.xlsx").frame.to_dict("list") == {"a": [1]}
    assert read_table(data, name="x.xlsx", sheet="two").frame.to_dict("list") == {"b": [2]}
    assert read_table(data, name="x.xlsx").sheets == ("one", "two")
    with pytest.raises(DataError, match="no sheet 'three'; there are one, two"):
        read_table(data, name="x.xlsx", sheet="three")


def test_excel_types_come_from_the_cells():
    day = pd.Timestamp("2024-05-01").to_pydatetime()
    table = read_table(
        workbook(s=[["n", "x", "b", "d", "m"], [1, 1.5, True, day, "a"], [None, 2, None, day, 7]]),
        name="x.xlsx",
    )
    assert [str(kind) for kind in table.frame.dtypes] == [
        "Int64",
        "float64",
        "boolean",
        "datetime64[us]",
        "str",
    ]
    assert table.frame["m"].tolist() == ["a", "7"]
    assert table.notes == ("Column 'm' holds text and other values; all are read as text.",)


def test_excel_empty_lines_and_columns_around_the_table_are_left_out():
    table = read_table(
        workbook(s=[[None], ["a", "a", None], [1, 2, None], [None, None, None]]), name="x.xlsx"
    )
    assert table.frame.to_dict("list") == {"a": [1], "a (2)": [2]}


def test_excel_rows_above_the_table_are_left_out_and_said():
    rows = [["Survey of 2020"], [None], ["made in May"], ["age", "rent"], [31, 7.5], [44, 8.5]]
    table = read_table(workbook(s=rows), name="x.xlsx")
    assert table.frame.to_dict("list") == {"age": [31, 44], "rent": [7.5, 8.5]}
    assert table.notes == ("2 rows above the table are left out.",)


def test_excel_merged_cells_count_for_every_cell_that_they_cover():
    book = openpyxl.Workbook()
    for row in (["Survey", None, None], ["town", "age", None], ["Reus", 1, 2], [None, 3, 4], ["Salou", 5, 6]):
        book.active.append(row)
    for merged in ("A1:C1", "B2:C2", "A3:A4"):
        book.active.merge_cells(merged)
    book.save(file := io.BytesIO())
    table = read_table(file.getvalue(), name="x.xlsx")
    assert table.frame.to_dict("list") == {
        "town": ["Reus", "Reus", "Salou"],
        "age": [1, 3, 5],
        "age (2)": [2, 4, 6],
    }
    assert table.notes[:2] == (
        "1 row above the table is left out.",
        "2 merged cells count for every row and column that they cover.",
    )


def test_excel_text_that_looks_like_a_formula_stays_text():
    book = openpyxl.load_workbook(io.BytesIO(table_bytes(pd.DataFrame({"a": ["=1+1"]}), "excel")))
    assert book.active["A2"].data_type == "s"


def test_excel_refuses_infinite_numbers():
    with pytest.raises(DataError, match="infinite"):
        table_bytes(pd.DataFrame({"a": [np.inf]}), "excel")


@pytest.mark.parametrize("sheet", [[["a", "b"]], []])
def test_excel_without_records_is_refused(sheet):
    with pytest.raises(DataError, match=r"empty|no record"):
        read_table(workbook(s=sheet), name="x.xlsx")


@pytest.mark.parametrize(
    ("name", "write"), [("x.parquet", pa.parquet.write_table), ("x.feather", pa.feather.write_feather)]
)
def test_arrow_files_of_other_programs_keep_large_integers_with_gaps(name, write):
    file = io.BytesIO()
    write(
        pa.table({"id": pa.array([2**53 + 1, None], pa.int64()), "small": pa.array([1, 2], pa.int8())}), file
    )
    frame = read_table(file.getvalue(), name=name).frame
    assert frame["id"].tolist() == [2**53 + 1, pd.NA]
    assert str(frame["small"].dtype) == "int64"


@pytest.mark.parametrize("kind", ["parquet", "feather", "rds"])
def test_an_index_of_names_is_kept_where_the_format_has_one(kind):
    named = FRAME.set_axis(["x", "y", "z"])
    frame = read_table(table_bytes(named, kind), name=f"x{FORMATS[kind].suffixes[0]}").frame
    assert frame.index.tolist() == ["x", "y", "z"]


def test_spss_values_declared_missing_are_missing_and_said(tmp_path):
    pyreadstat.write_sav(
        pd.DataFrame({"age": [31.0, -9.0, 44.0]}), str(tmp_path / "x.sav"), missing_ranges={"age": [-9]}
    )
    table = read_table(tmp_path / "x.sav")
    assert table.frame["age"].isna().tolist() == [False, True, False]
    assert "age" in table.notes[0]


def test_spss_and_stata_dates_are_dates():
    frame = pd.DataFrame({"day": pd.to_datetime(["2024-05-01", "2024-06-01"])})
    for kind in ("spss", "stata"):
        back = read_table(table_bytes(frame, kind), name=f"x{FORMATS[kind].suffixes[0]}").frame
        assert back["day"].tolist() == frame["day"].tolist()


@pytest.mark.parametrize("kind", ["stata", "spss", "xport", "rds"])
def test_integers_that_a_format_cannot_hold_are_refused(kind):
    with pytest.raises(DataError, match="'id' has integers of more digits"):
        table_bytes(pd.DataFrame({"id": [2**53 + 1]}), kind)


@pytest.mark.parametrize(
    ("values", "back"),
    [
        (np.array([1.5, 2.0, np.nan], dtype=np.float32), [1.5, 2.0, None]),
        (pd.array([1.5, None, 2.0], dtype="Float64"), [1.5, None, 2.0]),
        (pd.array([None, None, None], dtype="Int64"), [None, None, None]),
        (pd.Categorical([1, 2, 1]), ["1", "2", "1"]),
        (pd.Categorical(pd.to_datetime(["2024-05-01"] * 3)), ["2024-05-01 00:00:00"] * 3),
        (pd.Categorical(["a", 1, "a"]), ["a", "1", "a"]),
        (pd.Categorical(["1", 1, "1"]), ["1", "1", "1"]),
    ],
)
def test_what_r_has_no_type_for_is_written_as_the_nearest_that_it_has(values, back):
    frame = read_table(table_bytes(pd.DataFrame({"a": values}), "rds"), name="x.rds").frame
    found = frame["a"].astype(object).where(frame["a"].notna(), None).tolist()
    assert found == back


def test_row_names_of_two_levels_become_one():
    index = pd.MultiIndex.from_tuples([("x", 1), ("y", 2)])
    frame = read_table(table_bytes(pd.DataFrame({"a": [1.0, 2.0]}, index=index), "rds"), name="x.rds").frame
    assert frame.index.tolist() == ["('x', 1)", "('y', 2)"]


def test_a_column_name_that_stata_cannot_hold_is_named():
    with pytest.raises(DataError, match=r"Stata files cannot hold this table: .*'two words'"):
        table_bytes(pd.DataFrame({"two words": [1]}), "stata")


def test_an_r_workspace_offers_its_data_frames(tmp_path):
    one, two = pd.DataFrame({"a": [1.5]}), pd.DataFrame({"b": pd.Categorical(["u"])})
    rdata.write_rda(tmp_path / "x.rda", {"one": one, "text": "no table", "two": two})
    table = read_table(tmp_path / "x.rda")
    assert table.frame["a"].tolist() == [1.5]
    assert table.sheets == ("one", "two")
    assert read_table(tmp_path / "x.rda", sheet="two").frame["b"].tolist() == ["u"]
    with pytest.raises(DataError, match="no data frame 'text'; there are one, two"):
        read_table(tmp_path / "x.rda", sheet="text")


def test_an_r_file_without_a_data_frame_is_refused(tmp_path):
    rdata.write_rds(tmp_path / "x.rds", "only text")
    with pytest.raises(DataError, match="no data frame"):
        read_table(tmp_path / "x.rds")


def test_factors_come_back_as_factors_and_with_gaps_as_text():
    frame = pd.DataFrame({"f": pd.Categorical(["u", "v"]), "g": pd.Categorical(["u", None])})
    back = read_table(table_bytes(frame, "rds"), name="x.rds").frame
    assert isinstance(back["f"].dtype, pd.CategoricalDtype)
    assert back["g"].isna().tolist() == [False, True]


def test_r_dates_are_dates_and_unknown_classes_are_said(tmp_path):
    class Frame:
        """A data frame as R makes it, with columns of R's own classes, which pandas has no types for."""

    def column(numbers, name, converter):
        attributes = converter.convert_to_r_attributes({"class": name})
        return build_r_object(
            RObjectType.REAL, value=np.array(numbers), is_object=True, attributes=attributes
        )

    def construct(_, converter):
        columns = {
            "day": ([19844.0, np.nan], "Date"),
            "at": ([86400.5, 0.0], "POSIXct"),
            "v": ([1.0, 2.0], "haven_labelled"),
        }
        names = {
            "names": np.array(list(columns)),
            "class": "data.frame",
            "row.names": np.array([1, 2], np.int32),
        }
        values = [column(numbers, name, converter) for numbers, name in columns.values()]
        attributes = converter.convert_to_r_attributes(names)
        return build_r_object(RObjectType.VEC, value=values, is_object=True, attributes=attributes)

    rdata.write_rds(tmp_path / "x.rds", Frame(), constructor_dict={Frame: construct})
    table = read_table(tmp_path / "x.rds")
    assert table.frame["day"].tolist() == [pd.Timestamp("2024-05-01"), pd.NaT]
    assert table.frame["at"].tolist()[0] == pd.Timestamp("1970-01-02 00:00:00.5")
    assert table.frame["v"].tolist() == [1.0, 2.0]
    assert table.notes == ("R's class 'haven_labelled' is read as plain values, without labels.",)


REGIONS = pd.DataFrame(
    {
        "region": [1, 2, 3, 4] * 6,
        "income": [1200, -9, 940, 2210] * 6,
        "grade": [1, 2, 3, 2] * 6,
        "age": list(range(20, 44)),
    }
)
MEANT = {"region": {1: "N", 2: "S", 3: "E", 4: "W"}, "income": {-9: "refused"}}


@pytest.mark.parametrize(("kind", "grade"), [("spss", "ordinal"), ("stata", "continuous")])
def test_values_with_labels_are_codes_and_never_averaged(kind, grade):
    labels = Labels({}, MEANT, {"grade": "ordinal"})
    written = table_bytes(REGIONS, kind, labels=labels)
    data = read_microdata(written, name=f"x{FORMATS[kind].suffixes[0]}")
    scales = {a.name: a.scale for a in data.attributes}
    assert scales == {"region": "nominal", "income": "continuous", "grade": grade, "age": "continuous"}
    with pytest.raises(PlanError, match="'income' holds -9, which"):
        protect(data, Plan(k=4))
    asked = {"k": 4, "missing_codes": {"income": (-9,)}, "missing": "patterns"}
    release = protect(data, Plan(**asked))
    assert release.protected["region"].tolist() == REGIONS["region"].tolist()
    assert "region" in release.columns_untouched
    mixed = protect(data, Plan(method="mixed", **asked)).protected
    assert set(mixed["region"]) <= {1, 2, 3, 4}
    assert mixed.groupby(["region", "income", "grade", "age"], dropna=False).size().min() >= 4


def test_the_measure_of_a_column_survives_in_spss():
    labels = Labels({}, {}, {"grade": "ordinal", "region": "nominal"})
    written = table_bytes(REGIONS, "spss", labels=labels)
    assert read_table(written, name="x.sav").labels.measures == labels.measures
