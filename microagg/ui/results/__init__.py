"""A release as several pages show it: computed once, with its figures and its verdict."""
