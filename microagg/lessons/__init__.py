"""Lessons: the algorithms step by step, on a few records that one can change.

`LESSONS` is the visible table. A lesson's trace comes from the solver itself, or from a plain twin that
stops to show what it does and that a test holds equal to the solver; nothing is drawn that was not computed.
"""

from __future__ import annotations

from microagg.lessons import attack, dependence, kward, mdav, mic1d, optimal, projection, sugeno
from microagg.lessons.lesson import Lesson

_MODULES = (optimal, projection, sugeno, mdav, kward, mic1d, dependence, attack)

LESSONS: dict[str, Lesson] = {module.LESSON.name: module.LESSON for module in _MODULES}

__all__ = ["LESSONS", "Lesson"]
