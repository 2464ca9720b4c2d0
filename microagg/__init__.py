"""Microaggregation: groups of at least k records, released as their centroids.

The public names, and nothing else. `Microaggregator` is imported when it is asked for, because scikit-learn
takes longer to import than all the rest.
"""

from __future__ import annotations

# ruff: noqa: E402 - nothing may be imported before that
from microagg.io.import_path import without_current_folder

without_current_folder()

from typing import TYPE_CHECKING

import microagg.distributed  # noqa: F401 - it enters itself where frames of dask are protected
from microagg.assessment.assess import Assessment, Disclosed, Lost, assess, disclosed, lost
from microagg.assessment.audit import audit
from microagg.assessment.pairing import compare
from microagg.errors import Cancelled, DataError, MicroaggError, PlanError
from microagg.exploration.least_loss import least_loss
from microagg.exploration.sweep import pareto_front, sweep
from microagg.io.datasets import load_dataset
from microagg.io.reading import read_microdata
from microagg.measures.catalogue import MEASURES
from microagg.measures.knowledge import Knowledge
from microagg.methods import METHODS
from microagg.model.findings import Finding, Findings
from microagg.model.microdata import Attribute, Microdata
from microagg.model.partition import Partition
from microagg.model.plan import Plan
from microagg.model.release import Release
from microagg.protection.protect import protect

if TYPE_CHECKING:
    from microagg.protection.microaggregator import Microaggregator

__all__ = [
    "MEASURES",
    "METHODS",
    "Assessment",
    "Attribute",
    "Cancelled",
    "DataError",
    "Disclosed",
    "Finding",
    "Findings",
    "Knowledge",
    "Lost",
    "MicroaggError",
    "Microaggregator",
    "Microdata",
    "Partition",
    "Plan",
    "PlanError",
    "Release",
    "assess",
    "audit",
    "compare",
    "disclosed",
    "least_loss",
    "load_dataset",
    "lost",
    "pareto_front",
    "protect",
    "read_microdata",
    "sweep",
]


def __getattr__(name: str) -> object:
    if name != "Microaggregator":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from microagg.protection.microaggregator import Microaggregator

    return Microaggregator
