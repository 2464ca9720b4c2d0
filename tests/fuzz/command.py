"""Command lines as nobody would type them: a result or one sentence, never a traceback, never a hang.

Run ``python -m tests.fuzz.command --seconds 300``; the test suite tries some each time. Options are all that
the command has; inputs must be untouched afterwards.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from hypothesis import strategies as st

from microagg import cli
from microagg.methods import METHODS
from microagg.model.plan import Plan
from microagg.protection.protect import protect
from tests.fuzz.plans import DATA, PEOPLE, assert_sentence, strange_plans
from tests.fuzz.timed import run_for_seconds

if TYPE_CHECKING:
    import click

COMMANDS = ("protect", "assess", "sweep", "check", "report")
SKIPPED = {"--engine", "--scheduler", "--part", "--help"}  # Dask starts a cluster for each
FILES = ["people.csv", "released.csv", "plan.json", "strange.json", "empty.csv", "folder", "nowhere.csv"]
TEXTS = [*PEOPLE.columns, *METHODS, "age,rent", "age+rent,w", "all", "single", "contiguous:2", "up-to:2"]
TEXTS += [
    "unions",
    "sets:age+rent",
    "sample:3:1",
    "3-5",
    "5-3",
    "2,3",
    "0,0.5",
    "paper 1",
    "0.2,0.3,0.5",
    "mean",
]
TEXTS += [
    "mean",
    "median",
    "ranks",
    "value",
    "original to protected",
    "index",
    "row",
    "drop",
    "patterns",
    "csv",
]
TEXTS += [
    "merge next",
    "grade=low<middle<high",
    "age=-999",
    "*=0",
    "gamma=0.3",
    "=",
    "a=b=c",
    "header=no",
    "csv",
]
TEXTS += [
    "2026-01-31",
    "out.csv",
    "out.xlsx",
    "out.html",
    "out.sav",
    "",
    ",",
    " ",
    "nan",
    "1e999",
    "-",
    "ä" * 300,
]
NUMBERS = ["-1", "0", "1", "2", "3", "5", "24", "25", "0.5", "nan", "inf", "1e3", "9" * 30, "x"]
WORD = st.sampled_from(TEXTS) | st.sampled_from(FILES) | st.sampled_from(NUMBERS)
WORD |= st.text(st.characters(exclude_characters="\0"), max_size=6)


def options_of(name: str) -> list[click.Parameter]:
    """The options of a command, as the command itself knows them."""
    group: Any = typer.main.get_command(cli.app)
    return [p for p in group.commands[name].params if p.opts[0].startswith("-") and p.opts[0] not in SKIPPED]


@st.composite
def strange_commands(draw: st.DrawFn) -> tuple[list[str], str]:
    """Arguments that are nearly a command, and a strange plan that may be named in them."""
    name = draw(st.sampled_from(COMMANDS))
    files = st.sampled_from(FILES) if draw(st.integers(0, 4)) == 0 else st.just("people.csv")
    arguments = [name, draw(files)]
    if name in ("assess", "check"):
        arguments.append(draw(files) if draw(st.booleans()) else "released.csv")
    needed = {"protect": ["--out", "out.csv"], "check": ["--plan", "plan.json"]}
    needed["report"] = ["--plan", "plan.json", "--out", "out.html"]
    arguments += needed.get(name, [])
    for option in draw(st.lists(st.sampled_from(options_of(name)), max_size=3)):
        arguments.append(draw(st.sampled_from(option.opts)))
        if not getattr(option, "is_flag", False):
            arguments.append(draw(WORD))
    return arguments, draw(strange_plans())


def try_command(drawn: tuple[list[str], str]) -> None:
    """Run the command in a folder of its own; anything but a result or a sentence goes through."""
    arguments, plan = drawn
    release = protect(DATA, Plan(k=3))
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        folder = Path(name)
        (folder / "folder").mkdir()
        PEOPLE.to_csv("people.csv", index=False)
        release.protected.to_csv("released.csv", index=False)
        (folder / "plan.json").write_text(Plan(k=3).pinned(DATA).to_json(), encoding="utf-8")
        (folder / "strange.json").write_text(plan, encoding="utf-8", errors="surrogatepass")
        (folder / "empty.csv").write_bytes(b"")
        before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
        status, printed, error = run(arguments)
        kept = before if "--force" not in arguments else [folder / "people.csv"]
        assert all(path.read_bytes() == before[path] for path in kept), arguments
    assert status in (0, 1, 2), (status, arguments)
    assert "Traceback" not in error, arguments
    if status == 2:
        last = [line for line in error.splitlines() if line.startswith("microagg: ")]
        if last:
            assert_sentence(last[-1])
        else:  # what the parser of options says
            assert "Error" in error, (arguments, error)
    else:
        assert printed, arguments


def run(arguments: list[str]) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of the command in this process."""
    out, err, before = io.StringIO(), io.StringIO(), sys.argv
    try:
        sys.argv = ["microagg", *arguments]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            cli.main()
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        return status, out.getvalue(), err.getvalue()
    finally:
        sys.argv = before
    return 0, out.getvalue(), err.getvalue()


if __name__ == "__main__":
    os.environ.setdefault("COLUMNS", "200")
    run_for_seconds(strange_commands(), try_command, __doc__)
