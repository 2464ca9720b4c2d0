"""The command, run in this process."""

from __future__ import annotations

import sys

import pytest

from microagg import cli


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Run the command in this process: exit status, standard output, standard error."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["microagg", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
    printed = capsys.readouterr()
    return int(ended.value.code or 0), printed.out, printed.err
