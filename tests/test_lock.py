"""The lock of the application pins what pyproject asks for, within what it allows."""

from __future__ import annotations

import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]


def pinned() -> list[Requirement]:
    lines = (ROOT / ".ci" / "lock.txt").read_text(encoding="utf-8").splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith("#")]


def test_every_dependency_is_pinned_to_a_version_that_is_allowed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pins: dict[str, list[str]] = {}
    for pin in pinned():
        (exact,) = pin.specifier
        assert exact.operator == "=="
        pins.setdefault(canonicalize_name(pin.name), []).append(exact.version)
    for text in project["dependencies"]:
        requirement = Requirement(text)
        name = canonicalize_name(requirement.name)
        assert pins.get(name), f"{name} is not in the lock"
        assert all(requirement.specifier.contains(version) for version in pins[name])


def test_the_lock_names_no_place_to_download_from() -> None:
    assert all(pin.url is None for pin in pinned())
