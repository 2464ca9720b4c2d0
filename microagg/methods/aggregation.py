"""Summarise a record's attributes, scaled to [0, 1], in one number to sort by.

An aggregation function replaces the projected axis: an expert's summary of a record rather than its shadow
on a line. The Sugeno and Choquet integrals weigh *sets* of attributes by a measure μ, monotone, 0 for no
attribute and 1 for all. With the record's values in falling order, a_(1) ≥ … ≥ a_(N), and μ_i the measure of
the i attributes on top,

    Sugeno   max_i min(μ_i, a_(i))
    Choquet  Σ_i (a_(i) − a_(i+1)) μ_i,  a_(N+1) = 0
    OWA      Σ_i (Q(i/N) − Q((i−1)/N)) a_(i)

A measure is a quantifier Q, which only counts (μ_i = Q(i/N), then Choquet is the OWA), or a table of all 2^N
sets for up to four attributes.

J. Nin and V. Torra, "Modeling Projections in Microaggregation", section 3, for Sugeno with quantifiers; the
other functions are those its section 5 asks for. O(nN log N). Ties between values do not matter: every
function here is continuous. Sums are clipped to the record's own range, so that rounding cannot break ties
between equal attributes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from microagg.errors import PlanError

if TYPE_CHECKING:
    from collections.abc import Callable

    from microagg.kernels.compiled import FloatArray, IntArray

    Quantifier: TypeAlias = Callable[[FloatArray], FloatArray]
    Measure: TypeAlias = Quantifier | FloatArray

RAMPS = {"at least half": (0.0, 0.5), "most": (0.3, 0.8), "as many as possible": (0.5, 1.0)}
QUANTIFIERS = ("identity", "power", *RAMPS)
PLAIN: dict[str, Callable[[FloatArray], FloatArray]] = {
    "mean": lambda unit: np.mean(unit, axis=1),
    "median": lambda unit: np.median(unit, axis=1),
    "minimum": lambda unit: np.min(unit, axis=1),
    "maximum": lambda unit: np.max(unit, axis=1),
}
FUNCTIONS = ("sugeno", "choquet", "owa", *PLAIN)
LARGEST_TABLE = 4


def quantifier(name: str = "identity", exponent: float = 2.0) -> Quantifier:
    """Quantifier of that name, to aggregate with or to draw.

    Parameters
    ----------
    name : {"identity", "power", "at least half", "most", "as many as possible"}
        Q(x) = x; Q(x) = x^exponent; or 0 up to a, 1 from b, straight between, with the usual (a, b).
    exponent : float
        Of the power; positive.

    Returns
    -------
    callable
        Shares of the attributes in [0, 1] → how much such a share counts, in [0, 1].

    Raises
    ------
    PlanError
        If there is no such quantifier, or the exponent is not positive.

    Examples
    --------
    >>> quantifier("most")(np.array([0.25, 0.5, 1.0])).tolist()
    [0.0, 0.4, 1.0]
    """
    if name == "identity":
        return lambda shares: shares
    if name == "power":
        if not 0 < exponent < np.inf:
            raise PlanError(
                f"The exponent of the power quantifier must be a positive number, not {exponent}."
            )
        return lambda shares: shares**exponent
    if name not in RAMPS:
        raise PlanError(f"There is no quantifier {name!r}; choose one of {', '.join(QUANTIFIERS)}.")
    low, high = RAMPS[name]
    return lambda shares: np.clip((shares - low) / (high - low), 0.0, 1.0)


def sugeno(unit: FloatArray, measure: Measure) -> FloatArray:
    """Sugeno integral of each record.

    Parameters
    ----------
    unit : (n, p) float64 in [0, 1]
    measure : quantifier, or (2^p,) float64
        Entry s of a table is the measure of the set that holds attribute j where bit j of s is 1.

    Returns
    -------
    (n,) float64 in [0, 1]

    Examples
    --------
    >>> sugeno(np.array([[0.2, 0.9, 0.5]]), quantifier("identity")).tolist()
    [0.5]
    """
    order, ordered = _falling(unit)
    integral: FloatArray = np.minimum(_capacities(order, measure), ordered).max(axis=1)
    return integral


def choquet(unit: FloatArray, measure: Measure) -> FloatArray:
    """Choquet integral of each record.

    Parameters
    ----------
    unit : (n, p) float64 in [0, 1]
    measure : quantifier, or (2^p,) float64
        As in `sugeno`.

    Returns
    -------
    (n,) float64 in [0, 1]

    Examples
    --------
    >>> choquet(np.array([[0.5, 0.25]]), np.array([0.0, 0.5, 0.25, 1.0])).tolist()
    [0.375]
    """
    order, ordered = _falling(unit)
    steps = ordered - np.pad(ordered[:, 1:], ((0, 0), (0, 1)))
    return _within(ordered, (steps * _capacities(order, measure)).sum(axis=1))


def owa(unit: FloatArray, weigh: Quantifier) -> FloatArray:
    """Ordered weighted average of each record, the weights taken from a quantifier.

    Parameters
    ----------
    unit : (n, p) float64 in [0, 1]
    weigh : quantifier
        The largest value weighs Q(1/p), the next Q(2/p) − Q(1/p), …

    Returns
    -------
    (n,) float64 in [0, 1]

    Examples
    --------
    >>> owa(np.array([[0.5, 0.25]]), quantifier("at least half")).tolist()
    [0.5]
    """
    _, ordered = _falling(unit)
    weights = np.diff(weigh(np.linspace(0.0, 1.0, unit.shape[1] + 1)))
    return _within(ordered, (ordered * weights).sum(axis=1))


class SugenoConstruction(NamedTuple):
    """What it takes to draw the Sugeno integral of one record, as in the paper's figure 1."""

    shares: FloatArray
    """(p,) i/p, the abscissae."""
    capacities: FloatArray
    """(p,) measure of the i attributes on top, rising."""
    values: FloatArray
    """(p,) the record's scaled values, falling."""
    attributes: IntArray
    """(p,) column of each of these values."""
    at: int
    """Position where the two steps meet: the integral is the smaller of the two there."""
    integral: float


