"""The page for the data owner: what leaves, what could go wrong and what is lost, in plain words.

Every sentence is made from what was measured on the release; none promises what was not looked at.
"""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from microagg.assessment.audit.released import columns_unchanged
from microagg.exploration.least_loss import least_loss
from microagg.model.findings import worst
from microagg.model.microdata import row_names
from microagg.model.phrases import counted, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from microagg.assessment.assess import Assessment
    from microagg.handover.file_check import Check
    from microagg.model.findings import Findings
    from microagg.model.release import Release

_NOT_TOLD = (
    "The verdict supposes an intruder who knows every released column that is not confidential; the figures "
    "of linkage one who knows some protected ones. It cannot know what else can be found elsewhere about "
    "persons in the file, nor whether confidential columns, released as they are, tell who somebody is. That "
    "judgement is the owner's."
)
HIDDEN_BY = ("k, protected", "k, exposed", "singled out", "units", "untouched columns", "identifiers")
"""The findings that must all be green before people are called hidden."""


def answers(
    release: Release, result: Assessment, checks: Sequence[Check], findings: Findings
) -> list[tuple[str, str]]:
    """The owner's questions, each with its answer.

    Parameters
    ----------
    release : Release
    result : Assessment
    checks : sequence of Check
    findings : Findings
        Of the file as it was read back.

    Returns
    -------
    list of (question, answer)
    """
    return [
        ("What leaves the house?", " ".join(_leaves(release))),
        ("What was done to it?", _done(release)),
        ("Are people hidden among others?", _hidden(findings)),
        ("Is anybody's secret told?", _secrets(findings)),
        ("Could somebody still be found?", _found(result)),
        ("Could a value be guessed?", _guessed(release, result)),
        ("What will users of the file miss?", _lost(release, result)),
        ("Was the file itself checked?", _checked(checks)),
        (
            "What does this report not tell?",
            _NOT_TOLD,
        ),
    ]


def _leaves(release: Release) -> Iterator[str]:
    protected, data = release.protected, release.data
    yield f"A file of {counted(len(protected), 'record')} and {counted(protected.shape[1], 'column')}."
    gone = [name for name in data.columns("identifier") if name not in protected.columns]
    yield (
        f"{listed(gone)}, which would name people, {'is' if len(gone) == 1 else 'are'} left out."
        if gone
        else "No column was marked as naming people."
    )
    named = [name for name in data.columns("identifier") if name in protected.columns]
    if named:
        yield f"{listed(named)} would name people and is in the file."
    if row_names(protected):
        yield f"Besides, {row_names(protected)} can name every record and is in the file."
    elif data.row_names:
        yield f"Besides, {data.row_names}, which can name every record, is left out."
    out = sum(len(left.positions) for left in release.left_out)
    if out:
        yield f"{counted(out, 'record')} of the original {'is' if out == 1 else 'are'} held back."
    hidden = [name for name in data.columns("confidential") if name in protected.columns]
    as_they_are = [name for name in hidden if name not in release.attributes]
    if as_they_are:
        yield f"Confidential and released as they are: {listed(as_they_are)}."


def _done(release: Release) -> str:
    k = release.k if release.plan is None else release.plan.k
    own = release.attributes
    what = f"{counted(len(own), 'column')} that others may know of a person: {listed(own)}"
    if release.partitions or release.plan is None:
        how = (
            f"Records that are alike were put into groups of at least {k}, and everybody in one now shows "
            "the group's common value instead of their own"
        )
        if len(release.blocks) > 1:
            how += f". This was done for {len(release.blocks)} sets of columns, one after the other"
        same = columns_unchanged(release)
        left = f" In {listed(same)} every value is still the original one all the same." if same else ""
        return f"{how}. It concerns {what}.{left}"
    return f"Values, at least {k} at a time, were replaced by their average. It concerns {what}."


def _hidden(findings: Findings) -> str:
    """Whether people are hidden: yes only where everything that they could be known by is green."""
    asked = [found for found in findings if found.name in HIDDEN_BY]
    status = worst(found.status for found in asked)
    if status == "green":
        return f"Yes. {findings.named('k, exposed').sentence}"
    said = " ".join(found.said for found in asked if found.status == status)
    return f"{'No' if status == 'red' else 'Not without reserve'}. {said}"


def _secrets(findings: Findings) -> str:
    found = findings.named("secrets")
    word = {"red": "Yes", "amber": "Perhaps", "green": "Not by belonging to a class"}[found.status]
    return f"{word}. {found.said}"


def _found(result: Assessment) -> str:
    rate = result.disclosed.linkage.rate
    if isnan(rate):
        return "This cannot be measured for this file, as no number was protected."
    return (
        "Somebody who holds true values of some protected columns for everyone, and looks for the closest "
        f"record, would be right for {_in_100(rate)} records, on average over what they may know."
    )


def _guessed(release: Release, result: Assessment) -> str:
    rate = result.disclosed.interval_rate
    if isnan(rate):
        return "This cannot be measured for this file, as no number was protected."
    parts = zip(result.disclosed.intervals.by_attribute.tolist(), release.columns, strict=True)
    most = max(((share, name) for share, name in parts if not isnan(share)), default=None)
    worst = "" if most is None else f" The column most easily guessed is {most[1]} ({_in_100(most[0])})."
    return f"In {_in_100(rate)} cases the true value lies close to the released one.{worst}"


def _lost(release: Release, result: Assessment) -> str:
    lost, least = result.lost.squared.total, least_loss(release)
    if isnan(lost):
        return "Categories only: see how many changed in the part on columns."
    bound = "" if isnan(least) else f" Lowest possible loss at k = {release.k}: {100 * least:.1f} %."
    return (
        f"{100 * lost:.0f} % of the variety in the protected numbers is gone.{bound} Averages over the file "
        "stay nearly as they were; extremes and fine differences between people do not."
    )


def _checked(checks: Sequence[Check]) -> str:
    open_ = [found for found in checks if found.status != "green"]
    read = f"Yes: it was read back as it was written and looked at in {len(checks)} ways"
    if not open_:
        return f"{read}. Each is green: the file is the one that the plan makes."
    told = " ".join(f"{found.name}: {found.sentence}" for found in open_)
    return f"{read}. {len(open_)} {'needs' if len(open_) == 1 else 'need'} your attention. {told}"


def _in_100(rate: float) -> str:
    """A rate as people say it.

    Examples
    --------
    >>> _in_100(0.0907), _in_100(0.0), _in_100(0.003)
    ('9 in 100', 'no', 'fewer than 1 in 100')
    """
    if rate == 0:
        return "no"
    return "fewer than 1 in 100" if rate < 0.005 else f"{100 * rate:.0f} in 100"
