"""λ and the two distortions, against paper 2's formula and its figures on Census."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microagg.kernels.scaling import standardise
from microagg.measures.dependence import Dependence
from microagg.model.microdata import Microdata
from microagg.model.plan import Plan
from microagg.preparation.extended_vectors import extended, stretch
from microagg.protection.protect import protect
from tests.oracles import sse

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray
    from microagg.model.release import Release


def paper_2(census: FloatArray) -> Microdata:
    """Census as in paper 2 §V.A: six quasi-identifiers, then seven confidential attributes."""
    frame = pd.DataFrame(census, columns=[f"a{j}" for j in range(13)])
    roles = {name: "quasi_identifier" if j < 6 else "confidential" for j, name in enumerate(frame.columns)}
    return Microdata.from_frame(frame, roles=roles)


def distortions(release: Release) -> tuple[float, float]:
    """D_X and D_Y from the definition: SSE over SST, block by block."""
    X = {name: standardise(release.data.matrix([name])) for name in release.columns}
    Y = standardise(release.confidential_values)
    labels = [partition.labels for partition in release.partitions]
    lost = sum(
        sse(np.hstack([X[name] for name in block]), groups)
        for block, groups in zip(release.blocks, labels, strict=True)
    )
    d_x = lost / sum((column**2).sum() for column in X.values())
    return d_x, float(np.mean([sse(Y, groups) / (Y**2).sum() for groups in labels]))


@pytest.mark.parametrize(
    ("blocks", "lam", "d_x", "d_y"),
    [
        ("all", 0.0, 0.0999, 0.3706),
        ("contiguous:3", 0.0, 0.0450, None),
        ("contiguous:2", 0.0, 0.0176, None),
        ("all", 1.0, 0.3581, 0.0734),
    ],
)
def test_paper_2_on_census(
    census: FloatArray, blocks: str, lam: float, d_x: float, d_y: float | None
) -> None:
    release = protect(paper_2(census), Plan(k=10, blocks=blocks, lam=lam))
    found_x, found_y = distortions(release)
    assert found_x == pytest.approx(d_x, abs=5e-5)
    if d_y is not None:
        assert found_y == pytest.approx(d_y, abs=5e-5)


@given(lam=st.floats(0.01, 0.99), m_x=st.integers(1, 5), m_y=st.integers(1, 5), seed=st.integers(0, 99))
def test_the_extended_sum_of_squares_is_the_lagrangian(lam: float, m_x: int, m_y: int, seed: int) -> None:
    """§IV.A: SSE of (X, βY) = n·m_X/(1−λ) · ((1−λ) D_X + λ D_Y), whatever the groups."""
    rng = np.random.default_rng(seed)
    n = 12
    X, Y = standardise(rng.normal(size=(n, m_x))), standardise(rng.normal(size=(n, m_y)))
    labels = rng.integers(0, 3, n)
    d = Dependence(sse(X, labels) / (n * m_x), sse(Y, labels) / (n * m_y), lam).d
    assert sse(extended(X, Y, lam), labels) == pytest.approx(n * m_x / (1 - lam) * d)


def test_the_ends_of_lambda_are_x_alone_and_y_alone() -> None:
    X, Y = np.eye(4), np.ones((4, 2))
    assert (extended(X, Y, 0.0) == X).all()
    assert (extended(X, Y, 1.0) == Y).all()
    assert stretch(0.5, 3, 12) == pytest.approx(0.5)
