"""Results of one visitor, kept while the visit lasts and bounded in bytes.

Streamlit's own caches hash a sample of large inputs, hand out unpickled copies, and count entries where
microdata need a bound in bytes. This one is keyed by fingerprint, lives in the session, so that nobody
else can hit it, and goes when the visitor goes. A value larger than the bound is held alone, where
cachetools' LRUCache refuses it and would have it computed anew at every click.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

Value = TypeVar("Value")


class Memory:
    """Values by key, the least recently used dropped first.

    Parameters
    ----------
    most : int
        Bytes that all values together may take.
    """

    def __init__(self, most: int = 256_000_000) -> None:
        self._most = most
        self._held: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()

    def __contains__(self, key: Hashable) -> bool:
        return key in self._held

    @property
    def used(self) -> int:
        """Bytes held, by the sizes that were stated."""
        return sum(size for _, size in self._held.values())

    def recall(self, key: Hashable, make: Callable[[], Value], size: int = 1000) -> Value:
        """Return what is held under the key, or make it and hold it.

        Parameters
        ----------
        key : hashable
        make : callable
        size : int
            Bytes that the value takes.
        """
        if key in self._held:
            self._held.move_to_end(key)
            value: Value = self._held[key][0]
            return value
        value = make()
        self._held[key] = (value, size)
        while self.used > self._most and len(self._held) > 1:
            self._held.popitem(last=False)
        return value
