"""How e-mail addresses, bank accounts, telephone numbers, dates, links and IP addresses are written.

One pattern each, for the guess at a column's role and for the audit of what is released. They match a whole
value; an e-mail address, a link or a bank account is also looked for inside a text.
"""

from __future__ import annotations

import re

_MONTH = (
    r"(?:jan|feb|mar|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]|mär|ene|abr|ago|dic|fév|avr|juin|juil|aoû|déc)"
    r"[^\W\d_]*\.?"
)
EMAIL = re.compile(r"[^\s@<>]+@[^\s@<>]+\.[A-Za-z]{2,}")
IBAN = re.compile(r"\b(?=(?: ?[A-Z0-9]){15})[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b")
URL = re.compile(r"(?:(?:https?|ftp)://|\bwww\.)\S+", re.IGNORECASE)
DATE = re.compile(
    r"(?:\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?|\d{1,2}[-/. ](?:\d{1,2}|[A-Za-z]{3,9})[-/. ]\d{2,4}"
    r"|\d{1,2}[-/.]\d{4}|(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])"
    rf"|\d{{1,2}}\.?[ -]{_MONTH}[ -,]*\d{{2,4}}|{_MONTH}[ -]*(?:\d{{1,2}}(?:st|nd|rd|th)?,? +)?\d{{4}}"
    r")(?:[ T]\d.*)?|\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?",
    re.IGNORECASE,
)
"""Also times of a day."""
_NO_DATE = rf"(?!(?:{DATE.pattern})$)"
IP = re.compile(
    rf"{_NO_DATE}(?:(?:\d{{1,3}}\.){{3}}\d{{1,3}}(?:/\d{{1,2}})?"
    r"|(?=.*:.*:)[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7})",
    re.IGNORECASE,
)
PHONE = re.compile(
    rf"{_NO_DATE}(?=(?:\D*\d){{7,15}}\D*$)(?:\+|0|\(|\d+[ /.-]\d+[ /.-])[\d ()/.-]+",
    re.IGNORECASE,
)
