"""A result on disk: Parquet files, the plan and the measures, there as a whole or not at all.

The names of the plan and the measures begin with an underscore, so that whatever reads Parquet folders passes
over them. `_SUCCESS` is written last: a folder without it was never finished.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from microagg.errors import DataError
from microagg.model.plan import Plan

RESULT = "MICROAGG_RESULT"
"""Environment variable by which the operator names a result to the dashboard."""

PLAN, MEASURES, SUCCESS = "_plan.json", "_measures.json", "_SUCCESS"


def file_name(chunk: int) -> str:
    """Name of the file that holds a chunk."""
    return f"part-{chunk:05d}.parquet"


@dataclass(frozen=True, eq=False)
class Result:
    """A finished result folder, of which only some records are read.

    Parameters
    ----------
    name : str
    plan : Plan
        What made it.
    measures : dict
        Figures by name (`microagg.distributed.measures.Measures`); None: not defined.
    run : dict
        How it was made: records, columns, parts and chunks, in words and numbers.
    files : tuple of Path
    """

    name: str
    plan: Plan
    measures: dict[str, Any]
    run: dict[str, Any]
    files: tuple[Path, ...]

    def sample(self, records: int) -> pd.DataFrame:
        """Protected records, evenly many from the beginning of each of some files.

        Raises
        ------
        DataError
            A file cannot be read.
        """
        step = max(1, len(self.files) // 10)
        chosen = self.files[::step]
        each = -(-records // len(chosen))
        try:
            frames = [_head(file, each) for file in chosen]
        except (OSError, ValueError) as error:
            raise DataError(f"A file of the result {self.name} cannot be read: {error}.") from None
        return pd.concat(frames).head(records)


def opened_result(folder: str | Path) -> Result:
    """Open a result folder on this machine.

    Raises
    ------
    DataError
        There is none, or it is not finished.
    """
    place = Path(folder)
    if not (place / SUCCESS).is_file():
        raise DataError(f"{place} is no finished result of `microagg protect --engine dask`.")
    try:
        told = json.loads((place / MEASURES).read_text(encoding="utf-8"))
        plan = Plan.from_json((place / PLAN).read_text(encoding="utf-8"))
        measures, run = dict(told["measures"]), dict(told["run"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(f"The result {place} cannot be read: {error}.") from None
    return Result(place.resolve().name, plan, measures, run, tuple(sorted(place.glob("part-*.parquet"))))


def _head(file: Path, records: int) -> pd.DataFrame:
    import pyarrow.parquet as pq

    with pq.ParquetFile(file) as opened:
        batch = next(opened.iter_batches(batch_size=records), None)
        return pd.DataFrame() if batch is None else batch.to_pandas()
