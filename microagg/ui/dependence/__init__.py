"""The Dependence page."""