def sugeno_construction(record: FloatArray, measure: Measure) -> SugenoConstruction:
    """Steps of the Sugeno integral of one record.

    Parameters
    ----------
    record : (p,) float64 in [0, 1]
    measure : quantifier, or (2^p,) float64

    Returns
    -------
    SugenoConstruction

    Examples
    --------
    >>> steps = sugeno_construction(np.array([0.2, 0.9, 0.5]), quantifier("identity"))
    >>> steps.values.tolist(), steps.attributes.tolist(), steps.at, steps.integral
    ([0.9, 0.5, 0.2], [1, 2, 0], 1, 0.5)
    """
    order, ordered = _falling(record[np.newaxis])
    capacities = _capacities(order, measure)[0]
    lower = np.minimum(capacities, ordered[0])
    at = int(lower.argmax())
    shares = np.arange(1, len(record) + 1) / len(record)
    return SugenoConstruction(shares, capacities, ordered[0], order[0], at, float(lower[at]))


def aggregate(
    unit: FloatArray,
    function: str = "sugeno",
    *,
    quantifier_name: str = "identity",
    exponent: float = 2.0,
    measure: tuple[float, ...] = (),
) -> FloatArray:
    """One number per record, by the function of that name.

    Parameters
    ----------
    unit : (n, p) float64 in [0, 1]
    function : {"sugeno", "choquet", "owa", "mean", "median", "minimum", "maximum"}
    quantifier_name : str
        For Sugeno, Choquet and OWA; see `quantifier`.
    exponent : float
        Of the quantifier "power".
    measure : tuple of 2^p floats, or empty
        For Sugeno and Choquet, p ≤ 4: the measure of every set of attributes instead of a quantifier.

    Returns
    -------
    (n,) float64 in [0, 1]

    Raises
    ------
    PlanError
        If there is no such function or quantifier, or the table is no measure on p attributes.

    Examples
    --------
    >>> aggregate(np.array([[0.2, 0.9, 0.5]]), "median").tolist()
    [0.5]
    """
    if function not in FUNCTIONS:
        raise PlanError(
            f"There is no aggregation function {function!r}; choose one of {', '.join(FUNCTIONS)}."
        )
    weigh = quantifier(quantifier_name, exponent)
    if function == "owa":
        return owa(unit, weigh)
    if function in ("sugeno", "choquet"):
        integral = sugeno if function == "sugeno" else choquet
        return integral(unit, measure_table(measure, unit.shape[1]) if measure else weigh)
    return _within(unit, PLAIN[function](unit))


def measure_table(entries: tuple[float, ...], p: int) -> FloatArray:
    """Check that the entries are a measure on p attributes.

    Parameters
    ----------
    entries : tuple of 2^p floats
        Entry s: the measure of the set that holds attribute j where bit j of s is 1.
    p : int

    Returns
    -------
    (2^p,) float64

    Raises
    ------
    PlanError
        If p > 4, an entry is missing, the empty set is not 0 or the full set not 1, or adding an attribute
        to a set lowers its measure.

    Examples
    --------
    >>> measure_table((0, 0.5, 0.25, 1), 2).tolist()
    [0.0, 0.5, 0.25, 1.0]
    """
    if p > LARGEST_TABLE:
        raise PlanError(f"A table of measures is for up to {LARGEST_TABLE} attributes; this block has {p}.")
    table = np.array(entries, dtype=np.float64)
    if table.shape != (2**p,):
        raise PlanError(
            f"The measure of {p} attributes needs {2**p} entries, one a set; {len(entries)} are given."
        )
    if table[0] != 0 or table[-1] != 1:
        raise PlanError("The measure must be 0 for no attribute and 1 for all of them.")
    for s in range(2**p):
        for j in range(p):
            if not table[s] <= table[s | 1 << j]:
                raise PlanError(
                    f"The measure must not fall when an attribute joins: set {s:0{p}b} has {table[s]}, "
                    f"set {s | 1 << j:0{p}b} has {table[s | 1 << j]} (attributes are read from the right)."
                )
    return table


def _falling(unit: FloatArray) -> tuple[IntArray, FloatArray]:
    """Columns of each record's values from the largest to the smallest, and these values."""
    order = np.argsort(-unit, axis=1, kind="stable")
    return order, np.take_along_axis(unit, order, axis=1)


def _capacities(order: IntArray, measure: Measure) -> FloatArray:
    """Measure of the i attributes on top, (n, p)."""
    n, p = order.shape
    if isinstance(measure, np.ndarray):
        return measure[np.cumsum(1 << order, axis=1)]
    return np.broadcast_to(measure(np.arange(1, p + 1) / p), (n, p))


def _within(values: FloatArray, summary: FloatArray) -> FloatArray:
    """Keep a rounded summary inside the range of the record's values."""
    clipped: FloatArray = np.clip(summary, values.min(axis=1), values.max(axis=1))
    return clipped
