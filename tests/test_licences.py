"""The README names each dependency with its lowest version and its licence, and no other."""

from __future__ import annotations

from pathlib import Path

from tests.licences import table


def test_the_readme_has_the_licence_of_every_dependency():
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    assert table() in readme
