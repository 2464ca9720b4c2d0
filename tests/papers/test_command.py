"""``microagg papers``: lists, runs, ranks; bad requests in one line."""

from __future__ import annotations

import json

import pytest

from microagg import cli
from microagg.io import datasets
from microagg.papers import EXPERIMENTS


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(datasets.platformdirs, "user_cache_path", lambda _name: tmp_path)
    return tmp_path


def run(monkeypatch, capsys, *words: str) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of the command."""
    monkeypatch.setattr("sys.argv", ["microagg", "papers", *words])
    with pytest.raises(SystemExit) as end:
        cli.main()
    out = capsys.readouterr()
    return int(end.value.code or 0), out.out, out.err


def test_the_list_names_papers_tables_and_variants(monkeypatch, capsys):
    status, out, _ = run(monkeypatch, capsys)
    assert status == 0
    assert "comparative-study: Mateo-Sanz & Domingo-Ferrer" in out
    assert "modeling-projections/table-1" in out
    assert "variants: least-loss, most-loss" in out


def test_a_run_prints_published_beside_measured_and_the_ranks(monkeypatch, capsys):
    status, out, _ = run(monkeypatch, capsys, "run", "comparative-study/table-4")
    assert status == 0
    assert "UDO-SZ 4, mean_change: A misprint" in out
    assert "spearman" in out


def test_json_holds_all_cells_and_the_summary(monkeypatch, capsys, cache):
    status, out, _ = run(monkeypatch, capsys, "run", "comparative-study/table-2", "--json")
    (found,) = json.loads(out)
    assert status == 0
    assert len(found["cells"]) == found["summary"][0]["cells"] == found["summary"][0]["exact"] == 33
    assert list((cache / "papers").glob("*.json"))


def test_ranks_are_markdown_with_the_best_variant(monkeypatch, capsys):
    status, out, _ = run(monkeypatch, capsys, "ranks", "comparative-study/table-2")
    assert status == 0
    assert (
        "| comparative-study/table-2 | Mean deviation | 33 | 33 | 0 | 0 | 0.997 | 0.997 (least-loss) |" in out
    )


def test_an_unknown_name_or_variant_is_one_line_and_status_2(monkeypatch, capsys):
    for words, message in (
        (("run", "nothing"), "There is no paper or table"),
        (("run", "comparative-study/table-2", "--variant", "x"), "has no variant 'x'"),
    ):
        status, _, err = run(monkeypatch, capsys, *words)
        assert status == 2
        assert message in err.strip().splitlines()[-1]


def test_a_missing_data_set_is_said_with_the_way_to_it(monkeypatch, capsys):
    monkeypatch.delenv("MICROAGG_DATASETS", raising=False)
    status, _, err = run(monkeypatch, capsys, "run", "one-dimension/table-4")
    assert status == 2
    assert "`microagg datasets get census` fetches it" in err


def test_bars_in_a_heading_do_not_break_the_markdown_table(monkeypatch, capsys):
    _, out, _ = run(monkeypatch, capsys, "ranks", "comparative-study/table-4")
    assert r"| Mean \|Δr\| |" in out


def test_a_variant_is_run_as_it_is_named(monkeypatch, capsys):
    found = {}
    for variant in ("least-loss", "most-loss"):
        words = ("run", "comparative-study/table-2", "--variant", variant, "--json")
        (told,) = json.loads(run(monkeypatch, capsys, *words)[1])
        assert told["variant"] == variant
        found[variant] = [cell["measured"] for cell in told["cells"]]
    expected = EXPERIMENTS["comparative-study/table-2"].run("most-loss")["measured"]
    assert found["most-loss"] == pytest.approx(expected.tolist())
    assert found["most-loss"] != pytest.approx(found["least-loss"])


def test_the_best_variant_is_the_one_with_the_highest_rank_correlation(monkeypatch, capsys):
    name = "comparative-study/table-4"
    _, out, _ = run(monkeypatch, capsys, "ranks", name)
    line = next(line for line in out.splitlines() if "s of" in line)
    rho = {}
    for variant in ("least-loss", "most-loss"):
        cells = EXPERIMENTS[name].run(variant)
        own = cells[(cells["column"] == "sd_change") & cells["published"].notna()]
        rho[variant] = own["published"].corr(own["measured"], method="spearman")
    best = max(rho, key=rho.get)
    assert len({round(value, 3) for value in rho.values()}) == 2
    assert line.endswith(f"| {rho['least-loss']:.3f} | {rho[best]:.3f} ({best}) |")
