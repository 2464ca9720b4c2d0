"""Bytes that no writer would write, given to every reader: a table or one sentence, never a crash or a hang.

Run ``python -m tests.fuzz.readers --seconds 300``. Each format has a process of its own, so that a crash in a
library written in C is seen and does not end the others. Inputs are small files of each format, changed by
coverage-guided mutation (atheris, ``pip install atheris``); where atheris is not installed, by plain mutation
with a seed. Headers of statistical files are also crafted: numbers in them are replaced by extreme ones. A
format's process has the room that a child of `microagg.io.child_reader` has, and reads in itself, so that
what runs is what is watched. A failure is printed with the bytes that cause it, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import faulthandler
import inspect
import os
import random
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import pandas as pd

from microagg.errors import MicroaggError
from microagg.io import child_reader, memory_estimate
from microagg.io.formats import FORMATS
from microagg.io.reading import read_table
from microagg.io.table import Labels
from microagg.io.writing import csv_bytes
from microagg.model.microdata import Microdata

try:
    import atheris
except ImportError:
    atheris = None

HANGS = 10  # seconds that a file of a few kilobytes may take
LONGEST = 8192
WATCHED = ("microagg.io.", "openpyxl.", "rdata.")  # modules whose branches guide the mutation
HEAD = 1024  # bytes in which a header keeps its numbers
NUMBERS = (0, 1, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 2**62, 2**63 - 1, 2**64 - 1)
CRAFTED = ("stata", "spss", "xport", "sas")
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
        return [sas_header(wide, page) for wide in (False, True) for page in (1024, 4096, 2**31 - 1)]
    return [write(part, Labels({"age": "in years"}, {})) for part in (frame, frame[["age"]], frame.iloc[:1])]


def sas_header(wide: bool, page: int) -> bytes:
    """A SAS file of three pages of zeros, which no program of ours can write."""
    data = bytearray(1024 + 3 * 1024)
    data[:32] = bytes.fromhex("00" * 12 + "c2ea8160b31411cfbd92080009c7318c181f1011")
    data[32], data[35], data[37], data[39] = (0x33 if wide else 0x22), 0x33 if wide else 0, 1, 0x31
    data[84:92] = b"SAS FILE"
    struct.pack_into("<iii", data, 196 + (4 if wide else 0), 1024, page, 3)
    return bytes(data)


def crafted(data: bytes, moves: random.Random) -> bytes:
    """The same file with a number of its header, binary or in digits, replaced by an extreme one."""
    changed = bytearray(data)
    for _ in range(moves.randint(1, 3)):
        at = moves.randrange(min(len(changed), HEAD))
        number, width = moves.choice(NUMBERS), moves.choice((1, 2, 4, 8))
        order = moves.choice(("little", "big"))
        piece = (number % 256**width).to_bytes(width, order)
        if moves.random() < 0.2:
            piece = str(number).encode()
        changed[at : at + len(piece)] = piece
    return bytes(changed)


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
    moves = random.Random(0)  # noqa: S311 - mutations, not secrets
    known = seeds(name)
    known += [crafted(seed, moves) for seed in known for _ in range(50) if name in CRAFTED]
    for number, seed in enumerate(known):
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
        if name in CRAFTED and count % 2:
            data = bytearray(crafted(data, moves))
        for _ in range(0 if name in CRAFTED and count % 2 else moves.randint(1, 8)):
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
        child_reader.BOUNDED = False
        now = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + int(memory_estimate.MOST_BYTES),) * 2)
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
