"""What the report says, as plain values: tables, figures and sentences, for the house or for the world.

The report for the world leaves out whatever would help an intruder: how groups were made and by which seeds,
what an intruder finds, statistics of the original, and checks that speak of single values. It keeps what a
user of the file needs: what was replaced by what, how many records share their values, and what is lost.
"""

from __future__ import annotations

import platform
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from microagg.handover.report import svg
from microagg.handover.totals import totals
from microagg.measures.anonymity import class_sizes
from microagg.measures.catalogue import MEASURES, around

if TYPE_CHECKING:
    from markupsafe import Markup

    from microagg.assessment.assess import Assessment
    from microagg.measures.catalogue import Measure
    from microagg.model.findings import Finding, Findings
    from microagg.model.release import Release

PACKAGES = ("microagg", "numpy", "numba", "pandas", "scipy", "scikit-learn")
TOLD_OUTSIDE = ("il", "il_scale_free", "l", "d_x", "k_prime", "smallest_class")
MOST_DRAWN = 24


@dataclass(frozen=True)
class Column:
    """One column of the original, without any of its values.

    Parameters
    ----------
    name, role, fate : str
    missing, distinct, distinct_after : int or None
    mean, spread, mean_after, spread_after : float or None
        Of numbers; the spread is the standard deviation, over n.
    """

    name: str
    role: str
    fate: str
    missing: int
    distinct: int
    distinct_after: int | None = None
    mean: float | None = None
    spread: float | None = None
    mean_after: float | None = None
    spread_after: float | None = None


@dataclass(frozen=True)
class Figure:
    """A drawing, its title and how to read it."""

    title: str
    caption: str
    drawing: Markup
    legend: tuple[tuple[str, str], ...] = ()


def columns(release: Release) -> list[Column]:
    """Describe every column of the original and what becomes of it."""
    return [_column(release, name) for name in (a.name for a in release.data.attributes)]


def fate(release: Release, name: str) -> str:
    """What becomes of a column, in words."""
    if name not in release.protected.columns:
        return "left out"
    if name not in release.attributes:
        return "released as it is"
    scale = release.data[name].scale
    if release.plan is None:
        return "protected"
    if not release.partitions:
        return "averaged with other values"
    if name in release.categories:
        return f"replaced by the group's {'median category' if scale == 'ordinal' else 'most frequent value'}"
    rounded = ", rounded" if release.plan.rounding != "none" and _whole(release, name) else ""
    return f"replaced by the group's {release.plan.aggregate}{rounded}"


def role(name: str) -> str:
    """A role as people write it.

    Examples
    --------
    >>> role("quasi_identifier")
    'quasi-identifier'
    """
    return name.replace("_", "-")


def _whole(release: Release, name: str) -> bool:
    return pd.api.types.is_integer_dtype(release.protected[name])


def _column(release: Release, name: str) -> Column:
    data, before = release.data, release.data.frame[name]
    after = release.protected[name] if name in release.protected.columns else None
    found = Column(
        name,
        role(data[name].role),
        fate(release, name),
        int(before.isna().sum()),
        int(before.nunique()),
        None if after is None else int(after.nunique()),
    )
    if not data.averages(name) or pd.api.types.is_bool_dtype(before) or data[name].role == "identifier":
        return found
    mean, spread = _moments(before)
    mean_after, spread_after = (None, None) if after is None else _moments(after)
    return replace(found, mean=mean, spread=spread, mean_after=mean_after, spread_after=spread_after)


def _moments(column: pd.Series[Any]) -> tuple[float | None, float | None]:
    values = column.to_numpy(np.float64, na_value=np.nan)
    there = values[np.isfinite(values)]
    return (float(there.mean()), float(there.std())) if len(there) else (None, None)


def findings(found: Findings, *, external: bool) -> list[Finding]:
    """The findings of the audit; how groups were made is not told outside."""
    if not external:
        return list(found)
    name = "promise of the method"
    said = "k does not follow from how the file was made; what holds is what was measured."
    return [
        replace(one, sentence=said) if one.name == name else one
        for one in found
        if one.name != name or one.status != "green"
    ]


