"""Published beside measured, drawn: agreement by symbol and colour, equality as a line, logs where wide."""

from __future__ import annotations

import numpy as np

from microagg.figures.papers import MARKS, Pair, Panel, against_printed, along_k


def panel(published: list[float], measured: list[float], agreement: list[str]) -> Panel:
    names = [f"row {number}" for number in range(len(published))]
    return Panel("IL", np.array(published), np.array(measured), agreement, names)


def test_each_agreement_has_a_colour_and_a_symbol_of_its_own():
    assert len({colour for colour, _ in MARKS.values()}) == len({shape for _, shape in MARKS.values()}) == 3
    figure = against_printed([panel([10, 20, 30], [10, 21, 60], ["exact", "close", "off"])])
    cells = figure.data[1].marker
    assert list(zip(cells.color, cells.symbol, strict=True)) == list(MARKS.values())


def test_a_column_that_spans_orders_of_magnitude_is_drawn_on_logarithms():
    figure = against_printed(
        [panel([1, 1000], [2, 900], ["off", "close"]), panel([10, 20], [10, 20], ["exact"] * 2)]
    )
    assert (figure.layout.xaxis.type, figure.layout.xaxis2.type) == ("log", None)
    assert figure.layout.xaxis.range == figure.layout.yaxis.range


def test_equality_is_a_line_through_each_panel():
    figure = against_printed([panel([1, 9], [2, 8], ["off", "off"])] * 3)
    lines = [trace for trace in figure.data if trace.name == "equal"]
    assert len(lines) == 3
    assert all(list(line.x) == list(line.y) for line in lines)


def test_published_is_dotted_and_hollow_measured_solid():
    k = np.array([5.0, 15.0, 25.0])
    figure = along_k([Pair("PCP", "#123456", "circle", k, k, 2 * k)], "DR")
    published, measured = figure.data[:2]
    assert (published.line.dash, published.marker.symbol) == ("dot", "circle-open")
    assert (measured.line.dash, measured.marker.symbol) == ("solid", "circle")
    assert [text.strip("\N{NO-BREAK SPACE}") for text in figure.data[2].text] == [
        "PCP, published",
        "PCP, measured",
    ]


def test_a_run_that_has_only_begun_is_drawn_without_its_missing_end():
    k = np.array([5.0])
    figure = along_k([Pair("PCP", "#123456", "circle", k, k, np.array([np.nan]))], "DR")
    assert list(figure.data[2].y) == [5.0]
