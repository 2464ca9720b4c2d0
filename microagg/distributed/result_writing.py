"""Writing a result folder, here or on another file system: whole or not at all.

On this machine, files go to a hidden neighbour of the folder, which takes its name when all is written. Other
file systems may have no renaming of folders (S3 has none): there, files go to their place, `_SUCCESS` comes
last, and what was written is removed where something fails.
"""

from __future__ import annotations

import io
import secrets
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
from fsspec.core import url_to_fs
from fsspec.implementations.local import LocalFileSystem

from microagg.distributed.result_folder import SUCCESS
from microagg.errors import DataError
from microagg.model.categories import only_used_categories

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd


class Destination:
    """A folder that is being written.

    Parameters
    ----------
    url : str
        A path, or s3://…, hdfs://… and whatever else fsspec knows.

    Raises
    ------
    DataError
        There is something of that name, or the folder around it cannot be written to.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        try:
            self.system, place = url_to_fs(url)
            self.place = place.rstrip("/")
            self.system.invalidate_cache()
            if self.system.exists(self.place):
                raise DataError(f"{url} exists; choose another name for the result, or remove it.")
            self.local = isinstance(self.system, LocalFileSystem)
            above, _, name = self.place.rpartition("/")
            self.work = f"{above}/.{name}.{secrets.token_hex(4)}" if self.local else self.place
            self.system.mkdir(self.work, create_parents=self.local)  # elsewhere that may be a new bucket
        except (OSError, ImportError, ValueError) as error:
            if isinstance(error, DataError):
                raise
            raise DataError(f"{url} cannot be written: {reason(error)}.") from None

    def path(self, name: str) -> str:
        """Where a file is while the folder is being written."""
        return f"{self.work}/{name}"

    def put(self, name: str, data: bytes) -> None:
        """Write a file."""
        self.system.pipe_file(self.path(name), data)

    def finish(self) -> None:
        """Give the folder its name, and mark it as whole."""
        self.put(SUCCESS, b"")
        if self.local:
            self.system.mv(self.work, self.place, recursive=True)

    def discard(self) -> None:
        """Remove what was written, also by other processes, of which a listing kept here knows nothing."""
        self.system.invalidate_cache()
        if self.system.exists(self.work):
            self.system.rm(self.work, recursive=True)


def write_chunk(frame: pd.DataFrame, system: Any, path: str) -> int:
    """Write a chunk as one Parquet file; the same frame gives the same bytes. Return its records."""
    file = io.BytesIO()
    pq.write_table(pa.Table.from_pandas(only_used_categories(frame), preserve_index=False), file)
    system.pipe_file(path, file.getvalue())
    return len(frame)


def read_chunk(system: Any, path: str, columns: Sequence[str]) -> pd.DataFrame:
    """Read some columns of a chunk that was written."""
    with system.open(path, "rb") as file:
        frame: pd.DataFrame = pq.read_table(file, columns=list(columns)).to_pandas()
    return frame


def reason(error: BaseException) -> str:
    """Why something could not be read or written, in the system's words."""
    return str(getattr(error, "strerror", None) or error).rstrip(".")
