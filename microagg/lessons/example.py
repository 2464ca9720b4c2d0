"""Records made up for a lesson: a town of a few people, a little clustered, with one who stands out.

Drawn from a seed, so that a class sees what its teacher saw. Values are whole numbers that can be read and
typed; the attributes are correlated, so that projecting them makes sense, and of different size.
"""

from __future__ import annotations

import numpy as np

from microagg.lessons.lesson import Records

NAMES = ("age", "income", "savings", "rent", "visits", "children", "distance", "score")
_CENTRES = (42.0, 3400.0, 25.0, 9.0, 12.0, 2.0, 14.0, 55.0)
_SPREADS = (14.0, 1100.0, 12.0, 3.0, 5.0, 1.2, 7.0, 16.0)
_TURNS = (1.0, 0.8, 0.7, 0.6, -0.4, 0.3, -0.5, 0.5)


def made_up(seed: int, count: int, attributes: int = 2) -> Records:
    """Draw records.

    Parameters
    ----------
    seed : int
    count : int
        How many; at most 60.
    attributes : int
        2 … 8.

    Returns
    -------
    Records

    Examples
    --------
    >>> records = made_up(1, 16)
    >>> records.values.shape, records.names
    ((16, 2), ('age', 'income'))
    """
    draw = np.random.default_rng(seed)
    place = draw.choice([-1.1, 0.0, 1.2], size=count) + 0.35 * draw.normal(size=count)
    place[draw.integers(count)] = 2.4
    turns = np.array(_TURNS[:attributes])
    noise = draw.normal(size=(count, attributes)) * np.sqrt(1 - 0.75 * turns**2)
    unit = turns * place[:, np.newaxis] + 0.7 * noise
    values = np.array(_CENTRES[:attributes]) + np.array(_SPREADS[:attributes]) * unit
    return Records(np.round(np.maximum(values, 0.0)).astype(np.float64), NAMES[:attributes])
