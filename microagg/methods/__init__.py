"""The table of methods: what the page lists, the command line names and a plan may ask for."""

from __future__ import annotations

from microagg.methods.aggregation import FUNCTIONS, QUANTIFIERS
from microagg.methods.fixed import fixed
from microagg.methods.mdav import mdav
from microagg.methods.method import Limits, Method, Option, Options
from microagg.methods.one_attribute import one_attribute
from microagg.methods.projections import aggregated, pcp, zscores

_COST = Option(
    "cost",
    "Cost of a run",
    "What the cuts minimise: the loss of the attributes themselves, or that of the projected values.",
    "attributes",
    choices=("attributes", "projected"),
)
_SORT = Option(
    "sort",
    "Sort by",
    "The number by which records are put in order.",
    "first component",
    choices=("first component", "zscores", "attribute"),
)
_ATTRIBUTE = Option("attribute", "Attribute", "The attribute to sort by.", "", column=True)
_ORDER = Option(
    "order",
    "Direction",
    "Where the cutting starts; it matters when k does not divide the number of records.",
    "ascending",
    choices=("ascending", "descending"),
)

_SCALING = Option(
    "scaling",
    "Scaling to [0, 1]",
    "Between each attribute's minimum and maximum, or by rank, which outliers cannot stretch.",
    "min-max",
    choices=("min-max", "rank"),
)
_QUANTIFIER = Option(
    "quantifier",
    "Quantifier",
    "How much a share of the attributes counts; identity counts shares as they are.",
    "identity",
    choices=QUANTIFIERS,
)
_EXPONENT = Option(
    "exponent",
    "Exponent",
    "The power quantifier is Q(x) = x^exponent: above 1 asks for many attributes, below 1 for few.",
    2.0,
    low=0.01,
    high=100.0,
)
_MEASURE = Option(
    "measure",
    "Measure table",
    "For Sugeno and Choquet on up to four attributes: the measures of all sets of them, separated by blanks; "
    "empty takes the quantifier.",
    "",
)

ALONE = "it protects every attribute on its own; there is nothing to put in blocks."


def _projected_limits(options: Options) -> Limits:
    if options.get("divisor") == "variance":
        return {
            "lam": "dividing by the variance mixes units, which λ cannot weigh; use the standard deviation."
        }
    return {}


def _aggregated_limits(options: Options) -> Limits:
    if options["cost"] == "projected":
        return {"lam": "the aggregated values do not contain λ; take the attributes as the cost of a run."}
    return {}


def _fixed_limits(options: Options) -> Limits:
    if options["sort"] == "attribute":
        return {"lam": "a fixed cut along one attribute ignores λ; sort by the first component or zscores."}
    return {}


def _ranking_limits(options: Options) -> Limits:
    if options["partition"] == "fixed":
        return {
            "blocks": ALONE,
            "lam": "a fixed cut along one attribute ignores λ; take the optimal partition.",
        }
    return {"blocks": ALONE}


_ROWS = (
    Method(
        name="mdav",
        title="MDAV",
        family="multivariate",
        summary="Groups around the records farthest from the average; the field's standard.",
        solve=mdav,
        options=(
            Option(
                "tail",
                "Ending",
                "How the last records are grouped: as Domingo-Ferrer & Torra (2005), or as paper 2.",
                "generic",
                choices=("generic", "paper 2"),
            ),
        ),
        inputs=("progress",),
        reference="Domingo-Ferrer & Torra 2005; Statistical Dependence §V.A",
    ),
    Method(
        name="pcp",
        title="First principal component (PCP)",
        family="projection",
        summary="Sorts records along the first principal component and cuts that order optimally.",
        solve=pcp,
        options=(_COST,),
        reference="Modeling Projections §2.1; One Dimension Microaggregation, Algorithm 1",
    ),
    Method(
        name="zscores",
        title="Sum of z-scores",
        family="projection",
        summary="Sorts records by the sum of their standardised attributes and cuts that order optimally.",
        solve=zscores,
        options=(
            _COST,
            Option(
                "divisor",
                "Divide by",
                "The standard deviation, as the field does, or the variance, as paper 1 prints.",
                "standard deviation",
                choices=("standard deviation", "variance"),
            ),
        ),
        inputs=("spreads",),
        limits=_projected_limits,
        reference="Modeling Projections §2.2; One Dimension Microaggregation, Algorithm 1",
    ),
    Method(
        name="sugeno",
        title="Sugeno integral",
        family="projection",
        summary="Sorts records by the Sugeno integral of their attributes and cuts that order optimally.",
        solve=aggregated,
        options=(_COST, _SCALING, _QUANTIFIER, _EXPONENT),
        inputs=("block",),
        limits=_aggregated_limits,
        reference="Modeling Projections §3",
    ),
    Method(
        name="aggregation",
        title="Other aggregation functions",
        family="projection",
        summary="Sorts records by an OWA, a Choquet integral, a mean, … and cuts that order optimally.",
        solve=aggregated,
        options=(
            Option(
                "function",
                "Function",
                "What summarises a record's attributes in one number.",
                "owa",
                choices=FUNCTIONS,
            ),
            _COST,
            _SCALING,
            _QUANTIFIER,
            _EXPONENT,
            _MEASURE,
        ),
        inputs=("block",),
        limits=_aggregated_limits,
        reference="Modeling Projections §5; Torra & Narukawa 2007",
    ),
    Method(
        name="optimal",
        title="Optimal, one attribute",
        family="one attribute",
        summary="The partition of one attribute that loses least, found exactly.",
        solve=one_attribute,
        inputs=("block",),
        single_attribute=True,
        guarantees="Every group has at least k records and no partition loses less.",
        reference="Hansen & Mukherjee 2003",
    ),
    Method(
        name="individual_ranking",
        title="Individual ranking",
        family="one attribute",
        summary="Every attribute is sorted and cut on its own: little is lost, much is disclosed.",
        solve=one_attribute,
        options=(
            Option(
                "partition",
                "Cuts",
                "Where the sum of squares is least, or every k records.",
                "optimal",
                choices=("optimal", "fixed"),
            ),
        ),
        inputs=("block",),
        blocks="single",
        limits=_ranking_limits,
        guarantees="Every group has at least k records in each attribute; k-anonymity does not follow.",
        reference="Comparative Study §2.1; Hansen & Mukherjee 2003",
    ),
    Method(
        name="fixed",
        title="Univariate fixed-size (UFS)",
        family="one attribute",
        summary="Sorts records by one number and cuts the order every k records.",
        solve=fixed,
        options=(_SORT, _ATTRIBUTE, _ORDER),
        limits=_fixed_limits,
        reference="Comparative Study §2.1",
    ),
)

METHODS: dict[str, Method] = {row.name: row for row in _ROWS}

__all__ = ["METHODS", "Limits", "Method", "Option", "Options"]
