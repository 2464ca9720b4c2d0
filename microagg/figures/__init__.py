"""Values in, one Plotly figure out; nothing is computed here that a table beside the figure would not show.

One idea a file. Colours mean the same on every page (`microagg.figures.theme`), backgrounds are transparent
so that the page's light or dark theme shows through, and ranges follow the original data so that nothing
jumps when a setting moves.
"""
