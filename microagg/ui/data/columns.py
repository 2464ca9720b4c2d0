"""The columns of a file: what each is for, why that was guessed, and what stands in the way."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import streamlit as st

from microagg.io.catalogue import CATALOGUE
from microagg.io.table import Labels
from microagg.methods import METHODS
from microagg.model.phrases import counted, listed
from microagg.model.roles import guess
from microagg.preparation.prepare import able
from microagg.ui.components import widgets
from microagg.ui.components.page_choices import Choices, one_of
from microagg.ui.components.role_labels import ROLES, SCALES
from microagg.ui.components.words import plain
from microagg.ui.data import category_orders
from microagg.ui.plan import policies
from microagg.ui.state import session
from microagg.ui.state.column_codes import listed as listed_codes
from microagg.ui.state.column_codes import read_codes, write_codes
from microagg.ui.state.plan_settings import letters, scale_letters

if TYPE_CHECKING:
    from microagg.model.microdata import Microdata
    from microagg.model.plan import Plan
    from microagg.model.roles import Role

_ROLE_HELP = (
    "Identifier: names a person, never released. Quasi-identifier: known from elsewhere, replaced by group "
    "averages. Confidential: what nobody should learn of a person; released as it is. Weight: how many "
    "people a record stands for. Unit: the household, firm or patient it belongs to. Stratum: groups never "
    "reach across its values. Other: released as it is. Undecided: so too, and nobody has said why."
)
_AMBER = "background-color: rgba(255, 176, 32, 0.28)"
_SCALE_HELP = (
    "Continuous: amounts, averaged. Ordinal: categories or grades in an order; the middle one is released. "
    "Nominal: mere names; the most frequent one is released. Method MDAV for mixed attributes protects all."
)
TABS = ["Columns", "First 100 records", "Missing values", "Strata"]
_CHOICES = Choices("data", "data_tab")


def tab() -> widgets.Place[str]:
    """Which tab of the page is open."""
    return _CHOICES.place("data_tab", one_of(TABS), TABS[0])


def editor(own: Microdata, data: Microdata) -> None:
    """Draw the table of columns; a changed role is taken at once.

    Parameters
    ----------
    own : Microdata
        With the roles it came with.
    data : Microdata
        With the chosen roles.
    """
    several(data)
    frame = session.memory().recall(("columns", own.fingerprint), lambda: describe(own))
    codes = read_codes(session.settings().codes)
    table = frame.assign(
        role=[ROLES[a.role] for a in data.attributes],
        scale=[SCALES[a.scale] for a in data.attributes],
        codes=[", ".join(map(str, codes.get(str(i), ()))) for i in range(len(frame))],
    )
    rows = sorted(range(len(table)), key=lambda i: own.attributes[i].role != "undecided")
    order = ["column", "role", "scale", "reason", "type", "missing", "codes", "distinct", "min", "max"]
    order += ["meaning"] if table["meaning"].any() else []
    widgets.table(
        widgets.Place("roles", table.iloc[rows][order], partial(_take, data)),
        style=lambda frame: frame.style.apply(_marked, axis=1),
        hide_index=True,
        row_height=30,
        height=min(452, 36 + 30 * len(frame)),
        disabled=[name for name in order if name not in ("role", "scale", "codes")],
        column_config={
            "column": st.column_config.TextColumn("Column", width="medium"),
            "role": st.column_config.SelectboxColumn(
                "Role", options=list(ROLES.values()), required=True, help=_ROLE_HELP
            ),
            "scale": st.column_config.SelectboxColumn(
                "Scale", options=list(SCALES.values()), required=True, help=_SCALE_HELP
            ),
            "reason": st.column_config.TextColumn("Why this role was guessed", width="large"),
            "meaning": st.column_config.TextColumn("Meaning", width="medium"),
            "type": "Type",
            "missing": st.column_config.NumberColumn("Missing", help="Records without a value."),
            "codes": st.column_config.TextColumn(
                "Codes", help="Values that mean “missing” in this column, separated by commas."
            ),
            "distinct": st.column_config.NumberColumn("Distinct", help="Different values."),
            "min": st.column_config.NumberColumn("Min", format="%.6g"),
            "max": st.column_config.NumberColumn("Max", format="%.6g"),
        },
    )
    category_orders.buttons(data)


def _marked(row: pd.Series[Any]) -> list[str]:
    """Amber for a column of which nobody has said what it is for."""
    return [_AMBER if row["role"] == ROLES["undecided"] else ""] * len(row)


def several(data: Microdata) -> None:
    """Give several columns one role; those that are undecided are chosen first."""
    state, names = st.session_state, [a.name for a in data.attributes]

    def choose(columns: tuple[int, ...]) -> None:
        state.several_columns = (data.fingerprint, columns)

    def aim(role: Role) -> None:
        state.several_role = role

    left, middle, right = st.columns([3, 1, 1], vertical_alignment="bottom")
    chosen = widgets.several(
        widgets.Place("several", _several_columns(data), choose),
        "Set the role of several columns",
        range(len(names)),
        words=lambda i: f"{names[i]} · {ROLES[data.attributes[i].role]}",
        where=left,
        placeholder="Choose columns",
    )
    widgets.choice(
        widgets.Place("several_role", _several_role(), aim),
        "Role",
        list(ROLES),
        words=ROLES.__getitem__,
        where=middle,
    )
    right.button(
        f"Set role of {counted(len(chosen), 'column')}",
        key="several_set",
        disabled=not chosen,
        width="stretch",
        on_click=_set_several,
        args=(data,),
    )


def _several_columns(data: Microdata) -> tuple[int, ...]:
    fingerprint, columns = st.session_state.get("several_columns", ("", ()))
    if fingerprint == data.fingerprint:
        return tuple(columns)
    return tuple(i for i, a in enumerate(data.attributes) if a.role == "undecided")


def _several_role() -> Role:
    role: Role = st.session_state.get("several_role", list(ROLES)[1])
    return role


def _set_several(data: Microdata) -> None:
    """Callback of the button: the chosen columns get the chosen role."""
    names = [data.attributes[i].name for i in _several_columns(data)]
    session.change(roles=letters(data.with_roles(dict.fromkeys(names, _several_role()))), blocks=_blocks())


def _take(data: Microdata, edited: pd.DataFrame) -> None:
    """What was edited goes to the settings; the index says which column a row is of."""
    edited = edited.sort_index()
    meant = [_meant(edited[what], words) for what, words in (("role", ROLES), ("scale", SCALES))]
    names = [a.name for a in data.attributes]
    roles = letters(data.with_roles(dict(zip(names, meant[0], strict=True))))
    scales = scale_letters(data.with_scales(dict(zip(names, meant[1], strict=True))))
    codes = read_codes(session.settings().codes)
    codes |= {str(row): listed_codes(text or "") for row, text in enumerate(edited["codes"])}
    changes: dict[str, str] = {"codes": write_codes(codes)}
    if roles != letters(data):
        changes |= {"roles": roles, "blocks": _blocks()}
    if scales != scale_letters(data):
        changes["scales"] = scales
    session.change(**changes)


def _meant(column: pd.Series[Any], words: dict[Any, str]) -> list[Any]:
    meant = {text: value for value, text in words.items()}
    return [meant[text] for text in column]


def _blocks() -> str:
    """Blocks drawn by hand do not outlive a change of what is protected."""
    now = session.settings().blocks
    return "all" if now.startswith("hand:") else now


def describe(data: Microdata) -> pd.DataFrame:
    """One row a column: type, missing, distinct, smallest and largest, and what speaks for its role."""
    known = {c.name: c.meaning for c in CATALOGUE[data.name].columns} if data.name in CATALOGUE else {}
    held = session.upload()
    labels = Labels() if held is None else held.table.labels
    known |= labels.columns
    rows = []
    for a in data.attributes:
        column = data.frame[a.name]
        found = guess(a.name, column, labels.values.get(a.name), labels.measures.get(a.name))
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
                "reason": found.reason if found.role == a.role else "the role that it has in this data set",
                "meaning": known.get(a.name, ""),
            }
        )
    return pd.DataFrame(rows)


def _type(column: pd.Series[Any]) -> str:
    return "integer" if pd.api.types.is_integer_dtype(column) else "decimal"


def fates(data: Microdata, asked: Plan) -> str:
    """Every column by what a release makes of it, in one line of Markdown each."""
    kept = asked.keep_identifiers
    protected = policies.protected(data)
    dropped = () if kept else data.columns("identifier")
    lists = {
        "Protected": protected,
        "Released as they are": tuple(
            a.name for a in data.attributes if a.name not in {*protected, *dropped}
        ),
        "Left out": dropped,
    }
    return "  \n".join(
        f"**{what}** ({len(names)}): {plain(', '.join(names)) or 'none'}" for what, names in lists.items()
    )


def problems(data: Microdata, asked: Plan) -> list[tuple[bool, str]]:
    """What stands in the way, in plain words.

    Parameters
    ----------
    data : Microdata
        With the chosen roles.
    asked : Plan

    Returns
    -------
    list of (bool, str)
        True where nothing can be protected before it is settled; False for what is only worth knowing.
    """
    found: list[tuple[bool, str]] = []
    protected = data.columns("quasi_identifier")
    if not protected:
        found.append(
            (
                True,
                "No column is a quasi-identifier: nothing is to be protected yet. Give one that role.",
            )
        )
    if len(data) < 4:
        few = f"The file has {counted(len(data), 'record')}; groups of two need at least four."
        found.append((True, few))
    counts = policies.gaps(policies.known(data, asked)) if protected else {}
    if counts and asked.missing == "refuse":
        named = listed([f"{plain(name)} ({count:,})" for name, count in counts.items()], 6)
        found.append(
            (True, f"Missing values in {named}. Say below what happens to records that miss a value.")
        )
    if not any(stops for stops, _ in found):
        ahead = policies.prepared(data, asked)
        found += [(False, plain(note)) for note in ahead.notes]
        found += [(True, plain(ahead.trouble))] if ahead.trouble else []
    return found + [(False, note) for note in _worth_knowing(data)]


def _worth_knowing(data: Microdata) -> list[str]:
    notes, protected = [], data.columns("quasi_identifier")
    constant = [name for name in protected if data.frame[name].nunique(dropna=False) == 1]
    if constant:
        notes.append(
            f"{listed([plain(name) for name in constant], 6)}: the same value in every record. It is "
            "released unchanged."
        )
    if not set(data.confidential_numbers) - set(protected):
        hidden = data.columns("confidential")
        why = (
            "none of the confidential columns is a complete number" if hidden else "no column is confidential"
        )
        notes.append(f"λ and D\\_Y need a link to keep, and {why}.")
    if not data.columns("identifier"):
        notes.append(
            "No column is an identifier; check that none names people: only identifiers are left out."
        )
    return notes


def verdict(data: Microdata) -> bool:
    """Draw the problems; return whether the data can be protected."""
    asked = policies.plan(data)
    found = problems(data, asked)
    categories = [name for name in data.columns("quasi_identifier") if not data.averages(name)]
    ready = not any(stops for stops, _ in found)
    for stops, sentence in sorted(found, key=lambda p: not p[0]):
        if stops:
            st.error(sentence, icon=":material/block:")
        else:
            st.caption(f":material/info: {sentence}")
    bare = policies.untouched(data, asked) if ready else ()
    for sentence in bare:
        st.warning(plain(sentence), icon=":material/visibility:")
    if categories and asked.method != "mixed":
        st.button(
            "Use MDAV for mixed attributes",
            key="use_mixed",
            on_click=lambda: session.change(method="mixed"),
            help=f"It protects categories too: {plain(listed(categories, 3))}.",
        )
    if ready:
        protected = able(data, METHODS[asked.method])
        sentence = (
            f"Ready: {policies.to_release(data, asked)} to release, "
            f"{counted(len(protected), 'attribute')} to protect."
        )
        if bare:  # no green beside what leaves as it is
            st.info(sentence, icon=":material/arrow_forward:")
        else:
            st.success(sentence, icon=":material/check_circle:")
    return ready
