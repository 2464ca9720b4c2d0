"""Questions of a lesson: answers to choose from, and a verdict on each of them.

Exactly one answer is right. Answers stand in an order that does not tell which: numbers by size, everything
else as it is given here by the alphabet, Yes before No.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Answer(NamedTuple):
    """An answer that one can give, whether it is right, and why or why not."""

    text: str
    right: bool
    why: str

    @property
    def verdict(self) -> str:
        """What is said to whoever gives it."""
        return f"{'Right' if self.right else 'Wrong'}. {self.why}"


class Question(NamedTuple):
    """A question about the records at hand, and the answers to choose from."""

    asks: str
    answers: tuple[Answer, ...]

    @property
    def right(self) -> Answer:
        """The answer that is right."""
        return next(answer for answer in self.answers if answer.right)


def choose(asks: str, right: tuple[str, str], *wrong: tuple[str, str]) -> Question:
    """Ask with one right answer and some that are not.

    Parameters
    ----------
    asks : str
    right : (text, why)
    *wrong : (text, why)
        Those that say the same as the right one, or as one before, are left out.

    Returns
    -------
    Question

    Raises
    ------
    ValueError
        No wrong answer is left.

    Examples
    --------
    >>> question = choose("How many?", ("5", "Five are."), ("12", "That is all of them."), ("5", "…"))
    >>> [answer.verdict for answer in question.answers]
    ['Right. Five are.', 'Wrong. That is all of them.']
    """
    answers = {right[0]: Answer(right[0], True, right[1])}
    for text, why in wrong:
        answers.setdefault(text, Answer(text, False, why))
    if len(answers) < 2:
        raise ValueError(f"A question needs a wrong answer too: {asks}")
    return Question(asks, tuple(sorted(answers.values(), key=_place)))


def yes_or_no(asks: str, truth: bool, why: str) -> Question:
    """Ask whether something is so; the reason is the same whichever answer is given.

    Examples
    --------
    >>> [answer.right for answer in yes_or_no("Is it?", False, "It is not.").answers]
    [False, True]
    """
    said, other = ("Yes", "No") if truth else ("No", "Yes")
    return choose(asks, (said, why), (other, why))


def _place(answer: Answer) -> tuple[float, bool, str]:
    number = re.match(r"[\d,]+(\.\d+)?", answer.text)
    return (
        float(number[0].replace(",", "")) if number else float("inf"),
        answer.text == "No",
        answer.text,
    )
