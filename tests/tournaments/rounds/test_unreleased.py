"""Matches that a running tournament has planned and not yet released."""

from __future__ import annotations

import pytest
from django.test import override_settings

from arena.matches.models import MatchStatus
from arena.tournaments.rounds.reconciliation import has_unreleased_matches
from tests.tournaments.stage import Stage

pytestmark = pytest.mark.django_db


@override_settings(MATCHES_UNDER_WAY=1)
def test_a_running_tournament_holds_back_what_it_will_release(stage: Stage) -> None:
    assert not has_unreleased_matches({"reversi"})
    tournament = stage.running(6)
    assert stage.matches(tournament, MatchStatus.PLANNED)
    assert has_unreleased_matches({"reversi"})
