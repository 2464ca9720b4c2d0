"""What a file leaves behind: nothing on the disk while it is read or written, and no cell in a message."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

from microagg.errors import MicroaggError
from microagg.io.formats import FORMATS
from microagg.io.reading import read_table
from microagg.io.table import Labels
from microagg.model.microdata import Microdata
from microagg.model.plan import Plan
from microagg.protection.protect import protect

if TYPE_CHECKING:
    from collections.abc import Callable

CELL = "Sentinel-4711"
WATCHED = """
import json, sys
opened = []
def hook(event, args):
    if event == "open" and isinstance(args[0], str) and args[2] is not None and args[2] & 3:
        opened.append(args[0])
    if event in ("os.mkdir", "tempfile.mkstemp", "tempfile.mkdtemp"):
        opened.append(str(args[0]))
import pandas as pd
from microagg.io.formats import FORMATS
from microagg.io.reading import read_table
from microagg.io.table import Labels
for row in FORMATS.values():  # what is imported on the way may be compiled and kept
    if row.write is not None:
        read_table(row.write(pd.DataFrame({"a": [1, 2]}), Labels()), name="x" + row.suffixes[0])
sys.addaudithook(hook)
for row in FORMATS.values():
    if row.write is not None:
        data = row.write(pd.DataFrame({"name": ["Ann", "Ben", "Cy"], "wage": [1.5, 2.5, 3.0]}), Labels())
        read_table(data, name="x" + row.suffixes[0])
print(json.dumps(opened))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere two libraries need a temporary file")
def test_no_file_is_opened_for_writing_while_tables_are_read_and_made():
    ran = subprocess.run(
        [sys.executable, "-c", WATCHED], capture_output=True, check=True, cwd=Path(__file__).parents[2]
    )
    opened = json.loads(ran.stdout)
    assert len(opened) >= 1
    assert {path for path in opened if not path.startswith("/proc/self/fd/")} == set()


def refusal(call: Callable[[], object]) -> str:
    """What is said where the call is refused, or nothing."""
    try:
        call()
    except MicroaggError as error:
        return str(error)
    return ""


def frame() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "town": [CELL, "Reus", "Valls", "Reus"] * 3,
            "mixed": [CELL, 1, 2.5, None] * 3,
            "wage": [1.0, 2.0, 3.0, np.inf] * 3,
        }
    )


REFUSED = {"excel": 3, "parquet": 4, "feather": 4, "stata": 3, "xport": 3}
"""How many of the four tables below a format cannot hold; the others write all of them."""


@pytest.mark.parametrize("row", [row for row in FORMATS.values() if row.write], ids=lambda row: row.name)
def test_a_table_that_cannot_be_written_is_refused_without_its_cells(row):
    kinds = [
        frame(),
        frame()[["mixed"]],
        frame().assign(cell=[2**70, CELL, b"x"] * 4),
        frame().assign(cell=[f"{CELL}\x01"] * 12),
    ]
    said = [refusal(partial(row.write, table, Labels())) for table in kinds]
    assert sum(map(bool, said)) == REFUSED.get(row.name, 0)
    assert not any(CELL in sentence for sentence in said)


@pytest.mark.parametrize("row", FORMATS.values(), ids=lambda row: row.name)
def test_a_damaged_file_is_refused_without_its_cells(row):
    texts = [f'a,b\n1,"{CELL}\n2,3\n', f"a,b\n1,2\n{CELL},2,3,4\n", f'{{"a": "{CELL}"}}', f"{CELL}\0"]
    pieces = [text.encode() for text in texts]
    if row.write is not None:
        whole = row.write(pd.DataFrame({"town": [CELL] * 40, "b": range(40)}), Labels())
        pieces += [whole[: len(whole) * i // 6] for i in range(1, 6)]
        pieces += [
            whole[: len(whole) * i // 6] + b"\xff" * 9 + whole[len(whole) * i // 6 + 9 :] for i in range(6)
        ]
    said = [refusal(partial(read_table, data, name=f"x{row.suffixes[0]}")) for data in pieces]
    assert all(said[:4])  # none of the four texts is a table of this format
    assert sum(map(bool, said)) > len(pieces) / 2
    assert not any(CELL in sentence for sentence in said)


@pytest.mark.parametrize(
    "plan",
    [
        Plan(k=2, columns=("town",)),
        Plan(k=2, columns=("wage",)),
        Plan(k=2, columns=("mixed",)),
        Plan(k=5, columns=("small",), strata=("town",)),
        Plan("mixed", 2, columns=("town",), scales={"town": "ordinal"}),
        Plan("mixed", 2, columns=("town",), scales={"town": "ordinal"}, orders={"town": ("Reus", "Valls")}),
        Plan(k=2, columns=("small",), lam=0.5, roles={"town": "confidential"}),
        Plan(k=2, columns=("small",), weighted=True, roles={"town": "weight"}),
        Plan(k=2, columns=("small",), weighted=True, roles={"mixed": "weight"}),
        Plan(k=2, columns=("small", "town"), method="pcp"),
        Plan(k=2, columns=("small",), missing_codes={"town": (1,)}, strata=("town", "mixed")),
    ],
)
def test_a_plan_that_data_cannot_honour_is_refused_without_their_cells(plan):
    data = Microdata.from_frame(frame().assign(small=range(12)), name="survey")
    with pytest.raises(MicroaggError) as refused:
        protect(data, plan)
    assert CELL not in str(refused.value)
    assert refused.value.__cause__ is None or CELL not in str(refused.value.__cause__)
