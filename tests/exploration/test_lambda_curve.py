"""The λ curve: the same distortions as those of the releases it stands for."""

from __future__ import annotations

import pytest

import microagg as ma
from microagg.errors import PlanError
from microagg.exploration.lambda_curve import lambda_curve

LAMS = (0.0, 0.3, 0.5, 1.0)


@pytest.mark.parametrize(
    "plan",
    [
        ma.Plan(k=7),
        ma.Plan(method="pcp", k=5, blocks="contiguous:3"),
        ma.Plan(k=5, aggregate="median", blocks="apart:2"),
        ma.Plan(k=5, rounding="half even"),
    ],
)
def test_each_point_is_what_its_release_loses(plan: ma.Plan):
    data = ma.load_dataset("tarragona")
    for lam, point in zip(LAMS, lambda_curve(data, plan, LAMS), strict=True):
        found = ma.assess(ma.protect(data, plan.replace(lam=lam))).lost.dependence
        assert (point.d_x, point.d_y, point.lam) == pytest.approx((found.d_x, found.d_y, lam), rel=1e-12)


def test_it_needs_a_link_to_keep():
    data = ma.load_dataset("tarragona")
    data = data.with_roles({a.name: "quasi_identifier" for a in data.attributes})
    with pytest.raises(PlanError, match="confidential"):
        next(lambda_curve(data, ma.Plan(), (0.0,)))
