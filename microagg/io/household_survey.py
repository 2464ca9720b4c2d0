"""A made-up household survey: 5,000 invented persons in about 2,000 households.

Nobody was asked. Members of a household share its region and its weight, partners are of about one age and
children younger than their parents by 20 to 40 years; occupations follow education; earnings follow
education, occupation, age, hours and region; diagnoses follow age. One person in thirty gives no diagnosis.
Its columns are of every kind that a guess of roles must tell apart: a serial number, a unit, categories,
codes with leading zeros, amounts, a weight, a secret.

As in `synthetic_surveys`, only ``random.Random(seed).random()`` is used: the same bytes everywhere.
"""

from __future__ import annotations

from math import exp
from random import Random

import pandas as pd

from microagg.kernels.random_numbers import normal, pick

COLUMNS = (
    "id",
    "household",
    "sex",
    "age",
    "region",
    "education",
    "occupation",
    "income",
    "hours",
    "weight",
    "diagnosis",
)
SIZES = (1, 2, 3, 4, 5, 6, 7), (26, 32, 17, 16, 6, 2, 1)
REGIONS = (  # codes of the districts, people in each, pay above the rest
    (("01101", "01102", "01103", "01104"), (40, 25, 20, 10), 1.25),
    (("02101", "02102", "02205"), (22, 15, 9), 1.05),
    (("03101", "03204", "03205", "03310"), (18, 12, 8, 4), 0.95),
    (("05101", "05102"), (16, 7), 1.0),
    (("07101", "07203", "07204"), (9, 5, 3), 0.88),
    (("10101", "10102", "10207"), (24, 14, 6), 1.1),
    (("12101", "12305"), (6, 2), 0.82),
)
EDUCATION = ("primary", "lower secondary", "upper secondary", "bachelor", "master", "doctorate")
STILL_AT_SCHOOL = "in school"
TOO_YOUNG = "below school age"
OCCUPATIONS = (  # with the weights of the six levels of education, and pay above the rest
    ("manager", (1, 2, 6, 14, 18, 14), 1.6),
    ("professional", (0, 1, 6, 38, 60, 76), 1.35),
    ("technician", (3, 8, 20, 22, 10, 6), 1.1),
    ("clerk", (5, 12, 20, 12, 6, 2), 0.95),
    ("sales or service", (28, 30, 22, 9, 4, 2), 0.8),
    ("farmer", (12, 8, 4, 1, 1, 0), 0.75),
    ("craft worker", (16, 18, 14, 2, 0, 0), 0.95),
    ("machine operator", (15, 12, 6, 1, 0, 0), 0.9),
    ("labourer", (20, 9, 2, 1, 1, 0), 0.7),
)
NOT_EMPLOYED = "not employed"
DIAGNOSES = (  # with the weights at the age of 0 and what each year adds
    ("no diagnosis", 100, -0.6),
    ("asthma", 8, -0.03),
    ("allergy", 9, -0.05),
    ("depression", 2, 0.06),
    ("hypertension", 0, 0.42),
    ("diabetes", 0.4, 0.16),
    ("arthritis", 0, 0.2),
    ("heart disease", 0, 0.17),
    ("cancer", 0.3, 0.07),
    ("HIV", 0.1, 0.006),
)
REFUSED = 0.03


def household_survey(records: int = 5000, seed: int = 1) -> pd.DataFrame:
    """Invented persons in households.

    Parameters
    ----------
    records : int
        Persons; the last household may be cut short.
    seed : int

    Returns
    -------
    DataFrame, (records, 11)
        Age in years, income a year in whole units of money, hours a week; region is a code of five digits,
        as text; the weight says how many people a record stands for.

    Examples
    --------
    >>> survey = household_survey(100)
    >>> survey.shape, survey["id"].is_unique
    ((100, 11), True)
    """
    random = Random(seed)  # noqa: S311 (made-up data, no secret)
    people: list[tuple[object, ...]] = []
    household = 0
    while len(people) < records:
        household += 1
        codes, inhabitants, pay = pick(random.random(), REGIONS, [sum(each) for _, each, _ in REGIONS])
        region = pick(random.random(), codes, inhabitants)
        size = pick(random.random(), *SIZES)
        weight = round(1400 / pay * (0.7 + 0.12 * size) * exp(0.25 * normal(random.random())), 2)
        for sex, age in _members(random, size):
            person = len(people) + 1
            education, occupation, hours, income = _working_life(random, sex, age, pay)
            row = person, household, sex, age, region, education, occupation, income, hours, weight
            people.append((*row, _diagnosis(random, age)))
    return pd.DataFrame(people[:records], columns=pd.Index(COLUMNS))


def _members(random: Random, size: int) -> list[tuple[str, int]]:
    """Sex and age of a household's members, the eldest generation first."""
    alone = size == 1
    head = 20 + int(random.random() ** (0.8 if alone else 1.1) * (72 if alone else 60))
    members = [(pick(random.random(), ("female", "male")), head)]
    couple = size > 1 and random.random() < (0.8 if size == 2 else 0.85)
    if couple:
        same = random.random() < 0.03
        partner = members[0][0] if same else ("male" if members[0][0] == "female" else "female")
        members.append((partner, min(95, max(18, head + round(3 * normal(random.random()))))))
    while len(members) < size:
        younger = 20 + int(random.random() * 20)
        members.append((pick(random.random(), ("female", "male")), max(0, head - younger)))
    return members


def _working_life(random: Random, sex: str, age: int, pay: float) -> tuple[str, str, int, int]:
    """Education, occupation, hours a week and income a year."""
    if age < 16:
        return (TOO_YOUNG if age < 6 else STILL_AT_SCHOOL), NOT_EMPLOYED, 0, 0
    later = min(1.0, max(0.0, (2025 - age - 1930) / 70))  # who was born later went to school for longer
    level = pick(
        random.random(),
        range(6),
        (
            round(30 - 26 * later),
            round(34 - 18 * later),
            40,
            round(6 + 24 * later) if age >= 21 else 0,
            round(4 + 16 * later) if age >= 24 else 0,
            2 if age >= 28 else 0,
        ),
    )
    employed = (0.35 if age < 20 else 0.8 if age < 60 else 0.45 if age < 65 else 0.06) + 0.03 * level
    if random.random() >= employed:
        pension = 15_000 + 4_500 * level if age >= 62 else 2_500 + 1_200 * level
        return EDUCATION[level], NOT_EMPLOYED, 0, max(0, round(pension * (1 + 0.3 * normal(random.random()))))
    occupation, _, worth = pick(
        random.random(), OCCUPATIONS, [weights[level] for _, weights, _ in OCCUPATIONS]
    )
    part_time = random.random() < (0.35 if sex == "female" else 0.1)
    hours = max(4, min(70, round((22 if part_time else 40) + 5 * normal(random.random()))))
    experience = 1 - ((age - 52) / 55) ** 2
    yearly = 30_000 * worth * (1 + 0.13 * level) * (0.45 + 0.6 * experience) * pay * hours / 40
    return EDUCATION[level], occupation, hours, round(yearly * exp(0.3 * normal(random.random())))


def _diagnosis(random: Random, age: int) -> str | None:
    weights = [max(0.0, start + slope * age) for _, start, slope in DIAGNOSES]
    found = pick(random.random(), [name for name, _, _ in DIAGNOSES], weights)
    return None if random.random() < REFUSED else found
