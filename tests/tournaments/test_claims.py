"""What tournaments are about to ask of the workers."""

from __future__ import annotations

import pytest
from django.test import override_settings

from arena.matches.models import MatchStatus
from arena.tournaments.rounds import claims
from tests.tournaments.stage import Stage

pytestmark = pytest.mark.django_db


@override_settings(MATCHES_UNDER_WAY=1)
def test_a_running_tournament_holds_back_what_it_will_release(stage: Stage) -> None:
    assert not claims.holds_back({"reversi"})
    tournament = stage.running(6)
    assert stage.matches(tournament, MatchStatus.PLANNED)
    assert claims.holds_back({"reversi"})
