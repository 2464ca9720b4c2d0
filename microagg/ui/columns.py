"""The columns of a file: what each is for, why that was guessed, and what stands in the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import streamlit as st

from microagg.io.catalogue import CATALOGUE
from microagg.roles import guess
from microagg.ui import session
from microagg.ui.plans import letters
from microagg.ui.words import counted, listed, plain

if TYPE_CHECKING:
    from microagg.roles import Role
    from microagg.types import Microdata

ROLES: dict[Role, str] = {
    "identifier": "Identifier",
    "quasi_identifier": "Quasi-identifier",
    "confidential": "Confidential",
    "other": "Other",
}
_ROLE_HELP = (
    "Identifier: names a person, never released. Quasi-identifier: known from elsewhere, replaced by group "
    "averages. Confidential: what nobody should learn of a person; released as it is. Other: released too."
)


def editor(own: Microdata, data: Microdata) -> None:
    """Draw the table of columns; a changed role is taken at once.

    Parameters
    ----------
    own : Microdata
        With the roles it came with.
    data : Microdata
        With the chosen roles.
    """
    frame = session.memory().recall(("columns", own.fingerprint), lambda: describe(own))
    shown = frame.assign(role=[ROLES[a.role] for a in data.attributes])
    st.data_editor(
        shown[["column", "role", "type", "missing", "distinct", "min", "max", "reason"]],
        hide_index=True,
        row_height=30,
        height=min(562, 34 + 30 * len(frame)),
        disabled=[name for name in shown.columns if name != "role"],
        key=f"roles-{data.fingerprint[:12]}",
        on_change=_take,
        args=(f"roles-{data.fingerprint[:12]}", data),
        column_config={
            "column": st.column_config.TextColumn("Column", width="medium"),
            "role": st.column_config.SelectboxColumn(
                "Role", options=list(ROLES.values()), required=True, help=_ROLE_HELP
            ),
            "reason": st.column_config.TextColumn("Meaning, or why this role was guessed", width="large"),
            "type": "Type",
            "missing": st.column_config.NumberColumn("Missing", help="Records without a value."),
            "distinct": st.column_config.NumberColumn("Distinct", help="Different values."),
            "min": st.column_config.NumberColumn("Min", format="%.6g"),
            "max": st.column_config.NumberColumn("Max", format="%.6g"),
        },
    )


def _take(key: str, data: Microdata) -> None:
    """Callback of the table: the edited roles go to the settings."""
    roles = {shown: role for role, shown in ROLES.items()}
    edits: dict[int, dict[str, Any]] = st.session_state[key]["edited_rows"]
    changed = {
        data.attributes[int(row)].name: roles[edit["role"]] for row, edit in edits.items() if "role" in edit
    }
    session.change(roles=letters(data.with_roles(changed)), blocks=_blocks(changed))


def _blocks(changed: dict[str, Role]) -> str:
    """Blocks drawn by hand do not outlive a change of what is protected."""
    now = session.settings().blocks
    return "all" if changed and now.startswith("hand:") else now


def describe(data: Microdata) -> pd.DataFrame:
    """One row a column: type, missing, distinct, smallest and largest, and what speaks for its role."""
    known = {c.name: c.meaning for c in CATALOGUE[data.name].columns} if data.name in CATALOGUE else {}
    rows = []
    for a in data.attributes:
        column = data.frame[a.name]
        numeric = data.numeric(a.name) and not pd.api.types.is_bool_dtype(column)
        finite = column[np.isfinite(column.to_numpy(np.float64, na_value=np.nan))] if numeric else column[:0]
        rows.append(
            {
                "column": a.name,
                "type": _type(column) if numeric else "text",
                "missing": int(column.isna().sum()),
                "distinct": int(column.nunique()),
                "min": float(finite.min()) if numeric and len(finite) else None,
                "max": float(finite.max()) if numeric and len(finite) else None,
                "reason": known.get(a.name) or guess(a.name, column).reason,
            }
        )
    return pd.DataFrame(rows)


def _type(column: pd.Series[Any]) -> str:
    return "integer" if pd.api.types.is_integer_dtype(column) else "decimal"


def problems(data: Microdata) -> list[tuple[bool, str]]:
    """What stands in the way, in plain words.

    Parameters
    ----------
    data : Microdata
        With the chosen roles.

    Returns
    -------
    list of (bool, str)
        True where nothing can be protected before it is settled; False for what is only worth knowing.
    """
    found: list[tuple[bool, str]] = []
    protected, hidden = data.columns("quasi_identifier"), data.columns("confidential")
    text = [name for name in protected if not data.numeric(name)]
    numbers = [name for name in protected if data.numeric(name)]
    values = {name: data.frame[name].to_numpy(np.float64, na_value=np.nan) for name in numbers}
    incomplete = {
        name: int((~np.isfinite(v)).sum()) for name, v in values.items() if not np.isfinite(v).all()
    }
    if not protected:
        found.append(
            (
                True,
                "No column is a quasi-identifier: there is nothing to protect. Give at least one that role.",
            )
        )
    if text:
        found.append(
            (True, f"{_names(text)}: text cannot be averaged. Give it the role Other or Confidential.")
        )
    if incomplete:
        names = [f"{plain(name)} ({count:,})" for name, count in incomplete.items()]
        cure = "Fill them, drop those records, or give the columns the role Other."
        found.append((True, f"Missing or infinite values in {listed(names)}. {cure}"))
    constant = [name for name, v in values.items() if name not in incomplete and len(v) and np.ptp(v) == 0]
    if constant:
        found.append(
            (False, f"{_names(constant)}: the same number in every record. It is released unchanged.")
        )
    if len(data) < 4:
        found.append(
            (
                True,
                f"The file has {counted(len(data), 'record')}; hiding people in groups needs at least four.",
            )
        )
    if not set(data.confidential_numbers) - set(protected):
        why = (
            "none of the confidential columns is a complete number" if hidden else "no column is confidential"
        )
        found.append((False, f"λ and D_Y need a link to keep, and {why}.".replace("_", "\\_")))
    if not data.columns("identifier"):
        found.append(
            (
                False,
                "No column is an identifier; check that none names people: only identifiers are left out.",
            )
        )
    return found


def _names(names: list[str]) -> str:
    return listed([plain(name) for name in names])


def verdict(data: Microdata) -> bool:
    """Draw the problems; return whether the data can be protected."""
    found = problems(data)
    for stops, sentence in sorted(found, key=lambda p: not p[0]):
        if stops:
            st.error(sentence, icon=":material/block:")
        else:
            st.caption(f":material/info: {sentence}")
    ready = not any(stops for stops, _ in found)
    if ready:
        protected = data.columns("quasi_identifier")
        st.success(
            f"Ready: {counted(len(data), 'record')}, {counted(len(protected), 'attribute')} to protect.",
            icon=":material/check_circle:",
        )
    return ready
