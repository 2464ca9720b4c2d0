"""What can go wrong, in words: each message says what, where and what to do.

One family, so that the page and the command line catch one class and show one plain sentence; everything
else that is raised is a defect of ours.
"""

from __future__ import annotations


class MicroaggError(Exception):
    """A request that cannot be carried out; the message is meant for the person who asked."""


class DataError(MicroaggError, ValueError):
    """The data cannot be read, or cannot be protected as they are."""


class PlanError(MicroaggError, ValueError):
    """The plan asks for something that does not exist or cannot be honoured."""


class Cancelled(MicroaggError):
    """The run was stopped by the person who started it."""
