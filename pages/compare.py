"""Compare: many plans at once, and which one to take."""

from microagg.ui import chooser, comparison, frame, grid, shown, wishes

frame.enter(__file__)

panel = chooser.sidebar()

with shown.trouble():
    data = chooser.chosen(panel)
    with panel:
        request, count = grid.panel(data)
    comparison.body(request, count, wishes.row())
