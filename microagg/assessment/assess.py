"""What a release costs and what it still gives away, measured on what is released.

The two sides of every choice: information loss (of values, statistics and dependence) and disclosure risk
under a stated knowledge of the intruder (record linkage, interval disclosure, real anonymity, diversity).
They are two functions, `lost` and `disclosed`, because a change of the intruder's knowledge touches only the
second, and nothing here partitions again. Linkage looks up every record, or, where that would take long and
exactness was not asked for, a stated sample (`measures.running_cost`).

What is measured of what: IL, L, record linkage and interval disclosure compare numbers, in the records that
miss none of them; D_X adds each category's own distortion; k′ looks at every protected attribute of every
record, where missing is a value like any other. ``notes`` say which of this a release called for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from microagg.kernels.scaling import deviations, standardise
from microagg.measures.anonymity import RealAnonymity, real_anonymity
from microagg.measures.arrays import counterparts
from microagg.measures.catalogue import sentence
from microagg.measures.dependence import Dependence, confidential_distortion
from microagg.measures.diversity import Diversity, diversity
from microagg.measures.intervals import IntervalDisclosure, Width, interval_disclosure
from microagg.measures.knowledge import DEFAULT, Knowledge
from microagg.measures.linkage import Linkage, distance_linkage
from microagg.measures.loss import InformationLoss, SquaredLoss, relative_changes, squared_loss
from microagg.measures.moments import Moments
from microagg.measures.probabilistic import probabilistic_linkage
from microagg.measures.risk import PAPER_3, RiskWeights, disclosure_risk, score
from microagg.measures.running_cost import whom_to_look_up
from microagg.model.arguments import share, truth
from microagg.model.categories import category_distortion, nominal_codes, ordinal_codes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from microagg.kernels.compiled import FloatArray
    from microagg.measures.matching import Direction
    from microagg.model.release import Release

__all__ = ["Assessment", "Disclosed", "Lost", "assess", "disclosed", "lost"]


@dataclass(frozen=True)
class Lost:
    """What a reader of the release has lost.

    Parameters
    ----------
    information : InformationLoss
    squared : SquaredLoss
    dependence : Dependence
    categories : mapping of str to float
        Distortion of each protected category (`microagg.model.categories`); part of D_X and of nothing else.
    notes : mapping of str to str
        What could not be compared, by name.
    """

    information: InformationLoss
    squared: SquaredLoss
    dependence: Dependence
    categories: Mapping[str, float] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)


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
    direction : {"protected to original", "original to protected"}
        Who was looked up among whom.
    width : {"ranks", "standard deviations", "value"}
        What the widths of interval disclosure are per cent of.
    notes : mapping of str to str
        What could not be compared, and what was found on a sample, by name.
    """

    knowledge: Knowledge
    linkage: Linkage
    probabilistic: Linkage | None
    intervals: IntervalDisclosure
    interval_rate: float
    anonymity: RealAnonymity
    diversities: tuple[Diversity, ...]
    direction: Direction = "protected to original"
    width: Width = "ranks"
    notes: Mapping[str, str] = field(default_factory=dict)

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

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", RiskWeights.parse(self.weights))
        object.__setattr__(self, "loss_weight", share(self.loss_weight, "The weight of IL in the score"))

    @property
    def il(self) -> float:
        """Information loss, 100 × the mean of its five parts."""
        return self._of_numbers("il")

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
    def linkages(self) -> dict[str, Linkage]:
        """The linkages that were measured, by the name of their figure."""
        found = {"dld": self.disclosed.linkage, "pld": self.disclosed.probabilistic}
        return {name: linkage for name, linkage in found.items() if linkage is not None}

    @property
    def score(self) -> float:
        """Information loss and disclosure risk by their weights, half and half unless changed."""
        return score(self.il, self.dr, self.loss_weight)

    def sentence(self, name: str) -> str:
        """What a figure means as it was measured here."""
        how = {"direction": self.disclosed.direction, "width": self.disclosed.width}
        return sentence(name, **how, loss_weight=self.loss_weight)

    def _of_numbers(self, figure: str) -> float:
        """A figure of the information loss; nan where there was no number to compare."""
        compared = not math.isnan(self.lost.information.il1)
        return float(getattr(self.lost.information, figure)) if compared else math.nan

    def figures(self) -> dict[str, float]:
        """Every single figure by its name in `microagg.MEASURES`; nan where it is not defined."""
        dependence, anonymity = self.lost.dependence, self.disclosed.anonymity
        return {
            "il": self.il,
            "il_scale_free": self._of_numbers("il_scale_free"),
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
    original, protected = comparable(release)
    moments = Moments.of(*counterparts(original, protected)) if original.size else None
    information, squared = lost_by_numbers(moments, original.shape[1])
    categories = {name: _distortion(release, name) for name in release.categories}
    d_x = squared.total
    if categories:
        varying = squared.by_attribute[deviations(original) > 0] if original.size else ()
        defined = [part for part in (*varying, *categories.values()) if not math.isnan(part)]
        d_x = float(np.mean(defined)) if defined else math.nan
    Y = standardise(release.confidential_values)
    d_y = confidential_distortion(Y, [partition.labels for partition in release.partitions])
    lam = release.plan.lam if release.plan is not None else 0.0
    return Lost(information, squared, Dependence(d_x, d_y, lam), categories, _notes(release))


def lost_by_numbers(moments: Moments | None, p: int) -> tuple[InformationLoss, SquaredLoss]:
    """The losses of p attributes; all nan where there was no record to compare."""
    if moments is None:
        nothing = math.nan
        information = InformationLoss(nothing, nothing, nothing, nothing, nothing, nothing, 0, 0)
        return information, SquaredLoss(math.nan, np.full(p, math.nan))
    return relative_changes(moments), squared_loss(moments.spread, moments.square, moments.constant_changed)


def comparable(release: Release) -> tuple[FloatArray, FloatArray]:
    """The protected numbers before and after, of the records that miss none of them, (m, p) each."""
    if release.complete.all():
        return release.original_values, release.protected_values
    return release.original_values[release.complete], release.protected_values[release.complete]


def _distortion(release: Release, name: str) -> float:
    """Distortion of a category, coded alike before and after."""
    both = pd.concat([release.data.frame[name], release.aligned[name]])
    ordered = release.data[name].scale == "ordinal"
    codes = ordinal_codes(both, release.data.order(name)) if ordered else nominal_codes(both)
    before, after = np.split(codes, 2)
    return category_distortion(before, after, ordered=ordered)


def _notes(release: Release) -> dict[str, str]:
    notes = {}
    if release.categories:
        notes["categories"] = (
            f"Categories count in D_X and k′, not in IL, L, DLD and ID: {', '.join(release.categories)}."
        )
    incomplete = int((~release.complete).sum())
    if incomplete:
        notes["missing"] = f"{incomplete} records miss a number; of these figures they count in k′ only."
    return notes


def disclosed(
    release: Release,
    knowledge: Knowledge | str = DEFAULT,
    *,
    probabilistic: bool = False,
    direction: Direction = "protected to original",
    width: Width = "ranks",
    exact: bool = False,
    progress: Callable[[float], None] | None = None,
) -> Disclosed:
    """Measure what an intruder still gets from the release.

    Parameters
    ----------
    release : Release
    knowledge : Knowledge or str
        The sets of protected attributes that the intruder may know; a text as `Knowledge.parse` reads it.
    probabilistic : bool
        Whether to measure probabilistic linkage too.
    direction : {"protected to original", "original to protected"}
        Whether each released record is looked up among the originals or the reverse.
    width : {"ranks", "standard deviations", "value"}
        What the widths of interval disclosure are per cent of.
    exact : bool
        Whether linkage looks up every record, however long it takes, and not a sample of very many.
    progress : callable, optional
        Called now and then with the share done, 0…1; it may raise to stop.

    Returns
    -------
    Disclosed

    Raises
    ------
    PlanError
        The knowledge means more sets than can be looked at, or attributes that are not protected; there is no
        such direction or width; linkage would take hours.
    """
    knowledge, exact = Knowledge.parse(knowledge, release.columns), truth(exact, "exact")
    sets = known_sets(release, knowledge)
    original, protected = comparable(release)
    anonymity = real_anonymity(release.protected_codes, None, release.k)
    notes = _notes(release)
    if original.size:
        how: Any = {"direction": direction, "population": knowledge.population(len(release.columns))}
        desk = len(anonymity.sizes) if direction == "protected to original" else len(original)
        size = len(original), min(desk, len(original)), sets
        rows = whom_to_look_up(*size, exact=exact)
        linkage = distance_linkage(original, protected, sets, **how, rows=rows, progress=progress)
        intervals = interval_disclosure(original, protected, width=width)
        likely = None
        if probabilistic:
            rows = whom_to_look_up(*size, exact=exact, probabilistic=True)
            likely = probabilistic_linkage(original, protected, sets, **how, rows=rows)
        for name, found in (("DLD", linkage), ("PLD", likely)):
            if found is not None and found.sampled:
                notes[name.lower()] = f"{name} {found.sampled}."
    else:
        linkage, likely = Linkage(np.empty(0)), Linkage(np.empty(0)) if probabilistic else None
        intervals = IntervalDisclosure(np.full(original.shape[1], math.nan))
    return Disclosed(
        knowledge,
        linkage,
        likely,
        intervals,
        intervals.rate(sets),
        anonymity,
        tuple(diversity(release.confidential_values, groups.labels) for groups in release.partitions),
        direction,
        width,
        notes,
    )


def known_sets(release: Release, knowledge: Knowledge) -> tuple[tuple[int, ...], ...]:
    """The sets of columns, by position among the protected ones, that the intruder may know."""
    blocks = [block for block in release.block_positions if block]
    return knowledge.sets(len(release.columns), blocks) if release.columns else ()


def assess(
    release: Release,
    *,
    knowledge: Knowledge | str = DEFAULT,
    weights: RiskWeights | str = PAPER_3,
    loss_weight: float = 0.5,
    direction: Direction = "protected to original",
    width: Width = "ranks",
    exact: bool = False,
) -> Assessment:
    """Measure both sides of a release.

    Parameters
    ----------
    release : Release
    knowledge : Knowledge or str
        What the intruder may know; by default every set of up to three protected attributes.
    weights : RiskWeights or str
        How much each kind of disclosure counts in DR; probabilistic linkage is measured where it counts.
    loss_weight : float in [0, 1]
        How much information loss counts in the score.
    direction, width, exact
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
    >>> from microagg.protection.protect import protect
    >>> from microagg.model.microdata import Microdata
    >>> from microagg.model.plan import Plan
    >>> data = Microdata.from_frame(pd.DataFrame({"age": [20, 21, 60, 64], "wage": [9.0, 11, 30, 30]}))
    >>> assess(protect(data, Plan(k=2))).disclosed.anonymity.k_prime
    2.0
    """
    weights, loss_weight = RiskWeights.parse(weights), share(loss_weight, "The weight of IL in the score")
    found = disclosed(
        release, knowledge, probabilistic=weights.pld > 0, direction=direction, width=width, exact=exact
    )
    return Assessment(lost(release), found, weights, loss_weight)
