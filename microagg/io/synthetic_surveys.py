"""The bundled data that nobody ever collected: two surveys of invented people, and two Gaussian samples.

The household survey has a module of its own (`household_survey`). The small survey goes on where the table
of Rebollo-Monedero et al. (figure 1) ends: its six people come first, and 194 more are drawn with wages
that rise until the age of 48 and differ by place, and with parties that differ by place, so that the
confidential attributes depend on the quasi-identifiers. The Gaussian samples are those of section V.A: zero
mean, unit variance, correlation ρ = 0.5 or 0.9, the first attribute a quasi-identifier and the second
confidential. The size is not legible in our copy of the paper, which goes up to k = 500; we take 10,000.

Only ``random.Random(seed).random()`` is used, whose sequence Python promises to keep, and normal values
come from the inverse distribution function, rounded to six digits: the same bytes everywhere.
``python -m microagg.io.synthetic_surveys FOLDER`` writes them.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pandas as pd

from microagg.io.household_survey import household_survey
from microagg.io.writing import csv_bytes, write_atomic
from microagg.kernels.random_numbers import normal, pick

if TYPE_CHECKING:
    from collections.abc import Callable

SURVEY_COLUMNS = ("Name", "Gender", "Age", "ZIP Code", "Hourly Wage", "Political Affiliation")
FIGURE_1 = (
    ("Eve Smith", "F", 29, 94024, 31, "Democrat"),
    ("Dave Torres", "M", 26, 94305, 17, "Republican"),
    ("Charlie Green", "M", 29, 94024, 26, "Independent"),
    ("Bob Allen", "M", 34, 90210, 48, "Libertarian"),
    ("Alice Taylor", "F", 32, 90210, 45, "Republican"),
    ("Faith Lee", "F", 33, 90213, 44, "Republican"),
)
PARTIES = ("Democrat", "Republican", "Independent", "Libertarian")
PLACES = (  # ZIP codes, dollars an hour above the rest, weights of the parties
    ((94022, 94024, 94040, 94043, 94301, 94305, 94306), 9.0, (52, 18, 22, 8)),
    ((90210, 90211, 90212, 90213, 90265), 16.0, (34, 38, 18, 10)),
    ((93701, 93702, 93704, 93710, 93722), 0.0, (28, 46, 20, 6)),
    ((95501, 95521, 95540), 2.0, (44, 24, 22, 10)),
)
FIRST_NAMES = {
    "F": "Ada Bea Clara Dora Edith Flora Greta Hilda Ines Julia Karin Laura Mira Nora Olga Paula Rita Sonia",
    "M": "Adam Boris Carl Denis Emil Felix Gustav Hugo Ivan Jonas Karl Leon Mario Nils Oscar Paul Ralf Simon",
}
LAST_NAMES = (
    "Abbot Baker Castro Dahl Engel Fisher Garcia Hansen Ito Jensen Keller Lopez Meyer Novak Olsen Perez "
    "Quinn Rossi Silva Tanaka Ueda Vogel Weber Young Zimmer"
)


def survey(records: int = 200, seed: int = 1) -> pd.DataFrame:
    """Invented people with what a voter register knows of them and what they told a survey.

    Parameters
    ----------
    records : int
        At least 6.
    seed : int

    Returns
    -------
    DataFrame, (records, 6)
        Ages in years, wages in whole dollars an hour.

    Examples
    --------
    >>> survey().loc[0, "Name"], survey().shape
    ('Eve Smith', (200, 6))
    """
    random = Random(seed)  # noqa: S311 (made-up data, no secret)
    people = list(FIGURE_1)
    names = {person[0] for person in people}
    while len(people) < records:
        gender = pick(random.random(), ("F", "M"))
        first = pick(random.random(), FIRST_NAMES[gender].split())
        name = f"{first} {pick(random.random(), LAST_NAMES.split())}"
        if name in names:
            continue
        names.add(name)
        zip_codes, bonus, weights = pick(random.random(), PLACES)
        age = 18 + int(62 * random.random() ** 1.3)
        prime = 1 - ((age - 48) / 40) ** 2  # wages peak at 48
        wage = 12 + 14 * prime + bonus + 5 * normal(random.random())
        code, party = pick(random.random(), zip_codes), pick(random.random(), PARTIES, weights)
        people.append((name, gender, age, code, max(9, round(wage)), party))
    return pd.DataFrame(people, columns=pd.Index(SURVEY_COLUMNS))


def gaussian(correlation: float, records: int = 10_000, seed: int = 1) -> pd.DataFrame:
    """Draw a sample of two correlated normal attributes.

    Parameters
    ----------
    correlation : float
        ρ, between −1 and 1.
    records, seed : int

    Returns
    -------
    DataFrame, (records, 2)
        Columns X and Y, zero mean and unit variance but for the chance of drawing, six digits.

    Examples
    --------
    >>> gaussian(1.0, records=3).corr().round(6).to_numpy().tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    random = Random(seed)  # noqa: S311 (made-up data, no secret)
    rest = (1 - correlation**2) ** 0.5
    rows = []
    for _ in range(records):
        x, z = normal(random.random()), normal(random.random())
        rows.append((round(x, 6), round(correlation * x + rest * z, 6)))
    return pd.DataFrame(rows, columns=pd.Index(["X", "Y"]))


MADE_UP: dict[str, Callable[[], pd.DataFrame]] = {
    "household_survey": household_survey,
    "survey": survey,
    "gaussian_05": lambda: gaussian(0.5),
    "gaussian_09": lambda: gaussian(0.9, seed=2),
}


if __name__ == "__main__":
    for name, make in MADE_UP.items():
        sys.stdout.write(f"{write_atomic(Path(sys.argv[1]) / f'{name}.csv', csv_bytes(make()))}\n")
