"""Matches that repeat the moves of an earlier match are marked as repeats."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from arena.core.referee.record import VERSION, Record, RecordedMove, RecordedOutcome, RecordedSeat, RecordedTurn
from arena.games.registry import GAMES
from arena.matches.models import Match, MatchStatus
from arena.matches.queries import cards_of_ids
from arena.matches.repeats import earlier_identical_match, play_digest
from tests import factories
from tests.example_game.lanterns.arena.rules import GAME
from tests.example_game.playing import match_spec, play_bots

NOBODY = AnonymousUser()


def record(moves: str = "F5 D6", seed: int = 1, seats: str = "ab", seconds: float = 0.5) -> Record:
    turns = [
        RecordedTurn(number, [RecordedMove(number % 2, move, seconds)]) for number, move in enumerate(moves.split())
    ]
    return Record(
        version=VERSION,
        game="reversi",
        settings={"opening": ""},
        limits={},
        seed=seed,
        seats=[RecordedSeat(name, name * 64) for name in seats],
        turns=turns,
        outcome=RecordedOutcome([1.0, 0.0], [1, 2], [4.0, -4.0], "completed"),
    )


def test_repeats_ignore_seeds_and_times_but_not_moves_and_seats() -> None:
    same = play_digest(record())
    assert same == play_digest(record(seed=2, seconds=9.0))
    assert same != play_digest(record(moves="F5 F6"))
    assert same != play_digest(record(seats="ba"))
    assert play_digest(record(moves="")) == ""


def test_same_moves_in_another_deal_are_not_a_repeat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, GAME.name, GAME)
    dealt, again, other = (play_bots(match_spec(1, seed=seed))[0].record for seed in (1, 1, 2))
    assert [turn.moves[0].move for turn in dealt.turns] == [turn.moves[0].move for turn in other.turns]
    assert play_digest(dealt) == play_digest(again)
    assert play_digest(dealt) != play_digest(other)


@pytest.mark.django_db
def test_repeat_links_to_first_match_visible_to_the_reader() -> None:
    bots = [factories.bot(), factories.bot()]
    first, second, other = (factories.queued_match(bots) for _ in range(3))
    for match, digest in ((first, "d" * 64), (second, "d" * 64), (other, "")):
        Match.objects.filter(pk=match.pk).update(status=MatchStatus.FINISHED, play_digest=digest)
    assert [earlier_identical_match(match.pk, NOBODY) for match in (first, second, other)] == [None, first.pk, None]
    assert [card.repeats for card in cards_of_ids([first.pk, second.pk, other.pk])] == [False, True, False]
    Match.objects.filter(pk=first.pk).update(withheld=True)
    assert earlier_identical_match(second.pk, NOBODY) is None
    assert not cards_of_ids([second.pk])[0].repeats
    staff = factories.person(is_staff=True)
    assert earlier_identical_match(second.pk, staff) == first.pk
