"""The counts of an audit by pandas alone: written down from the definitions, slowly."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd


def class_sizes(frame: pd.DataFrame, columns: Sequence[str]) -> pd.Series[int]:
    """For each record, how many are alike in these columns; missing is a value."""
    if not columns:
        return frame.assign(size=len(frame))["size"]
    keys = frame[list(columns)].astype(object).where(frame[list(columns)].notna(), "(missing)").astype(str)
    joined = keys.agg("\x1f".join, axis=1)
    return joined.map(joined.value_counts())


def below(frame: pd.DataFrame, columns: Sequence[str], k: int) -> int:
    """Records in classes of fewer than k."""
    return int((class_sizes(frame, columns) < k).sum())


def different(frame: pd.DataFrame, columns: Sequence[str], values: pd.Series[object]) -> pd.Series[int]:
    """For each record, how many different values its class has; missing is a value."""
    told = values.astype(object).where(values.notna(), "(missing)").astype(str).reset_index(drop=True)
    frame = frame.reset_index(drop=True)
    if not columns:
        return frame.assign(kinds=told.nunique())["kinds"]
    keys = frame[list(columns)].astype(object).where(frame[list(columns)].notna(), "(missing)").astype(str)
    joined = keys.agg("\x1f".join, axis=1)
    kinds = told.groupby(joined).nunique()
    return joined.map(kinds)


def answers(frame: pd.DataFrame, columns: Sequence[str], values: pd.Series[object]) -> pd.Series[int]:
    """For each record, how many different values its class has beside missing ones."""
    told = values.astype(object).where(values.notna(), None).map(str, na_action="ignore")
    frame = frame.assign(all="").reset_index(drop=True)[["all", *columns]]
    joined = frame.astype(object).where(frame.notna(), "(missing)").astype(str).agg("\x1f".join, axis=1)
    return joined.map(told.reset_index(drop=True).groupby(joined).nunique())
