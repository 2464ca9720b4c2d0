"""Timings, run by hand: each prints the ratio to a plain twin measured in the same run."""
