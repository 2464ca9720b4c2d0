"""What every figure means, in one sentence, with its unit, its range and which way is better.

The page's tooltips, the report, the command line and README all read this table: a number is explained once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Better = Literal["low", "high"]


@dataclass(frozen=True, slots=True)
class Measure:
    """A row of the table of measures.

    Parameters
    ----------
    name : str
        The key in `Assessment.figures` and in the tables of a sweep.
    title : str
        Short, as the field writes it.
    sentence : str
        What it is, what high means and who would worry.
    better : {"low", "high"}
    percent : bool
        The value is a ratio, shown ×100 with a per cent sign.
    low, high : float
        The range of possible values.
    side : {"loss", "risk"}
        What it measures; the axes of the risk–utility map.
    reference : str
    """

    name: str
    title: str
    sentence: str
    better: Better
    percent: bool
    low: float
    high: float
    side: Literal["loss", "risk", "both"]
    reference: str

    def show(self, value: float) -> str:
        """Write a value as the page shows it.

        Examples
        --------
        >>> MEASURES["l"].show(0.22462), MEASURES["k_prime"].show(5.0)
        ('22.46 %', '5')
        """
        if math.isnan(value):
            return "not defined"
        return f"{100 * value:.2f} %" if self.percent else f"{value:.4g}"


_INF = float("inf")

_ROWS = (
    Measure(
        "il",
        "IL",
        "Information loss: 100 × the mean of five relative changes (cells, means, covariances, variances, "
        "correlations). High: statistics computed from the release mislead; it can pass 100.",
        "low",
        percent=False,
        low=0,
        high=_INF,
        side="loss",
        reference="Domingo-Ferrer & Torra 2001; Modeling Projections §2.4",
    ),
    Measure(
        "il_scale_free",
        "IL (scale-free)",
        "Information loss with cells compared in standard deviations, so that values near zero cannot "
        "dominate. High: statistics computed from the release mislead.",
        "low",
        percent=False,
        low=0,
        high=_INF,
        side="loss",
        reference="Modeling Projections §2.4; IL1s after Mateo-Sanz et al.",
    ),
    Measure(
        "l",
        "L",
        "Share of the attributes' variance that is lost inside the groups, SSE/SST. High: records in a group "
        "have little in common, and analysts of the release see less variety than there was.",
        "low",
        percent=True,
        low=0,
        high=_INF,
        side="loss",
        reference="Comparative Study, eq. 1",
    ),
    Measure(
        "d_x",
        "D_X",
        "Distortion of the quasi-identifiers: the share of their variance that the release has lost. High: "
        "the released values are far from the true ones.",
        "low",
        percent=True,
        low=0,
        high=_INF,
        side="loss",
        reference="Statistical Dependence §III.B",
    ),
    Measure(
        "d_y",
        "D_Y",
        "Share of the confidential attributes' variance that the groups do not explain. High: the link "
        "between quasi-identifiers and confidential attributes is lost to whoever studies the release.",
        "low",
        percent=True,
        low=0,
        high=1,
        side="loss",
        reference="Statistical Dependence §III.B",
    ),
    Measure(
        "d",
        "D",
        "Both distortions weighed by λ: (1−λ)·D_X + λ·D_Y. High: the release serves the purpose that λ "
        "stands for badly.",
        "low",
        percent=True,
        low=0,
        high=_INF,
        side="loss",
        reference="Statistical Dependence §III.B",
    ),
    Measure(
        "dr",
        "DR",
        "Disclosure risk, 0…100: record linkage and interval disclosure, averaged over what the intruder may "
        "know. High: records or values can be found again; the data owner should worry.",
        "low",
        percent=False,
        low=0,
        high=100,
        side="risk",
        reference="Modeling Projections §2.4; One Dimension Microaggregation §2.3",
    ),
    Measure(
        "dld",
        "DLD",
        "Share of released records whose nearest original is their own: an intruder with those originals "
        "links them rightly. High: persons or companies can be recognised.",
        "low",
        percent=True,
        low=0,
        high=1,
        side="risk",
        reference="Statistical Dependence §V.C; Pagliuca & Seri 1999",
    ),
    Measure(
        "pld",
        "PLD",
        "Share of records linked rightly by probabilistic (Fellegi–Sunter) linkage. High: persons or "
        "companies can be recognised even from attributes that only roughly agree.",
        "low",
        percent=True,
        low=0,
        high=1,
        side="risk",
        reference="Jaro 1989; Modeling Projections §2.4",
    ),
    Measure(
        "id",
        "ID",
        "Share of original values that lie within 1–10 % of ranks around the released one. High: who sees "
        "the release can guess values closely without linking anybody.",
        "low",
        percent=True,
        low=0,
        high=1,
        side="risk",
        reference="Modeling Projections §2.4",
    ),
    Measure(
        "score",
        "Score",
        "The field's single figure: half information loss, half disclosure risk. High: a bad bargain; "
        "compare it between plans, not across data sets.",
        "low",
        percent=False,
        low=0,
        high=_INF,
        side="both",
        reference="Modeling Projections §2.4",
    ),
    Measure(
        "k_prime",
        "k′",
        "Real anonymity: records per distinct combination of released quasi-identifiers. Below the k asked "
        "for, k-anonymity does not hold for an intruder who knows all of them.",
        "high",
        percent=False,
        low=1,
        high=_INF,
        side="risk",
        reference="One Dimension Microaggregation §2.3",
    ),
    Measure(
        "smallest_class",
        "Smallest class",
        "Records that share the rarest combination of released quasi-identifiers. Low: somebody stands "
        "nearly alone; 1 means alone.",
        "high",
        percent=False,
        low=1,
        high=_INF,
        side="risk",
        reference="One Dimension Microaggregation §2.3",
    ),
    Measure(
        "records_below_k",
        "Records below k",
        "Records that share their released quasi-identifiers with fewer than k − 1 others. Above 0, "
        "k-anonymity does not hold for them.",
        "low",
        percent=False,
        low=0,
        high=_INF,
        side="risk",
        reference="One Dimension Microaggregation §2.3",
    ),
    Measure(
        "ell_average",
        "ℓ avg",
        "Distinct confidential values in a group (in steps of 0.2 standard deviations), for the attribute "
        "with fewest, averaged over groups. Low: knowing the group gives the confidential value away.",
        "high",
        percent=False,
        low=1,
        high=_INF,
        side="risk",
        reference="Statistical Dependence §V.B",
    ),
)

MEASURES: dict[str, Measure] = {row.name: row for row in _ROWS}

_AROUND = {
    "ranks": "of ranks",
    "standard deviations": "of a standard deviation",
    "value": "of the value",
}


def around(width: str) -> str:
    """How close a value must lie to count as disclosed.

    Examples
    --------
    >>> around("ranks")
    'within 1–10 % of ranks around'
    """
    return f"within 1–10 % {_AROUND[width]} around"


def sentence(
    name: str, *, direction: str = "protected to original", width: str = "ranks", loss_weight: float = 0.5
) -> str:
    """What a figure means as it was measured: under a direction, a width and a weight of the loss.

    Parameters
    ----------
    name : str
        A key of `MEASURES`.
    direction : {"protected to original", "original to protected"}
    width : {"ranks", "standard deviations", "value"}
    loss_weight : float in [0, 1]

    Examples
    --------
    >>> sentence("id", width="value")[:75]
    'Share of original values that lie within 1–10 % of the value around the rel'
    """
    said = MEASURES[name].sentence
    if name == "id":
        return said.replace(around("ranks"), around(width))
    if name == "dld" and direction == "original to protected":
        return (
            "Share of originals whose nearest released record is their own: an intruder who looks a person "
            "up in the release finds the right record. High: persons or companies can be recognised."
        )
    if name == "pld" and direction == "original to protected":
        return said.replace("records linked", "originals linked")
    if name == "score" and loss_weight != 0.5:
        parts = f"{100 * loss_weight:g} % information loss, {100 * (1 - loss_weight):g} % disclosure risk"
        return said.replace("half information loss, half disclosure risk", parts)
    return said
