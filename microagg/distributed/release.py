"""A release that no machine holds: lazy frames, and a folder that is there whole or not at all."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import dask
import dask.dataframe as dd
import numpy as np

from microagg.distributed.audit import audit_parts
from microagg.distributed.cluster import told
from microagg.distributed.divided_file import DividedFile
from microagg.distributed.measure_passes import measured
from microagg.distributed.result_folder import MEASURES, PLAN, file_name
from microagg.distributed.result_writing import Destination, read_chunk, write_chunk
from microagg.distributed.solving import Back, assemble, gather, solve
from microagg.errors import MicroaggError
from microagg.measures.risk import PAPER_3, RiskWeights
from microagg.model.arguments import share

if TYPE_CHECKING:
    import pandas as pd

    from microagg.distributed.layout import Layout
    from microagg.distributed.measures import Measures
    from microagg.kernels.compiled import IntArray
    from microagg.model.findings import Findings, Reasons

BUNDLES = 64
"""Tasks in which the parts of a block are solved, where there are as many."""


@dataclass(frozen=True, eq=False)
class DistributedRelease(DividedFile):
    """A release that no machine holds; what it takes is worked out when it is asked for."""

    def audit(self, accept: Reasons | None = None, *, measures: Measures | None = None) -> Findings:
        """What is known of it without looking at it as a whole: see `audit_parts`."""
        return audit_parts(self.outline, accept, measures=measures)

    @property
    def protected(self) -> Any:
        """What may leave the house: a lazy dask DataFrame, row i being record i of those released."""
        return dd.from_delayed([one[0] for one in self._chunks], meta=self._meta[0], verify_meta=False)

    @property
    def groups(self) -> Any:
        """The group of each record in each block: a lazy dask DataFrame beside `protected`."""
        return dd.from_delayed([one[1] for one in self._chunks], meta=self._meta[1], verify_meta=False)

    def measures(self, weights: RiskWeights | str = PAPER_3, loss_weight: float = 0.5) -> Measures:
        """Measure the release; it is worked out for that, and kept on the workers in the meantime.

        Parameters
        ----------
        weights : RiskWeights or str
            How much each kind of disclosure counts in DR; probabilistic linkage is measured where it counts.
        loss_weight : float in [0, 1]
            How much information loss counts in the score.

        Raises
        ------
        PlanError
            The weights are none.
        MicroaggError
            The cluster fails, or a group has fewer than k records.
        """
        weighing = RiskWeights.parse(weights), share(loss_weight, "The weight of IL in the score")
        with told("The measuring"):
            frames = dask.persist(*[one[0] for one in self._chunks])
            (solved,) = dask.compute(self._solved)
            return measured(self, list(frames), solved, *weighing)

    def write(self, url: str, weights: RiskWeights | str = PAPER_3, loss_weight: float = 0.5) -> Measures:
        """Write the protected file with its plan and its measures to a folder that does not exist yet.

        Parameters
        ----------
        url : str
            A path, s3://…, hdfs://… or whatever else fsspec knows.
        weights, loss_weight
            As for `measures`.

        Raises
        ------
        PlanError
            As `measures`.
        MicroaggError
            It cannot be written, the cluster fails, or a group has fewer than k records; nothing is left.
        """
        weighing = RiskWeights.parse(weights), share(loss_weight, "The weight of IL in the score")
        folder = Destination(url)
        done = False
        try:
            with told(f"Writing {url}"):
                paths = [folder.path(file_name(chunk)) for chunk in range(len(self.chunks))]
                writing = [
                    dask.delayed(write_chunk)(one[0], folder.system, path)
                    for one, path in zip(self._chunks, paths, strict=True)
                ]
                written, solved = dask.compute(writing, self._solved)
                columns = list(self.outline.columns)
                frames = [dask.delayed(read_chunk)(folder.system, path, columns) for path in paths]
                found = measured(self, frames, solved, *weighing)
                told_of = {"measures": found.as_dict(), "run": self.run}
                folder.put(PLAN, self.plan.to_json().encode())
                folder.put(MEASURES, json.dumps(told_of, ensure_ascii=False).encode())
                if sum(written) != found.records:
                    raise MicroaggError(f"{url}: {sum(written)} records were written of {found.records}.")
                folder.finish()
                done = True
        finally:
            if not done:
                folder.discard()
        return found

    @property
    def run(self) -> dict[str, Any]:
        """How it was made, for whoever reads the result."""
        return {
            "engine": "dask",
            "records": self.chunks.records,
            "columns": [str(column) for column in self._meta[0].columns],
            "blocks": [list(block) for block in self.blocks],
            "parts": list(self.parts),
            "largest_part": [int(layout.sizes.max()) for layout in self.layouts],
            "chunks": len(self.chunks),
            "notes": list(self.notes),
        }

    @cached_property
    def _whole(self) -> dict[str, bool]:
        return dict(zip(self.outline.numbers, self.facts.whole.tolist(), strict=True))

    @cached_property
    def _meta(self) -> list[pd.DataFrame]:
        """What the frames look like without records."""
        empty = self.chunks.frame._meta.iloc[:0]
        blank = [[_blank(layout)] for layout in self.layouts]
        return assemble(empty, self.layouts, blank, self._whole, 0)

    @cached_property
    def _bundles(self) -> list[IntArray]:
        each = -(-int(self.layouts[0].sizes.sum()) // BUNDLES)
        return [layout.bundles(each) for layout in self.layouts]

    @cached_property
    def _worked(self) -> list[list[Any]]:
        """For each block, what each task makes of its parts."""
        blocks = []
        for layout, bundles in zip(self.layouts, self._bundles, strict=True):
            many, shared = int(bundles.max()) + 1, dask.delayed(layout)
            columns = list(dict.fromkeys((*self.outline.numbers, *self.outline.strata)))
            pieces = [
                dask.delayed(gather, nout=many)(chunk, shared, bundles, first)
                for chunk, first in zip(self.chunks.of(columns), self.chunks.bounds, strict=False)
            ]
            solving = dask.delayed(solve, nout=len(self.chunks) + 1)
            told_of = self.chunks.bounds, self.confidential
            blocks.append([solving([p[b] for p in pieces], shared, *told_of) for b in range(many)])
        return blocks

    @cached_property
    def _solved(self) -> list[list[Any]]:
        return [[one[len(self.chunks)] for one in block] for block in self._worked]

    @cached_property
    def _chunks(self) -> list[Any]:
        """Each chunk: the protected frame and the groups."""
        layouts = dask.delayed(list(self.layouts))
        return [
            dask.delayed(assemble, nout=2)(
                frame,
                layouts,
                [[one[number] for one in block] for block in self._worked],
                self._whole,
                self.chunks.bounds[number],
            )
            for number, frame in enumerate(self.chunks.of())
        ]


def _blank(layout: Layout) -> Back:
    none = np.empty(0, dtype=np.int64)
    return Back(none, np.empty((0, len(layout.block))), none)
