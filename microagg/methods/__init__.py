"""The table of methods: what the page lists, the command line names and a plan may ask for."""

from __future__ import annotations

from microagg.methods import choices
from microagg.methods.constrained_lloyd import constrained_lloyd
from microagg.methods.fixed import fixed
from microagg.methods.genetic import genetic
from microagg.methods.kward import kward, kward_univariate
from microagg.methods.maximum_distance import maximum_distance
from microagg.methods.mdav import mdav
from microagg.methods.method import Limits, Method, Option, Options
from microagg.methods.mic1d import mic1d
from microagg.methods.mixed import mixed
from microagg.methods.one_attribute import one_attribute
from microagg.methods.projections import aggregated, pcp, zscores
from microagg.methods.refine import refined
from microagg.methods.vmdav import vmdav

_UP_TO_2K = "Every group has k … 2k − 1 records."

_ROWS = (
    Method(
        name="mdav",
        title="MDAV",
        family="multivariate",
        summary="Groups around the records farthest from the average; the field's standard.",
        solve=mdav,
        options=(choices.TAIL,),
        inputs=("progress",),
        guarantees="Every group has k records, the last ones up to 2k − 1.",
        reference="Domingo-Ferrer & Torra 2005; Statistical Dependence §V.A",
    ),
    Method(
        name="mixed",
        title="MDAV, mixed attributes",
        family="multivariate",
        summary="MDAV that also protects categories: ranks and medians, agreement and modes.",
        solve=mixed,
        inputs=("scales", "progress"),
        limits=choices.categories,
        guarantees="Every group has k records, the last ones up to 2k − 1.",
        reference="Domingo-Ferrer & Torra 2005; Statistical Dependence §III.B",
        scales=("continuous", "ordinal", "nominal"),
    ),
    Method(
        name="vmdav",
        title="V-MDAV",
        family="multivariate",
        summary="MDAV whose groups may take further records that lie close, up to 2k − 1.",
        solve=vmdav,
        options=(choices.GAMMA,),
        inputs=("progress",),
        reference="Solanas & Martínez-Ballesté 2006",
    ),
    Method(
        name="maximum_distance",
        title="Maximum distance (MFS-MD)",
        family="multivariate",
        summary="Groups grown from the two records farthest from each other; slow on large files.",
        solve=maximum_distance,
        inputs=("progress",),
        reference="Comparative Study, Algorithm 2",
    ),
    Method(
        name="kward",
        title="k-Ward, multivariate (MDO)",
        family="multivariate",
        summary="Ward's clustering that stops joining at k and splits what reaches 2k.",
        solve=kward,
        options=(choices.FIRST, choices.ATTRIBUTE, choices.GROWN_FIRST),
        inputs=("progress",),
        guarantees=_UP_TO_2K,
        reference="Comparative Study, Algorithm 1 and §3.2",
    ),
    Method(
        name="constrained_lloyd",
        title="Size-constrained Lloyd",
        family="multivariate",
        summary="Improves MDAV's groups as k-means would, never leaving one below k.",
        solve=constrained_lloyd,
        options=(choices.CANDIDATES, choices.ROUNDS),
        inputs=("progress",),
        guarantees="Every group has at least k records; with means it never loses more than MDAV.",
        reference="Statistical Dependence §II.C and §IV.B",
    ),
    Method(
        name="refined",
        title="MDAV, refined",
        family="multivariate",
        summary="MDAV's groups improved by local search: much less is lost, for some seconds of work.",
        solve=refined,
        options=(choices.REFINING,),
        inputs=("seed", "progress"),
        limits=choices.refined,
        guarantees="Every group has k … 2k − 1 records; with means it never loses more than MDAV.",
        reference="Lourenço, Martin & Stützle 2003 (iterated local search)",
    ),
    Method(
        name="pcp",
        title="First principal component (PCP)",
        family="projection",
        summary="Sorts records along the first principal component and cuts that order optimally.",
        solve=pcp,
        options=(choices.COST,),
        guarantees=_UP_TO_2K,
        reference="Modeling Projections §2.1; One Dimension Microaggregation, Algorithm 1",
    ),
    Method(
        name="zscores",
        title="Sum of z-scores",
        family="projection",
        summary="Sorts records by the sum of their standardised attributes and cuts that order optimally.",
        solve=zscores,
        options=(choices.COST, choices.DIVISOR),
        inputs=("spreads",),
        limits=choices.projected,
        guarantees=_UP_TO_2K,
        reference="Modeling Projections §2.2; One Dimension Microaggregation, Algorithm 1",
    ),
    Method(
        name="sugeno",
        title="Sugeno integral",
        family="projection",
        summary="Sorts records by the Sugeno integral of their attributes and cuts that order optimally.",
        solve=aggregated,
        options=(choices.COST, choices.SCALING, choices.QUANTIFIER, choices.EXPONENT),
        inputs=("block",),
        limits=choices.aggregated,
        guarantees=_UP_TO_2K,
        reference="Modeling Projections §3",
    ),
    Method(
        name="aggregation",
        title="Other aggregation functions",
        family="projection",
        summary="Sorts records by an OWA, a Choquet integral, a mean, … and cuts that order optimally.",
        solve=aggregated,
        options=(
            choices.FUNCTION,
            choices.COST,
            choices.SCALING,
            choices.QUANTIFIER,
            choices.EXPONENT,
            choices.MEASURE,
        ),
        inputs=("block",),
        limits=choices.aggregated,
        guarantees=_UP_TO_2K,
        reference="Modeling Projections §5; Torra & Narukawa 2007",
    ),
    Method(
        name="kward_univariate",
        title="k-Ward, univariate (UDO)",
        family="projection",
        summary="k-Ward on one number a record: groups follow the gaps of the order.",
        solve=kward_univariate,
        options=(choices.SORT, choices.ATTRIBUTE),
        inputs=("progress",),
        limits=choices.one_axis,
        guarantees=_UP_TO_2K,
        reference="Comparative Study, Algorithm 1",
    ),
    Method(
        name="fixed",
        title="Fixed-size (UFS)",
        family="projection",
        summary="Sorts records by one number and cuts the order every k records.",
        solve=fixed,
        options=(choices.SORT, choices.ATTRIBUTE, choices.ORDER),
        limits=choices.fixed_cut,
        guarantees="Every group has k records, the last one up to 2k − 1.",
        reference="Comparative Study §2.1",
    ),
    Method(
        name="genetic",
        title="Genetic",
        family="projection",
        summary="Breeds the cuts of an order; here to compare with the optimal ones.",
        solve=genetic,
        options=(
            choices.SORT,
            choices.ATTRIBUTE,
            choices.COST,
            choices.GENERATIONS,
            choices.POPULATION,
        ),
        inputs=("seed", "progress"),
        limits=choices.one_axis_cost,
        guarantees="Every group has k … 2k − 1 records; never loses more than the fixed-size partition.",
        reference="Comparative Study §2.2",
    ),
    Method(
        name="optimal",
        title="Optimal",
        family="one attribute",
        summary="The partition of one attribute that loses least, found exactly.",
        solve=one_attribute,
        inputs=("block",),
        limits=choices.optimal,
        single_attribute=True,
        guarantees="Every group has k … 2k − 1 records and no partition loses less.",
        reference="Hansen & Mukherjee 2003",
    ),
    Method(
        name="individual_ranking",
        title="Individual ranking",
        family="one attribute",
        summary="Every attribute is sorted and cut on its own: little is lost, much is disclosed.",
        solve=one_attribute,
        options=(choices.PARTITION,),
        inputs=("block",),
        blocks="single",
        limits=choices.ranking,
        guarantees="Every group has at least k records in each attribute; k-anonymity does not follow.",
        reference="Comparative Study §2.1; Hansen & Mukherjee 2003",
    ),
    Method(
        name="mic1d",
        title="One dimension (Mic1D-k)",
        family="other",
        summary="Mixes the values of all attributes and averages k values, not records, at a time.",
        solve=mic1d,
        limits=choices.no_groups,
        kind="values",
        guarantees="None: k counts values, and no group of records need end up equal. Look at k′.",
        reference="One Dimension Microaggregation §3",
    ),
)

METHODS: dict[str, Method] = {row.name: row for row in _ROWS}

__all__ = ["METHODS", "Limits", "Method", "Option", "Options"]
