"""What a statistician loses: every figure of information loss, and what models still learn.

Whoever gets the release computes means, variances, correlations and components from it, and fits models.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from microagg.assessment.assess import comparable
from microagg.figures.principal_components import scree
from microagg.measures.secondary_catalogue import EVERY
from microagg.measures.structure import component_shares, structure
from microagg.ui.components import display
from microagg.ui.components.words import plain, text
from microagg.ui.state import session

if TYPE_CHECKING:
    from collections.abc import Mapping

    from microagg.assessment.assess import Assessment
    from microagg.kernels.compiled import FloatArray
    from microagg.model.release import Release

TALL = 320
_VALUES = {
    "il": "mean of the five",
    "il1": "of |x|",
    "il2": "of means",
    "il3": "of covariances",
    "il4": "of variances",
    "il5": "of correlations",
    "il1s": "of √2 sd",
}
_STRUCTURE = {
    "l": "variance lost",
    "mean_standard_deviation": "of the original's sd",
    "mean_correlation_change": "",
    "first_component": "",
    "delta_r": "of loadings",
    "delta_w": "of score weights",
    "eigenvalue_loss": "of the variance",
}
_ABOUT = {"il5": EVERY["il5"].title, "correlations": "Δr"}


def figures(release: Release, result: Assessment) -> None:
    """Draw two rows: values and moments, then spread, correlations and components."""
    original, protected = comparable(release)
    if not original.size:
        st.info("These figures compare numbers, and no protected number is complete.", icon=":material/info:")
        return
    lost = result.lost
    shape = session.memory().recall(
        ("structure", release.data.fingerprint, release.plan), lambda: structure(original, protected)
    )
    found = {"il": lost.information.il, "l": lost.squared.total}
    found |= {name: getattr(lost.information, name) for name in _VALUES if name != "il"}
    found |= {name: getattr(shape, name) for name in _STRUCTURE if name != "l"}
    lines = _VALUES | _STRUCTURE
    lines["mean_correlation_change"] = f"sd {text('sd_correlation_change', shape.sd_correlation_change)}"
    lines["first_component"] = f"was {text('first_component', shape.first_component_original)}"
    with st.container(key="figures"):
        for row in (list(_VALUES), list(_STRUCTURE)):
            for column, name in zip(st.columns(7, gap="small"), row, strict=True):
                with column:
                    line = lines[name] if math.isfinite(found[name]) else "not defined"
                    display.number(name, found[name], line=line)
    notes = {**lost.squared.notes, **lost.information.notes, **shape.notes, **lost.notes}
    with st.container(key="promise"):
        st.caption(_notes(result, notes))


def _notes(result: Assessment, notes: Mapping[str, str]) -> str:
    information = result.lost.information
    said = [f"IL with IL1s in the place of IL1 is {text('il_scale_free', information.il_scale_free)}."]
    if information.zero_cells:
        said.append(
            f"{information.zero_cells:,} cells are 0, and {information.zero_cells_changed:,} of them changed."
        )
    for name, note in notes.items():
        said.append(f"{_ABOUT[name]}: {note[0].lower()}{note[1:]}" if name in _ABOUT else note)
    return plain(" ".join(said))


def components(release: Release) -> None:
    """Draw the share of the variance on each principal component, before and after."""
    sides = comparable(release)
    if not sides[0].size:
        return
    before, after = (component_shares(side) for side in sides)
    display.chart(
        scree(before, after, height=TALL),
        "Where the variance lies: original grey, release blue. Averages shift it to the first component.",
        "use-components",
        lambda: pd.DataFrame(
            {
                "component": np.arange(1, len(before) + 1),
                "original": before,
                "release": after,
                "change": after - before,
            }
        ),
    )


def confidential(release: Release) -> tuple[list[str], list[bool], FloatArray, dict[str, str]]:
    """The confidential attributes as columns to be predicted.

    Returns
    -------
    names : list of str
    nominal : list of bool
        Whether a column holds names, as codes.
    values : (m, c) float64
        Of the records that can be compared.
    notes : dict of str to str
        Attributes left out, with the reason.
    """
    names, nominal, columns, notes = [], [], [], {}
    data, rows = release.data, release.complete
    for name in data.columns("confidential"):
        if name in release.attributes:
            continue
        column = data.frame[name][rows]
        if column.isna().any():
            notes[name] = f"Not defined: {int(column.isna().sum()):,} values are missing."
            continue
        number = data.averages(name)
        codes = column if number else column.astype("category").cat.codes
        values = codes.to_numpy(np.float64)
        if not np.isfinite(values).all():
            notes[name] = "Not defined: some values are infinite."
            continue
        names.append(name)
        nominal.append(not number)
        columns.append(values)
    return names, nominal, np.column_stack(columns) if columns else np.empty((int(rows.sum()), 0)), notes
