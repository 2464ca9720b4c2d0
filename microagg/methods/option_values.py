"""What a method's option may be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

OptionValue: TypeAlias = str | int | float
Options: TypeAlias = Mapping[str, OptionValue]
