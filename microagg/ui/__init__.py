"""The dashboard's parts, and the only place in the package that imports Streamlit.

How a page is made: its first line is ``frame.enter(__file__)``; then it takes the microdata from
`state.session`, its controls from `plan`, its results from `results` (computed once a visit, and only what a
setting touches), and shows them with `components` (numbers with their sentence, charts with caption and
table). It reads top to bottom and computes nothing. What only one page draws lies in the folder of its name,
and no page's folder imports from another's. To add a page: a file in ``pages/``, a folder here, a line in
``app.py``.
"""
