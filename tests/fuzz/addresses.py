"""Addresses as nobody would write them: settings and a plan, or a sentence, never a traceback or a hang.

Run ``python -m tests.fuzz.addresses --seconds 300``; the test suite tries some hundred each time.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from microagg.errors import MicroaggError
from microagg.io.datasets import load_dataset
from microagg.measures.knowledge import Knowledge
from microagg.methods import METHODS
from microagg.model.microdata import Microdata
from microagg.preparation.prepare import prepare
from microagg.ui.shell.link_offers import told
from microagg.ui.state.plan_settings import honoured, typed
from microagg.ui.state.settings import UPLOADED, Settings, read_query
from tests.fuzz.plans import PEOPLE, assert_sentence
from tests.fuzz.timed import run_for_seconds

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

UPLOAD = UPLOADED + "people.csv"
DATA = {"survey": load_dataset("survey"), UPLOAD: Microdata.from_frame(PEOPLE)}

HUGE = st.sampled_from(
    ["9" * 5_000, "1e400", "-1", "²", "٣", "1_0", "0x10", " 7", "nan", "inf", "1" * 19, "", "[" * 9_999]
)
MOST = 10**6  # characters of a part


def repeated(text: str, times: int) -> str:
    """The same again and again, but not without end: the fuzzer itself has to hold it."""
    return ";".join([text] * min(times, 1 + MOST // (len(text) + 1)))


ITEM = st.integers(0, 12).map(str) | HUGE
LISTS = st.builds(
    lambda parts, mark: mark.join(parts),
    st.lists(ITEM, max_size=5),
    st.sampled_from([".", ",", ";", "-", "+", "~", ":"]),
)
PARTS = st.builds(
    lambda parts, repeat: repeated(";".join(f"{column}:{rest}" for column, rest in parts), repeat),
    st.lists(st.tuples(ITEM | st.just("*"), LISTS), max_size=4),
    st.sampled_from([1, 1, 1, 20_000]),
)
ANY = st.text(max_size=8) | HUGE | LISTS | PARTS
LIKELY: dict[str, SearchStrategy[str]] = {
    "data": st.sampled_from([*DATA, "nowhere", "file:"]),
    "method": st.sampled_from(list(METHODS)),
    "k": st.integers(0, 30).map(str),
    "roles": st.text("iqcwhsou", max_size=8),
    "scales": st.text("con", max_size=8),
    "orders": PARTS,
    "codes": PARTS,
    "blocks": st.sampled_from(["all", "single", "contiguous:2", "apart:²", "correlated:" + "9" * 5_000])
    | LISTS.map("hand:{}".format),
    "knowledge": st.sampled_from(["all", "unions"])
    | ITEM.map("up-to:{}".format)
    | LISTS.map("sets:{}".format)
    | st.tuples(ITEM, ITEM).map("sample:{0[0]}:{0[1]}".format),
    "accept": st.dictionaries(ITEM | st.just("secrets"), st.text(max_size=4), max_size=2).map(
        lambda found: repr(found).replace("'", '"')
    ),
    "missing": st.sampled_from(["drop", "patterns"]),
    "refine": st.sampled_from(["0", "2", "1" + "0" * 20]),
}  # fmt: skip
NAMES = [field.name for field in fields(Settings) if field.name != "options"]


@st.composite
def strange_addresses(draw: st.DrawFn) -> dict[str, str]:
    """The parts of an address; some as a page would write them, some not at all."""
    query = {
        name: draw(LIKELY[name])
        for name in draw(st.lists(st.sampled_from(list(LIKELY)), max_size=6, unique=True))
    }
    for name in draw(st.lists(st.sampled_from(NAMES) | st.text(max_size=4), max_size=2)):
        query[name] = draw(ANY)
    method = METHODS.get(query.get("method", ""), METHODS["mdav"])
    for option in method.options:
        if draw(st.booleans()):
            query[f"option.{option.name}"] = draw(ANY | st.sampled_from(option.choices or ("3",)).map(str))
    return query


def try_address(query: dict[str, str]) -> None:
    """Read the address, and ask for its plan; anything but settings and sentences goes through."""
    settings, complaints = read_query(query)
    for complaint in complaints:
        assert_sentence(complaint)
    again, none = read_query(settings.query())
    assert (again, none) == (settings, [])
    own = DATA.get(settings.data)
    if own is None:
        return
    assert all(len(line) < 1_000 for lines in told(own, settings) for line in lines)
    try:
        data = typed(own, settings)
        prepare(data, honoured(settings, data).plan)
        Knowledge.parse(settings.knowledge).count(len(data.attributes))
    except MicroaggError as error:
        assert_sentence(str(error))


if __name__ == "__main__":
    run_for_seconds(strange_addresses(), try_address, __doc__)
