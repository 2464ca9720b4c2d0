"""The audit of a release in parts says what one machine says of the same, or that it has not looked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pandas as pd
import pytest

import microagg as ma
from microagg.distributed.audit import NOT_LOOKED_AT, audit_parts
from microagg.model.findings import WORST_FIRST
from tests.command_line import run
from tests.distributed.test_release import in_parts, people

if TYPE_CHECKING:
    from pathlib import Path

K = 4
PROTECTED = ["x0", "x1", "x2"]
ROLES = {"y": "confidential", "w": "weight", "name": "identifier", "town": "undecided", "age": "other"}


def file(n: int = 450) -> pd.DataFrame:
    return people(n).assign(name=[f"P{i}" for i in range(n)])


def plan(**changes: object) -> ma.Plan:
    return ma.Plan(k=K, columns=tuple(PROTECTED), roles=ROLES, **changes)


def below(protected: pd.DataFrame) -> int:
    sizes = protected.groupby(PROTECTED)["x0"].transform("size")
    return int((sizes < K).sum())


@pytest.mark.parametrize("blocks", ["all", "single"])
@pytest.mark.parametrize("keep", [False, True])
def test_findings_in_parts_are_those_in_memory_or_amber(blocks: str, *, keep: bool) -> None:
    frame = file()
    release = in_parts(frame, plan(blocks=blocks, keep_identifiers=keep))
    found, protected = audit_parts(release.outline, measures=release.measures()), release.protected.compute()
    assert list(protected) == [name for name in frame if keep or name != "name"]

    lone = below(protected)
    assert (lone > 0) == (blocks == "single")
    assert found.named("k, protected").records == lone
    assert found.named("k, protected").status == ("red" if lone else "green")
    assert found.named("identifiers").status == ("red" if keep else "amber")
    assert found.named("identifiers").records == (len(frame) if keep else 0)
    assert "town" in found.named("undecided").sentence

    before = ma.Microdata.from_frame(frame, roles={**dict.fromkeys(PROTECTED, "quasi_identifier"), **ROLES})
    after = ma.Microdata.from_frame(
        protected, roles={a.name: a.role for a in before.attributes if a.name in protected}
    )
    whole = ma.audit(ma.compare(before, after, columns=tuple(PROTECTED), k=K, align="position"))
    assert {one.name for one in found} >= {one.name for one in whole}
    green = 0
    for one in found:
        green += one.status == "green"
        known = [other for other in whole if other.name == one.name]
        if one.status == "green":
            assert all(other.status == "green" for other in known), one
        elif NOT_LOOKED_AT not in one.sentence:
            assert [(other.status, other.records) for other in known] == [(one.status, one.records)]
    assert green == (blocks == "all")
    assert WORST_FIRST.index(found.status) <= WORST_FIRST.index("amber")


def test_without_measures_nothing_is_green() -> None:
    found = audit_parts(in_parts(file(), plan()).outline)
    assert {one.status for one in found} == {"amber"}
    assert {one.sentence for one in found if one.name != "undecided"} == {NOT_LOOKED_AT}


def test_a_reason_is_quoted_and_a_word_that_means_nothing_refused() -> None:
    release = in_parts(file(), plan(keep_identifiers=True, accept={"k, exposed": "a register nobody has"}))
    found = audit_parts(release.outline, {"identifiers": "they are aliases"}, measures=release.measures())
    assert found.named("identifiers").status == "amber"
    assert "they are aliases" in found.named("identifiers").said
    assert "a register nobody has" in found.named("k, exposed").said
    with pytest.raises(ma.PlanError, match="nonsense"):
        audit_parts(release.outline, {"nonsense": "why not"})


def test_the_command_line_tells_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frame = file()
    frame.to_parquet(tmp_path / "in.parquet")
    (tmp_path / "plan.json").write_text(plan(blocks="single").to_json())
    source, target = tmp_path / "in.parquet", tmp_path / "out"
    words = ["--engine", "dask", "--plan", tmp_path / "plan.json", "--part", 150, "--json"]
    status, told, _ = run(capsys, "protect", source, "--out", target, *words)
    assert status == 0
    found = {one["finding"]: one for one in json.loads(told)["audit"]}
    protected = pd.read_parquet(target)
    assert found["k, protected"]["records"] == below(protected) > 0
    assert found["k, protected"]["status"] == "red"
    assert {one["status"] for name, one in found.items() if name != "k, protected"} == {"amber"}
