"""A snapshot and the events numbered after it together show the current state of a match."""

from __future__ import annotations

from typing import Any

import pytest

from arena.matches.broadcast import ATTEMPT, LAST, first_event_number, topic
from arena.matches.models import Match, MatchStatus
from arena.matches.snapshots import match_snapshot
from arena.platform.live.publisher import Journal, supersede
from arena.platform.live.testing import MemoryBroker
from tests.factories import queued_match

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("broker")]

FENCE = 1
TURNS = 3
STARTED: dict[str, Any] = {"type": "started"}


@pytest.fixture
def running_match() -> Match:
    """Return a running match whose stream has a start and ``TURNS`` turns, the first of which is turn 0."""
    match = queued_match()
    Match.objects.filter(pk=match.pk).update(status=MatchStatus.RUNNING, fence=FENCE)
    play_turns(match, FENCE)
    return match


def play_turns(match: Match, fence: int) -> Journal:
    journal = Journal(topic(match.pk), first_event_number(fence))
    journal.publish(STARTED)
    for number in range(TURNS):
        journal.publish({"type": "turn", "turn": {"number": number, "moves": [], "view": {}}})
    return journal


def following_events(match: Match, broker: MemoryBroker, sent: dict[str, Any]) -> list[str]:
    return [event["type"] for event in broker.events(topic(match.pk)) if event["seq"] > sent["seq"]]


@pytest.mark.parametrize("whole", [False, True])
def test_viewers_receive_an_end_that_came_after_the_row_was_read(
    running_match: Match, broker: MemoryBroker, whole: bool
) -> None:
    journal = Journal(topic(running_match.pk), FENCE * ATTEMPT + 1 + TURNS)
    journal.publish({"type": "finished"})
    sent = match_snapshot(running_match.pk, whole=whole).sent
    assert sent["outcome"] is None
    assert [turn["number"] for turn in sent["turns"]] == list(range(TURNS))
    assert following_events(running_match, broker, sent) == ["finished"]


@pytest.mark.parametrize("announced", [True, False])
def test_viewers_receive_a_new_attempt_that_began_after_the_row_was_read(
    running_match: Match, broker: MemoryBroker, announced: bool
) -> None:
    if announced:
        supersede(topic(running_match.pk), FENCE * ATTEMPT + LAST, {"type": "requeued"})
    play_turns(running_match, FENCE + 1)
    sent = match_snapshot(running_match.pk).sent
    assert [turn["number"] for turn in sent["turns"]] == list(range(TURNS))
    expected = ["started", *["turn"] * TURNS]
    assert following_events(running_match, broker, sent) == (["requeued", *expected] if announced else expected)
