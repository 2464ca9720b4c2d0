"""Every date and time, in every type and unit, through every writer and back: the same, or a sentence."""

from __future__ import annotations

import datetime as dt
import io

import hypothesis.strategies as st
import numpy as np
import openpyxl
import pandas as pd
import pytest
from hypothesis import given, settings

import microagg as ma
from microagg import cli
from microagg.handover.release_file import Outgoing
from microagg.handover.verification import check
from microagg.io.formats import FORMATS
from microagg.io.reading import read_table
from microagg.io.saving import table_bytes
from microagg.model.dates import told_as_text

KINDS = [row.name for row in FORMATS.values() if row.write is not None]
DAYS = ["2024-05-01 12:34:56", "1969-12-31 23:59:59", "1962-02-28 00:00:00", None]
NAIVE = dt.datetime  # without a zone, as files hold them
UNITS = ("s", "ms", "us", "ns")


def series(values, dtype=None):
    return pd.Series(values, dtype=dtype)


FITTING = {
    **{f"dates in {unit}": series(pd.to_datetime(DAYS)).astype(f"datetime64[{unit}]") for unit in UNITS},
    **{
        f"dates in {unit} without gap": series(pd.to_datetime(DAYS[:3] * 2)).astype(f"datetime64[{unit}]")
        for unit in UNITS
    },
    **{
        f"milliseconds in {unit}": series(
            pd.to_datetime(["2024-05-01 12:34:56.123", "1999-12-31 23:59:59.999", "2300-01-01 00:00:00.001"]),
        ).astype(f"datetime64[{unit}]")
        if unit != "ns"
        else series(
            pd.to_datetime(["2024-05-01 12:34:56.123", "1999-12-31 23:59:59.999"], format="ISO8601")
        ).astype("datetime64[ns]")
        for unit in UNITS[1:]
    },
    "days": series([dt.date(2024, 5, 1), None, dt.date(9999, 12, 31)], object),
    "datetimes": series([NAIVE(2024, 5, 1, 3, 4, 5), None, NAIVE(1970, 1, 1)], object),
    "far years": series(np.array(["9999-12-31", "2262-05-01", "NaT"], dtype="datetime64[s]")),
    "categories": series(pd.Categorical(pd.to_datetime(["2024-05-01", "1999-01-02", "2024-05-01"]))),
    "arrow": series(pd.to_datetime(DAYS[:3])).astype("timestamp[us][pyarrow]"),
}
AWKWARD = {
    "microseconds": series(pd.to_datetime(["2024-05-01 12:34:56.123456", "1999-12-31 23:59:59.000001"])),
    "nanoseconds": series(pd.to_datetime(["2024-05-01 12:34:56.123456789", "1999-12-31"], format="ISO8601")),
    "old dates": series(np.array(["1850-03-04", "0001-01-01", "1900-02-28"], dtype="datetime64[s]")),
    **{
        f"zoned in {unit}": series(pd.to_datetime(DAYS))
        .dt.tz_localize("Europe/Madrid")
        .astype(f"datetime64[{unit}, Europe/Madrid]")
        for unit in UNITS
    },
    "zoned objects": series([NAIVE(2024, 5, 1, 12, tzinfo=dt.UTC), None], object),
    "times": series([dt.time(12, 34, 56), None, dt.time(1, 2, 3)], object),
    "times with microseconds": series([dt.time(12, 34, 56, 123456), dt.time(0)], object),
    **{
        f"spans in {unit}": series(pd.to_timedelta(["1 days 02:03:04", "-1 days", None])).astype(
            f"timedelta64[{unit}]"
        )
        for unit in UNITS
    },
    "spans with nanoseconds": series(pd.to_timedelta([1, 2], unit="ns")),
    "months": series(pd.period_range("2024-05", periods=3, freq="M")),
    "quarters with a gap": series(pd.PeriodIndex(["2024Q1", None], freq="Q")),
    "intervals": series(pd.interval_range(0, 3)),
}


def there_and_back(column: pd.Series, kind: str) -> pd.Series:
    written = table_bytes(pd.DataFrame({"at": column, "n": range(len(column))}), kind)
    return read_table(written, name=f"x{FORMATS[kind].suffixes[0]}").frame["at"]


