"""Microaggregation: groups of at least k records, released as their centroids.

The public names, and nothing else.
"""

from __future__ import annotations
