"""Recordings are stored unchanged, up to a limit per person; the migration adds an example."""

from __future__ import annotations

import random
from datetime import UTC, datetime

import pytest

from arena.core.referee.replay import Replay
from arena.games.base import Audience
from arena.games.golden_point.evaluation.recorded_file import read
from arena.games.golden_point.recordings import queries, services
from arena.games.golden_point.recordings.models import Recording
from arena.games.golden_point.recordings.services import MAX_RECORDINGS_PER_PERSON, RecordingDraft
from arena.games.golden_point.recordings.snapshots import snapshot
from arena.games.registry import GAMES
from arena.platform.refusal import NotFound
from tests.factories import person
from tests.games.golden_point.evaluation.matches import RECORDED, match_of
from tests.refusals import expect_refusal

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("example")]

NOW = datetime(2026, 3, 4, 5, 6, tzinfo=UTC)
TEXT = "round,Ann,Bob\n3,10,20\n4,11,0\n"


def create_draft(text: str = TEXT) -> RecordingDraft:
    return RecordingDraft("Week 3", "", True, text, read(text))


def test_example_exists_after_the_first_migration() -> None:
    line = queries.recording_row("example")
    assert line is not None
    assert (line.players, line.rounds, line.numbers, line.owner) == (23, 400, 2, "")
    assert "MIT" in line.credit
    assert queries.text_of("example") == RECORDED.read_bytes().decode()
    assert sorted(queries.match_of("example").totals())[-1] == 962


def test_uploaded_text_is_stored_unchanged() -> None:
    made = services.create(person(), create_draft(), now=NOW, rng=random.Random(1))
    assert queries.text_of(made.code) == TEXT
    assert queries.match_of(made.code) == read(TEXT)
    assert (made.players, made.rounds, made.numbers, len(made.code)) == (2, 2, 1, 12)


def test_number_of_recordings_per_person_is_limited() -> None:
    owner, rng = person(), random.Random(1)
    for _ in range(MAX_RECORDINGS_PER_PERSON):
        made = services.create(owner, create_draft(), now=NOW, rng=rng)
    with expect_refusal("too_many_recordings"):
        services.create(owner, create_draft(), now=NOW, rng=rng)
    services.delete(made.code)
    services.create(owner, create_draft(), now=NOW, rng=rng)
    services.create(person(), create_draft(), now=NOW, rng=rng)
    assert Recording.objects.filter(owner=owner).count() == MAX_RECORDINGS_PER_PERSON
    with pytest.raises(NotFound):
        queries.match_of(made.code)


def test_recording_view_equals_match_view() -> None:
    """In every round, the view of a recording equals the view of a match with the same numbers."""
    rounds = [[(20.0,), (30.0,), (90.0,)], [(20.0,), (25.0,), (11.0,)]]
    shown = snapshot(match_of(*rounds))
    replay = Replay(GAMES["golden_point"], {"numbers": 1, "rounds": 2}, 0, 3)
    views = [replay.view(Audience.EVERYBODY)]
    for named in rounds:
        replay.state = replay.game.apply(replay.state, dict(enumerate(named)))
        views.append(replay.view(Audience.EVERYBODY))
    assert [turn["view"] for turn in shown["turns"]] == views
    outcome = replay.outcome()
    assert outcome is not None
    assert shown["outcome"] == {
        "points": list(outcome.points),
        "ranks": list(outcome.ranks),
        "termination": "completed",
        "winner": outcome.winner,
    }
