"""A place for bytes between a library that writes to paths and a caller that wants them in memory.

On Linux the place is memory without a name (memfd): no disk sees it, nobody else can open it, and it goes
with the process, however that ends. Elsewhere it is a private temporary folder, which a kill may leave.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def nameless() -> Iterator[Path]:
    """Give a path that can be written and read again until the block ends.

    Examples
    --------
    >>> with nameless() as path:
    ...     _ = path.write_bytes(b"a table")
    ...     path.read_bytes()
    b'a table'
    """
    if hasattr(os, "memfd_create"):
        handle = os.memfd_create("table")
        try:
            yield Path(f"/proc/self/fd/{handle}")
        finally:
            os.close(handle)
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "table"
