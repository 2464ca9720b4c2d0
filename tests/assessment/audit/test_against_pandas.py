"""The audit against plain pandas on files of any columns and roles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

import microagg as ma
from tests.assessment.audit.plain import answers, below, class_sizes, different

if TYPE_CHECKING:
    from microagg.model.roles import Role

N = 24
CELLS: dict[str, st.SearchStrategy[list[Any]]] = {
    "float": st.lists(st.sampled_from([0.0, -1.5, 2.25, 7.0, 1 / 3]), min_size=N, max_size=N),
    "gap": st.lists(st.sampled_from([None, 1.0, 2.0]), min_size=N, max_size=N),
    "text": st.lists(st.sampled_from(["a", "b", None, "c d"]), min_size=N, max_size=N),
    "flag": st.lists(st.booleans(), min_size=N, max_size=N),
    "long": st.lists(st.integers(2**55, 2**55 + 2), min_size=N, max_size=N),
    "date": st.lists(st.sampled_from(list(pd.date_range("2020-01-01", periods=3))), min_size=N, max_size=N),
}
ROLES: list[Role] = ["confidential", "stratum", "unit", "other", "undecided", "weight", "identifier"]


@st.composite
def files(draw: st.DrawFn) -> tuple[pd.DataFrame, dict[str, Role]]:
    """A column to protect, and a few of any kind and role beside it."""
    columns: dict[str, list[Any]] = {"age": draw(st.lists(st.integers(20, 40), min_size=N, max_size=N))}
    roles: dict[str, Role] = {"age": "quasi_identifier"}
    for i, kind in enumerate(draw(st.lists(st.sampled_from(sorted(CELLS)), max_size=5))):
        columns[f"{kind}{i}"] = draw(CELLS[kind])
        roles[f"{kind}{i}"] = draw(st.sampled_from(ROLES))
    return pd.DataFrame(columns), roles


@settings(max_examples=150)
@given(files(), st.integers(2, 6), st.sampled_from([None, 3]), st.booleans())
def test_every_count_is_that_of_pandas(
    file: tuple[pd.DataFrame, dict[str, Role]], k: int, shuffle: int | None, keep: bool
) -> None:
    frame, roles = file
    data = ma.Microdata.from_frame(frame, roles=roles)
    release = ma.protect(data, ma.Plan(k=k, strata=(), shuffle=shuffle, keep_identifiers=keep))
    found, out = ma.audit(release), release.protected
    secret = [name for name in out if roles[name] == "confidential"]
    exposed = [name for name in out if name not in secret]

    assert found.named("k, protected").records == below(out, ["age"], k)
    assert found.named("k, exposed").records == below(out, exposed, k)
    assert found.named("singled out").records == (class_sizes(out, exposed) == 1).sum()
    shared = [different(out, exposed, out[name]).eq(1) for name in secret]
    red = pd.concat(shared, axis=1).any(axis=1).sum() if shared else 0
    told = found.named("secrets")
    assert (told.records if told.status == "red" else 0) == red
    if told.status == "green":
        assert not any((answers(out, exposed, out[name]) == 1).any() for name in secret)
    units = [name for name in frame if roles[name] == "unit"]
    few = [different(out, exposed, out[name]).lt(k).sum() for name in units]
    assert (found.named("units").records if units else 0) == max(few, default=0)
    named = any(roles[name] == "identifier" for name in out)
    assert (found.named("identifiers").status == "red") >= named
    open_ = any(roles[name] == "undecided" for name in out)
    assert any(one.name == "undecided" and one.status == "amber" for one in found) == open_
    for one in found:
        assert (one.status == "red") <= (one.records > 0)
        assert (one.status == "green") <= (one.records == 0)


def test_green_only_where_pandas_finds_nothing() -> None:
    green = 0

    @settings(max_examples=60)
    @given(files(), st.integers(2, 6))
    def look(file: tuple[pd.DataFrame, dict[str, Role]], k: int) -> None:
        nonlocal green
        frame, roles = file
        release = ma.protect(ma.Microdata.from_frame(frame, roles=roles), ma.Plan(k=k, strata=()))
        if ma.audit(release).status != "green":
            return
        green += 1
        out = release.protected
        exposed = [name for name in out if roles[name] != "confidential"]
        assert class_sizes(out, exposed).min() >= k
        bare = [name for name in out if name != "age"]
        assert all(class_sizes(out, [name]).min() >= k for name in bare)
        assert not any(roles[name] in ("identifier", "undecided", "weight") for name in out)
        assert not any(out[name].dtype.kind == "M" for name in bare)

    look()
    assert green > 1
