"""Compiled loops and plain sums over arrays: they know numbers, and neither data nor plans."""
