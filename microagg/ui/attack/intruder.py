"""The intruder: what they know, how they look, and how much each thing they can do counts.

What is known belongs to the settings, so that it stands in the address and Explore follows; the rest belongs
to this page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

import streamlit as st

from microagg.errors import PlanError
from microagg.measures.intervals import Width
from microagg.measures.knowledge import LIMIT, Knowledge
from microagg.measures.matching import Direction
from microagg.measures.risk import NAMED_WEIGHTS, PAPER_3, RiskWeights
from microagg.model.phrases import counted
from microagg.ui.attack.known_attributes import block_places, knowledge
from microagg.ui.components import widgets
from microagg.ui.components.page_choices import Choices, number, one_of, whole

if TYPE_CHECKING:
    from microagg.model.release import Release

_DIRECTIONS: dict[Direction, str] = {
    "protected to original": "each released record, among the originals",
    "original to protected": "each original, among the released records",
}
_WIDTHS: dict[Width, str] = {
    "ranks": "ranks",
    "standard deviations": "the standard deviation",
    "value": "the released value",
}
_WEIGHTS = {
    "paper 3": "½ DLD + ½ ID (One Dimension)",
    "paper 1": "¼ DLD + ¼ PLD + ½ ID (Projections)",
    "own": "my own",
}
_WEIGHED = ("dld", "pld", "id")
_CHOICES = Choices(
    "attack",
    "attack_direction",
    "attack_width",
    "attack_loss",
    "attack_weights",
    *(f"attack_weight_{name}" for name in _WEIGHED),
)


@dataclass(frozen=True)
class Intruder:
    """Who attacks, and how it is judged.

    Parameters
    ----------
    knowledge : Knowledge
    direction : {"protected to original", "original to protected"}
    width : {"ranks", "standard deviations", "value"}
    weights : RiskWeights or None
        None where the visitor's own do not sum to 1.
    loss_weight : float in [0, 1]
    """

    knowledge: Knowledge
    direction: Direction
    width: Width
    weights: RiskWeights | None
    loss_weight: float

    @property
    def one_set(self) -> tuple[int, ...] | None:
        """The set that is known, where it is a single one."""
        return self.knowledge.listed[0] if len(self.knowledge.listed) == 1 else None


def panel(release: Release) -> Intruder:
    """Draw the controls.

    Raises
    ------
    PlanError
        More sets than can be looked at, with what to do.
    """
    known = knowledge(release)
    directions: tuple[Direction, ...] = get_args(Direction)
    widths: tuple[Width, ...] = get_args(Width)
    direction = widgets.choice(
        _CHOICES.place("attack_direction", one_of(directions), directions[0]),
        "Looks up",
        directions,
        words=_DIRECTIONS.__getitem__,
        help="What the intruder looks up: a released record, to find its name, or somebody known by name, to "
        "find the released record. It matters for both kinds of linkage.",
    )
    width = widgets.choice(
        _CHOICES.place("attack_width", one_of(widths), widths[0]),
        "Interval width, 1–10 % of",
        widths,
        words=_WIDTHS.__getitem__,
        help="To each side of the released value; interval disclosure is averaged over the ten widths.",
    )
    weights = _weights()
    share = widgets.slider(
        _CHOICES.place("attack_loss", whole(0, 100), 50),
        "IL in the score, %",
        0,
        100,
        5,
        help="The rest of the score is disclosure risk. The literature weighs them equally.",
    )
    _refuse_too_many(known, release)
    return Intruder(known, direction, width, weights, share / 100)


def _weights() -> RiskWeights | None:
    chosen = widgets.choice(
        _CHOICES.place("attack_weights", one_of(_WEIGHTS), "paper 3"),
        "DR is",
        list(_WEIGHTS),
        words=_WEIGHTS.__getitem__,
        help="How disclosure risk is put together. Explore and Compare take the first.",
    )
    if chosen != "own":
        return NAMED_WEIGHTS[chosen]
    values = [
        widgets.number(
            _CHOICES.place(f"attack_weight_{name}", number(0.0, 1.0), getattr(PAPER_3, name)),
            name.upper(),
            0.0,
            1.0,
            0.05,
            where=column,
            format="%.2f",
        )
        for column, name in zip(st.columns(3, gap="small"), _WEIGHED, strict=True)
    ]
    try:
        return RiskWeights(*values)
    except PlanError:
        st.caption(
            f":orange[:material/warning:] They sum to {sum(values):.2f}; DR and score need weights that sum "
            "to 1.00."
        )
        return None


def _refuse_too_many(known: Knowledge, release: Release) -> None:
    p = len(release.columns)
    count = known.count(p, block_places(release))
    if count <= LIMIT:
        return
    fits = max(size for size in range(1, p + 1) if Knowledge.up_to(size).count(p) <= LIMIT)
    raise PlanError(
        f"That means {count:,} sets of the {p} attributes; more than {LIMIT:,} take too long. Choose a "
        f"sample of them, or sets of up to {counted(fits, 'attribute')}."
    )
