"""Roles and scales as the pages write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from microagg.model.roles import Role, Scale

ROLES: dict[Role, str] = {
    "identifier": "Identifier",
    "quasi_identifier": "Quasi-identifier",
    "confidential": "Confidential",
    "weight": "Weight",
    "unit": "Unit",
    "stratum": "Stratum",
    "other": "Other",
    "undecided": "Undecided",
}
SCALES: dict[Scale, str] = {"continuous": "Continuous", "ordinal": "Ordinal", "nominal": "Nominal"}
