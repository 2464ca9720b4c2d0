"""How much memory a file will take once read, known before it is: a few packed kilobytes can hold a terabyte.

Text takes what its size says. Formats that pack tell their size in a header, or are unpacked in blocks that
are counted; what would take more than four gigabytes is refused with the numbers.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
from typing import TYPE_CHECKING, BinaryIO, cast

from microagg.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_BYTES = 4e9
_BLOCK = 1 << 24
_PACKED: dict[bytes, Callable[[io.BytesIO], object]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\x00": lzma.open,
}


def refuse_vast(name: str, expected: float) -> None:
    """Refuse a file that would take more memory than there is room for.

    Parameters
    ----------
    name : str
        The file's, for the message.
    expected : float
        Bytes once read.

    Raises
    ------
    DataError
        It is more than `MOST_BYTES`.

    Examples
    --------
    >>> refuse_vast("big.dta", 7.2e10)
    Traceback (most recent call last):
    microagg.errors.DataError: big.dta would take about 72 GB of memory once read; the most is 4 GB. ...
    """
    if expected > MOST_BYTES:
        raise DataError(
            f"{name} would take about {expected / 1e9:,.0f} GB of memory once read; the most is "
            f"{MOST_BYTES / 1e9:.0f} GB. Divide it, or keep fewer columns."
        )


def too_vast(name: str) -> DataError:
    """What is said of a file whose reader came to the end of the room."""
    return DataError(
        f"{name} takes more than the {MOST_BYTES / 1e9:.0f} GB of memory that a file may take to read. "
        "Divide it, or keep fewer columns."
    )


def archived(data: bytes) -> float:
    """Bytes that all members of a zip archive have together once unpacked, as it says itself.

    Reading stops at the size that is said, so that a lie gains nothing.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return float(sum(member.file_size for member in archive.infolist()))


def unpacked(data: bytes, name: str, times: float) -> bytes:
    """Unpack gzip, bzip2 or xz block by block; other bytes come back as they are.

    Parameters
    ----------
    data : bytes
    name : str
        The file's, for the message.
    times : float
        Bytes that one unpacked byte takes once read.

    Raises
    ------
    DataError
        It would be more than `MOST_BYTES`.
    """
    unpack = next((function for magic, function in _PACKED.items() if data.startswith(magic)), None)
    if unpack is None:
        return data
    whole = io.BytesIO()
    with cast("BinaryIO", unpack(io.BytesIO(data))) as file:
        while block := file.read(_BLOCK):
            whole.write(block)
            refuse_vast(name, times * whole.tell())
    return whole.getvalue()
