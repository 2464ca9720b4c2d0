"""The bottom of Explore: tabs that are computed when they are open."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from microagg.figures.correlations import correlation, correlation_maps
from microagg.figures.distributions import distributions
from microagg.figures.groups import stars
from microagg.figures.pairs import moves
from microagg.figures.theme import ORIGINAL, PROTECTED
from microagg.scaling import standardise
from microagg.ui import shown
from microagg.ui.records import attributes, records
from microagg.ui.words import listed

if TYPE_CHECKING:
    from collections.abc import Callable

    from microagg.assess import Assessment
    from microagg.types import Release

BEFORE_AFTER = ((ORIGINAL, "original"), (PROTECTED, "protected"))


def tabs(release: Release, result: Assessment) -> None:
    """Draw the six tabs; only the open one does any work."""
    drawings: dict[str, Callable[[], None]] = {
        "Distributions": lambda: _distributions(release),
        "Pairs": lambda: _pairs(release),
        "Groups": lambda: _groups(release),
        "Correlations": lambda: _correlations(release),
        "Attributes": lambda: attributes(release, result),
        "Records": lambda: records(release, result),
    }
    for tab, draw in zip(
        st.tabs(list(drawings), on_change="rerun", key="details"), drawings.values(), strict=True
    ):
        if tab.open:
            with tab, shown.trouble():
                draw()


def _distributions(release: Release) -> None:
    before, after, names = release.original_values, release.protected_values, release.columns
    shown.chart(
        distributions(before, after, names),
        "Share of records by value, before (grey) and after (blue). Bins span the original's 1st to 99th "
        "percentile; the end bins hold what lies beyond.",
        "distributions",
        lambda: pd.DataFrame(
            {
                "attribute": names,
                "mean": before.mean(axis=0),
                "mean after": after.mean(axis=0),
                "standard deviation": before.std(axis=0),
                "standard deviation after": after.std(axis=0),
                "distinct values": [len(np.unique(column)) for column in before.T],
                "distinct values after": [len(np.unique(column)) for column in after.T],
            }
        ),
    )


def _pairs(release: Release) -> None:
    names = list(release.columns)
    chart, choice = st.columns([4, 1])
    with choice:
        one = st.selectbox("Across", names, key="pair_x", persist_state="session")
        other = st.selectbox("Up", names, index=min(1, len(names) - 1), key="pair_y", persist_state="session")
        ranks = st.toggle(
            "Ranks", key="pair_ranks", persist_state="session", help="Ranks spread skewed attributes out."
        )
        shown.legend(*BEFORE_AFTER)
    columns = [names.index(one), names.index(other)]
    before, after = release.original_values[:, columns], release.protected_values[:, columns]
    with chart:
        shown.chart(
            moves(before, after, (one, other), ranks=ranks, height=300),
            "Each record where it stood and the average it was moved to"
            + ("; an even sample of 800 records." if len(before) > 800 else "."),
            "pairs",
            lambda: pd.DataFrame(
                np.hstack([before, after]), columns=[f"{one}", f"{other} ", f"{one} after", f"{other} after "]
            ),
        )


def _groups(release: Release) -> None:
    if not release.partitions:
        st.info("This method forms no groups of records.", icon=":material/info:")
        return
    chart, choice = st.columns([4, 1])
    titles = [f"{number}: {listed(block, 3)}" for number, block in enumerate(release.blocks, 1)]
    with choice:
        block = st.selectbox("Block", range(len(titles)), format_func=titles.__getitem__, key="groups_block")
        shown.legend(*BEFORE_AFTER)
    partition, names = release.partitions[block], release.blocks[block]
    points = standardise(release.data.matrix(names))
    with chart:
        shown.chart(
            stars(points, partition.labels, height=300),
            f"{len(partition):,} groups; each record joined to its group's average, along the two components"
            + ("; an even sample of groups." if len(points) > 1200 else "."),
            "groups",
            lambda: pd.DataFrame({"group": np.arange(1, len(partition) + 1), "records": partition.sizes}),
        )


def _correlations(release: Release) -> None:
    before, after, names = release.original_values, release.protected_values, list(release.columns)
    shown.chart(
        correlation_maps(before, after, names, height=320),
        "Correlations between the protected attributes; averages of alike records tend to correlate more.",
        "correlations",
        lambda: pd.DataFrame(
            [
                (a, b, correlation(before)[i, j], correlation(after)[i, j])
                for i, a in enumerate(names)
                for j, b in enumerate(names)
                if i < j
            ],
            columns=["attribute", "other", "before", "after"],
        ),
    )
