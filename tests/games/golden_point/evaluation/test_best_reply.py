"""Best replies and winning ranges agree with the rules, number by number."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.golden_point.evaluation.best_reply import BestReplies, best_gain, best_replies, exact_reply
from arena.games.golden_point.evaluation.golden_match import GoldenRound
from arena.games.golden_point.rules import Numbers, score_round
from tests.games.golden_point.evaluation.matches import match_of, random_match

number = st.floats(1e-6, 99.999999)
pair = st.one_of(st.tuples(number), st.tuples(number, number))
GRID = [step / 8 for step in range(1, 800)]


def gain(each: GoldenRound, player: int, numbers: Numbers) -> int:
    """Return what the player would gain in the round ``each`` with ``numbers``, according to the rules."""
    named = list(each.numbers)
    named[player] = numbers
    return score_round(named).gains[player]


@pytest.mark.long
@settings(deadline=None)  # busy cores must not fail the test
@given(st.lists(pair, min_size=2, max_size=7), st.data())
def test_exact_reply_wins_the_maximum(rounds: list[Numbers], data: st.DataObject) -> None:
    player = data.draw(st.integers(0, len(rounds) - 1))
    own = len(rounds[player])
    others = [x for seat, named in enumerate(rounds) if seat != player for x in named]
    reply = exact_reply(others, own)
    assert 0 < reply < 100
    named: list[Numbers | None] = [*rounds]
    named[player] = (reply,) * own
    score = score_round(named)
    assert score.golden == reply
    assert score.gains[player] == len(rounds)


@pytest.mark.parametrize("numbers", [1, 2])
def test_no_reply_on_a_grid_gains_more(numbers: int) -> None:
    """No number on a grid, and no pair of numbers on a coarser grid, gains more than the best reply."""
    rng = random.Random(numbers)
    for _ in range(6):
        each = random_match(rng, players=4, rounds=1, numbers=numbers).rounds[0]
        best = best_gain(each, 0)
        tried = [(x,) for x in GRID] if numbers == 1 else [(x, y) for x in GRID[::25] for y in GRID[::25]]
        assert max(gain(each, 0, one) for one in tried) <= best
        others = [x for named in each.numbers[1:] if named for x in named]
        if others:
            assert gain(each, 0, (exact_reply(others, numbers),) * numbers) == best


@pytest.mark.parametrize("numbers", [1, 2])
def test_winning_and_farthest_ranges_agree_with_the_rules(numbers: int) -> None:
    rng = random.Random(numbers)
    for _ in range(60):
        each = random_match(rng, players=rng.randint(2, 9), rounds=1, numbers=numbers).rounds[0]
        found = best_replies(each, 0)
        if found is None:
            assert each.player_count == 1
            continue
        assert 0 <= found.too_low <= found.low <= found.best <= found.high <= found.too_high <= 100
        for x in GRID[::5]:
            if min(abs(x - bound) for bound in (found.too_low, found.low, found.high, found.too_high)) > 1e-9:
                assert gain(each, 0, (x,) * numbers) == predicted_gain(found, each.player_count, x), (each, x)


def predicted_gain(found: BestReplies, present: int, x: float) -> int:
    if found.low <= x <= found.high:
        return present
    return -2 if x <= found.too_low or x >= found.too_high else 0


def test_another_players_number_can_equal_the_golden_number() -> None:
    best = exact_reply([10.0, 30.0, 12.0], 1)
    each = match_of([(50.0,), (10.0,), (30.0,), (12.0,)]).rounds[0]
    others_best = match_of([(50.0,), (best,), (30.0,), (12.0,)]).rounds[0]
    assert best_replies(each, 0) != best_replies(others_best, 0)
    found = best_replies(match_of([(7.0,), (8.0,), (8.0,)]).rounds[0], 0)
    assert found is not None
    assert found.low < found.best < 8.0 == found.high


def test_absent_or_unopposed_players_have_no_best_reply() -> None:
    alone = match_of([(5.0,), None]).rounds[0]
    assert (best_replies(alone, 0), best_replies(alone, 1)) == (None, None)
    assert (best_gain(alone, 0), best_gain(alone, 1)) == (0, 0)