def instants(column: pd.Series, like: pd.Series | None = None) -> list[object]:
    """What a column says, by pandas alone: moments as microseconds of UTC, spans as nanoseconds, else text.

    The type of its values is that of ``like``, where it is given: the column may be the same as text.
    """
    kind = type(next(iter((column if like is None else like).astype(object).dropna())))

    def one(value: object) -> object:
        if pd.isna(value):
            return None
        if issubclass(kind, dt.date):
            moment = pd.Timestamp(value)
            zoned = moment.tz is not None
            plain = moment.tz_convert("UTC").tz_localize(None) if zoned else moment
            return zoned, plain.as_unit("us").to_datetime64(), plain.nanosecond
        if issubclass(kind, dt.timedelta):
            return pd.Timedelta(value).as_unit("ns").value
        return str(value)

    return [one(value) for value in column.astype(object)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("what", FITTING)
def test_moments_come_back_the_same(kind, what):
    back = there_and_back(FITTING[what], kind)
    assert instants(back, FITTING[what]) == instants(FITTING[what])
    if kind not in ("csv", "rds", "rda"):
        assert told_as_text(FITTING[what].to_frame("at"), kind) == ()
        assert not isinstance(back.dtype, pd.StringDtype)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("what", AWKWARD)
def test_moments_that_not_every_format_holds_come_back_the_same_perhaps_as_text(kind, what):
    column = AWKWARD[what]
    back = there_and_back(column, kind)
    assert instants(back, column) == instants(column)
    as_text = isinstance(back.dtype, pd.StringDtype)
    told = told_as_text(column.to_frame("at"), kind)
    assert len(told) == (as_text and kind != "csv")
    assert all(one.startswith("Column 'at' is written as text: ") for one in told)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("what", [*FITTING, *AWKWARD])
def test_a_file_with_untouched_moments_passes_its_checks(kind, what):
    column = (FITTING | AWKWARD)[what]
    n = len(column)
    frame = pd.DataFrame({"at": pd.concat([column] * 4, ignore_index=True), "age": np.arange(4.0 * n) % 9})
    data = ma.Microdata.from_frame(frame, roles={"at": "other", "age": "quasi_identifier"})
    checks = {one.name: one for one in Outgoing(ma.protect(data, ma.Plan(k=4)), kind).checks}
    for name in ("Copied columns", "Missing values", "Columns"):
        assert checks[name].status == "green", checks[name]


def test_a_check_sees_a_moment_that_has_moved():
    at = pd.to_datetime(["2024-05-01", "2024-05-02", "2024-05-03", "2024-05-04"])
    data = ma.Microdata.from_frame(pd.DataFrame({"at": at, "age": [1, 2, 3, 4]}), roles={"at": "other"})
    release = ma.protect(data, ma.Plan(k=2))
    for kind in KINDS:
        moved = release.protected.assign(at=at + pd.Timedelta(seconds=1))
        written = table_bytes(moved, kind)
        found = {one.name: one for one in check(written, f"x{FORMATS[kind].suffixes[0]}", release)}
        assert found["Copied columns"].status == "red", kind


def test_a_zone_is_written_in_words_and_said():
    at = pd.Series(pd.to_datetime(["2024-05-01 12:00"])).dt.tz_localize("Europe/Madrid")
    frame = pd.DataFrame({"at": at})
    for kind, title in (
        ("excel", "Excel"),
        ("stata", "Stata"),
        ("spss", "SPSS"),
        ("xport", "SAS transport files"),
        ("rds", "R, as it is written here,"),
    ):
        assert there_and_back(at, kind).tolist()[0].replace(" ", "T") == "2024-05-01T12:00:00+02:00"
        why = "no dates with a time zone" if kind == "rds" else "no time zones"
        assert told_as_text(frame, kind) == (f"Column 'at' is written as text: {title} has {why}.",)
    assert told_as_text(frame, "parquet") == ()


def test_the_command_says_which_dates_became_text(tmp_path, capsys, monkeypatch):
    at = pd.Series(pd.to_datetime(["2024-05-01 12:00"] * 4)).dt.tz_localize("UTC")
    frame = pd.DataFrame({"at": at, "age": [1, 2, 3, 4]})
    (tmp_path / "in.parquet").write_bytes(table_bytes(frame, "parquet"))
    out = tmp_path / "out.xlsx"
    words = [
        "microagg",
        "protect",
        str(tmp_path / "in.parquet"),
        "--columns",
        "age",
        "--k",
        "2",
        "--out",
        str(out),
    ]
    monkeypatch.setattr("sys.argv", words)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 0
    assert "note: Column 'at' is written as text: Excel has no time zones.\n" in capsys.readouterr().err
    assert (
        openpyxl.load_workbook(io.BytesIO(out.read_bytes())).active["A2"].value == "2024-05-01T12:00:00+00:00"
    )


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (FITTING["dates in s"], "dates"),
        (FITTING["days"], "dates"),
        (AWKWARD["zoned in us"], "dates with a time zone"),
        (AWKWARD["times"], "times of day"),
        (AWKWARD["spans in s"], "time spans"),
        (AWKWARD["months"], "periods"),
    ],
)
def test_dates_are_not_called_text(column, words):
    frame = pd.DataFrame({"at": column, "age": range(len(column))})
    with pytest.raises(ma.DataError) as refused:
        ma.protect(
            ma.Microdata.from_frame(frame), ma.Plan(k=2, columns=("at",), roles={"at": "quasi_identifier"})
        )
    assert str(refused.value).startswith(f"Column 'at' holds {words}; ")


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.none() | st.datetimes(min_value=NAIVE(1, 1, 1), max_value=NAIVE(9999, 12, 31)),
        min_size=1,
        max_size=5,
    ).filter(lambda values: any(values)),
    st.sampled_from(KINDS),
    st.sampled_from(["s", "ms", "us"]),
)
def test_any_moment_comes_back_the_same(values, kind, unit):
    column = pd.Series(np.array(values, dtype="datetime64[us]")).astype(f"datetime64[{unit}]")
    assert instants(there_and_back(column, kind), column) == instants(column)
