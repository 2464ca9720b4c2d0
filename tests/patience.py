"""How long a test waits for what is only awaited: so long that a busy machine fails none."""

PATIENCE = 600.0
"""Seconds; an idle machine needs a hundredth of it."""
