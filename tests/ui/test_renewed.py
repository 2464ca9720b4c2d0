"""A run may be ended between any two elements: what then stands side by side is of one release, or grey."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.scriptrunner import StopException

if TYPE_CHECKING:
    from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
    from streamlit.testing.v1 import AppTest

    from tests.ui.conftest import Opened

Path = tuple[int, ...]
PARTS = ("verdict_and_figures", "tradeoffs", "details", "attacked", "manifest", "written")


@dataclass
class Screen:
    """What a browser holds: at each place the element sent last, and of which parts it is."""

    parts: dict[Path, str] = field(default_factory=dict)
    held: dict[Path, bytes] = field(default_factory=dict)

    def take(self, message: ForwardMsg) -> None:
        """Put an element, or a container that keeps what is in it, in its place."""
        if message.WhichOneof("type") != "delta":
            return
        path = tuple(message.metadata.delta_path)
        if message.delta.WhichOneof("type") == "add_block":
            if name := re.search(r"[a-z_]+$", message.delta.add_block.id):
                self.parts[path] = name[0]
            return
        for below in [held for held in self.held if held[: len(path)] == path]:
            del self.held[below]
        self.held[path] = message.delta.new_element.SerializeToString()

    def of(self, part: str) -> dict[Path, bytes]:
        """The elements of a part."""
        (top,) = [path for path, name in self.parts.items() if name == part]
        return {path: held for path, held in self.held.items() if path[: len(top)] == top}

    def plain(self) -> list[str]:
        """The parts that no rule greys."""
        (rule,) = [held.decode(errors="replace") for held in self.of("renewal").values()]
        return [part for part in PARTS if part in self.parts.values() and f".st-key-{part}" not in rule]


def sent(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> list[ForwardMsg]:
    """All that one run of a page sends, in its order."""
    messages: list[ForwardMsg] = []
    enqueue = ForwardMsgQueue.enqueue

    def record(queue: ForwardMsgQueue, message: ForwardMsg) -> None:
        messages.append(type(message).FromString(message.SerializeToString()))
        enqueue(queue, message)

    with monkeypatch.context() as watched:
        watched.setattr(ForwardMsgQueue, "enqueue", record)
        page.run()
    return messages


@pytest.mark.parametrize("stem", ["explore", "attack", "release"])
def test_wherever_a_run_ends_what_is_not_grey_is_of_one_k(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, stem: str
) -> None:
    page, screen, after = opened(stem, data="survey", k="3"), Screen(), Screen()
    for message in sent(page, monkeypatch):
        screen.take(message)
    before = dict(screen.held)
    shown = screen.plain()
    assert len(shown) >= 2  # all of them, as nothing was changed
    page.session_state["settings"] = page.session_state["settings"].replace(k=4)
    messages = sent(page, monkeypatch)
    for message in messages:
        after.take(message)
    assert after.plain() == shown
    mixed = 0
    for message in messages:
        screen.take(message)
        of = {part: versions(screen.of(part), before, after.held) for part in shown}
        mixed += len(set().union(*of.values())) > 1
        assert len(set().union(*(of[part] for part in screen.plain()))) <= 1, of
    assert mixed > 20  # places at which two k stand on the page


def versions(held: dict[Path, bytes], before: dict[Path, bytes], after: dict[Path, bytes]) -> set[str]:
    """Of which run elements are; those of both, and what only holds a place until the end, are of none."""
    differ = {path: what for path, what in held.items() if before.get(path) != after.get(path)}
    of = {"before": before, "after": after}
    return {run for run, its in of.items() if any(its.get(path) == what for path, what in differ.items())}


def test_a_run_that_was_ended_leaves_grey_what_it_had_begun_also_when_the_next_goes_back(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = opened("explore", data="survey", k="3")

    def end(*_: object, **__: object) -> None:
        raise StopException

    with monkeypatch.context() as ended:
        ended.setattr("microagg.ui.results.headline.figures", end)
        page.session_state["settings"] = page.session_state["settings"].replace(k=4)
        page.run()
    page.session_state["settings"] = page.session_state["settings"].replace(k=3)
    screen, rules = Screen(), []
    for message in sent(page, monkeypatch):
        screen.take(message)
        rules += list(screen.of("renewal").values()) if "renewal" in screen.parts.values() else []
    assert b".st-key-verdict_and_figures" in rules[0]
    assert b".st-key-" not in rules[-1]
