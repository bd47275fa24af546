"""The possible final places are those that a search through all outcomes of the remaining matches finds."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations, product

import pytest

from arena.core.ranking.pairing.base import PlayedEncounter, PlayedRound, TournamentState
from arena.core.ranking.pairing.double_elimination import DoubleElimination
from arena.core.ranking.pairing.knockout import Knockout
from arena.core.ranking.possible_places import PlaceRange, possible_bracket_places, possible_places
from arena.core.ranking.results import Result
from arena.core.ranking.standings import standings
from tests.core.ranking.pairing.play import play_round


def brute_force(points: dict[int, float], left: list[tuple[int, int]]) -> dict[int, PlaceRange]:
    """Return each entry's best and worst place over all outcomes of the matches ``left`` and of tiebreaks."""
    best = dict.fromkeys(points, len(points))
    worst = dict.fromkeys(points, 1)
    for ending in product((0.0, 0.5, 1.0), repeat=len(left)):
        final = dict(points)
        for (one, other), score in zip(left, ending, strict=True):
            final[one] += score
            final[other] += 1 - score
        for entry, own in final.items():
            best[entry] = min(best[entry], 1 + sum(other > own for other in final.values()))
            worst[entry] = max(worst[entry], sum(other >= own for other in final.values()))
    return {entry: PlaceRange(best[entry], worst[entry]) for entry in points}


@pytest.mark.parametrize("seed", range(30))
def test_bounds_cover_every_outcome_and_first_place_is_exact(seed: int) -> None:
    rng = random.Random(seed)
    entries = range(rng.randint(3, 5))
    points = {entry: rng.randint(0, 6) / 2 for entry in entries}
    left = [pair for pair in combinations(entries, 2) if rng.random() < 0.6][:7]
    gains = Counter(one for pair in left for one in pair)
    found = possible_places(points, {one: float(n) for one, n in gains.items()}, Counter(left))
    for entry, truth in brute_force(points, left).items():
        assert found[entry].best <= truth.best <= truth.worst <= found[entry].worst
        assert (found[entry].best == 1) == (truth.best == 1)
        assert (found[entry].worst == 1) == (truth.worst == 1)


def test_uncatchable_leader_is_certain_of_first_place() -> None:
    found = possible_places({1: 5.0, 2: 3.5, 3: 0.0}, {2: 1.0, 3: 1.0})
    assert found == {1: PlaceRange(1, 1), 2: PlaceRange(2, 2), 3: PlaceRange(3, 3)}


def test_rivals_who_meet_cannot_both_lose_their_lead() -> None:
    """Entry 3 could catch up with either leader alone, but the leaders meet, so at least one of them stays ahead."""
    points, gains = {1: 4.0, 2: 4.0, 3: 3.0}, {1: 1.0, 2: 1.0, 3: 1.0}
    assert possible_places(points, gains)[3].best == 1
    assert possible_places(points, gains, {(1, 2): 1})[3].best == 2


def test_knockout_finalists_hold_first_two_places_and_losers_keep_theirs() -> None:
    system, field = Knockout(), TournamentState(entries=(1, 2, 3, 4))
    assert set(possible_bracket_places(system, field).values()) == {PlaceRange(1, 4)}
    first = system.next_round(field)
    assert first is not None
    field = TournamentState(field.entries, (play_round(first),))
    assert possible_bracket_places(system, field) == {
        1: PlaceRange(1, 2),
        2: PlaceRange(1, 2),
        3: PlaceRange(3, 4),
        4: PlaceRange(3, 4),
    }


def test_unplayed_match_leaves_both_sides_open() -> None:
    first = Knockout(third_place=False).next_round(TournamentState(entries=(1, 2, 3, 4)))
    assert first is not None
    done, out = first.encounters
    over = PlayedEncounter(done, (Result(done.entries, (1, 2), (2.0, -2.0)),), done=True)
    field = TournamentState((1, 2, 3, 4), (PlayedRound((over, PlayedEncounter(out))),))
    found = possible_bracket_places(Knockout(third_place=False), field)
    assert found[done.entries[0]] == PlaceRange(1, 2)
    assert found[done.entries[1]] == PlaceRange(3, 3)
    assert {found[entry] for entry in out.entries} == {PlaceRange(1, 3)}


