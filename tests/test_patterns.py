"""What names people is recognised alike where a role is guessed and where a release is audited."""

from __future__ import annotations

import pandas as pd
import pytest

from microagg.assessment.audit.column_kinds import look
from microagg.model import text_patterns
from microagg.model.roles import guess, naming

NAMED = {
    "e-mail addresses": "p{i}@home.org",
    "bank accounts": "DE{i:02} 3704 0044 0532 0130 00",
    "telephone numbers": "+34 600 12 34 {i:02}",
    "links": "https://x.org/{i}",
    "IP addresses": "192.168.7.{i}",
}
OTHERS = ["0171 12345{i:02}", "(030) 1234{i:02}", "600 123 4{i:02}", "0034 600 1234{i:02}", "01711234{i:02}"]
DATES = [
    "2020-01-{d:02}",
    "{d}.3.2020",
    "{d} May 1980",
    "{d} mai 80",
    "3/{d}/99",
    "12:{d:02}",
    "12:30:{d:02}",
]
NONE = ["A-{i}", "level {i}", "{i}", "12 {i}", "AB{i:02}"]


def column(form: str) -> pd.Series:
    return pd.Series([form.format(i=i, d=i % 28 + 1) for i in range(40)])


@pytest.mark.parametrize(
    ("kind", "form"), [*NAMED.items(), *(("telephone numbers", form) for form in OTHERS)]
)
def test_what_names_people_is_an_identifier_and_found_in_a_release(kind: str, form: str) -> None:
    values = column(form)
    assert guess("x", values).role == "identifier"
    assert naming("x", values)
    found, where = look(values)
    assert (found, where.all()) == (kind, True)


@pytest.mark.parametrize("form", DATES)
def test_dates_are_dates_to_both_and_name_nobody(form: str) -> None:
    values = column(form)
    assert guess("x", values).reason.startswith("dates or times")
    assert not naming("x", values)
    assert look(values)[0] == "dates"


@pytest.mark.parametrize("form", NONE)
def test_what_is_none_of_them_is_none_to_both(form: str) -> None:
    values = column(form)
    assert not naming("x", values)
    assert look(values)[0] == ""


def test_each_pattern_has_a_value_that_the_others_refuse() -> None:
    own = {"EMAIL": "a@b.org", "IBAN": "DE89370400440532013000", "URL": "www.x.org", "DATE": "3.5.1980"}
    own |= {"IP": "10.0.0.1", "PHONE": "+34 600 123 456"}
    for name, text in own.items():
        fits = [other for other in own if getattr(text_patterns, other).fullmatch(text)]
        assert fits == [name], text
