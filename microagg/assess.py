"""What a release costs and what it still gives away, measured on what is released.

The two sides of every choice: information loss (of values, statistics and dependence) and disclosure risk
under a stated knowledge of the intruder (record linkage, interval disclosure, real anonymity, diversity).
They are two functions, `lost` and `disclosed`, because a change of the intruder's knowledge touches only the
second, and nothing here partitions again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from microagg.dependence import Dependence, confidential_distortion
from microagg.errors import DataError
from microagg.measures.anonymity import RealAnonymity, classes, real_anonymity
from microagg.measures.diversity import Diversity, diversity
from microagg.measures.intervals import IntervalDisclosure, Width, interval_disclosure
from microagg.measures.knowledge import DEFAULT, Knowledge
from microagg.measures.linkage import Linkage, distance_linkage
from microagg.measures.loss import InformationLoss, SquaredLoss, information_loss, released_loss
from microagg.measures.probabilistic import probabilistic_linkage
from microagg.measures.risk import PAPER_3, RiskWeights, disclosure_risk, score
from microagg.scaling import standardise
from microagg.types import Microdata, Partition, Release

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microagg.measures.matching import Direction


@dataclass(frozen=True)
class Lost:
    """What a reader of the release has lost.

    Parameters
    ----------
    information : InformationLoss
    squared : SquaredLoss
    dependence : Dependence
    """

    information: InformationLoss
    squared: SquaredLoss
    dependence: Dependence


@dataclass(frozen=True)
class Disclosed:
    """What an intruder still gets.

    Parameters
    ----------
    knowledge : Knowledge
    linkage : Linkage
        Distance-based.
    probabilistic : Linkage or None
        None where it was not asked for: it takes longer than all the rest.
    intervals : IntervalDisclosure
    interval_rate : float
        Interval disclosure averaged over what the intruder may know, in [0, 1].
    anonymity : RealAnonymity
        For an intruder who knows all the protected attributes.
    diversities : tuple of Diversity
        Of the confidential attributes within the groups, one a block.
    """

    knowledge: Knowledge
    linkage: Linkage
    probabilistic: Linkage | None
    intervals: IntervalDisclosure
    interval_rate: float
    anonymity: RealAnonymity
    diversities: tuple[Diversity, ...]

    @property
    def ell_average(self) -> float:
        """ℓ_avg, the mean over blocks as for D_Y; nan without groups or without a confidential number."""
        return float(np.mean([found.l_avg for found in self.diversities])) if self.diversities else math.nan


@dataclass(frozen=True)
class Assessment:
    """Both sides of a release.

    Parameters
    ----------
    lost : Lost
    disclosed : Disclosed
    weights : RiskWeights
        How much each kind of disclosure counts in DR.
    loss_weight : float in [0, 1]
        How much information loss counts in the score; disclosure risk counts the rest.
    """

    lost: Lost
    disclosed: Disclosed
    weights: RiskWeights = PAPER_3
    loss_weight: float = 0.5

    @property
    def il(self) -> float:
        """Information loss, 100 × the mean of its five parts."""
        return self.lost.information.il

    @property
    def dr(self) -> float:
        """Disclosure risk, ×100: record linkage and interval disclosure by their weights."""
        linkage = self.disclosed.linkage.rate
        return disclosure_risk(linkage, self.pld, self.disclosed.interval_rate, self.weights)

    @property
    def pld(self) -> float:
        """Probabilistic record linkage, in [0, 1]; nan where it was not asked for."""
        found = self.disclosed.probabilistic
        return math.nan if found is None else found.rate

    @property
    def score(self) -> float:
        """Information loss and disclosure risk by their weights, half and half unless changed."""
        return score(self.il, self.dr, self.loss_weight)

    def figures(self) -> dict[str, float]:
        """Every single figure by its name in `microagg.MEASURES`; nan where it is not defined."""
        dependence, anonymity = self.lost.dependence, self.disclosed.anonymity
        return {
            "il": self.il,
            "il_scale_free": self.lost.information.il_scale_free,
            "l": self.lost.squared.total,
            "d_x": dependence.d_x,
            "d_y": dependence.d_y,
            "d": dependence.d,
            "dr": self.dr,
            "dld": self.disclosed.linkage.rate,
            "pld": self.pld,
            "id": self.disclosed.interval_rate,
            "score": self.score,
            "k_prime": anonymity.k_prime,
            "smallest_class": float(anonymity.smallest_class),
            "records_below_k": float(anonymity.records_below_k),
            "ell_average": self.disclosed.ell_average,
        }


def lost(release: Release) -> Lost:
    """Measure what the release has lost.

    Parameters
    ----------
    release : Release

    Returns
    -------
    Lost
    """
    original, protected = release.original_values, release.protected_values
    squared = released_loss(original, protected)
    Y = standardise(release.confidential_values)
    d_y = confidential_distortion(Y, [partition.labels for partition in release.partitions])
    lam = release.plan.lam if release.plan is not None else 0.0
    return Lost(information_loss(original, protected), squared, Dependence(squared.total, d_y, lam))


def disclosed(
    release: Release,
    knowledge: Knowledge = DEFAULT,
    *,
    probabilistic: bool = False,
    direction: Direction = "protected to original",
    width: Width = "ranks",
) -> Disclosed:
    """Measure what an intruder still gets from the release.

    Parameters
    ----------
    release : Release
    knowledge : Knowledge
        The sets of protected attributes that the intruder may know.
    probabilistic : bool
        Whether to measure probabilistic linkage too.
    direction : {"protected to original", "original to protected"}
        Whether each released record is looked up among the originals or the reverse.
    width : {"ranks", "standard deviations", "value"}
        What the widths of interval disclosure are per cent of.

    Returns
    -------
    Disclosed

    Raises
    ------
    PlanError
        The knowledge means more sets than can be looked at, or attributes that are not protected; there is no
        such direction or width.
    """
    original, protected = release.original_values, release.protected_values
    sets = known_sets(release, knowledge)
    population = knowledge.population(len(release.columns))
    intervals = interval_disclosure(original, protected, width=width)
    linkage = distance_linkage(original, protected, sets, direction=direction, population=population)
    agreement = None
    if probabilistic:
        agreement = probabilistic_linkage(
            original, protected, sets, direction=direction, population=population
        )
    return Disclosed(
        knowledge,
        linkage,
        agreement,
        intervals,
        intervals.rate(sets),
        real_anonymity(protected, None, release.k),
        tuple(diversity(release.confidential_values, groups.labels) for groups in release.partitions),
    )


def known_sets(release: Release, knowledge: Knowledge) -> tuple[tuple[int, ...], ...]:
    """The sets of columns, by position among the protected ones, that the intruder may know."""
    position = {name: number for number, name in enumerate(release.columns)}
    blocks = [[position[name] for name in block] for block in release.blocks]
    return knowledge.sets(len(position), blocks)


def assess(
    release: Release,
    *,
    knowledge: Knowledge = DEFAULT,
    weights: RiskWeights = PAPER_3,
    loss_weight: float = 0.5,
    direction: Direction = "protected to original",
    width: Width = "ranks",
) -> Assessment:
    """Measure both sides of a release.

    Parameters
    ----------
    release : Release
    knowledge : Knowledge
        What the intruder may know; by default every set of up to three protected attributes.
    weights : RiskWeights
        How much each kind of disclosure counts in DR; probabilistic linkage is measured where it counts.
    loss_weight : float in [0, 1]
        How much information loss counts in the score.
    direction, width
        As for `disclosed`.

    Returns
    -------
    Assessment

    Raises
    ------
    PlanError
        As `disclosed`.

    Examples
    --------
    >>> import pandas as pd
    >>> from microagg.protect import protect
    >>> from microagg.types import Plan
    >>> data = Microdata.from_frame(pd.DataFrame({"age": [20, 21, 60, 64], "wage": [9.0, 11, 30, 30]}))
    >>> assess(protect(data, Plan(k=2))).disclosed.anonymity.k_prime
    2.0
    """
    found = disclosed(release, knowledge, probabilistic=weights.pld > 0, direction=direction, width=width)
    return Assessment(lost(release), found, weights, loss_weight)


def compare(
    original: Microdata, protected: Microdata, *, columns: Sequence[str] | None = None, k: int = 2
) -> Release:
    """Take a released file for what it is: groups are the records released alike, whatever made them.

    Parameters
    ----------
    original, protected : Microdata
        The same records in the same order.
    columns : sequence of str, optional
        The protected attributes; None: the original's quasi-identifiers that the released file has.
    k : int
        The size that was promised, for counting the records below it.

    Returns
    -------
    Release
        Without a plan.

    Raises
    ------
    DataError
        Different numbers of records, no column in common, or values that are no numbers.
    """
    if len(original) != len(protected):
        raise DataError(
            f"{original.name} has {len(original)} records and {protected.name} has {len(protected)}; "
            "they must be the same records in the same order."
        )
    there = set(protected.frame.columns)
    chosen = (
        tuple(columns) if columns else tuple(c for c in original.columns("quasi_identifier") if c in there)
    )
    if not chosen:
        raise DataError(
            f"{protected.name} has none of the quasi-identifiers of {original.name}; name the columns."
        )
    _, labels = classes(protected.matrix(chosen))
    original.matrix(chosen)
    return Release(original, None, protected.frame, (chosen,), (Partition(labels, 1),), 0.0, k)
