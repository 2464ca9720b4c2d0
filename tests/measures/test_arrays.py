"""What is not two files of the same records is refused by every public measure: never counted as no risk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

import microagg as ma
from microagg.assessment.assess import Assessment
from microagg.errors import DataError, MicroaggError, PlanError
from microagg.measures.anonymity import class_sizes, real_anonymity
from microagg.measures.arrays import records
from microagg.measures.diversity import diversity
from microagg.measures.intervals import IntervalDisclosure, interval_disclosure
from microagg.measures.knowledge import Knowledge
from microagg.measures.linkage import distance_linkage, linked_records, nearest_candidates
from microagg.measures.loss import distortion, information_loss, released_loss, sums_of_squares
from microagg.measures.prediction import prediction_loss
from microagg.measures.probabilistic import agreement_model, probabilistic_linkage
from microagg.measures.record_risk import record_risk
from microagg.measures.risk import RiskWeights, disclosure_risk, score
from microagg.measures.structure import structure

if TYPE_CHECKING:
    from collections.abc import Callable

SETS = ((0,), (0, 1))
PAIRS: dict[str, Callable[[Any, Any], Any]] = {
    "distance_linkage": lambda X, Z: distance_linkage(X, Z, SETS).by_set,
    "linked_records": lambda X, Z: linked_records(X, Z, [0]).credit,
    "nearest_candidates": lambda X, Z: nearest_candidates(X, Z, [0, 1], 2)[0],
    "probabilistic_linkage": lambda X, Z: probabilistic_linkage(X, Z, SETS).by_set,
    "agreement_model": lambda X, Z: agreement_model(X, Z, [0, 1]).m,
    "record_risk": lambda X, Z: record_risk(X, Z, SETS).mean,
    "interval_disclosure": lambda X, Z: interval_disclosure(X, Z).by_attribute,
    "information_loss": lambda X, Z: information_loss(X, Z).il,
    "released_loss": lambda X, Z: released_loss(X, Z).total,
    "structure": lambda X, Z: structure(X, Z).delta_r,
    "prediction_loss": lambda X, Z: prediction_loss(X, Z, sides()[0][:, :1]).mean,
}
ALONE: dict[str, Callable[[Any], Any]] = {
    "diversity": lambda X: diversity(X, np.arange(30) // 5).l_avg,
    "distortion": lambda X: distortion(X, np.arange(30) // 5),
    "sums_of_squares": lambda X: sums_of_squares(X, np.arange(30) // 5),
}


def sides() -> tuple[np.ndarray, np.ndarray]:
    X = np.random.default_rng(8).integers(0, 50, (30, 3)).astype(float)
    return X, X.round(-1)


def hole(X: np.ndarray, value: float) -> np.ndarray:
    X = X.copy()
    X[4, 1] = value
    return X


WRONG = {
    "fewer records": (lambda X: X[:-1], "30 × 3 and|29 × 3 and"),
    "fewer attributes": (lambda X: X[:, :2], "30 × 3 and|30 × 2 and"),
    "one record to be repeated": (lambda X: X[:1], "30 × 3 and|1 × 3 and"),
    "one attribute to be repeated": (lambda X: X[:, :1], "30 × 3 and|30 × 1 and"),
    "no dimension": (lambda X: X[:, 0], "1 dimensions, not two"),
    "missing": (lambda X: hole(X, np.nan), "1 values that are missing.* record 5, attribute 2"),
    "infinite": (lambda X: hole(X, np.inf), "record 5, attribute 2"),
    "masked": (lambda X: np.ma.masked_equal(X, X[4, 1]), "missing"),
    "text": (lambda X: X.astype(str), "numbers only"),
    "text among numbers": (lambda X: [["1", 2.0, 3.0], *X[1:].tolist()], "numbers only"),
    "complex": (lambda X: X + 1j, "numbers only"),
    "dates": (lambda X: X.astype("datetime64[D]"), "numbers only"),
    "ragged": (lambda X: [*X[1:].tolist(), [1.0]], "rows of one length"),
    "nothing": (lambda _: None, "0 dimensions"),
    "no record": (lambda X: X[:0], "no record"),
}


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("measure", PAIRS)
def test_two_arrays_that_are_no_counterparts_are_refused(measure: str, wrong: str) -> None:
    (X, Z), (broken, message) = sides(), WRONG[wrong]
    for original, protected in ((X, broken(Z)), (broken(X), Z)):
        with pytest.raises(DataError, match=message):
            PAIRS[measure](original, protected)


@pytest.mark.parametrize("wrong", [name for name, (_, message) in WRONG.items() if "and" not in message])
@pytest.mark.parametrize("measure", ALONE)
def test_one_array_that_is_no_table_of_numbers_is_refused(measure: str, wrong: str) -> None:
    broken, message = WRONG[wrong]
    with pytest.raises(DataError, match=message):
        ALONE[measure](broken(sides()[0]))


@pytest.mark.parametrize("measure", PAIRS)
@pytest.mark.parametrize(
    "kind",
    [
        lambda X: X.astype(int),
        lambda X: X.astype(np.float32),
        lambda X: X.tolist(),
        np.asfortranarray,
        pd.DataFrame,
        lambda X: pd.DataFrame(X).astype("Int64"),
        lambda X: X.astype(object),
    ],
)
def test_numbers_of_any_kind_give_the_same(measure: str, kind: Callable[[np.ndarray], Any]) -> None:
    X, Z = sides()
    assert np.array_equal(PAIRS[measure](kind(X), kind(Z)), PAIRS[measure](X, Z), equal_nan=True)


def test_a_frame_with_its_own_sign_for_missing_is_refused() -> None:
    frame = pd.DataFrame({"a": [1, None, 3]}, dtype="Int64")
    with pytest.raises(DataError, match="record 2, attribute 1"):
        records(frame, "original")


@pytest.mark.parametrize("measure", PAIRS)
def test_frames_must_agree_in_columns_and_index(measure: str) -> None:
    X, Z = (pd.DataFrame(side, columns=list("abc")) for side in sides())
    with pytest.raises(DataError, match="different index"):
        PAIRS[measure](X, Z.sample(frac=1, random_state=1))
    with pytest.raises(DataError, match="different columns"):
        PAIRS[measure](X, Z[["b", "a", "c"]])
    with pytest.raises(DataError, match="different columns"):
        PAIRS[measure](X, Z.rename(columns={"c": "d"}))


@pytest.mark.parametrize("sets", [((3,),), ((-1,),), ((),), ((0.5,),), ((True,),), ("01",), "01", 5])
def test_sets_that_name_no_attribute_are_refused(sets: Any) -> None:
    X, Z = sides()
    for measure in (distance_linkage, probabilistic_linkage, record_risk):
        with pytest.raises(PlanError):
            measure(X, Z, sets)
    with pytest.raises(PlanError):
        interval_disclosure(X, Z).rate(sets)


@pytest.mark.parametrize("columns", [[3], [-1], [], ["a"], "0", 0])
def test_columns_that_are_none_are_refused(columns: Any) -> None:
    X, Z = sides()
    for measure in (
        lambda: linked_records(X, Z, columns),
        lambda: nearest_candidates(X, Z, columns, 0),
        lambda: agreement_model(X, Z, columns),
        lambda: real_anonymity(Z, columns, 3),
    ):
        with pytest.raises(PlanError):
            measure()


@pytest.mark.parametrize("rows", [[30], [-1], [0.5]])
def test_records_that_are_none_are_refused(rows: Any) -> None:
    X, Z = sides()
    for measure in (distance_linkage, probabilistic_linkage):
        with pytest.raises(PlanError):
            measure(X, Z, SETS, rows=rows)
    with pytest.raises(PlanError):
        nearest_candidates(X, Z, [0], rows[0])


@pytest.mark.parametrize("labels", [np.arange(29), np.full(30, np.nan), np.full(30, 0.5), ["a"] * 30, None])
def test_labels_that_are_no_groups_are_refused(labels: Any) -> None:
    for measure in (diversity, distortion, sums_of_squares):
        with pytest.raises(DataError, match="labels"):
            measure(sides()[0], labels)


def test_missing_is_one_value_of_real_anonymity_whatever_its_bits() -> None:
    other = np.frombuffer(np.uint64(0xFFF8000000000001).tobytes(), np.float64)[0]
    released = np.array([[np.nan], [other], [1.0], [1.0]])
    assert real_anonymity(released, None, 2).k_prime == 2
    assert class_sizes(released).tolist() == [2, 2, 2, 2]
    for k in (0, -1, 2.5, True):
        with pytest.raises(PlanError, match="k is"):
            real_anonymity(released, None, k)


@pytest.mark.parametrize("weight", [2, -0.1, float("nan"), True, "0.5", None])
def test_a_weight_that_is_no_share_is_refused(weight: Any) -> None:
    data = ma.load_dataset("survey")
    release = ma.protect(data, ma.Plan(k=3))
    found = ma.assess(release)
    for refused in (
        lambda: ma.assess(release, loss_weight=weight),
        lambda: Assessment(found.lost, found.disclosed, loss_weight=weight),
        lambda: score(10, 10, weight),
        lambda: RiskWeights(weight, 0, 0.5),
        lambda: ma.assess(release, weights=weight),
    ):
        with pytest.raises(PlanError):
            refused()


def test_parts_of_disclosure_risk_are_shares_where_they_count() -> None:
    with pytest.raises(PlanError, match="DLD is 40"):
        disclosure_risk(40, 0, 0.5)
    assert np.isnan(disclosure_risk(float("nan"), 0, 0.5))


@pytest.mark.parametrize("knowledge", ["everything", "up-to:0", "sets:", "sets:nobody", 3, None, ["all"], ""])
def test_knowledge_that_means_nothing_is_refused_everywhere(knowledge: Any) -> None:
    data = ma.load_dataset("survey")
    release = ma.protect(data, ma.Plan(k=3))
    for refused in (
        lambda: ma.assess(release, knowledge=knowledge),
        lambda: ma.disclosed(release, knowledge),
        lambda: ma.sweep(data, [ma.Plan()], knowledge=knowledge),
    ):
        with pytest.raises(MicroaggError):
            refused()


def test_texts_stand_for_knowledge_and_weights_as_on_the_command_line() -> None:
    data = ma.load_dataset("survey")
    release = ma.protect(data, ma.Plan(k=3))
    first, last = release.columns[0], release.columns[-1]
    meant = Knowledge.of([(0, len(release.columns) - 1)])
    told = ma.assess(release, knowledge=f"sets:{first}+{last}", weights="paper 1").figures()
    assert told == ma.assess(release, knowledge=meant, weights=RiskWeights(0.25, 0.25, 0.5)).figures()
    row = ma.sweep(data, [ma.Plan(k=3)], knowledge=f"sets:{first}+{last}", weights="paper 1").iloc[0]
    assert row["dr"] == told["dr"]


def test_attributes_named_in_a_sweep_are_those_even_where_categories_stand_before_them() -> None:
    numbers = np.random.default_rng(2).normal(size=(30, 2))
    frame = pd.DataFrame({"town": list("abc") * 10, "x": numbers[:, 0], "y": numbers[:, 1]})
    data = ma.Microdata.from_frame(frame, roles=dict.fromkeys(frame, "quasi_identifier"))
    plan = ma.Plan("mixed", k=3)
    row = ma.sweep(data, [plan], knowledge="sets:x").iloc[0]
    before, after = frame[["x"]].to_numpy(), ma.protect(data, plan).protected[["x"]].to_numpy()
    assert row["dld"] == pytest.approx(distance_linkage(before, after, ((0,),)).rate)
    assert row["reason"] == ""
    assert "town" in ma.sweep(data, [plan], knowledge="sets:town").iloc[0]["reason"]


@pytest.mark.parametrize(
    "made",
    [
        lambda: Knowledge("everything"),
        lambda: Knowledge.up_to("3"),
        lambda: Knowledge.up_to(True),
        lambda: Knowledge.up_to(2.5),
        lambda: Knowledge.sample(5, -1),
        lambda: Knowledge.of([]),
        lambda: Knowledge.of([[]]),
        lambda: Knowledge.of(["ab"]),
        lambda: Knowledge.of([[-1]]),
        lambda: Knowledge("sets", listed=((0.5,),)),
    ],
)
def test_a_family_of_sets_that_cannot_be_is_refused(made: Callable[[], Knowledge]) -> None:
    with pytest.raises(PlanError):
        made()


def test_an_interval_disclosure_without_sets_is_not_defined() -> None:
    assert np.isnan(IntervalDisclosure(np.array([0.5])).rate(()))
