"""Streamlit looks for the machine's addresses where it is asked for by another name; here it does not.

It would send a packet to a public name server and ask a public web service for the address under which it
was reached: when it starts on all interfaces, and when a foreign page tries to open its websocket. The first
is prevented by ``browser.serverAddress`` in ``.streamlit/config.toml``, which is what it prints then; the
second by `microagg.ui.server.gate`, which answers first. This is the door behind both.
"""

from __future__ import annotations

from streamlit import net_util


def forbid_address_lookups() -> None:
    """Have Streamlit take the machine's inner and outer address for unknown, whoever asks."""
    net_util.get_internal_ip = _unknown
    net_util.get_external_ip = _unknown


def _unknown() -> None:
    return None
