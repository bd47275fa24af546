"""Planned matches keep workers from background work, but only as long as the tournament can release these matches."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.test import override_settings

from arena.matches.models import Match, MatchStatus
from arena.ratings import spare_capacity
from arena.tournaments.models import Tournament, TournamentStatus
from arena.tournaments.rounds.reconciliation import is_about_to_release
from tests.platform.workers.workers import NOW, info, worker
from tests.tournaments.harness import TournamentHarness

pytestmark = pytest.mark.django_db


@pytest.mark.long
def test_tournament_at_its_limit_is_not_about_to_release_matches(stage: TournamentHarness) -> None:
    assert not is_about_to_release({"reversi"})
    tournament = stage.start_tournament(6, parallel=2)
    assert len(stage.matches(tournament, MatchStatus.QUEUED)) == 2
    assert stage.matches(tournament, MatchStatus.PLANNED)
    assert not is_about_to_release({"reversi"})

    Tournament.objects.update(parallel=3)
    assert is_about_to_release({"reversi"})
    assert not is_about_to_release({"golden_point"})
    Tournament.objects.update(parallel=0)
    assert is_about_to_release({"reversi"})
    with override_settings(MATCHES_UNDER_WAY=2):
        assert not is_about_to_release({"reversi"})
    Tournament.objects.update(status=TournamentStatus.PAUSED)
    assert not is_about_to_release({"reversi"})


@pytest.mark.long
def test_tournament_at_its_limit_leaves_other_workers_idle(stage: TournamentHarness) -> None:
    name = worker(replace(info(concurrency=2), queues=("matches.reversi",)))
    tournament = stage.start_tournament(6, parallel=1)
    assert not spare_capacity.measure_spare_capacity(NOW).is_idle, "its first match waits for a worker"

    Match.objects.filter(status=MatchStatus.QUEUED).update(status=MatchStatus.RUNNING, worker=f"{name}:1")

    assert stage.matches(tournament, MatchStatus.PLANNED)
    assert spare_capacity.measure_spare_capacity(NOW).is_idle
