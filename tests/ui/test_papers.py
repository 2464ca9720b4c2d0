"""Papers: published beside measured, run beside the page, kept for the next visit."""

from __future__ import annotations

import re
import threading
import time
from typing import TYPE_CHECKING

import pytest

from microagg.errors import DataError
from microagg.io import datasets
from microagg.papers import EXPERIMENTS
from microagg.papers.experiment import Experiment
from microagg.papers.result_store import keep, last
from tests.patience import PATIENCE
from tests.ui.conftest import Opened, said

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest

TABLE = EXPERIMENTS["comparative-study/table-2"]


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(datasets.platformdirs, "user_cache_path", lambda _name: tmp_path)
    return tmp_path


def papers(opened: Opened, name: str) -> AppTest:
    """The page with this table or figure chosen."""
    page = opened("papers")
    paper = name.partition("/")[0]
    page.selectbox(key="paper").set_value(paper).run()
    page.selectbox(key="paper_table").set_value(name).run()
    assert not page.exception, page.exception
    return page


def finished(page: AppTest, seconds: float = PATIENCE) -> AppTest:
    until = time.monotonic() + seconds
    while page.session_state["paper_job"].running:
        assert time.monotonic() < until, "the job takes too long"
        time.sleep(0.05)
    page.run()
    assert not page.exception, page.exception
    return page


def shown_table(page: AppTest) -> list[list[str]]:
    """Texts of the table's body, row by row."""
    (text,) = [html.proto.body for html in page.get("html") if 'class="cells"' in html.proto.body]
    body = text.partition("<tbody>")[2]
    return [
        [re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row)]
        for row in body.split("</tr>")[:-1]
    ]


def test_before_a_run_it_says_what_run_does(opened: Opened):
    page = papers(opened, TABLE.name)
    assert "Not run yet on this computer." in said(page)
    assert "Press **Run**" in said(page)


def test_a_run_shows_every_cell_and_is_kept(opened: Opened):
    page = papers(opened, TABLE.name)
    page.button(key="paper_run").click().run()
    page = finished(page)
    rows = shown_table(page)
    assert rows[0] == ["UFS-PV", "3", "0.83", "●0.83", "0.00"]
    assert len(rows) == 33
    assert "Spearman" in "".join(html.proto.body for html in page.get("html"))
    assert last(TABLE, "") is not None


def test_the_last_run_is_read_without_running(opened: Opened):
    keep(TABLE, "", TABLE.run())
    page = papers(opened, TABLE.name)
    assert re.search(r"Run \d{4}-\d\d-\d\d \d\d:\d\d with version", said(page))
    assert len(shown_table(page)) == 33


def test_another_reading_is_another_run(opened: Opened):
    keep(TABLE, "", TABLE.run())
    page = papers(opened, TABLE.name)
    page.selectbox(key="paper_reading").set_value("most-loss").run()
    assert "Not run yet on this computer." in said(page)


def test_a_cancelled_run_shows_it_and_is_not_kept(opened: Opened, monkeypatch):
    go_on = threading.Event()
    rows = Experiment.rows

    def slow(experiment, variant=""):
        for cells in rows(experiment, variant):
            yield cells
            go_on.wait(60)

    monkeypatch.setattr(Experiment, "rows", slow)
    page = papers(opened, TABLE.name)
    page.button(key="paper_run").click().run()
    page.button(key="paper_cancel").click().run()
    go_on.set()
    assert "a run that is not finished is not kept" in said(page)
    assert last(TABLE, "") is None


def test_what_ends_a_run_is_said_once_and_the_page_is_free_again(opened: Opened, monkeypatch):
    def broken(_experiment, _variant=""):
        raise DataError("The file has gone.")
        yield

    page = papers(opened, TABLE.name)
    monkeypatch.setattr(Experiment, "rows", broken)
    page.button(key="paper_run").click().run()
    if page.session_state["paper_job"] is not None:
        page.run()
    assert page.session_state["paper_job"] is None
    assert not page.exception
    page.run()
    assert "The file has gone." not in said(page)
    assert not page.button(key="paper_run").disabled


def test_a_cell_that_does_not_come_out_carries_its_reason(opened: Opened):
    table = EXPERIMENTS["comparative-study/table-4"]
    keep(table, "", table.run())
    page = papers(opened, table.name)
    assert 'title="A misprint: 0.29 is meant' in "".join(html.proto.body for html in page.get("html"))


def test_a_figure_is_drawn_with_its_cells_in_a_second_tab(opened: Opened):
    figure = EXPERIMENTS["statistical-dependence/tarragona"]
    keep(figure, "", figure.run())
    page = papers(opened, figure.name)
    assert len(page.get("plotly_chart")) == 2


def test_without_its_data_set_it_offers_the_download_and_cannot_run(opened: Opened, monkeypatch):
    monkeypatch.delenv("MICROAGG_DATASETS", raising=False)
    page = papers(opened, "one-dimension/table-4")
    assert "This needs **Census**, which is not part of the program." in said(page)
    assert page.button(key="paper_get_census").label == "Download Census"
    assert page.button(key="paper_run").disabled
