"""As a tournament is played and bots withdraw, each rank lies within the places that the page calls possible."""

from __future__ import annotations

import random

import pytest

from arena.matches.models import MatchStatus
from arena.tournaments.entries import registration
from arena.tournaments.models import Entry, EntryStatus, Format, Tournament
from tests.tournaments.harness import TournamentHarness

MAX_STEPS = 60


def check_places(tournament: Tournament) -> None:
    for entry in Entry.objects.filter(tournament=tournament, rank__isnull=False, best_place__isnull=False):
        assert entry.best_place is not None
        assert entry.worst_place is not None
        assert entry.best_place <= (entry.rank or 0) <= entry.worst_place, entry.seed


@pytest.mark.parametrize(
    "format_",
    [
        *(pytest.param(one, marks=pytest.mark.long) for one in (Format.ROUND_ROBIN, Format.KNOCKOUT)),
        Format.SWISS,
        Format.DOUBLE_ELIMINATION,
    ],
)
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long)])
def test_rank_lies_within_the_possible_places(stage: TournamentHarness, format_: Format, seed: int) -> None:
    rng = random.Random(seed)
    tournament = stage.start_tournament(6, format_)
    for _ in range(MAX_STEPS):
        waiting = stage.matches(tournament, MatchStatus.QUEUED)
        active = list(Entry.objects.filter(tournament=tournament, status=EntryStatus.ENTERED))
        if not waiting:
            if stage.status(tournament) == "finished":
                break
            stage.tick()
        elif len(active) > 3 and rng.random() < 0.2:
            stage.run_committed(registration.withdraw, rng.choice(active).pk, actor=stage.organizer, now=stage.now)
            stage.refresh_standings()
        else:
            stage.finish_match(rng.choice(waiting), rng.choice([[1, 2], [2, 1]]))
        check_places(tournament)
    assert stage.status(tournament) == "finished"
