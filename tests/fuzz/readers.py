"""Bytes that no writer would write, given to every reader: a table or one sentence, never a crash or a hang.

Run ``python -m tests.fuzz.readers --seconds 300``. Each format has a process of its own, so that a crash in a
library written in C is seen and does not end the others. Inputs are small files of each format, changed by
coverage-guided mutation (atheris, ``pip install atheris``); where atheris is not installed, by plain mutation
with a seed. A failure is printed with the bytes that cause it, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import faulthandler
import inspect
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import pandas as pd

from microagg.errors import MicroaggError
from microagg.io.formats import FORMATS
from microagg.io.reading import read_table
from microagg.io.table import Labels
from microagg.io.writing import csv_bytes
from microagg.types import Microdata

try:
    import atheris
except ImportError:
    atheris = None

HANGS = 20  # seconds that a file of a few kilobytes may take
LONGEST = 8192
WATCHED = ("microagg.io.", "openpyxl.", "rdata.")  # modules whose branches guide the mutation
TEXTS = (
    "name;age;wage\r\nAnn;31;1.234,5\r\nBen;44;2.000,0\r\n",
    "a\tb\n1\t2\n3\t4\n",
    '"x","y"\n"1","a ""quoted"" one"\n"2","two\nlines"\n',
    "1 2 3\n4 5 6\n",
    "id,when,ok\n001,2024-02-29,TRUE\n002,,FALSE\n",
    "año,größe\n1,2\n",
    "sep=|\na|b\n1|2\n",
)


def seeds(name: str) -> list[bytes]:
    """Small files of this format, as they are rightly written."""
    frame = pd.DataFrame(
        {"age": [31, 44, 27], "wage": [1.5, None, 2.25], "town": ["Reus", "Valls", None]}, index=range(3)
    )
    if name == "csv":
        encodings = ("utf-8", "utf-8-sig", "cp1252", "utf-16")
        return [text.encode(encoding) for text in TEXTS for encoding in encodings] + [csv_bytes(frame)]
    write = FORMATS[name].write
    if write is None:
        return [bytes.fromhex("00" * 12 + "c2ea8160b31411cfbd92080009c7318c181f1011") + bytes(1024)]
    return [write(part, Labels({"age": "in years"}, {})) for part in (frame, frame[["age"]], frame.iloc[:1])]


def one(name: str, data: bytes) -> None:
    """Read once; anything but a table or a `MicroaggError` goes through."""
    try:
        table = read_table(data, name=f"x{FORMATS[name].suffixes[0]}")
        Microdata.from_frame(table.frame, name=table.name)
    except MicroaggError as error:
        said = str(error)
    else:
        return
    if not said.endswith("."):
        raise ValueError(f"no sentence: {said}")


def guided(name: str, seconds: float, folder: Path) -> None:
    """Mutate what reaches new code; ends the process."""
    corpus = folder / "corpus"
    corpus.mkdir()
    for number, seed in enumerate(seeds(name)):
        (corpus / f"{number}").write_bytes(seed)
    for module in [module for path, module in sys.modules.items() if path.startswith(WATCHED)]:
        for function in [value for value in vars(module).values() if inspect.isfunction(value)]:
            if function.__module__ == module.__name__:
                atheris.instrument_func(function)
    options = [f"-max_total_time={seconds:.0f}", f"-timeout={HANGS}", "-rss_limit_mb=4096"]
    options += [f"-max_len={LONGEST}", f"-artifact_prefix={folder}/", "-print_final_stats=1", str(corpus)]
    atheris.Setup([sys.argv[0], *options], lambda data: one(name, data))
    atheris.Fuzz()


def plain(name: str, seconds: float, folder: Path) -> None:
    """Mutate at random, the same every time."""
    moves, known, count = random.Random(0), seeds(name), 0  # noqa: S311 - mutations, not secrets
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        data = bytearray(moves.choice(known))
        for _ in range(moves.randint(1, 8)):
            at = moves.randrange(len(data) + 1)
            match moves.randrange(5):
                case 0:
                    data[at : at + 1] = bytes([moves.randrange(256)])
                case 1:
                    del data[at : at + moves.randint(1, 16)]
                case 2:
                    data[at:at] = data[at : at + moves.randint(1, 64)]
                case 3:
                    data[at : at + 4] = moves.choice((b"\xff\xff\xff\xff", b"\0\0\0\0", b"\xff\xff\xff\x7f"))
                case _:
                    data[at:at] = moves.choice((b'"', b"\0", b"\r", b",", b"=", b"\xef\xbb\xbf"))
        (folder / "last").write_bytes(data)
        faulthandler.dump_traceback_later(HANGS, exit=True)
        one(name, bytes(data[:LONGEST]))
        faulthandler.cancel_dump_traceback_later()
        count += 1
    print(f"stat::number_of_executed_units: {count}")


def main() -> int:
    """Give every format its share of the time; say what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--format", choices=list(FORMATS), help="This one alone, in this process.")
    parser.add_argument("--folder", type=Path, help="Where to keep what fails.")
    chosen = parser.parse_args()
    if chosen.format:
        warnings.simplefilter("ignore")  # a warning is no failure here; the tests hold the readers to none
        (guided if atheris else plain)(chosen.format, chosen.seconds, chosen.folder)
        return 0
    print(f"mutation: {'atheris' if atheris else 'plain'}; {chosen.seconds:g} s over {len(FORMATS)} formats")
    shares = {name: 4 if name == "csv" else 1 for name in FORMATS}
    found = [
        _share(name, chosen.seconds * share / sum(shares.values()), chosen.folder)
        for name, share in shares.items()
    ]
    return int(any(found))


def _share(name: str, seconds: float, keep: Path | None) -> bool:
    """Fuzz one format in its own process; whether it failed."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        command = [sys.executable, "-m", "tests.fuzz.readers", "--format", name, "--seconds", f"{seconds}"]
        process = subprocess.Popen(
            [*command, "--folder", str(folder)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        try:
            told, _ = process.communicate(timeout=seconds + 10 * HANGS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            told = process.communicate()[0] + "\nIt hangs."
            process.returncode = 1
        runs = [line.split()[-1] for line in told.splitlines() if "number_of_executed_units" in line]
        failed = process.returncode != 0
        print(f"{name:8} {runs[0] if runs else '?':>9} files: {'FAILED' if failed else 'ok'}", flush=True)
        if failed:
            print("\n".join(told.splitlines()[-60:]))
            for path in [path for path in folder.iterdir() if path.is_file()]:
                print(f"{path.name}: {path.read_bytes()!r}")
                if keep is not None:
                    (keep / f"{name}-{path.name}").write_bytes(path.read_bytes())
        return failed


if __name__ == "__main__":
    sys.exit(main())