def test_one_loss_in_double_elimination_leaves_first_place_open() -> None:
    system, field = DoubleElimination(), TournamentState(entries=(1, 2, 3, 4))
    first = system.next_round(field)
    assert first is not None
    field = TournamentState(field.entries, (play_round(first),))
    assert {one.best for one in possible_bracket_places(system, field).values()} == {1}
    second = system.next_round(field)
    assert second is not None
    field = TournamentState(field.entries, (*field.rounds, play_round(second)))
    assert possible_bracket_places(system, field)[4] == PlaceRange(4, 4)


@pytest.mark.parametrize("system", [Knockout(), Knockout(third_place=False), DoubleElimination()], ids=repr)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 12))])
def test_rank_in_a_bracket_is_the_best_possible_place_at_any_moment(
    system: Knockout | DoubleElimination, seed: int
) -> None:
    """Even while a round is being played, losers get the rank that they will share at the end of the round."""
    rng = random.Random(seed)
    field = TournamentState(entries=tuple(range(1, rng.randint(3, 17))))
    table = standings(field.entries, [])
    while (round_ := system.next_round(field)) is not None:
        played = play_round(round_, lambda encounter: tuple(rng.sample((1, 2), 2)))
        moments = [PlayedEncounter(one.encounter) for one in played.encounters]
        for place in rng.sample(range(len(moments)), len(moments)):
            moments[place] = played.encounters[place]
            now = replace(field, rounds=(*field.rounds, replace(played, encounters=tuple(moments))))
            ranks = {row.entry: row.rank for row in system.rank_entries(now, table)}
            assert ranks == {
                entry: place_range.best for entry, place_range in possible_bracket_places(system, now).items()
            }
        field = replace(field, rounds=(*field.rounds, played))


@pytest.mark.parametrize("system", [Knockout(), Knockout(third_place=False), DoubleElimination()], ids=repr)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 8))])
def test_rank_in_a_bracket_is_the_best_possible_place_after_withdrawals(
    system: Knockout | DoubleElimination, seed: int
) -> None:
    rng = random.Random(seed)
    field = TournamentState(entries=tuple(range(1, rng.randint(4, 9))))
    promised: dict[int, PlaceRange] = {}  # since the last withdrawal
    while (round_ := system.next_round(field)) is not None:
        played = play_round(round_, lambda encounter: tuple(rng.sample((1, 2), 2)))
        moments = [PlayedEncounter(one.encounter, done=not one.results) for one in played.encounters]
        for place in rng.sample(range(len(moments)), len(moments)):
            if len(field.active_entries) > 2 and rng.random() < 0.2:
                left = rng.choice(field.active_entries)
                field = replace(field, withdrawn={**field.withdrawn, left: 0})
                for other, one in enumerate(moments):  # its encounter is no longer played
                    if left in one.encounter.entries and not one.done:
                        moments[other] = PlayedEncounter(one.encounter, done=True)
            if not moments[place].done:
                moments[place] = played.encounters[place]
            now = replace(field, rounds=(*field.rounds, replace(played, encounters=tuple(moments))))
            promised = check_ranks(system, now)
        field = replace(now, rounds=(*field.rounds, replace(played, encounters=tuple(moments))))
    assert check_ranks(system, field).keys() == promised.keys()
    assert all(place_range.best == place_range.worst for place_range in check_ranks(system, field).values())


def check_ranks(system: Knockout | DoubleElimination, field: TournamentState) -> dict[int, PlaceRange]:
    """Check that every entry's rank is its best possible place, and return the possible places.

    Entries that withdrew before playing have neither a rank nor possible places.
    """
    seen = {
        entry for round_ in field.rounds for one in round_.encounters if one.results for entry in one.encounter.entries
    }
    table = standings(field.entries, [], {entry: 0 for entry in field.withdrawn if entry not in seen})
    ranks = {row.entry: row.rank for row in system.rank_entries(field, table) if row.rank is not None}
    found = possible_bracket_places(system, field, ranks)
    assert ranks == {entry: place_range.best for entry, place_range in found.items()}
    return found


def test_bracket_of_hundreds_is_skipped() -> None:
    assert possible_bracket_places(Knockout(), TournamentState(entries=tuple(range(200)))) == {}
