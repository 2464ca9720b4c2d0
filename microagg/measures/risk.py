"""One figure for what is disclosed, and one for the bargain: DR and score.

Disclosure risk weighs the chance of linking records (by distance, by agreement) and of guessing values:
DR = 100·(a·DLD + b·PLD + c·ID); the score is the mean of DR and information loss (Domingo-Ferrer and Torra
2001). The papers differ in the weights: (¼, ¼, ½) in Nin and Torra, section 2.4; (½, 0, ½) in Nin, section
2.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isclose, isnan
from typing import Final

from microagg.errors import PlanError
from microagg.model.arguments import share, shown


@dataclass(frozen=True, slots=True)
class RiskWeights:
    """How much each kind of disclosure counts in DR; not negative, summing to 1.

    Attributes
    ----------
    dld, pld, id : float
        Weight of distance-based linkage, of probabilistic linkage and of interval disclosure.

    Raises
    ------
    PlanError
        A weight is no number between 0 and 1, or they do not sum to 1.
    """

    dld: float
    pld: float
    id: float

    def __post_init__(self) -> None:
        for name in ("dld", "pld", "id"):
            object.__setattr__(self, name, share(getattr(self, name), f"The weight of {name.upper()} in DR"))
        weights = self.dld, self.pld, self.id
        if not isclose(sum(weights), 1.0, abs_tol=1e-9):
            raise PlanError(
                f"The weights of disclosure risk must sum to 1; {weights} sum to {sum(weights):g}."
            )

    @classmethod
    def parse(cls, text: str | RiskWeights) -> RiskWeights:
        """Read a paper's weights by name, or three numbers for DLD, PLD and ID.

        Parameters
        ----------
        text : str or RiskWeights
            "paper 3", "paper 1" or "a,b,c"; what is read already stays as it is.

        Returns
        -------
        RiskWeights

        Raises
        ------
        PlanError
            Neither, or numbers that are no weights.

        Examples
        --------
        >>> RiskWeights.parse("0.25, 0.25, 0.5") == RiskWeights.parse("paper 1")
        True
        """
        if isinstance(text, RiskWeights):
            return text
        if not isinstance(text, str):
            raise PlanError(f"weights is {shown(text)}; write 'paper 3', 'paper 1' or three numbers.")
        if text.strip() in NAMED_WEIGHTS:
            return NAMED_WEIGHTS[text.strip()]
        try:
            dld, pld, interval = (float(part) for part in text.split(","))
        except ValueError:
            raise PlanError(
                f"The weights of disclosure risk are 'paper 3', 'paper 1' or three numbers for DLD, PLD and "
                f"ID such as 0.3,0.2,0.5, not {shown(text)}."
            ) from None
        return cls(dld, pld, interval)


PAPER_1: Final = RiskWeights(dld=0.25, pld=0.25, id=0.5)
PAPER_3: Final = RiskWeights(dld=0.5, pld=0.0, id=0.5)
NAMED_WEIGHTS: Final = {"paper 3": PAPER_3, "paper 1": PAPER_1}


def disclosure_risk(dld: float, pld: float, id: float, weights: RiskWeights = PAPER_3) -> float:  # noqa: A002
    """Disclosure risk, DR; a part of weight 0 is not looked at and may be nan.

    Parameters
    ----------
    dld, pld, id : float in [0, 1]
        Distance-based linkage, probabilistic linkage, interval disclosure.
    weights : RiskWeights

    Returns
    -------
    float in [0, 100], percent; lower is better
        Not defined (nan) where a part that counts is not.

    Raises
    ------
    PlanError
        A part that counts is a number outside [0, 1].

    Examples
    --------
    >>> disclosure_risk(dld=0.2, pld=float("nan"), id=0.6)
    40.0
    """
    parts = ("DLD", weights.dld, dld), ("PLD", weights.pld, pld), ("ID", weights.id, id)
    counting = [
        (weight, part if isinstance(part, float) and isnan(part) else share(part, name))
        for name, weight, part in parts
        if weight > 0
    ]
    return 100.0 * sum(weight * part for weight, part in counting)


def score(il: float, dr: float, weight: float = 0.5) -> float:
    """Score of a release: weight·IL + (1 − weight)·DR.

    Parameters
    ----------
    il : float, percent, from 0 upwards
    dr : float, percent, in [0, 100]
    weight : float in [0, 1]
        What information loss counts.

    Returns
    -------
    float, percent; lower is better, can pass 100 because IL can

    Raises
    ------
    PlanError
        The weight is outside [0, 1].

    Examples
    --------
    >>> score(il=30.0, dr=50.0)
    40.0
    """
    weight = share(weight, "The weight of information loss in the score")
    return weight * il + (1 - weight) * dr