def measures(result: Assessment, *, external: bool) -> list[tuple[Measure, str, str]]:
    """The figures with what they mean; those that are not defined are left out."""
    sampled = {name: f" ({found.sampled})" for name, found in result.linkages.items() if found.sampled}
    return [
        (MEASURES[name], MEASURES[name].show(value) + sampled.get(name, ""), result.sentence(name))
        for name, value in result.figures().items()
        if not np.isnan(value) and (not external or name in TOLD_OUTSIDE)
    ]


def figures(release: Release, result: Assessment, *, external: bool) -> list[Figure]:
    """The drawings, those of the first attributes where there are many."""
    names = release.columns[:MOST_DRAWN]
    if not names:
        return []
    more = len(release.columns) - len(names)
    rest = f" The first {len(names)} of {len(release.columns)} attributes." if more else ""
    lost = result.lost.squared.by_attribute
    if external:
        rows = [(name, (float(lost[i]),)) for i, name in enumerate(names)]
        caption = f"Share of each attribute's variance that is lost. Long: it became coarse.{rest}"
        return [Figure("What is lost, by attribute", caption, svg.bars(rows, ["loss"], caption))]
    known = result.disclosed.intervals.by_attribute
    both = [(name, (float(lost[i]), float(known[i]))) for i, name in enumerate(names)]
    caption = (
        f"Share of variance lost, and share of original values that lie {around(result.disclosed.width)} the "
        f"released one. Long purple: coarse. Long orange: easily guessed.{rest}"
    )
    p = len(names)
    spread = (
        "Share of records by value. Bins span the original's 1st to 99th percentile; the end bins hold what "
        f"lies beyond.{rest}"
    )
    return [
        Figure(
            "Loss and disclosure, by attribute",
            caption,
            svg.bars(both, ["loss", "risk"], caption),
            (("loss", "variance lost"), ("risk", "interval disclosure")),
        ),
        Figure(
            "Distributions, before and after",
            spread,
            svg.distributions(names, release.original_values[:, :p], release.protected_values[:, :p], spread),
            (("original", "original"), ("protected", "released")),
        ),
        _classes(release),
    ]


def _classes(release: Release) -> Figure:
    k = release.k if release.plan is None else release.plan.k
    sizes = class_sizes(release.protected_codes)
    edges = [
        ("alone", 1, 1),
        (f"2 … {k - 1}, fewer than k", 2, k - 1),
        (f"{k} … {2 * k - 1}", k, 2 * k - 1),
        (f"{2 * k} or more", 2 * k, len(sizes)),
    ]
    rows = [
        (label, (float(((sizes >= low) & (sizes <= high)).sum()),))
        for label, low, high in edges
        if high >= low
    ]
    caption = (
        "Records by how many share all their released quasi-identifiers, themselves included. Bars below k "
        "should be empty."
    )
    return Figure("How many are alike", caption, svg.bars(rows, ["protected"], caption, percent=False))


def sums(release: Release) -> list[tuple[str, str, str, str]]:
    """Totals before and after and their change, as texts."""
    found = totals(release)
    before, after = ([short(value) for value in found[side]] for side in ("before", "after"))
    return list(zip(found["attribute"], before, after, map(change, found["change"]), strict=True))


def short(value: float | None) -> str:
    """A number in five digits or as many as its whole part has; nothing for None.

    Examples
    --------
    >>> short(123456.7), short(0.0123456), short(None)
    ('123,457', '0.012346', '')
    """
    if value is None:
        return ""
    return f"{value:,.0f}" if 1e4 <= abs(value) < 1e12 else f"{value:,.5g}"


def change(share: float) -> str:
    """A relative change as text.

    Examples
    --------
    >>> change(1e-16), change(-0.0123), change(float("nan"))
    ('none', '−1.230 %', '–')
    """
    if np.isnan(share):
        return "–"
    if abs(share) < 1e-9:
        return "none"
    return f"{100 * share:+.3f} %".replace("-", "−")


def left_out(release: Release) -> list[tuple[str, int]]:
    """Why records are not released, and how many; never which."""
    return [(out.reason, len(out.positions)) for out in release.left_out]


def versions() -> list[tuple[str, str]]:
    """What computed this."""
    return [("Python", platform.python_version()), *((name, version(name)) for name in PACKAGES)]
