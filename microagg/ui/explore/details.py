"""The bottom of Explore: tabs that are computed when they are open."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from microagg.assessment.assess import comparable
from microagg.figures.attribute_pairs import moves
from microagg.figures.correlations import correlation, correlation_maps
from microagg.figures.distributions import distributions
from microagg.figures.groups import stars
from microagg.figures.theme import ORIGINAL, PROTECTED
from microagg.kernels.scaling import standardise
from microagg.model.partition import Partition
from microagg.model.phrases import listed
from microagg.ui.components import display, widgets
from microagg.ui.components.page_choices import Choices, among, one_of, switch
from microagg.ui.explore import history, sugeno
from microagg.ui.results import selected_records
from microagg.ui.results.record_tables import attributes, records

if TYPE_CHECKING:
    from collections.abc import Callable

    from microagg.model.release import Release
    from microagg.ui.results.headline import View

_CHOICES = Choices("explore", "details", "pair_x", "pair_y", "pair_ranks", "groups_block")
BEFORE_AFTER = ((ORIGINAL, "original"), (PROTECTED, "protected"))


def tabs(view: View) -> None:
    """Draw the tabs; only the open one does any work."""
    release, result = view.release, view.result
    drawings: dict[str, Callable[[], None]] = {
        "Distributions": lambda: _distributions(release),
        "Pairs": lambda: _pairs(release),
        "Groups": lambda: _groups(release),
        "Correlations": lambda: _correlations(release),
        "Attributes": lambda: attributes(release, result),
        "Records": lambda: records(release, result),
        "Sugeno": lambda: sugeno.tab(release),
        "History": lambda: history.tab(view.now),
    }
    names = list(drawings)
    tabs = widgets.tabs(_CHOICES.place("details", one_of(names), names[0]), names)
    for tab, draw in zip(tabs, drawings.values(), strict=True):
        if tab.open:
            with tab, display.trouble():
                draw()


def _any_numbers(release: Release) -> bool:
    """Whether there are numbers to draw; if not, say so."""
    if release.columns and release.complete.any():
        return True
    st.info("No record has numbers to draw. For categories, look at k′ and D_X.", icon=":material/info:")
    return False


def _distributions(release: Release) -> None:
    if not _any_numbers(release):
        return
    (before, after), names = comparable(release), release.columns
    display.chart(
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
    if not _any_numbers(release):
        return
    names = list(release.columns)
    chart, choice = st.columns([4, 1])
    with choice:
        columns = [
            widgets.choice(
                _CHOICES.place(name, among(range(len(names))), min(first, len(names) - 1)),
                label,
                range(len(names)),
                words=names.__getitem__,
            )
            for name, label, first in (("pair_x", "Across", 0), ("pair_y", "Up", 1))
        ]
        ranks = widgets.toggle(
            _CHOICES.place("pair_ranks", switch(), default=False),
            "Ranks",
            help="Ranks spread skewed attributes out.",
        )
        display.legend(*BEFORE_AFTER)
        selected_records.line(release)
    one, other = (names[column] for column in columns)
    before, after = release.original_values[:, columns], release.protected_values[:, columns]
    with chart:
        display.chart(
            moves(
                before, after, (one, other), ranks=ranks, height=300, marked=selected_records.chosen(release)
            ),
            "Each record where it stood and the average it was moved to"
            + ("; an even sample of 800 records." if len(before) > 800 else "."),
            "pairs",
            lambda: pd.DataFrame(
                np.hstack([before, after]), columns=[f"{one}", f"{other} ", f"{one} after", f"{other} after "]
            ),
            brushed=selected_records.take(release, "pairs", (1, 2)),
        )


def _groups(release: Release) -> None:
    if not release.partitions:
        st.info("This method forms no groups of records.", icon=":material/info:")
        return
    chart, choice = st.columns([4, 1])
    titles = [f"{number}: {listed(block, 3)}" for number, block in enumerate(release.blocks, 1)]
    with choice:
        several = range(len(titles))
        place = _CHOICES.place("groups_block", among(several), 0)
        block = widgets.choice(place, "Block", several, words=titles.__getitem__)
        display.legend(*BEFORE_AFTER)
        selected_records.line(release)
    partition = release.partitions[block]
    names = [name for name in release.blocks[block] if release.data.averages(name)]
    values = release.data.numbers(names)
    there = np.flatnonzero(np.isfinite(values).all(axis=1))
    if not names or not len(there):
        st.info("No record has numbers in every attribute of this block.", icon=":material/info:")
        return
    groups = Partition(partition.labels[there], 1)
    with chart:
        display.chart(
            stars(
                standardise(values[there]),
                groups.labels,
                height=300,
                numbers=there + 1,
                marked=np.flatnonzero(np.isin(there, selected_records.chosen(release))),
            ),
            f"{len(partition):,} groups; each record joined to its group's average, along the two components"
            + ("; an even sample of groups." if len(there) > 1200 else ".")
            + (
                f" {len(values) - len(there):,} records with gaps are not drawn."
                if len(there) < len(values)
                else ""
            ),
            "groups",
            lambda: pd.DataFrame({"group": np.arange(1, len(partition) + 1), "records": partition.sizes}),
            brushed=selected_records.take(release, "groups", (1,)),
        )


def _correlations(release: Release) -> None:
    if not _any_numbers(release):
        return
    (before, after), names = comparable(release), list(release.columns)
    display.chart(
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
