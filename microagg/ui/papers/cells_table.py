"""Published beside measured beside difference, cell by cell, coloured by agreement and told by a symbol too.

A table of the browser's own rather than a data grid: headings in two rows, the rank correlation in the
heading, row names that stay in sight, and a reason under the pointer where a cell is known not to come out.
"""

from __future__ import annotations

import html
import math
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeAlias

import streamlit as st

from microagg.papers.experiment import AGREEMENT, summary
from microagg.ui.components.chart_tools import save_rows

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    import pandas as pd

    from microagg.papers.experiment import Column, Experiment, Row

    Lines: TypeAlias = dict[str, dict[Hashable, Any]]

TINTS = {"exact": "rgba(26,127,212,.16)", "close": "rgba(176,138,0,.2)", "off": "rgba(217,84,30,.17)"}
SIGNS = {"exact": "●", "close": "◆", "off": "□", "": ""}
_STYLE = (
    "<style>"
    + files("microagg.ui.papers").joinpath("cells_table.css").read_text(encoding="utf-8")
    + "</style>"
)


def legend(*, ranked: bool) -> None:
    """Say what colours and symbols mean, and ρ where columns are ranked."""
    parts = [
        f'<span style="background:{TINTS[name]}">{SIGNS[name]} {name}</span> {words} &emsp;'
        for name, words in AGREEMENT.items()
    ]
    rho = "ρ: Spearman’s rank correlation of the column" if ranked else ""
    st.html(f'<div class="signs">{"".join(parts)}{rho}</div>')


def table(
    experiment: Experiment, columns: Sequence[Column], cells: pd.DataFrame, *, height: int = 620
) -> None:
    """Draw the cells of some columns.

    Parameters
    ----------
    experiment : Experiment
    columns : sequence of Column
    cells : DataFrame
        As `Experiment.run` gives it; rows that are still to come may be missing.
    height : int
        Pixels at most.
    """
    printed = bool(cells["published"].notna().any())
    ranks: Lines = {str(line["column"]): line for line in summary(cells).to_dict("records")}
    head = _head(experiment, columns, ranks, printed=printed)
    body = _body(experiment, columns, cells, printed=printed)
    back = st.get_option(f"theme.{st.context.theme.type or 'light'}.backgroundColor") or "#ffffff"
    given = {"height": f"{height}px", "back": back, **TINTS}
    style = "; ".join(f"--{name}: {value}" for name, value in given.items())
    name = html.escape(experiment.title)
    st.html(
        f'{_STYLE}<div class="cells" style="{style}" tabindex="0" role="region" aria-label="{name}"><table>'
        f"<thead>{head}</thead><tbody>{body}</tbody></table></div>"
    )


def _head(experiment: Experiment, columns: Sequence[Column], ranks: Lines, *, printed: bool) -> str:
    wide = 3 if printed else 1
    top = "".join(
        f'<th class="{_stuck(place)}" rowspan="{2 if printed else 1}" scope="col">{html.escape(key)}</th>'
        for place, key in enumerate(experiment.keys)
    )
    for column in columns:
        rho = ""
        if column.name in ranks:
            line = ranks[column.name]
            value = (
                ""
                if math.isnan(line["spearman"]) or not experiment.ranked
                else f"ρ {line['spearman']:.3f} &ensp;"
            )
            counts = "&ensp;".join(f"{SIGNS[name]}&thinsp;{line[name]}" for name in AGREEMENT)
            rho = f'<br><span class="rho">{value}{counts}</span>'
        top += (
            f'<th class="first" colspan="{wide}" scope="colgroup" title="{html.escape(column.sentence)}">'
            f"{html.escape(column.title)}{rho}</th>"
        )
    if not printed:
        return f"<tr>{top}</tr>"
    below = f'<th class="first" scope="col">{html.escape(experiment.expected)}</th>'
    below += '<th scope="col">measured</th><th scope="col">difference</th>'
    return f"<tr>{top}</tr><tr>{below * len(columns)}</tr>"


def _body(experiment: Experiment, columns: Sequence[Column], cells: pd.DataFrame, *, printed: bool) -> str:
    rows: dict[Row, Lines] = {}
    for cell in cells.to_dict("records"):
        rows.setdefault(tuple(cell[key] for key in experiment.keys), {})[cell["column"]] = cell
    lines, before = [], None
    for row, found in rows.items():
        new = " new" if len(row) > 1 and row[0] != before else ""
        before = row[0]
        line = "".join(
            f'<td class="{_stuck(place)}{new}">{html.escape(_key(name))}</td>'
            for place, name in enumerate(row)
        )
        for column in columns:
            decimals = experiment.decimals.get(row, column.decimals)
            line += _cell(found[column.name], decimals, new, printed=printed)
        lines.append(f"<tr>{line}</tr>")
    return "".join(lines)


def _cell(cell: dict[Hashable, Any], decimals: int, new: str, *, printed: bool) -> str:
    measured = _number(cell["measured"], decimals)
    if not printed:
        return f'<td class="first{new}">{measured}</td>'
    agreement, note = cell["agreement"], cell["note"]
    noted = f' class="noted" title="{html.escape(note)}"' if note else ""
    return (
        f'<td class="first{new}">{_number(cell["published"], decimals)}</td>'
        f'<td class="{agreement}{new}"><span class="sign" aria-label="{agreement}">{SIGNS[agreement]}</span>'
        f"{measured}</td>"
        f'<td class="{new}"><span{noted}>{_number(cell["difference"], decimals, "+")}</span></td>'
    )


def _number(value: float, decimals: int, sign: str = "") -> str:
    """A number with its printed decimals and a real minus; nothing where there is none."""
    if not math.isfinite(value):
        return ""
    text = f"{value:{sign},.{decimals}f}"
    return text.replace("-", "−") if float(text.replace(",", "")) else text.lstrip("+-")


def _stuck(place: int) -> str:
    """Class of a row name; the first stays in sight while the table is moved sideways."""
    return "key" if place else "key stuck"


def _key(name: object) -> str:
    return f"{name:g}" if isinstance(name, float) else str(name)


def save(experiment: Experiment, variant: str, cells: pd.DataFrame) -> None:
    """Offer all cells as CSV."""
    name = f"{experiment.name}-{variant}".replace("/", "-")
    save_rows(
        "Save all cells as CSV",
        lambda: experiment.as_saved(cells),
        name,
        "paper_csv",
        icon=":material/download:",
    )
