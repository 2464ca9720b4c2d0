"""Compare: many plans at once, and which one to take."""

from microagg.ui.compare import comparison, owner_limits, plan_grid
from microagg.ui.components import display
from microagg.ui.shell import data_chooser, frame

frame.enter(__file__)

panel = data_chooser.sidebar()

with display.trouble():
    data = data_chooser.chosen(panel)
    with panel:
        request, count = plan_grid.panel(data)
    comparison.body(request, count, owner_limits.row())
