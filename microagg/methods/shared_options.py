"""Options that several methods share, and what cannot be honoured under them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microagg.methods.aggregation import FUNCTIONS, QUANTIFIERS
from microagg.methods.method import Option
from microagg.methods.refine import ROUNDS as ROUNDS_OF_REFINEMENT
from microagg.model.plan_fields import MOST_ROUNDS

if TYPE_CHECKING:
    from microagg.methods.method import Limits
    from microagg.methods.option_values import Options

COST = Option(
    "cost",
    "Cost of a run",
    "What the cuts minimise: the loss of the attributes themselves, or that of the projected values.",
    "attributes",
    choices=("attributes", "projected"),
)
SORT = Option(
    "sort",
    "Sort by",
    "The number by which records are put in order.",
    "first component",
    choices=("first component", "zscores", "attribute"),
)
ATTRIBUTE = Option(
    "attribute", "Attribute", "The attribute to sort by, where one is asked for.", "", column=True
)
ORDER = Option(
    "order",
    "Direction",
    "Where the cutting starts; it matters when k does not divide the number of records.",
    "ascending",
    choices=("ascending", "descending"),
)
TAIL = Option(
    "tail",
    "Ending",
    "How the last records are grouped: as MDAV-generic, or joining what is left over to the nearest groups.",
    "generic",
    choices=("generic", "join nearest"),
)
DIVISOR = Option(
    "divisor",
    "Divide by",
    "The standard deviation, as the field does, or the variance, as Modeling Projections prints.",
    "standard deviation",
    choices=("standard deviation", "variance"),
)
GAMMA = Option(
    "gamma",
    "Gain factor γ",
    "How readily a group takes one more record than k; 0 never, above 1 nearly always.",
    0.2,
    low=0.0,
    high=10.0,
)
FIRST = Option(
    "first",
    "Ends by",
    "Which records form the first two groups: the ends of an order, or the two most distant records.",
    "first component",
    choices=("first component", "zscores", "attribute", "maximum distance"),
)
GROWN_FIRST = Option(
    "grown_first",
    "Extreme first",
    "With the two most distant records: which of them takes its neighbours first.",
    "lower record",
    choices=("lower record", "higher record"),
)
PARTITION = Option(
    "partition",
    "Cuts",
    "Where the sum of squares is least, or every k records.",
    "optimal",
    choices=("optimal", "fixed"),
)
GENERATIONS = Option(
    "generations", "Generations", "How long is bred; more takes longer.", 300, low=0, high=10_000
)
POPULATION = Option("population", "Population", "Partitions kept at a time.", 40, low=4, high=1_000)
CANDIDATES = Option(
    "candidates",
    "Candidate groups",
    "How many of the nearest groups a record may move to; more takes longer.",
    20,
    low=1,
    high=200,
)
ROUNDS = Option("rounds", "Rounds", "At most so many; it stops when one gains nothing.", 30, low=0, high=1000)
REFINING = Option(
    "rounds",
    "Rounds",
    "How often each group's neighbourhood is disturbed and settled again; more takes longer and loses less.",
    ROUNDS_OF_REFINEMENT,
    low=0,
    high=MOST_ROUNDS,
)
FUNCTION = Option(
    "function",
    "Function",
    "What summarises a record's attributes in one number.",
    "owa",
    choices=FUNCTIONS,
)
SCALING = Option(
    "scaling",
    "Scaling to [0, 1]",
    "Between each attribute's minimum and maximum, or by rank, which outliers cannot stretch.",
    "min-max",
    choices=("min-max", "rank"),
)
QUANTIFIER = Option(
    "quantifier",
    "Quantifier",
    "How much a share of the attributes counts; identity counts shares as they are.",
    "identity",
    choices=QUANTIFIERS,
)
EXPONENT = Option(
    "exponent",
    "Exponent",
    "The power quantifier is Q(x) = x^exponent: above 1 asks for many attributes, below 1 for few.",
    2.0,
    low=0.01,
    high=100.0,
)
MEASURE = Option(
    "measure",
    "Measure table",
    "For Sugeno and Choquet on up to four attributes: the measures of all sets of them, separated by blanks; "
    "empty takes the quantifier.",
    "",
)

_ALONE = "it protects every attribute on its own; there is nothing to put in blocks."
_OPTIMAL = "its partition is the best there is along one attribute; there is nothing to refine."
_FIXED_CUT = "a fixed cut along one attribute ignores λ; "


def projected(options: Options) -> Limits:
    """λ cannot weigh what the variance has divided."""
    if options["divisor"] == "variance":
        return {
            "lam": "dividing by the variance mixes units, which λ cannot weigh; use the standard deviation."
        }
    return {}


def aggregated(options: Options) -> Limits:
    """λ enters an aggregated order only through the attributes' cost."""
    if options["cost"] == "projected":
        return {"lam": "the aggregated values do not contain λ; take the attributes as the cost of a run."}
    return {}


def fixed_cut(options: Options) -> Limits:
    """A fixed cut sees λ only through its order."""
    if options["sort"] == "attribute":
        return {"lam": _FIXED_CUT + "sort by the first component or zscores."}
    return {}


def optimal(_options: Options) -> Limits:
    """What loses least cannot be refined."""
    return {"refine": _OPTIMAL}


def ranking(options: Options) -> Limits:
    """Individual ranking makes its own blocks."""
    if options["partition"] == "fixed":
        return {
            "blocks": _ALONE,
            "lam": _FIXED_CUT + "take the optimal partition.",
            "refine": "a fixed cut is wanted as it is; the optimal partition loses least.",
        }
    return {"blocks": _ALONE, "refine": _OPTIMAL}


def refined(_options: Options) -> Limits:
    """Refining twice is refining longer."""
    return {"refine": "its partition is refined already; raise its rounds."}


def one_axis(options: Options) -> Limits:
    """Groups on one attribute's axis alone cannot see λ."""
    if options["sort"] == "attribute":
        return {"lam": "groups along one attribute ignore λ; sort by the first component or zscores."}
    return {}


def one_axis_cost(options: Options) -> Limits:
    """Cuts along one attribute see λ only through the attributes' cost."""
    if options["sort"] == "attribute" and options["cost"] == "projected":
        return {"lam": "cuts along one attribute ignore λ; take the attributes as the cost of a run."}
    return {}


def no_groups(_options: Options) -> Limits:
    """Mic1D forms no groups of records."""
    return {
        "lam": "it forms no groups of records in which λ could weigh the confidential attributes.",
        "blocks": "it mixes the values of all attributes; blocks would undo that.",
        "aggregate": "its values are means by definition.",
        "strata": "it mixes the values of all records; strata would undo that.",
        "patterns": "it mixes the values of all attributes, which records with missing values do not have; "
        "drop those records.",
        "weighted": "its means are of values, not of records that could weigh more or less.",
        "refine": "it forms no groups of records that could be refined.",
    }


def categories(_options: Options) -> Limits:
    """Categories have no squares to add."""
    return {
        "lam": "categories agree or differ, which λ's sums of squares cannot weigh.",
        "refine": "categories agree or differ, and refining lowers a sum of squares.",
    }
