"""The reference data sets by name: what each column means, and its role unless the user says otherwise.

Roles follow the papers where these set them, so that ``protect(load_dataset(…), Plan())`` starts from a
published experiment: the first six attributes of Census and Tarragona are quasi-identifiers and the other
seven confidential (Rebollo-Monedero et al., section V.A); EIA has the eleven attributes of the usual
microaggregation benchmark, the utility's number among them although one would not release it; Water treatment
has the nine attributes of Nin & Torra's table 1. Text columns are quasi-identifiers only in the household
survey, whose roles are those that are guessed: means need numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from microagg.model.microdata import Microdata
    from microagg.model.roles import Role, Scale

_SDCMICRO = (
    "https://raw.githubusercontent.com/sdcTools/sdcMicro/cf3251017482bb215f0a9abf4a930f502399fb72/data/"
)


@dataclass(frozen=True)
class Column:
    """One column of a data set: its role unless changed, what it means, and its kind of values."""

    name: str
    role: Role
    meaning: str
    scale: Scale = "continuous"


@dataclass(frozen=True)
class Home:
    """Where a data set that is not bundled is downloaded from.

    Parameters
    ----------
    file : str
        Name of the original, also inside an archive.
    addresses : tuple of str
        Tried in turn; one that ends in .zip is an archive that holds the file.
    sha256 : str
        Digest of the original's bytes.
    """

    file: str
    addresses: tuple[str, ...]
    sha256: str


@dataclass(frozen=True)
class Dataset:
    """A data set that can be loaded by name.

    Parameters
    ----------
    name, title, description, source : str
        The key, a heading, one sentence, and who made it.
    rows : int
    columns : tuple of Column
    home : Home or None
        None: bundled with the program.
    noun, nouns : str
        What a record describes, for sentences about it: "company", "companies".
    """

    name: str
    title: str
    description: str
    source: str
    rows: int
    columns: tuple[Column, ...]
    home: Home | None = None
    noun: str = "record"
    nouns: str = "records"


def _columns(confidential_from: int, meanings: Iterable[tuple[str, str]]) -> tuple[Column, ...]:
    """Quasi-identifiers, and confidential attributes from a position on."""
    return tuple(
        Column(name, "quasi_identifier" if i < confidential_from else "confidential", meaning)
        for i, (name, meaning) in enumerate(meanings)
    )


TARRAGONA = Dataset(
    "tarragona",
    "Tarragona",
    "Balance sheet figures of 834 companies in the Tarragona area, 1995; heavily skewed.",
    "CASC project; from the source distribution of microagg1d",
    834,
    _columns(
        6,
        (
            ("FIXED_ASSETS", "Fixed assets"),
            ("CURRENT_ASSETS", "Current assets"),
            ("TREASURY", "Treasury: cash and what is as good as cash"),
            ("UNCOMMITTED_FUNDS", "Uncommitted funds"),
            ("PAID_UP_CAPITAL", "Paid-up capital"),
            ("SHORT_TERM_DEBT", "Short-term debt"),
            ("SALES", "Sales"),
            ("LABOR_COSTS", "Labour costs"),
            ("DEPRECIATION", "Depreciation"),
            ("OPERATING_PROFIT", "Operating profit"),
            ("FINANCIAL_OUTCOME", "Financial outcome"),
            ("GROSS_PROFIT", "Gross profit"),
            ("NET_PROFIT", "Net profit"),
        ),
    ),
    noun="company",
    nouns="companies",
)

CENSUS = Dataset(
    "census",
    "Census",
    "Incomes and taxes of 1080 people, drawn in 2000 from the public files of the U.S. Bureau of the Census.",
    "CASC project; from the sdcMicro repository",
    1080,
    _columns(
        6,
        (
            ("AFNLWGT", "Final weight, two implied decimals"),
            ("AGI", "Adjusted gross income, dollars"),
            ("EMCONTRB", "Employer contribution for health insurance, dollars"),
            ("FEDTAX", "Federal income tax liability, dollars"),
            ("PTOTVAL", "Total person income, dollars"),
            ("STATETAX", "State income tax liability, dollars"),
            ("TAXINC", "Taxable income, dollars"),
            ("POTHVAL", "Total other persons income, dollars"),
            ("INTVAL", "Interest income, dollars"),
            ("PEARNVAL", "Total person earnings, dollars"),
            ("FICA", "Social security payroll deduction, dollars"),
            ("WSALVAL", "Total wage and salary, dollars"),
            ("ERNVAL", "Business or farm net earnings, dollars"),
        ),
    ),
    Home(
        "CASCrefmicrodata.rda",
        (_SDCMICRO + "CASCrefmicrodata.rda",),
        "147d0d7fa823a384e36c2297174560e32cdbe6e39803f22f797610fb1a2993d6",
    ),
    noun="person",
    nouns="people",
)

EIA = Dataset(
    "eia",
    "EIA",
    "Monthly electricity sales and revenue of utilities in the United States; 4092 records, many alike.",
    "U.S. Energy Information Authority, CASC project; from the source distribution of microagg1d",
    4092,
    (
        Column("UTILITYID", "quasi_identifier", "Number of the utility"),
        Column("UTILNAME", "identifier", "Name of the utility", "nominal"),
        Column("STATE", "other", "State that the utility reports for", "nominal"),
        Column("YEAR", "other", "Year, two digits", "ordinal"),
        Column("MONTH", "other", "Month, 1 to 12", "ordinal"),
        *(
            Column(code + kind, "quasi_identifier", f"{what} {consumers} consumers")
            for code, consumers in (
                ("RES", "residential"),
                ("COM", "commercial"),
                ("IND", "industrial"),
                ("OTH", "other"),
                ("TOT", "all"),
            )
            for kind, what in (
                ("REVENUE", "Revenue from sales to"),
                ("RSALES" if code == "OTH" else "SALES", "Sales to"),
            )
        ),
    ),
    noun="monthly report",
    nouns="monthly reports",
)

_STAGES = {
    "E": "input to plant",
    "P": "input to primary settler",
    "D": "input to secondary settler",
    "S": "output",
}
_QUANTITIES = {
    "Q": "flow",
    "ZN": "zinc",
    "PH": "pH",
    "DBO": "biological oxygen demand",
    "DQO": "chemical oxygen demand",
    "SS": "suspended solids",
    "SSV": "volatile suspended solids",
    "SED": "sediments",
    "COND": "conductivity",
}
_PERFORMANCE = {"P": "of the primary settler", "S": "of the secondary settler", "G": "of the whole plant"}
_NIN_TABLE_1 = frozenset(("PH-E", "PH-P", "PH-D", "DQO-E", "COND-P", "COND-D", "DBO-S", "SS-S", "SED-S"))

_WATER_COLUMNS = (
    "Q-E ZN-E PH-E DBO-E DQO-E SS-E SSV-E SED-E COND-E PH-P DBO-P SS-P SSV-P SED-P COND-P "
    "PH-D DBO-D DQO-D SS-D SSV-D SED-D COND-D PH-S DBO-S DQO-S SS-S SSV-S SED-S COND-S "
    "RD-DBO-P RD-SS-P RD-SED-P RD-DBO-S RD-DQO-S RD-DBO-G RD-DQO-G RD-SS-G RD-SED-G"
)


def _water(name: str) -> Column:
    *kind, quantity, stage = name.split("-")
    if kind:
        return Column(name, "other", f"Performance {_PERFORMANCE[stage]}: removal of {_QUANTITIES[quantity]}")
    role: Role = "quasi_identifier" if name in _NIN_TABLE_1 else "other"
    words = f"{_QUANTITIES[quantity]}, {_STAGES[stage]}"
    return Column(name, role, words if quantity == "PH" else words[0].upper() + words[1:])


WATER_TREATMENT = Dataset(
    "water_treatment",
    "Water treatment",
    "Daily readings of an urban waste water plant; 527 days with missing values, 380 complete.",
    "UCI machine learning repository, data set 106 (M. Poch, J. Béjar, U. Cortés, 1993), CC BY 4.0",
    527,
    (
        Column("DATE", "identifier", "Day, as D-day/month/year", "nominal"),
        *map(_water, _WATER_COLUMNS.split()),
    ),
    Home(
        "water-treatment.data",
        (
            "https://archive.ics.uci.edu/ml/machine-learning-databases/water-treatment/water-treatment.data",
            "https://archive.ics.uci.edu/static/public/106/water+treatment+plant.zip",
        ),
        "af2e632b370646ea9763b11aed54b30423f0c3b8a7fb1b7d23e1c922098a7a8a",
    ),
    noun="day",
    nouns="days",
)

SURVEY = Dataset(
    "survey",
    "Survey",
    "A made-up survey of 200 invented people, small enough to follow one record through a method.",
    "Made up here; the first six people are those of Rebollo-Monedero et al., figure 1",
    200,
    (
        Column("Name", "identifier", "First and last name, invented", "nominal"),
        Column("Gender", "other", "F or M", "nominal"),
        Column("Age", "quasi_identifier", "Years"),
        Column("ZIP Code", "quasi_identifier", "Postal code of the home"),
        Column("Hourly Wage", "confidential", "Dollars an hour"),
        Column("Political Affiliation", "confidential", "Party the person feels close to", "nominal"),
    ),
    noun="person",
    nouns="people",
)

HOUSEHOLD_SURVEY = Dataset(
    "household_survey",
    "Household survey",
    "A made-up survey of 5,000 invented persons in 1,959 households, with columns of every kind.",
    "Made up here",
    5000,
    (
        Column("id", "identifier", "Number of the record"),
        Column("household", "unit", "Number of the household", "nominal"),
        Column("sex", "quasi_identifier", "female or male", "nominal"),
        Column("age", "quasi_identifier", "Years"),
        Column("region", "quasi_identifier", "District, a code of five digits", "nominal"),
        Column("education", "quasi_identifier", "Highest level that was completed", "nominal"),
        Column("occupation", "quasi_identifier", "Occupation, or not employed", "nominal"),
        Column("income", "quasi_identifier", "A year, in units of money"),
        Column("hours", "quasi_identifier", "Worked in a week"),
        Column("weight", "weight", "People that the record stands for"),
        Column("diagnosis", "confidential", "What a doctor said last; empty where refused", "nominal"),
    ),
    noun="person",
    nouns="people",
)


def _gaussian(name: str, correlation: str) -> Dataset:
    return Dataset(
        name,
        f"Gaussian, ρ = {correlation}",
        f"A quasi-identifier and a confidential attribute, normal, with correlation {correlation}.",
        "Made up here after Rebollo-Monedero et al., section V.A",
        10_000,
        _columns(1, (("X", "Standard normal"), ("Y", f"Standard normal, correlation {correlation} with X"))),
    )


CATALOGUE = MappingProxyType(
    {
        dataset.name: dataset
        for dataset in (
            TARRAGONA,
            CENSUS,
            EIA,
            WATER_TREATMENT,
            SURVEY,
            HOUSEHOLD_SURVEY,
            _gaussian("gaussian_05", "0.5"),
            _gaussian("gaussian_09", "0.9"),
        )
    }
)


def nouns(data: Microdata) -> tuple[str, str]:
    """What one record of these data describes, and what several do.

    Parameters
    ----------
    data : Microdata

    Returns
    -------
    noun, nouns : str
        ("record", "records") for a file that is not of the catalogue, whatever it is called.
    """
    known = CATALOGUE.get(data.name)
    if known is None or [column.name for column in known.columns] != list(data.frame.columns):
        return "record", "records"
    return known.noun, known.nouns
