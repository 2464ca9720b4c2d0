"""The Use page."""
