"""How an aggregation function weighs: its quantifier, and the Sugeno integral of one record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import streamlit as st

from microagg.figures.sugeno_construction import construction
from microagg.figures.theme import ORIGINAL, PROTECTED, RISK
from microagg.kernels.scaling import min_max, ranks
from microagg.methods import METHODS
from microagg.methods.aggregation import quantifier, sugeno_construction
from microagg.model.phrases import counted, listed
from microagg.preparation.prepare import prepare
from microagg.ui.components import display, widgets
from microagg.ui.components.page_choices import Choices, among, whole
from microagg.ui.state import session

if TYPE_CHECKING:
    from microagg.kernels.compiled import IntArray
    from microagg.model.release import Release

_WEIGHING = ("sugeno", "choquet", "owa")
_CHOICES = Choices("explore", "sugeno_block", "sugeno_record")


def tab(release: Release) -> None:
    """Draw the construction for the quantifier in use, for a record that can be chosen."""
    options = _options(release)
    if options is None:
        st.info(
            "This setting weighs with no quantifier. Choose the method *Sugeno integral*, or another "
            "aggregation function that has one, to see how it puts records in order.",
            icon=":material/functions:",
        )
        return
    chart, choice = st.columns([4, 1])
    titles = [f"{number}: {listed(block, 3)}" for number, block in enumerate(release.blocks, 1)]
    with choice:
        several = range(len(titles))
        place = _CHOICES.place("sugeno_block", among(several), 0)
        block = widgets.choice(place, "Block", several, words=titles.__getitem__)
        values = release.data.numbers(release.blocks[block])
        there = np.flatnonzero(np.isfinite(values).all(axis=1))
        number = widgets.number(
            _CHOICES.place("sugeno_record", whole(1, len(there)), 1), "Record", 1, len(there), 1
        )
        display.legend((ORIGINAL, "quantifier"), (PROTECTED, "values"), (RISK, "integral"))
    scale = ranks if options.get("scaling") == "rank" else min_max
    weigh = quantifier(options["quantifier"], options["exponent"])
    record = there[number - 1]
    among_whom = _scaled_with(release, int(record))
    steps = sugeno_construction(scale(values[among_whom])[among_whom.searchsorted(record)], weigh)
    names = release.blocks[block]
    within = (
        ""
        if len(among_whom) == len(there)
        else f" Scaled among the {counted(len(among_whom), 'record')} that it is protected with."
    )
    with chart:
        display.chart(
            construction(steps, weigh, names),
            "The record's values, scaled to 0…1 and falling, against the measure of that many attributes "
            f"(grey): the integral is the largest of the smaller of the two, where they cross.{within}",
            "construction",
            lambda: pd.DataFrame(
                {
                    "attribute": [names[j] for j in steps.attributes],
                    "share": steps.shares,
                    "value": steps.values,
                    "measure": steps.capacities,
                    "smaller": np.minimum(steps.values, steps.capacities),
                }
            ),
        )


def _scaled_with(release: Release, record: int) -> IntArray:
    """The records among whose values the method scales those of one: its stratum, and what it misses."""
    plan = release.plan
    assert plan is not None  # noqa: S101 - its options were read
    cells = session.memory().recall(
        ("cells", release.data.fingerprint, plan), lambda: prepare(release.data, plan).division.cells
    )
    return next(cell.records for cell in cells if record in cell.records)


def _options(release: Release) -> dict[str, Any] | None:
    """The method's options where it weighs with a quantifier."""
    if release.plan is None:
        return None
    method = METHODS[release.plan.method]
    options = method.complete(release.plan.options)
    if "quantifier" not in options or options.get("function", "sugeno") not in _WEIGHING:
        return None
    return options
