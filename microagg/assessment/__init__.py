"""A release looked at beside its original: what it costs, what it still discloses, and the verdict."""
