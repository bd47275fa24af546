"""Formats whose rounds do not depend on results: round robin, gauntlet, multiplayer tables."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from arena.core.ranking.pairing.base import Round, TournamentState
from arena.core.ranking.pairing.gauntlet import Gauntlet
from arena.core.ranking.pairing.round_robin import RoundRobin
from arena.core.ranking.pairing.tables import MultiplayerTables
from tests.core.ranking.pairing.play import play_tournament


def count_meetings(rounds: list[Round]) -> Counter[tuple[int, int]]:
    return Counter(
        pair for round_ in rounds for one in round_.encounters for pair in combinations(sorted(one.entries), 2)
    )


def first_seat_surplus(rounds: list[Round], entries: range) -> dict[int, int]:
    """Return how many more times each entry had the first seat than the second."""
    lead = dict.fromkeys(entries, 0)
    for round_ in rounds:
        for encounter in round_.encounters:
            lead[encounter.entries[0]] += 1
            lead[encounter.entries[1]] -= 1
    return lead


@pytest.mark.parametrize("count", [2, 3, 4, 7, 8])
@pytest.mark.parametrize("repeats", [1, 2, 3])
def test_round_robin_pairs_everyone_equally_often(count: int, repeats: int) -> None:
    entries = range(1, count + 1)
    system = RoundRobin(repeats)
    rounds, field = play_tournament(system, TournamentState(tuple(entries)))
    assert count_meetings(rounds) == dict.fromkeys(combinations(entries, 2), repeats)
    assert len(rounds) == system.rounds(count)
    assert sum(len(round_.encounters) for round_ in rounds) == system.encounter_count(count)
    assert max(map(abs, first_seat_surplus(rounds, entries).values())) <= repeats % 2
    assert system.can_pair_ahead(field)


def test_round_robin_continues_without_withdrawn_entries() -> None:
    rounds, _ = play_tournament(RoundRobin(), TournamentState((1, 2, 3, 4)), leaving={4: 1})
    assert [[one.entries for one in round_.encounters] for round_ in rounds] == [[(1, 4), (2, 3)], [(1, 2)], [(3, 1)]]
    assert [[one.entries for one in round_.walkovers] for round_ in rounds] == [[], [(4, 3)], [(2, 4)]]
    assert RoundRobin().next_round(TournamentState((1, 2), withdrawn={2: 1})) is None
    assert RoundRobin().next_round(TournamentState(())) is None


@pytest.mark.parametrize(("gauntlet_bots", "count"), [(1, 2), (1, 8), (2, 9), (3, 7), (5, 8), (3, 6)])
@pytest.mark.parametrize("repeats", [1, 2])
def test_gauntlet_pairs_every_gauntlet_bot_with_every_other_bot(gauntlet_bots: int, count: int, repeats: int) -> None:
    entries = range(1, count + 1)
    system = Gauntlet(gauntlet_bots, repeats)
    rounds, _ = play_tournament(system, TournamentState(tuple(entries)))
    expected = {
        (one, other): repeats for one in range(1, gauntlet_bots + 1) for other in range(gauntlet_bots + 1, count + 1)
    }
    assert count_meetings(rounds) == expected
    assert len(rounds) == system.rounds(count)
    assert sum(len(round_.encounters) for round_ in rounds) == system.encounter_count(count)
    # Entries of the smaller side play in every round and alternate seats; each repeat swaps the seats of a pair.
    assert max(abs(first_seat_surplus(rounds, entries)[entry]) for entry in list(entries)[:gauntlet_bots]) <= 2
    if repeats == 2:
        for pair in expected:
            seats = [one.entries for round_ in rounds for one in round_.encounters if set(one.entries) == set(pair)]
            assert seats[0] == seats[1][::-1]


def test_gauntlet_without_two_sides() -> None:
    assert Gauntlet(3).next_round(TournamentState((1, 2, 3))) is None
    assert (Gauntlet(3).rounds(3), Gauntlet(3).encounter_count(3)) == (0, 0)
    rounds, _ = play_tournament(Gauntlet(1), TournamentState((1, 2, 3)), leaving={3: 1})
    assert [[one.entries for one in round_.encounters] for round_ in rounds] == [[(1, 2)], []]
    assert [[one.entries for one in round_.walkovers] for round_ in rounds] == [[], [(3, 1)]]


LARGE = pytest.param(60, 6, 30, marks=pytest.mark.long)


@pytest.mark.long
@pytest.mark.parametrize(("count", "seats", "number"), [(9, 3, 12), (10, 4, 12), (20, 5, 19), (7, 3, 14), LARGE])
def test_each_pair_meets_about_equally_often(count: int, seats: int, number: int) -> None:
    entries = range(1, count + 1)
    system = MultiplayerTables(seats, number)
    rounds, _ = play_tournament(system, TournamentState(tuple(entries), seed=4))
    sizes = [len(one.entries) for one in rounds[0].encounters]
    assert max(sizes) <= seats
    assert max(sizes) - min(sizes) <= 1
    assert sum(len(round_.encounters) for round_ in rounds) == system.encounter_count(count)
    for round_ in rounds:
        assert sorted(entry for one in round_.encounters for entry in one.entries) == list(entries)
    found = count_meetings(rounds)
    mean = sum(found.values()) / (count * (count - 1) / 2)
    assert max(abs(found[pair] - mean) for pair in combinations(entries, 2)) < 2.5
    sat = Counter(
        (entry, seat) for round_ in rounds for one in round_.encounters for seat, entry in enumerate(one.entries)
    )
    often = [sat[entry, seat] for entry in entries for seat in range(min(sizes))]
    assert max(often) - min(often) <= 2 + number // 10


@pytest.mark.long
@pytest.mark.parametrize(("count", "seats", "number"), [(7, 3, 4), (10, 4, 6), (13, 6, 10), (25, 8, 12), (50, 8, 20)])
def test_numbers_of_opponents_differ_by_at_most_one(count: int, seats: int, number: int) -> None:
    """The numbers of opponents that any two entries meet differ by at most one.

    Larger tables offer more points, so every entry must play at them about equally often.
    """
    rounds, _ = play_tournament(MultiplayerTables(seats, number), TournamentState(tuple(range(count)), seed=7))
    opponents: Counter[int] = Counter()
    for round_ in rounds:
        for one in round_.encounters:
            opponents.update(dict.fromkeys(one.entries, len(one.entries) - 1))
    assert max(opponents.values()) - min(opponents.values()) <= 1


def test_seats_rotate_at_a_single_table() -> None:
    rounds, _ = play_tournament(MultiplayerTables(5, 4), TournamentState((1, 2, 3)))
    assert [round_.encounters[0].entries for round_ in rounds] == [(1, 2, 3), (2, 3, 1), (3, 1, 2), (1, 2, 3)]
    assert MultiplayerTables(5, 4).next_round(TournamentState((1,))) is None
    with pytest.raises(ValueError, match="three seats"):
        MultiplayerTables(2, 4)


def test_tables_are_drawn_from_the_seed() -> None:
    first = MultiplayerTables(3, 2).next_round(TournamentState(tuple(range(9)), seed=1))
    assert first == MultiplayerTables(3, 2).next_round(TournamentState(tuple(range(9)), seed=1))
    assert first != MultiplayerTables(3, 2).next_round(TournamentState(tuple(range(9)), seed=2))
