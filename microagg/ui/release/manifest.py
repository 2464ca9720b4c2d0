"""What is in the released file and what is out, and what rounding did to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import streamlit as st

from microagg.handover.report.contents import change, fate, left_out, role
from microagg.handover.totals import totals, totals_of_file
from microagg.measures.anonymity import real_anonymity
from microagg.measures.loss import released_loss
from microagg.model.phrases import counted
from microagg.ui.components.words import plain, text
from microagg.ui.results import cached_results
from microagg.ui.state.settings import ROLE_OF

if TYPE_CHECKING:
    from microagg.model.microdata import Microdata
    from microagg.model.release import Release

_ROW, _HEAD, _MOST = 30, 36, 13


def columns(release: Release) -> None:
    """Every column of the original, by what becomes of it."""
    data, there = release.data, set(release.protected.columns)
    order = list(ROLE_OF.values())
    names = sorted((a.name for a in data.attributes), key=lambda name: order.index(data[name].role))
    gone = [a.name for a in data.attributes if a.name not in there]
    st.markdown(
        f"**What leaves** · {counted(len(release.protected), 'record')}, {counted(len(there), 'column')}; "
        f"{counted(len(gone), 'column')} out"
    )
    st.dataframe(
        pd.DataFrame(
            {
                "column": names,
                "role": [role(data[name].role) for name in names],
                "fate": [_brief(release, name) for name in names],
            }
        ),
        hide_index=True,
        row_height=_ROW,
        height=_HEAD + _ROW * min(len(names), _MOST),
        key="manifest",
        column_config={
            "column": "Column",
            "role": st.column_config.TextColumn("Role", width=110),
            "fate": st.column_config.TextColumn("What becomes of it", width=200),
        },
    )


def _brief(release: Release, name: str) -> str:
    said = fate(release, name).removeprefix("replaced by ")
    return said if name in release.protected.columns else f"✗ {said}"


def records(release: Release) -> None:
    """The records that stay at home, and why."""
    out = left_out(release)
    if not out:
        st.caption("No record is left out.")
        return
    total = sum(count for _, count in out)
    st.markdown(f"**{counted(total, 'record')} left out**")
    for reason, count in out[:6]:
        st.caption(f"{count:,}: {plain(reason)}")
    if len(out) > 6:
        st.caption(f"and {len(out) - 6} more reasons, all in the report.")


def sums(data: Microdata, release: Release) -> None:
    """What became of the totals; beside it, what rounding alone changed."""
    found = totals(release)
    if not len(found):
        return
    place = int(found["change"].abs().fillna(0).argmax())
    name, share = str(found["attribute"].iloc[place]), float(found["change"].iloc[place])
    among = f" among the {len(release.data):,} released records" if release.left_out else ""
    if not abs(share) >= 1e-9:
        said = f"Totals of all protected numbers are kept{among}."
    else:
        said = f"The total that changes most{among} is that of {plain(name)}, {change(share)}."
    shown = found.assign(change=[change(share) for share in found["change"]])
    if release.left_out:
        whole = totals_of_file(release, data)
        most = whole.iloc[int(whole["change"].abs().fillna(0).argmax())]
        said += f" Against the whole file, most: {plain(str(most['attribute']))}, {change(most['change'])}."
        shown = shown.assign(file=whole["file"], of_file=[change(share) for share in whole["change"]])
    with st.container(horizontal=True, wrap=False, vertical_alignment="top", gap="small"):
        st.caption(f"{said} {_rounded(data, release)}", width="stretch")
        with st.popover("Totals", type="tertiary"):
            st.dataframe(
                shown,
                hide_index=True,
                width=760 if release.left_out else 480,
                column_config={
                    "attribute": "Attribute",
                    "before": st.column_config.NumberColumn(
                        "Before, released records" if release.left_out else "Before", format="localized"
                    ),
                    "after": st.column_config.NumberColumn("After", format="localized"),
                    "change": "Change",
                    "file": st.column_config.NumberColumn("Whole file", format="localized"),
                    "of_file": "Change from it",
                },
            )


def _rounded(data: Microdata, release: Release) -> str:
    if release.plan is None or release.plan.rounding == "none" or not release.columns:
        return ""
    bare = cached_results.release(data, release.plan.replace(rounding="none"))
    loss, hidden = [], []
    for one in (bare, release):
        whole = one.complete
        loss.append(released_loss(one.original_values[whole], one.protected_values[whole]).total)
        hidden.append(real_anonymity(one.protected_codes, None, release.k).k_prime)
    moved = int(np.sum([bool(abs(share) >= 1e-9) for share in totals(release)["change"]]))
    return (
        f"Rounding moved {counted(moved, 'total')}, L from {text('l', loss[0])} to {text('l', loss[1])} and "
        f"k′ from {text('k_prime', hidden[0])} to {text('k_prime', hidden[1])}."
    )
