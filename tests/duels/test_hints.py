"""Hints by a scripted adviser: which position it is asked in, and what becomes of its answer."""

from __future__ import annotations

import pytest

from arena.duels import hints
from arena.duels.hints import HintRefused
from arena.duels.models import DuelTurn, Hint
from arena.matches.models import Match, MatchStatus
from arena.referee.clock import FakeClock
from arena.referee.events import SeatMove
from arena.referee.testing import ScriptedPlayer, Turn
from tests.duels.games import duel

pytestmark = pytest.mark.django_db


def running(*moves: str, seat: int = 0) -> Match:
    """A game in which these moves were played, black and white by turns."""
    match = duel(seat=seat)
    Match.objects.update(status=MatchStatus.RUNNING)
    for number, move in enumerate(moves, start=1):
        played = SeatMove((number - 1) % 2, move).to_json()
        DuelTurn.objects.create(duel_id=match.pk, number=number, moves=[played])
    return match


class Adviser:
    """Gives one answer, or fails."""

    def __init__(self, answer: str = "E3", *, breaks: bool = False) -> None:
        self.clock = FakeClock()
        self.player = ScriptedPlayer(self.clock, [Turn(answer)], breaks=breaks)

    def compute(self, match: Match) -> bool:
        hint = Hint.objects.get(duel_id=match.pk)
        return hints.compute(hint.pk, adviser=lambda game: self.player, clock=self.clock)


def test_the_adviser_is_asked_in_the_persons_place() -> None:
    match, adviser = running("E6", "F4"), Adviser()
    assert hints.ask(match.pk) == 3
    assert hints.hint_for(match.pk, 3) == ""
    assert adviser.compute(match)
    assert hints.hint_for(match.pk, 3) == "E3"
    asked = adviser.player.requests[-1]
    assert asked["own"] == {"color": "X"}
    assert asked["shared"]["last"] == "F4"
    assert not adviser.compute(match), "one that is there is not asked for again"


def test_a_hint_is_for_ones_own_turn() -> None:
    with pytest.raises(HintRefused):
        hints.ask(running("E6").pk)
    match = running()
    Match.objects.filter(pk=match.pk).update(status=MatchStatus.FINISHED)
    with pytest.raises(HintRefused):
        hints.ask(match.pk)


def test_a_hint_that_comes_too_late_is_none() -> None:
    match = running()
    hints.ask(match.pk)
    DuelTurn.objects.create(duel_id=match.pk, number=1, moves=[SeatMove(0, "E6").to_json()])
    assert not Adviser().compute(match)


@pytest.mark.parametrize("adviser", [Adviser(breaks=True), Adviser("A1")], ids=["the arena fails", "the bot errs"])
def test_a_hint_that_fails_can_be_asked_for_again(adviser: Adviser) -> None:
    match = running()
    hints.ask(match.pk)
    assert not adviser.compute(match)
    assert hints.ask(match.pk) == 1
    assert Adviser("D3").compute(match)
