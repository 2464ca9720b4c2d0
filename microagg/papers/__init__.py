"""The published tables beside the same figures measured here."""
