"""The published tables beside the same figures measured here: four papers, one module each.

`EXPERIMENTS` lists every table and figure by name; `PAPERS` says whose they are. Running one is
`Experiment.run`; what was run last is kept by `microagg.papers.result_store`.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from microagg.errors import PlanError
from microagg.papers import comparative_study, modeling_projections, one_dimension, statistical_dependence

if TYPE_CHECKING:
    from microagg.papers.experiment import Experiment

PAPERS = MappingProxyType(
    {
        "modeling-projections": "Nin & Torra, Modeling Projections in Microaggregation",
        "statistical-dependence": "Rebollo-Monedero et al., k-Anonymous Microaggregation with "
        "Preservation of Statistical Dependence",
        "one-dimension": "Nin, One Dimension Microaggregation",
        "comparative-study": "Mateo-Sanz & Domingo-Ferrer, A Comparative Study of Microaggregation Methods",
    }
)
EXPERIMENTS: MappingProxyType[str, Experiment] = MappingProxyType(
    {
        experiment.name: experiment
        for module in (modeling_projections, statistical_dependence, one_dimension, comparative_study)
        for experiment in module.EXPERIMENTS
    }
)


def named(name: str) -> tuple[Experiment, ...]:
    """Return the experiment of that name, or all of a paper.

    Raises
    ------
    PlanError
        There is neither.

    Examples
    --------
    >>> [experiment.name for experiment in named("one-dimension")][0]
    'one-dimension/table-4'
    """
    found = tuple(e for e in EXPERIMENTS.values() if name in (e.name, e.paper))
    if not found:
        raise PlanError(
            f"There is no paper or table {name!r}; the papers are {', '.join(PAPERS)}, and `microagg papers` "
            "lists their tables."
        )
    return found


__all__ = ["EXPERIMENTS", "PAPERS", "named"]
