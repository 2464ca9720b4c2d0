"""Predicting each confidential attribute: learned from the originals, and learned from the release.

Fitting takes longer than all the rest, so it goes on beside the page, an attribute at a time.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, get_args

import numpy as np
import pandas as pd
import streamlit as st

from microagg.assessment.assess import comparable
from microagg.figures.prediction import predictions
from microagg.figures.theme import ORIGINAL, PROTECTED
from microagg.measures.prediction import Model, prediction_loss
from microagg.measures.secondary_catalogue import EVERY
from microagg.ui.components import display, jobs, widgets
from microagg.ui.components.page_choices import Choices, one_of, whole
from microagg.ui.components.words import plain, text
from microagg.ui.state import session
from microagg.ui.use.utility import TALL, confidential

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from threading import Event

    from microagg.kernels.compiled import FloatArray
    from microagg.measures.prediction import PredictionLoss
    from microagg.model.release import Release

    Key: TypeAlias = tuple[Hashable, ...]

_MODELS: dict[Model, str] = {"linear": "linear, logistic", "forest": "random forest"}
_CHOICES = Choices("use", "use_model", "use_folds", "use_seed")


def panel() -> tuple[Model, int, int]:
    """Draw the controls: model, folds, seed."""
    models: tuple[Model, ...] = get_args(Model)
    model = widgets.choice(
        _CHOICES.place("use_model", one_of(models), models[0]),
        "Models",
        models,
        words=_MODELS.__getitem__,
        help="Each predicts a confidential attribute from the protected ones.",
    )
    left, right = st.columns(2, gap="small")
    folds: int = widgets.number(
        _CHOICES.place("use_folds", whole(2, 20), 5),
        "Folds",
        2,
        20,
        1,
        where=left,
        help="Parts for cross-validation: each is predicted by a model that has not seen it.",
    )
    seed: int = widgets.number(
        _CHOICES.place("use_seed", whole(0), 0),
        "Seed",
        0,
        None,
        1,
        where=right,
        help="Of the folds and of the forest.",
    )
    return model, folds, seed


def predicted(release: Release, model: Model, folds: int, seed: int) -> None:
    """Draw how well each confidential attribute is predicted; what is not yet there is being computed."""
    names, nominal, values, notes = confidential(release)
    if not names:
        st.info(
            "There is no complete confidential attribute to predict."
            + "".join(f" {plain(name)}: {plain(why)}" for name, why in notes.items()),
            icon=":material/info:",
        )
        st.page_link("pages/data.py", label="Choose roles on the Data page", icon=":material/table:")
        return
    base = ("prediction", release.data.fingerprint, release.plan, model, folds, seed)
    keys: list[Key] = [(*base, name) for name in names]
    _start(release, keys, nominal, values, {"model": model, "folds": folds, "seed": seed})

    def draw() -> None:
        _collect()
        _draw(names, nominal, keys, notes)

    jobs.watch(lambda: [_job()], draw, "models")


def _job() -> jobs.Job[tuple[Key, PredictionLoss]] | None:
    held: jobs.Job[tuple[Key, PredictionLoss]] | None = st.session_state.get("use_job")
    return held


def _collect() -> None:
    job = _job()
    for key, found in () if job is None else job.take():
        session.memory().recall(key, partial(_as_it_is, found))


def _as_it_is(found: PredictionLoss) -> PredictionLoss:
    return found


def _unknown() -> PredictionLoss:
    raise KeyError


def _start(
    release: Release, keys: list[Key], nominal: list[bool], values: FloatArray, how: dict[str, Any]
) -> None:
    """Begin with what is missing, unless that was begun already."""
    if st.session_state.get("use_keys") == keys:
        return
    _collect()
    job = _job()
    if job is not None:
        job.cancel()
    st.session_state.use_keys = keys
    missing = [column for column, key in enumerate(keys) if key not in session.memory()]
    original, protected = comparable(release)

    def work(stop: Event) -> Iterator[tuple[Key, PredictionLoss]]:
        for column in missing:
            if stop.is_set():
                return
            target, kind = values[:, [column]], nominal[column : column + 1]
            yield keys[column], prediction_loss(original, protected, target, nominal=kind, **how)

    st.session_state.use_job = jobs.Job(work, len(missing)) if missing else None


def _draw(names: list[str], nominal: list[bool], keys: list[Key], notes: dict[str, str]) -> None:
    held, job = session.memory(), _job()
    figures = np.full((2, len(names)), np.nan)
    said = dict(notes)
    for column, key in enumerate(keys):
        if key in held:
            found = held.recall(key, _unknown)
            figures[:, column] = found.from_original[0], found.from_protected[0]
            if found.notes:
                said[names[column]] = " ".join(found.notes.values())
    lost = figures[0] - figures[1]
    display.chart(
        predictions(names, figures[0], figures[1], height=TALL),
        _says(lost, said, running=job is not None and job.running),
        "use-prediction",
        lambda: pd.DataFrame(
            {
                "attribute": names,
                "figure": ["share right" if kind else "R²" for kind in nominal],
                "from the originals": figures[0],
                "from the release": figures[1],
                "lost": lost,
            }
        ),
        alt=EVERY["prediction"].sentence,
    )
    display.legend((ORIGINAL, "learned from the originals"), (PROTECTED, "learned from the release"))
    if job is not None and job.running:
        jobs.bar(job, "attributes", "use_cancel", note="fitting")
    elif job is not None and job.cancelled:
        st.caption("Stopped: not every attribute is there. Change the model or the seed to begin again.")


def _says(lost: FloatArray, notes: dict[str, str], *, running: bool) -> str:
    defined = lost[np.isfinite(lost)]
    mean = text("prediction_loss", float(defined.mean())) if len(defined) else "not defined"
    if running:
        mean = "…"
    why = " ".join(f"{name}: {reason}" for name, reason in notes.items())
    return f"{EVERY['prediction_loss'].title}: **{mean}** on average over attributes. {plain(why)}".strip()
