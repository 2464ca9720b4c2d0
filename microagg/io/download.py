"""Data sets that may not be bundled, from their public homes to the cache: whole and checked, or not at all.

The original is read into memory, no more than `MOST` bytes of it, its SHA-256 compared, and only then is it
looked into, converted to CSV and put in place by a rename: whatever goes wrong before leaves nothing behind.
From an archive no more is unpacked than the same number of bytes before they are compared.
"""

from __future__ import annotations

import hashlib
import http.client
import io
import time
import urllib.error
import urllib.request
import zipfile
import zlib
from typing import TYPE_CHECKING

from microagg.errors import DataError
from microagg.io.datasets import cache_folder, described
from microagg.io.dialect import Dialect
from microagg.io.rfiles import read_rda
from microagg.io.text import read_text
from microagg.io.writing import csv_bytes, write_atomic

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pandas as pd

    from microagg.io.catalogue import Dataset, Home

MOST = 4_000_000
"""Bytes that may come in, and be unpacked of an archive; the largest original has 200,000."""
_SECONDS, _SECONDS_ALTOGETHER = 30.0, 600.0
_CHUNK = 1 << 14
_DIGITS = 20


def download(name: str, progress: Callable[[float], None] | None = None) -> Path:
    """Fetch a data set from its public home.

    Parameters
    ----------
    name : str
        A data set of the catalogue that is not bundled.
    progress : callable, optional
        Called with the share received so far, 0…1; it may raise to cancel.

    Returns
    -------
    Path
        The CSV in the cache folder.

    Raises
    ------
    DataError
        No such data set, a bundled one, no network, a cut connection, or other bytes than expected.
    """
    dataset = described(name)
    if dataset.home is None:
        raise DataError(f"{dataset.title} comes with the program; there is nothing to download.")
    original = _first_answer(dataset.home, progress or (lambda _: None))
    digest = hashlib.sha256(original).hexdigest()
    if digest != dataset.home.sha256:
        raise DataError(
            f"{dataset.home.file} is not the file it should be (SHA-256 {digest[:12]}… instead of "
            f"{dataset.home.sha256[:12]}…); nothing was kept. Its home may have changed it."
        )
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"The cache folder {folder} cannot be made: {error.strerror or error}.") from None
    return write_atomic(folder / f"{name}.csv", csv_bytes(_columns(dataset, original)))


def _first_answer(home: Home, progress: Callable[[float], None]) -> bytes:
    """The original from the first address that gives it; the last complaint where none does."""
    for address in home.addresses[:-1]:
        try:
            return _fetch(address, home.file, progress)
        except DataError:
            continue
    return _fetch(home.addresses[-1], home.file, progress)


def _fetch(address: str, file: str, progress: Callable[[float], None]) -> bytes:
    received = bytearray()
    try:
        # The addresses are the catalogue's own.
        with urllib.request.urlopen(address, timeout=_SECONDS) as answer:  # noqa: S310
            length = answer.headers.get("Content-Length", "")
            expected = int(length) if length.isdecimal() and len(length) < _DIGITS else 0
            until = time.monotonic() + _SECONDS_ALTOGETHER
            while chunk := answer.read1(_CHUNK):
                received += chunk
                if max(len(received), expected) > MOST:
                    raise DataError(f"{address} sends more than {MOST:,} bytes; nothing was kept.")
                if time.monotonic() > until:
                    raise DataError(f"{address} takes too long ({len(received):,} bytes); nothing was kept.")
                progress(min(1.0, len(received) / expected) if expected else 0.0)
    except urllib.error.HTTPError as error:
        raise DataError(f"{address} answers {error.code} ({error.reason}); nothing was kept.") from None
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        raise DataError(f"{address} cannot be reached ({reason}). Is there a network?") from None
    if len(received) < expected:
        raise DataError(f"{address} was cut off after {len(received)} of {expected} bytes; nothing was kept.")
    return _member(bytes(received), file) if address.endswith(".zip") else bytes(received)


_BOUNDED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""What is unpacked no further than is asked for; bzip2 and LZMA come in whole blocks."""


def _member(archive: bytes, file: str) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as opened:
            member = next(one for one in opened.infolist() if one.filename.rsplit("/", 1)[-1] == file)
            if member.compress_type not in _BOUNDED:
                raise DataError(f"{file} is packed in a way that is not read here; nothing was kept.")
            with opened.open(member) as packed:
                unpacked = packed.read(MOST + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, StopIteration, RuntimeError, NotImplementedError):
        raise DataError(f"The archive that was downloaded does not hold {file}; nothing was kept.") from None
    if len(unpacked) > MOST:
        raise DataError(f"{file} in the archive has more than {MOST:,} bytes; nothing was kept.")
    return unpacked


def _columns(dataset: Dataset, original: bytes) -> pd.DataFrame:
    names = [column.name for column in dataset.columns]
    if dataset.home is not None and dataset.home.file.endswith(".rda"):
        return read_rda(original, dataset.home.file, None).frame[names]
    return read_text(original, dataset.name, Dialect(header=False)).frame.set_axis(names, axis=1)
