"""The top of Attack: what the intruder gets, in two rows of figures.

The first row is averaged over the sets of attributes that may be known. The second looks at records released
alike over one set: the one picked by hand, else all protected attributes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from microagg.assessment.assess import Assessment, known_sets
from microagg.measures.anonymity import RealAnonymity, classes, real_anonymity
from microagg.measures.catalogue import MEASURES
from microagg.measures.diversity import Diversity, diversity
from microagg.measures.linkage import Linkage
from microagg.model.categories import nominal_codes
from microagg.model.phrases import counted, listed
from microagg.ui.attack import lookups
from microagg.ui.components import display, jobs
from microagg.ui.components.page_choices import Choices, one_of
from microagg.ui.components.words import plain
from microagg.ui.results import cached_results
from microagg.ui.results.headline import ALIKE

if TYPE_CHECKING:
    from microagg.measures.arrays import Sets
    from microagg.model.findings import Status
    from microagg.model.release import Release
    from microagg.ui.attack.intruder import Intruder
    from microagg.ui.components.widgets import Place

WIDTH_OF = {
    "ranks": "± 1–10 % of ranks",
    "standard deviations": "± 1–10 % of sd",
    "value": "± 1–10 % of value",
}
TABS = ["Records", "Known sets", "Attributes"]
_CHOICES = Choices("attack", "attack_tabs")


def tab() -> Place[str]:
    """Which tab is open."""
    return _CHOICES.place("attack_tabs", one_of(TABS), TABS[0])


@dataclass(frozen=True)
class Attack:
    """A release under attack.

    Parameters
    ----------
    release : Release
    who : Intruder
    result : Assessment
        With probabilistic linkage where it is there.
    looked : Looked or None
        None while it is computed.
    sets : tuple of tuples of int
        What may be known; none where no number can be compared.
    """

    release: Release
    who: Intruder
    result: Assessment
    looked: lookups.Looked | None
    sets: Sets

    @property
    def attributes(self) -> tuple[str, ...]:
        """What is known in the second row: the one set, else all protected attributes."""
        one = self.who.one_set
        return self.release.attributes if one is None else tuple(self.release.columns[i] for i in one)

    @cached_property
    def labels(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """Class of each record among those released alike."""
        return classes(self._codes)[1]

    @cached_property
    def anonymity(self) -> RealAnonymity:
        """Classes of records released alike."""
        return real_anonymity(self._codes, None, self.release.k)

    @cached_property
    def diversity(self) -> Diversity:
        """Of the confidential numbers among records released alike."""
        return diversity(self.release.confidential_values, self.labels)

    @cached_property
    def distinct(self) -> dict[str, int]:
        """Distinct ℓ of every confidential attribute, numbers first; a missing category is one more value."""
        frame, numbers = self.release.data.frame, self.confidential
        found = dict(zip(numbers, self.diversity.distinct_l.tolist(), strict=True))
        for name in self.release.data.columns("confidential"):
            if name not in numbers and name not in self.release.attributes:
                codes = np.nan_to_num(nominal_codes(frame[name]), nan=-1.0)
                found[name] = int(diversity(codes[:, np.newaxis], self.labels).distinct_l[0])
        return found

    @property
    def confidential(self) -> list[str]:
        """The confidential numbers that are not protected."""
        return [n for n in self.release.data.confidential_numbers if n not in self.release.attributes]

    @property
    def _codes(self) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        place = [self.release.attributes.index(name) for name in self.attributes]
        return self.release.protected_codes[:, place]

    def figures(self) -> dict[str, float]:
        """Both rows by name; nan where not defined or not yet there."""
        looked, anonymity, found = self.looked, self.anonymity, self.result.figures()
        if self.who.weights is None:
            found |= {"dr": math.nan, "score": math.nan}
        return found | {
            "ever_linked": math.nan if looked is None else float((looked.records.linked > 0).mean()),
            "k_prime": anonymity.k_prime,
            "smallest_class": float(anonymity.smallest_class),
            "records_below_k": float(anonymity.records_below_k),
            "p_sensitivity": float(min(self.distinct.values(), default=math.nan)),
            "ell_average": self.diversity.l_avg,
            "t_closeness": self.diversity.t_closeness,
            "t_mean": self.diversity.t_mean,
        }


def attack(release: Release, who: Intruder) -> Attack:
    """Measure, or take what was measured; what takes long begins beside the page."""
    found = cached_results.assessment(release, who.knowledge, who.direction, who.width)
    sets = known_sets(release, who.knowledge) if release.complete.any() else ()
    looked = lookups.looked(release, who, sets)
    weights = who.weights or found.weights
    weighed = Assessment(
        found.lost,
        replace(found.disclosed, probabilistic=None if looked is None else looked.pld),
        weights,
        who.loss_weight,
    )
    return Attack(release, who, weighed, looked, sets)


def figures(now: Attack, *, exposed: Status) -> None:
    """Draw the two rows; ``exposed`` as in `headline.figures`."""
    found, who = now.figures(), now.who
    linkage, pending = now.result.disclosed.linkage, now.looked is None and bool(now.sets)
    waits = "computing…" if pending else ""
    pld = Linkage(np.empty(0)) if now.looked is None else now.looked.pld
    lines = {
        "dld": linkage.sampled or _error(linkage.standard_error) or "nearest is right",
        "pld": waits or pld.sampled or _error(pld.standard_error) or "agreement is right",
        "ever_linked": waits or "by some set",
        "id": WIDTH_OF[who.width],
        "dr": "weights do not sum to 1" if who.weights is None else _weighed(now, waits),
        "il": "0 = intact",
        "score": f"{who.loss_weight:.0%} IL, {1 - who.loss_weight:.0%} DR",
        "k_prime": "alike on average",
        "smallest_class": "alike at least",
        "records_below_k": f"of {len(now.release.data):,}",
        "p_sensitivity": "values at least",
        "ell_average": "values on average",
        "t_closeness": "from the file",
        "t_mean": "from the file",
    }
    names = list(lines)
    with st.container(key="figures"):
        for row in (names[:7], names[7:]):
            for column, name in zip(st.columns(7, gap="small"), row, strict=True):
                with column:
                    title = f"Actual k (asked: {now.release.k})" if name == "k_prime" else ""
                    among = "in protected columns" if exposed != "green" and name in ALIKE else ""
                    sentence = now.result.sentence(name) if name in MEASURES else ""
                    display.number(
                        name, found[name], title=title, line=lines[name], among=among, sentence=sentence
                    )


def _error(standard_error: float) -> str:
    return f"± {100 * standard_error:.2f} (se)" if standard_error > 0 else ""


def _weighed(now: Attack, waits: str) -> str:
    weights = now.result.weights
    if weights.pld > 0 and waits:
        return waits
    return " + ".join(
        f"{getattr(weights, name):.2g} {name.upper()}"
        for name in ("dld", "pld", "id")
        if getattr(weights, name)
    )


def status(now: Attack) -> None:
    """Say what is averaged over what; while something is computed, how far it is."""
    with st.container(key="promise"):
        jobs.watch(lambda: [lookups.job()], lambda: _status(now), "attack_status")


def _status(now: Attack) -> None:
    job = lookups.job()
    if job is not None and job.running:
        jobs.bar(job, "parts of the sets", "attack_cancel", note="PLD and the records at risk")
        return
    if job is not None and job.cancelled:
        line, button = st.columns([6, 1.3], vertical_alignment="center")
        line.caption("Stopped: PLD and the records at risk were not computed.")
        button.button(
            "Compute the rest",
            icon=":material/play_arrow:",
            key="attack_rest",
            on_click=lookups.resume,
            args=(now.release, now.who),
            width="stretch",
        )
        return
    alike = "all protected attributes" if now.who.one_set is None else plain(listed(now.attributes, 4))
    notes = [*now.result.disclosed.notes.values()]
    if now.looked is not None:
        notes += [f"PLD: {note}" for note in now.looked.pld.notes.values()]
    if not now.distinct:
        notes.append("No confidential attribute, so ℓ and t are not defined.")
    st.caption(
        f"First row: averaged over {counted(len(now.sets), 'set')} of known attributes. Second row: records "
        f"released alike over {alike}. {plain(' '.join(notes))}"
    )
