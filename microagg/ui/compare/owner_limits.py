"""What the data owner wants of a plan: limits not to be passed, and what counts how much in the score."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from microagg.exploration.recommendation import Limits, Weights
from microagg.measures.catalogue import MEASURES
from microagg.ui.components import widgets
from microagg.ui.components.page_choices import Choices, number, perhaps, whole

_CHOICES = Choices("compare", "wish_k_prime", "wish_dr", "wish_dld", "wish_loss", "wish_linkage")


@dataclass(frozen=True)
class Wishes:
    """Limits and weights.

    Parameters
    ----------
    limits : Limits
    weights : Weights
    """

    limits: Limits
    weights: Weights


def row() -> Wishes:
    """Draw the controls in one row."""
    k_prime, dr, dld, loss, linkage = st.columns([1, 1, 1, 1.4, 1.4], gap="small")
    with k_prime:
        least = _limit("k_prime", "k′ at least", 1.0, None, 1.0)
    with dr:
        risk = _limit("dr", "DR at most", 0.0, 100.0, 5.0)
    with dld:
        linked = _limit("dld", "DLD at most, %", 0.0, 100.0, 5.0)
    with loss:
        share = _weight("IL in the score, %", "wish_loss", "The rest of the score is disclosure risk.")
    with linkage:
        links = _weight(
            "DLD in DR, %", "wish_linkage", "The rest of the disclosure risk is interval disclosure."
        )
    return Wishes(
        Limits(k_prime=least, dr=risk, dld=None if linked is None else linked / 100), Weights(share, links)
    )


def _limit(name: str, label: str, low: float, high: float | None, step: float) -> float | None:
    wanted: float | None = widgets.number(
        _CHOICES.place(f"wish_{name}", perhaps(number(low, high)), None),
        label,
        low,
        high,
        step,
        format="%g",
        placeholder="any",
        help=f"The data owner's limit; empty: none. {MEASURES[name].sentence}",
    )
    return wanted


def _weight(label: str, key: str, rest: str) -> float:
    share = widgets.slider(
        _CHOICES.place(key, whole(0, 100), 50),
        label,
        0,
        100,
        5,
        help=f"{rest} The literature weighs them equally, and so does Explore.",
    )
    return share / 100
