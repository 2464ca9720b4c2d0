"""The controls that make a plan, the same on every page."""
