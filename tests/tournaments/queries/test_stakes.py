"""Captions say what a match decides, by code; "" if it decides nothing that is worth a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from arena.matches.models import Match, MatchStatus
from arena.platform.live.testing import memory_broker
from arena.tournaments.models import Entry, Format, Tournament
from arena.tournaments.queries.programme import match_in_tournament
from tests.tournaments.harness import TournamentHarness

pytestmark = pytest.mark.long


@pytest.fixture
def stage(db: None, django_capture_on_commit_callbacks: Callable[..., object]) -> Iterator[TournamentHarness]:
    with memory_broker() as broker:
        yield TournamentHarness(broker, django_capture_on_commit_callbacks)


def codes(match: Match) -> str:
    found = match_in_tournament(match.pk)
    assert found
    return found.stakes.code if found.stakes else ""


def set_standings(match: Match, ranks: tuple[int, int], points: tuple[float, float], best: tuple[int, int]) -> None:
    """Set the standings of the two entries of a match; all other entries have no points and can still win."""
    tournament = match.pairing.tournament
    Entry.objects.filter(tournament=tournament).update(rank=3, points=0, best_place=1, worst_place=9)
    for seat in match.pairing.seats.all():
        own = {"rank": ranks[seat.index], "points": points[seat.index], "best_place": best[seat.index]}
        Entry.objects.filter(pk=seat.entry_id).update(**own)


def first_match(tournament: Tournament) -> Match:
    match = Match.objects.filter(pairing__tournament=tournament).order_by("pk").first()
    assert match
    return match


def test_standings_show_the_places_and_who_can_take_the_lead(stage: TournamentHarness) -> None:
    match = first_match(stage.start_tournament(6))
    set_standings(match, (1, 2), (3.0, 2.5), (1, 1))
    assert codes(match) == "places one_can_lead"
    set_standings(match, (1, 2), (3.0, 2.0), (1, 1))
    assert codes(match) == "places", "a win leads only to a tie"
    set_standings(match, (2, 2), (0.0, 0.0), (1, 1))
    assert codes(match) == "winner_leads"


def test_contenders_are_mentioned_only_if_they_are_few(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(6)
    match = first_match(tournament)
    set_standings(match, (1, 1), (3.0, 3.0), (1, 1))
    assert codes(match) == "", "all six can win"
    own = [seat.entry_id for seat in match.pairing.seats.all()]
    others = Entry.objects.filter(tournament=tournament).exclude(pk__in=own)
    others.filter(pk__in=list(others.values_list("pk", flat=True)[:3])).update(best_place=2)
    assert codes(match) == "few_can_win"
    others.update(best_place=2)
    assert codes(match) == "only_these_can_win"
    Entry.objects.filter(pk=own[0]).update(best_place=2)
    assert codes(match) == "one_can_win"
    Entry.objects.filter(pk=own[1]).update(best_place=2)
    assert codes(match) == "neither_can_win"


def test_second_leg_tells_the_score_of_the_encounter(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(8, Format.KNOCKOUT, matches_per_encounter=2)
    one = stage.matches(tournament, MatchStatus.QUEUED)[0]
    assert codes(one) == "elimination"
    stage.begin_match(one)
    stage.finish_match(one, [1, 2])
    stage.tick()
    other = Match.objects.get(
        pairing__round=one.pairing.round, pairing__encounter=one.pairing.encounter, pairing__leg=2
    )
    assert codes(other) == "elimination encounter_score"


def test_early_rounds_of_a_double_elimination(stage: TournamentHarness) -> None:
    tournament = stage.start_tournament(4, Format.DOUBLE_ELIMINATION)
    assert {codes(match) for match in stage.matches(tournament)} == {"losers_bracket"}
