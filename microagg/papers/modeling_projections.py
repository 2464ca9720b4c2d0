"""J. Nin and V. Torra, "Modeling Projections in Microaggregation": table 1, figures 2 and 3.

Three projections, blocks of v = 2, 3, 4 attributes, k = 5, 15, 25, on EIA (ten attributes) and Census (13).
The intruder knows the unions of two to all blocks (§2.4); DR = ¼ DLD + ¼ PLD + ½ ID. The paper prints neither
the order of the attributes, nor whether PCP sees standardised values, nor how values come to [0, 1] before
the Sugeno integral, nor what the widths of interval disclosure are per cent of: the variants try these in
turn. It also contradicts itself: for v = 2 on EIA, PCP and Zscores as section 2 defines them give one order.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from microagg.io.catalogue import CATALOGUE
from microagg.kernels.scaling import standardise
from microagg.measures.intervals import interval_disclosure
from microagg.measures.knowledge import Knowledge
from microagg.measures.linkage import distance_linkage
from microagg.measures.loss import information_loss
from microagg.measures.probabilistic import probabilistic_linkage
from microagg.measures.risk import PAPER_1, disclosure_risk, score
from microagg.papers.blockwise import Reading, released
from microagg.papers.experiment import Column, Experiment, Figures, Row, Variant
from microagg.papers.published_tables import printed, values
from microagg.preparation.blocks import by_rule

if TYPE_CHECKING:
    from microagg.kernels.compiled import FloatArray
    from microagg.measures.arrays import Sets
    from microagg.preparation.blocks import Groups

DATASETS = {"eia": "EIA", "census": "Census"}
SHORT = {"pcp": "PCP", "zscores": "Zscores", "sugeno": "Sugeno"}
_NAMES = {short: name for name, short in SHORT.items()}
_NOT_PROTECTED = ("UTILITYID", "STATE", "YEAR", "MONTH")
_SHOWN = {
    "il": ("IL", "Information loss, 100 × the mean of five relative changes. High: statistics mislead."),
    "dld": ("DLD", "Records linked by distance, %. High: persons or companies can be recognised."),
    "pld": ("PLD", "Records linked by agreement (Fellegi–Sunter), %. High: recognised even so."),
    "id": ("ID", "Originals inside an interval around the released value, %. High: values can be guessed."),
    "score": ("Score", "½ IL + ½ DR. High: a bad bargain."),
}
_OPEN = (
    "What was run is not what section 2 says. With v = 2 the first component of two standardised, "
    "positively correlated attributes puts records in the order of their sum of z-scores, whatever the order "
    "of the attributes, and all correlations of EIA are 0.40 or more; yet IL at k = 5 is printed as 13.90 "
    "for PCP and 4.27 for Zscores. No reading was found that gives the printed figures."
)
_BEST = Reading(
    order="census alphabetical", cuts="attributes", zscores="variance", unit="block", width="value"
)
_PLAIN = Reading()
VARIANTS = (
    Variant(
        "by-variance",
        "Census in alphabetical order; Zscores divides by the variance, as printed; cuts where the "
        "attributes lose "
        "least; before the Sugeno integral a block is divided by its largest value; widths of ID in per "
        "cent of "
        "the value.",
        _BEST,
    ),
    Variant("widths-in-ranks", "Widths of ID in per cent of the ranks.", replace(_BEST, width="ranks")),
    Variant("file-order", "Attributes in the order of the files.", replace(_BEST, order="file")),
    Variant(
        "min-max", "Each attribute by its range before the Sugeno integral.", replace(_BEST, unit="min-max")
    ),
    Variant("ranks", "Each attribute by ranks before the Sugeno integral.", replace(_BEST, unit="rank")),
    Variant(
        "plain",
        "Order of the files; Zscores divides by the standard deviation, Sugeno sees each attribute by its "
        "range, "
        "cuts by the projected values, widths of ID in ranks: what the field would assume.",
        _PLAIN,
    ),
    Variant(
        "raw-components",
        "As plain, with PCP on values that are not standardised.",
        replace(_PLAIN, scale="raw"),
    ),
    Variant("fixed-cuts", "As plain, with cuts every k records.", replace(_PLAIN, cuts="fixed")),
    Variant("apart", "Blocks that correlate with each other, not within.", replace(_BEST, order="apart")),
    Variant(
        "all-known", "The intruder knows all attributes, not unions of blocks.", replace(_BEST, known="all")
    ),
    Variant(
        "scale-free", "IL with changes of cells in standard deviations.", replace(_BEST, loss="il_scale_free")
    ),
)


def _values(dataset: str) -> tuple[FloatArray, tuple[str, ...]]:
    """The attributes that the paper protects: all numbers of Census, the ten consumption columns of EIA."""
    described = CATALOGUE[dataset].columns
    names = tuple(c.name for c in described if c.role != "identifier" and c.name not in _NOT_PROTECTED)
    return values(dataset, names), names


def blocks(dataset: str, order: str, size: int) -> Groups:
    """Columns of each block.

    Parameters
    ----------
    dataset : {"eia", "census"}
    order : str
        "file", "alphabetical", "census alphabetical" (EIA as in its file) or "reversed", then cut every
        ``size`` attributes; or "correlated" or "apart".
    size : int

    Returns
    -------
    tuple of tuples of int
    """
    matrix, names = _values(dataset)
    if order in ("correlated", "apart"):
        return by_rule(f"{order}:{size}", standardise(matrix))
    places = list(range(len(names)))
    if order == "alphabetical" or (order == "census alphabetical" and dataset == "census"):
        places.sort(key=names.__getitem__)
    if order == "reversed":
        places.reverse()
    return tuple(tuple(places[i] for i in block) for block in by_rule(f"contiguous:{size}", matrix))


@lru_cache(maxsize=256)
def configuration(dataset: str, projection: str, size: int, k: int, reading: Reading) -> Figures:
    """Protect a data set and measure what table 1 prints of it.

    Parameters
    ----------
    dataset : {"eia", "census"}
    projection : {"pcp", "zscores", "sugeno"}
    size, k : int
    reading : Reading

    Returns
    -------
    dict
        il, dld, pld, id, dr, score; all ×100. Shared: not to be changed.
    """
    original, _ = _values(dataset)
    groups = blocks(dataset, reading.order, size)
    protected = released(original, groups, projection, k, reading)
    sets = _known(groups, reading.known)
    il = getattr(information_loss(original, protected), reading.loss)
    dld = distance_linkage(original, protected, sets, direction=reading.direction).rate
    pld = probabilistic_linkage(original, protected, sets, direction=reading.direction).rate
    inside = interval_disclosure(original, protected, width=reading.width).rate(sets)
    dr = disclosure_risk(dld, pld, inside, PAPER_1)
    return {
        "il": il,
        "dld": 100 * dld,
        "pld": 100 * pld,
        "id": 100 * inside,
        "dr": dr,
        "score": score(il, dr),
    }


def _known(groups: Groups, known: str) -> Sets:
    """What the intruder knows: unions of two to all blocks, or all attributes."""
    p = sum(map(len, groups))
    return Knowledge.unions().sets(p, groups) if known == "unions" else (tuple(range(p)),)


def _table() -> dict[Row, Figures]:
    rows: dict[Row, Figures] = {}
    for line in printed("nin_torra_table1").to_dict("records"):
        row = rows.setdefault((SHORT[line["projection"]], line["block_size"], line["k"]), {})
        row |= {f"{line['dataset']}_{name}": line[name] for name in _SHOWN}
    return rows


def _measure_table(row: Row, reading: Reading) -> Figures:
    method, size, k = row
    found = {name: configuration(name, _NAMES[str(method)], int(size), int(k), reading) for name in DATASETS}
    return {f"{dataset}_{name}": figures[name] for dataset, figures in found.items() for name in _SHOWN}


def _figure(name: str) -> dict[Row, Figures]:
    """Figures 2 and 3 show Census, v = 4: their values follow from table 1."""
    lines = printed("nin_torra_table1").query("dataset == 'census' and block_size == 4")
    return {
        (SHORT[line["projection"]], line["k"]): {
            name: line["score"]
            if name == "score"
            else disclosure_risk(line["dld"] / 100, line["pld"] / 100, line["id"] / 100, PAPER_1)
        }
        for line in lines.to_dict("records")
    }


def _measure_figure(row: Row, reading: Reading) -> Figures:
    method, k = row
    return configuration("census", _NAMES[str(method)], 4, int(k), reading)


_TABLE_1 = Experiment(
    name="modeling-projections/table-1",
    title="Table 1: IL, DLD, PLD, ID and score of 27 configurations",
    about="Three projections, blocks of v attributes, k = 5, 15, 25, on EIA and Census.",
    differs=_OPEN,
    datasets=tuple(DATASETS),
    keys=("method", "v", "k"),
    columns=tuple(
        Column(f"{dataset}_{name}", heading, 2, sentence, title)
        for dataset, title in DATASETS.items()
        for name, (heading, sentence) in _SHOWN.items()
    ),
    variants=VARIANTS,
    printed=_table,
    measure=_measure_table,
)


def _drawn(number: int, name: str, title: str, sentence: str) -> Experiment:
    return Experiment(
        name=f"modeling-projections/figure-{number}",
        title=f"Figure {number}: {title}, Census, v = 4",
        about=f"{title} of the three projections against k = 5, 15, 25.",
        differs=_OPEN,
        datasets=("census",),
        keys=("method", "k"),
        columns=(Column(name, title, 2, sentence),),
        variants=VARIANTS,
        printed=partial(_figure, name),
        measure=_measure_figure,
        drawn="by k",
    )


EXPERIMENTS = (
    _TABLE_1,
    _drawn(
        2, "dr", "DR", "Disclosure risk, ¼ DLD + ¼ PLD + ½ ID. High: records or values can be found again."
    ),
    _drawn(3, "score", "Score", _SHOWN["score"][1]),
)
