"""What a person accepts of the verdict, as the settings hold it: findings by name, columns by position.

Positions, so that an address tells no name of a private file; a reason is the person's own words.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from microagg.errors import PlanError
from microagg.model.arguments import shown
from microagg.model.findings import NAMES, reasons
from microagg.ui.state.column_codes import place

if TYPE_CHECKING:
    from collections.abc import Mapping

    from microagg.model.microdata import Microdata


def read_accept(text: str) -> dict[str, str]:
    """Name of a finding, or position of a column, → the reason.

    Raises
    ------
    PlanError
        Something else, or a reason without a word.

    Examples
    --------
    >>> read_accept('{"secrets": "They are public."}')
    {'secrets': 'They are public.'}
    """
    if not text:
        return {}
    try:
        found = reasons(json.loads(text))
    except (ValueError, RecursionError):
        raise PlanError("What is accepted is not written as JSON.") from None
    unknown = [name for name in found if name not in NAMES and place(name) is None]
    if unknown:
        raise PlanError(f"There is no finding {shown(unknown[0])} to accept.")
    return found


def write_accept(accept: Mapping[str, str]) -> str:
    """The reverse of `read_accept`; empty where nothing is accepted.

    Examples
    --------
    >>> write_accept({})
    ''
    """
    return json.dumps(dict(accept), ensure_ascii=False) if accept else ""


def of_columns(text: str) -> str:
    """The same without what is accepted of findings, which are those of one release.

    Examples
    --------
    >>> of_columns('{"secrets": "They are public.", "3": "Drawn at random."}')
    '{"3": "Drawn at random."}'
    """
    return write_accept({key: reason for key, reason in read_accept(text).items() if key not in NAMES})


def named(text: str, data: Microdata) -> dict[str, str]:
    """What is accepted, columns by name; columns that the data do not have are left out."""
    names = [a.name for a in data.attributes]
    placed = [(place(key), key, reason) for key, reason in read_accept(text).items()]
    return {
        key if position is None else names[position]: reason
        for position, key, reason in placed
        if position is None or position < len(names)
    }


def by_position(accept: Mapping[str, str], data: Microdata) -> str:
    """The settings' text for what a plan accepts."""
    places = {a.name: str(position) for position, a in enumerate(data.attributes) if a.name not in NAMES}
    return write_accept({places.get(name, name): reason for name, reason in accept.items()})


def with_reason(text: str, key: str, reason: str) -> str:
    """The settings' text once a reason was typed; a blank one takes back what was accepted.

    Raises
    ------
    PlanError
        The reason has no word.
    """
    accept = read_accept(text)
    accept.pop(key, None)
    return write_accept(accept | reasons({key: reason}) if reason.strip() else accept)
