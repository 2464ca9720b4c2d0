"""The dashboard's parts, and the only place in the package that imports Streamlit.

How a page is made: its first line is ``frame.enter(__file__)``; then it takes the microdata from `session`,
its controls from `controls`, its results from `calls` (computed once a visit, and only what a setting
touches), and shows them with `shown` (numbers with their sentence, charts with caption and table). It reads
top to bottom and computes nothing. To add one: a file in ``pages/`` and a line in ``app.py``.
"""
