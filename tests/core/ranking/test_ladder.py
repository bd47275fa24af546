"""The ladder's choice of the next pairings."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from arena.core.ranking.ladder import LadderCandidate, draw_matches
from arena.core.ranking.rating import Rating

VAGUE, KNOWN = 200.0, 20.0
ANN, BOB = 1001, 1002


def candidates_by_different_authors(*figures: tuple[float, float]) -> list[LadderCandidate]:
    """Return candidates with these ratings and deviations, each by a different author."""
    return [LadderCandidate(entry, Rating(*figure), author=entry) for entry, figure in enumerate(figures, start=1)]


def candidates_by_author(counts: dict[int, int], deviations: dict[int, float]) -> list[LadderCandidate]:
    """Return equally rated candidates.

    ``counts``: the number of candidates by author; ``deviations``: their rating deviations by author.
    """
    authors = [author for author, count in counts.items() for _ in range(count)]
    return [
        LadderCandidate(entry, Rating(1500, deviations.get(author, VAGUE)), author=author)
        for entry, author in enumerate(authors, start=1)
    ]


def rng(seed: int = 1) -> random.Random:
    return random.Random(seed)


def test_most_uncertain_entry_is_due_and_meets_close_rivals_more_often() -> None:
    candidates = candidates_by_different_authors(
        (1500, KNOWN), (1500, VAGUE), (1520, KNOWN), (2400, KNOWN), (1510, KNOWN)
    )
    opponents = Counter(draw_matches(candidates, 1, rng(seed))[0] for seed in range(400))
    assert {due for due, _ in opponents} == {2}
    assert opponents[(2, 4)] < opponents[(2, 3)] / 3
    assert draw_matches(candidates[::-1], 9, rng()) == draw_matches(candidates, 9, rng())


def test_entry_is_drawn_at_most_once_at_a_time() -> None:
    candidates = candidates_by_different_authors(*[(1500 + 10 * entry, VAGUE) for entry in range(9)])
    matches = draw_matches(candidates, 9, rng())
    seated = [entry for match in matches for entry in match]
    assert len(matches) == 4
    assert len(set(seated)) == len(seated)
    assert len(draw_matches(candidates, 2, rng())) == 2


def test_ladder_pauses_when_ratings_are_known_precisely() -> None:
    assert draw_matches(candidates_by_different_authors((1500, 10), (1505, 10), (1900, 10)), 5, rng()) == []
    assert draw_matches(candidates_by_different_authors((1500, VAGUE)), 5, rng()) == []
    assert draw_matches([], 5, rng()) == []
    assert draw_matches(candidates_by_different_authors((1500, 10), (3000, 60)), 5, rng()) == [], (
        "everybody knows who wins"
    )


def test_pending_matches_count_as_played() -> None:
    one, other, third, fourth = candidates_by_different_authors((1500, 60), (1500, 60), (1500, 55), (1500, 55))
    assert draw_matches([one, other, third, fourth], 1, rng())[0][0] == 1
    busy = [replace(each, pending=10) for each in (one, other)]
    assert draw_matches([*busy, third, fourth], 1, rng())[0][0] == 3
    assert busy[0].expected_rating.deviation < one.rating.deviation


def test_continuous_ladder_pauses_eventually() -> None:
    candidates = candidates_by_different_authors(*[(1500 + 30 * entry, 300) for entry in range(6)])
    chance, played = rng(), 0
    while found := draw_matches(candidates, 3, chance):
        seated = {entry for pair in found for entry in pair}
        candidates = [replace(one, pending=one.pending + (one.entry in seated)) for one in candidates]
        played += len(found)
        assert played < 5_000
    assert played > 500


def count_drawn_opponents(
    candidates: Sequence[LadderCandidate], matches: int, seats: int = 2
) -> Counter[tuple[object, object]]:
    """Draw this many ladder matches, and count the opponents of due bots.

    Keys are the author of the due bot and the author of the opponent. Each match makes the ratings of its bots less
    uncertain, except the ratings of Ann's and Bob's bots.
    """
    author = {one.entry: one.author for one in candidates}
    chance, played = rng(), Counter[int]()
    found: Counter[tuple[object, object]] = Counter()
    for _ in range(matches):
        now = [replace(one, pending=played[one.entry]) for one in candidates]
        for due, *others in draw_matches(now, 1, chance, seats):
            found.update((author[due], author[other]) for other in others)
            # Ann and Bob keep uploading new versions, so the ratings of their bots stay uncertain.
            played.update(entry for entry in (due, *others) if author[entry] not in (ANN, BOB))
    return found


@pytest.mark.parametrize("bots", [1, 4, 12])
@pytest.mark.parametrize("known", [VAGUE, KNOWN])
def test_friends_meet_no_more_often_than_at_random(bots: int, known: float) -> None:
    """Two friends meet as often as their share of all bots predicts, however uncertain their bots' ratings are."""
    counts = {ANN: 4, BOB: bots, **dict.fromkeys(range(24), 1)}
    found = count_drawn_opponents(
        candidates_by_author(counts, {ANN: 400, BOB: 400, **dict.fromkeys(range(24), known)}), 800
    )
    due = sum(often for (one, _), often in found.items() if one == ANN)
    share = bots / (bots + 24)
    assert due > 100
    assert abs(found[(ANN, BOB)] - due * share) < 4 * math.sqrt(due * share * (1 - share))
    assert found[(ANN, ANN)] == found[(BOB, BOB)] == 0


def test_bots_of_one_author_never_meet_but_house_bots_may() -> None:
    alone = candidates_by_author({ANN: 4}, {})
    assert draw_matches(alone, 2, rng()) == []
    house = [replace(one, author=None) for one in alone]
    assert len(draw_matches(house, 2, rng())) == 2


def test_table_seats_one_bot_per_author() -> None:
    candidates = candidates_by_author({ANN: 5, BOB: 5, 1: 1, 2: 1, 3: 1}, {})
    author = {one.entry: one.author for one in candidates}
    for seed in range(50):
        (table,) = draw_matches(candidates, 1, rng(seed), seats=4)
        assert len(table) == 4
        assert len({author[entry] for entry in table}) == 4
    (table,) = draw_matches(candidates, 1, rng(), seats=9)
    assert len(table) == 5
    assert draw_matches(candidates_by_different_authors((1500, 5), (1500, 5)), 1, rng(), seats=4) == []


def test_friends_share_tables_no_more_often_than_at_random() -> None:
    counts = {ANN: 3, BOB: 3, **dict.fromkeys(range(24), 1)}
    found = count_drawn_opponents(
        candidates_by_author(counts, {ANN: 400, BOB: 400, **dict.fromkeys(range(24), KNOWN)}), 500, seats=4
    )
    due = sum(often for (one, _), often in found.items() if one == ANN)
    share = 3 / 27
    assert abs(found[(ANN, BOB)] - due * share) < 4 * math.sqrt(due * share * (1 - share))


@pytest.mark.parametrize("pending", [0, 1, 50])
def test_expected_rating_keeps_its_value(pending: int) -> None:
    assert LadderCandidate(1, Rating(1700, 80), pending).expected_rating.value == 1700
