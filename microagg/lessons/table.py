"""The numbers behind a step: the records, what the step computes with, and what it has for each so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from microagg.lessons.lesson import Records, Step


def table(records: Records, step: Step) -> pd.DataFrame:
    """Everything that a step's costs are computed from, a row a record.

    Parameters
    ----------
    records : Records
    step : Step

    Returns
    -------
    DataFrame
        ``record`` counts from 1; the attributes with their units; the step's columns; and its result: groups
        count from 1, "–" is none yet.
    """
    frame = pd.DataFrame({"record": np.arange(1, len(records) + 1)})
    for attribute, column in enumerate(records.values.T):
        frame[records.titled(attribute)] = column
    for title, column in step.columns.items():
        frame[title] = column
    result = step.result
    if result.shape == records.values.shape:
        for attribute, column in enumerate(result.T):
            frame[f"{records.titled(attribute)}, released"] = column
    elif result.shape[-1:] == (len(records),) and np.issubdtype(result.dtype, np.integer):
        for number, column in enumerate(np.atleast_2d(result)):
            title = "group" if result.ndim == 1 else f"group, {step.panels[number].title}"
            frame[title] = ["–" if group < 0 else str(group + 1) for group in column.tolist()]
    return frame
