"""A released file that comes without its partition, beside the original it was made from.

Groups are the records released alike, whatever made them. Which row is whose is settled first
(`microagg.assessment.alignment`), and what is not compared is named: a column that was lost or renamed would
otherwise drop out of the measures in silence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microagg.assessment.alignment import aligned, confirmed, listed
from microagg.errors import DataError, PlanError
from microagg.measures.anonymity import classes
from microagg.model import arguments
from microagg.model.categories import distinguished
from microagg.model.partition import Partition
from microagg.model.release import LeftOut, Release
from microagg.preparation.prepare import prepare
from microagg.protection.protect import order_of, promised

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from microagg.kernels.compiled import IntArray
    from microagg.model.microdata import Microdata
    from microagg.model.plan import Plan
    from microagg.preparation.prepare import Task


def compare(
    original: Microdata,
    protected: Microdata,
    *,
    columns: Sequence[str] | str | None = None,
    k: int | None = None,
    align: str = "index",
    plan: Plan | None = None,
) -> Release:
    """Put a released file beside its original, record by record.

    Parameters
    ----------
    original, protected : Microdata
    columns : sequence of str, optional
        The protected attributes; None: the plan's, or the original's quasi-identifiers that the released file
        has.
    k : int, optional
        The size that was promised, for counting the records below it; None: the plan's, or 2.
    align : str
        What says which row is whose: "index" (the plan's order where there is a plan; the number of the row
        where neither file has an index, with a note of what confirms it), "position", or a column that names
        the records in both files.
    plan : Plan, optional
        What the file was released by; it says which records were left out, undoes the shuffle, and gives the
        roles, blocks and k. Nothing is protected again.

    Returns
    -------
    Release
        ``notes`` say how rows were matched and what was not compared; ``left_out`` holds the records that are
        not in the released file.

    Raises
    ------
    DataError
        Rows that cannot be matched, or that untouched columns show to be matched wrongly; no column in
        common, renamed columns, or numbers that are text in one of the files.
    PlanError
        A plan that the original cannot honour, or a k that is none.

    Examples
    --------
    >>> import pandas as pd
    >>> from microagg.model.microdata import Microdata
    >>> people = pd.DataFrame({"age": [20, 21, 60, 64], "town": list("abcd")})
    >>> released = people.assign(age=[20.5, 20.5, 62, 62]).sample(frac=1, random_state=0)
    >>> before, after = Microdata.from_frame(people), Microdata.from_frame(released)
    >>> compare(before, after, columns="age").protected_values.ravel().tolist()
    [20.5, 20.5, 62.0, 62.0]
    """
    task = None if plan is None else prepare(original, plan)
    data = original if task is None else task.data
    chosen, notes = _columns(data, protected, columns, task)
    if task is not None and align == "index":
        rows, how = _planned(task, original, protected), "the plan's order"
    else:
        match = aligned(data, protected, align)
        rows, how = match.rows, "" if match.named else "position"
    kept = np.sort(rows)
    left_out = () if task is None else task.division.left_out
    if len(kept) < len(data):
        gone = np.setdiff1d(np.arange(len(data)), kept)
        left_out = (*left_out, LeftOut("They are not in the released file.", gone))
        data = data.records(kept)
    order = np.searchsorted(kept, rows)
    frame = protected.frame.iloc[np.argsort(order)]
    data = data.with_roles(dict.fromkeys(set(chosen) & set(data.columns("confidential")), "quasi_identifier"))
    others = [name for name in data.frame.columns if name in frame.columns and name not in chosen]
    refuse = bool(how) and align != "position"
    notes += confirmed(data.frame, frame, others, refuse=refuse, how=how)
    blocks = _blocks(task, chosen)
    release = Release(
        data,
        plan,
        protected.frame,
        blocks,
        () if task is not None and task.method.kind == "values" else _groups(frame, blocks),
        0.0,
        _promised(k, task, len(data)),
        left_out,
        None if np.array_equal(order, np.arange(len(order))) else order,
        notes,
    )
    protected.numbers(release.columns)
    original.numbers(release.columns)
    return release


def _columns(
    data: Microdata, protected: Microdata, columns: Sequence[str] | str | None, task: Task | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The columns to compare, and notes of those that cannot be."""
    there, notes = set(protected.frame.columns), []
    new = [name for name in protected.frame.columns if name not in data.frame.columns]
    if columns is not None and len(columns):
        chosen = arguments.names(columns, "columns")
        for side in (data, protected):
            missing = [name for name in chosen if name not in side.frame.columns]
            if missing:
                raise DataError(f"{side.name} has no column {missing[0]!r}.")
    else:
        wanted = data.columns("quasi_identifier") if task is None else task.columns
        lost = [name for name in wanted if name not in there]
        chosen = tuple(name for name in wanted if name in there)
        if not chosen:
            raise DataError(
                f"{protected.name} has none of the quasi-identifiers of {data.name}; name the columns."
            )
        if lost and new:
            raise DataError(
                f"{protected.name} has no column {listed(lost)}, and {listed(new)} instead. If it was "
                "renamed, give it back its name; if not, name the columns to compare."
            )
        if lost:
            notes.append(f"Not compared: {listed(lost)}, which {protected.name} has not.")
    if new:
        notes.append(f"Not compared: {listed(new)}, which {data.name} has not.")
    return chosen, tuple(notes)


def _planned(task: Task, original: Microdata, protected: Microdata) -> IntArray:
    """The record of the plan's data in each released row."""
    if len(task.data) != len(protected):
        raise DataError(
            f"The plan releases {len(task.data)} of the {len(original)} records of {original.name}, and "
            f"{protected.name} has {len(protected)}; it was not released by this plan."
        )
    order = order_of(task.plan, len(task.data))
    return np.arange(len(task.data)) if order is None else order


def _blocks(task: Task | None, chosen: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The plan's blocks, as far as they are compared; without a plan, or for other columns, one."""
    if task is None or not set(chosen) <= set(task.columns):
        return (chosen,)
    blocks = (tuple(name for name in block if name in chosen) for block in task.blocks)
    return tuple(block for block in blocks if block)


def _groups(frame: pd.DataFrame, blocks: tuple[tuple[str, ...], ...]) -> tuple[Partition, ...]:
    """The records that are released alike in each block."""
    return tuple(Partition(classes(distinguished([frame[name] for name in block]))[1], 1) for block in blocks)


def _promised(k: int | None, task: Task | None, records: int) -> int:
    if k is None:
        return 2 if task is None else promised(task)
    read = arguments.whole_number(k, "k", least=2)
    if read > records:
        raise PlanError(
            f"k is {read}, but there are only {records} records; choose a k of at most {records}."
        )
    return read
