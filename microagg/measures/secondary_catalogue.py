"""The figures behind the main ones, and beside them: the same kind of table as the catalogue.

`MEASURES` holds what `Assessment.figures` gives; these are parts of those figures, or look closer. ``EVERY``
is both tables together.
"""

from __future__ import annotations

import math
from typing import Literal

from microagg.measures.catalogue import MEASURES, Better, Measure

_INF = math.inf
_IL = "Domingo-Ferrer & Torra 2001; Modeling Projections §2.4"
_STUDY = "Comparative Study §4.2"


def _loss(
    name: str,
    title: str,
    sentence: str,
    reference: str,
    *,
    low: float = 0,
    high: float = _INF,
    better: Better = "low",
) -> Measure:
    return Measure(name, title, sentence, better, True, low, high, "loss", reference)


def _risk(
    name: str,
    title: str,
    sentence: str,
    reference: str,
    *,
    percent: bool = False,
    limits: tuple[float, float] = (1, _INF),
    better: Literal["low", "high"] = "high",
) -> Measure:
    return Measure(name, title, sentence, better, percent, *limits, "risk", reference)


_ROWS = (
    _risk(
        "ever_linked",
        "Ever linked",
        "Share of records that at least one set of known attributes links, if only by a lucky pick among "
        "equals. High: few people are safe from an intruder who happens to know the right things.",
        "Statistical Dependence §V.C, for each record",
        percent=True,
        limits=(0, 1),
        better="low",
    ),
    _risk(
        "distinct_l",
        "Distinct ℓ",
        "Fewest different values of a confidential attribute among records released alike. 1: somebody's "
        "value is known without knowing which record is theirs.",
        "Machanavajjhala et al. 2007",
    ),
    _risk(
        "p_sensitivity",
        "p-sensitivity",
        "Fewest different values of any confidential attribute among records released alike. 1: somebody's "
        "value is known without knowing which record is theirs.",
        "Truta & Vinay 2006",
    ),
    _risk(
        "t_closeness",
        "t, largest",
        "Largest earth mover's distance between the confidential values of records released alike and the "
        "whole file's, 0…1. High: belonging to some group tells much about the confidential value.",
        "Li et al. 2007",
        limits=(0, 1),
        better="low",
    ),
    _risk(
        "t_mean",
        "t, mean",
        "The same distance on average over groups and attributes, 0…1. High: groups as a rule tell much "
        "about the confidential values of their members.",
        "Li et al. 2007",
        limits=(0, 1),
        better="low",
    ),
    _loss(
        "il1",
        "IL1, cells",
        "Mean relative change of the single values, |x − x′|/|x|; where x is 0 a changed value counts 1. "
        "High: single records are far from the truth.",
        _IL,
    ),
    _loss(
        "il2",
        "IL2, means",
        "Mean relative change of the attributes' means. High: totals and averages mislead; group means keep "
        "it at 0.",
        _IL,
    ),
    _loss(
        "il3",
        "IL3, covariances",
        "Mean relative change of variances and covariances. High: what moves together, and how much, is no "
        "longer to be seen.",
        _IL,
    ),
    _loss(
        "il4",
        "IL4, variances",
        "Mean relative change of the variances. High: spread, inequality and extremes are understated.",
        _IL,
    ),
    _loss(
        "il5",
        "IL5, correlations",
        "Mean absolute change of the correlations, 0…2. High: links between attributes are seen where there "
        "are none, or missed.",
        _IL,
        high=2,
    ),
    _loss(
        "il1s",
        "IL1s",
        "Mean change of the single values in units of √2 standard deviations: IL1 without its trouble at "
        "zero. High: single records are far from the truth.",
        "Mateo-Sanz et al. 2005",
    ),
    _loss(
        "mean_standard_deviation",
        "Spread kept",
        "Mean standard deviation of the released attributes, in per cent of the original's. Low: extremes "
        "were flattened, and standard errors come out too small.",
        _STUDY,
        better="high",
    ),
    _loss(
        "delta_r",
        "ΔR",
        "Mean relative change of the attributes' correlations with the first principal component. High: the "
        "main direction in the data means something else.",
        f"{_STUDY}, table 3",
    ),
    _loss(
        "delta_w",
        "ΔW",
        "Mean relative change of the attributes' weights in the first principal component's scores. High: "
        "an index built from the release ranks records differently.",
        f"{_STUDY}, table 3",
    ),
    _loss(
        "first_component",
        "%FPC",
        "Share of the variance on the first principal component of the release. Above the original's: "
        "averages make the attributes seem more alike than they are.",
        f"{_STUDY}, table 3",
        high=1,
    ),
    _loss(
        "mean_correlation_change",
        "Δr, mean",
        "Mean absolute change of the correlations over the pairs of attributes, ×100. High: links between "
        "attributes are seen where there are none, or missed.",
        f"{_STUDY}, table 4",
        high=2,
    ),
    _loss(
        "sd_correlation_change",
        "Δr, sd",
        "Standard deviation of the absolute changes of the correlations, ×100. High beside the mean: a few "
        "pairs carry the damage.",
        f"{_STUDY}, table 4",
        high=2,
    ),
    _loss(
        "eigenvalue_loss",
        "Eigenvalue loss",
        "Share of the variance that moved from one principal component to another. High: the data seem to "
        "have fewer dimensions, or other ones, than they have.",
        "Here: Σ|λ − λ′|/p",
        high=2,
    ),
    _loss(
        "prediction",
        "Prediction",
        "How well a confidential attribute is predicted from quasi-identifiers in records the model has not "
        "seen: R² for numbers, share right for names. Low: what a model learns does not hold.",
        "Cross-validated; tested on originals",
        low=-_INF,
        high=1,
        better="high",
    ),
    _loss(
        "prediction_loss",
        "Prediction lost",
        "How much worse predictions are when the model learned from the release instead of the originals, "
        "in percentage points, averaged over the confidential attributes. High: models fitted to the "
        "release fail.",
        "Cross-validated; tested on originals",
        low=-_INF,
    ),
)

FINER: dict[str, Measure] = {row.name: row for row in _ROWS}
EVERY: dict[str, Measure] = MEASURES | FINER
