"""Records made up for a lesson: a town of a few people, a little clustered, with one who stands out.

Drawn from a seed, so that a class sees what its teacher saw. Values are whole numbers that can be read and
typed; the attributes are correlated, so that projecting them makes sense, and of different size.
"""

from __future__ import annotations

import numpy as np

from microagg.kernels.random_numbers import chosen, normal, pick, uniforms
from microagg.lessons.lesson import Records

SEED = 16
"""Of its sixteen records, with k = 3 and the attributes that it asks for, every lesson shows its point."""
NAMES = ("age", "income", "savings", "rent", "visits", "children", "distance", "score")
UNITS = (
    "years",
    "euros a month",
    "thousand euros",
    "hundred euros a month",
    "times a year",
    "number",
    "kilometres",
    "points",
)
_CLUSTERS = (-1.1, 0.0, 1.2)
_CENTRES = (42.0, 3400.0, 25.0, 9.0, 12.0, 2.0, 14.0, 55.0)
_SPREADS = (14.0, 1100.0, 12.0, 3.0, 5.0, 1.2, 7.0, 16.0)
_TURNS = (1.0, 0.8, 0.7, 0.6, -0.4, 0.3, -0.5, 0.5)


def made_up(seed: int, count: int, names: tuple[str, ...] = NAMES[:2]) -> Records:
    """Draw records.

    Parameters
    ----------
    seed : int
    count : int
        How many; at most 60.
    names : tuple of str
        Which attributes, of `NAMES`. The records are the same whichever are asked for.

    Returns
    -------
    Records

    Examples
    --------
    >>> records = made_up(1, 16)
    >>> records.values.shape, records.names, records.units
    ((16, 2), ('age', 'income'), ('years', 'euros a month'))
    """
    numbers = uniforms(np.arange(count * (2 + len(NAMES))), seed=seed).reshape(count, -1)
    normals = np.array([[normal(number) for number in row] for row in numbers[:, 1:].tolist()])
    place = np.array([pick(number, _CLUSTERS) for number in numbers[:, 0].tolist()]) + 0.35 * normals[:, 0]
    place[chosen(seed, count, 1)] = 2.4
    turns = np.array(_TURNS)
    noise = normals[:, 1:] * np.sqrt(1 - 0.75 * turns**2)
    unit = turns * place[:, np.newaxis] + 0.7 * noise
    values = np.round(np.maximum(np.array(_CENTRES) + np.array(_SPREADS) * unit, 0.0))
    at = [NAMES.index(name) for name in names]
    return Records(np.ascontiguousarray(values[:, at]), names, tuple(UNITS[i] for i in at), "people")
