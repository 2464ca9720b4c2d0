"""A run that would take hours or all memory is refused before it begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microagg.errors import PlanError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from microagg.methods.method import Method
    from microagg.methods.option_values import Options

MOST_SECONDS = 3_600.0
MOST_BYTES = 4e9


def refuse_hopeless(method: Method, options: Options, k: int, parts: Iterable[tuple[int, int]]) -> None:
    """Refuse a run that would take more than an hour or four gigabytes, with the numbers.

    Parameters
    ----------
    method : Method
    options : mapping
        Complete.
    k : int
    parts : iterable of (int, int)
        Records and attributes of each set that is partitioned on its own.

    Raises
    ------
    PlanError
        It would.

    Examples
    --------
    >>> from microagg.methods import METHODS
    >>> refuse_hopeless(METHODS["kward"], {}, 5, [(1_000_000, 10)])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    microagg.errors.PlanError: k-Ward, multivariate (MDO) would take about 3 hours on 1,000,000 records; ...
    """
    costs = [(n, method.cost(n, d, k, options)) for n, d in parts]
    records = max((n for n, _ in costs), default=0)
    hours = sum(cost.seconds for _, cost in costs) / 3_600
    memory = max((cost.bytes for _, cost in costs), default=0.0)
    if 3_600 * hours > MOST_SECONDS:
        needs, most = f"about {hours:,.0f} hours" if hours >= 1.5 else "more than an hour", "1 hour"
    elif memory > MOST_BYTES:
        needs, most = f"about {memory / 1e9:,.0f} GB of memory", f"{MOST_BYTES / 1e9:.0f} GB"
    else:
        return
    raise PlanError(
        f"{method.title} would take {needs} on {records:,} records; the most is {most}. "
        "Divide them by strata, or take a faster method such as mdav."
    )
