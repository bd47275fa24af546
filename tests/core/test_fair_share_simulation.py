"""Simulated queues: fair shares among parties, the order of one party's batches, rounds, and extrapolation."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from arena.core.fair_share_simulation import Batch, seconds_until_end

OWN = Batch("ann", 8, 10.0)


def until_end(*others: Batch, own: Batch = OWN, processes: int = 2) -> float:
    return seconds_until_end([*others, own], len(others), processes=processes)


def test_idle_workers_play_a_tournament_alone() -> None:
    assert until_end() == 40
    assert until_end(processes=0) == 80
    assert until_end(own=replace(OWN, at_once=1)) == 80
    assert until_end(processes=100) == 10


def test_rounds_wait_for_each_other() -> None:
    assert until_end(own=replace(OWN, rounds=4), processes=100) == 40
    assert until_end(own=replace(OWN, waiting=7, rounds=3), processes=2) == 50, "rounds of 3, 3 and 1 matches"


def test_short_matches_wait_for_long_ones() -> None:
    """Three matches of four seconds may take minutes if other matches occupy the only process."""
    own = Batch("ann", 3, 4.0)
    long_ones = Batch("house", 50, 60.0, running=(30.0,))
    assert until_end(long_ones, own=own, processes=1) == 30 + 3 * 4 + 2 * 60
    assert until_end(long_ones, own=own, processes=2) == 3 * 4, "the party without a running match comes first"


def test_own_earlier_matches_are_played_first() -> None:
    earlier = Batch("ann", 5, 20.0, running=(10.0,))
    assert until_end(earlier, processes=1) == 10 + 5 * 20 + 80
    assert until_end(replace(earlier, at_once=1)) == pytest.approx(80), "it leaves the second process free"


def test_tournaments_that_end_soon_take_no_share_afterwards() -> None:
    """Other tournaments with few matches left must not count as if they played forever."""
    others = [Batch(f"user{n}", 1, 5.0) for n in range(6)]
    assert until_end(*others) <= 40 + 6 * 5


@pytest.mark.parametrize("other", [None, Batch("bob", 10**6, 5.0)])
def test_large_tournaments_are_extrapolated(other: Batch | None) -> None:
    begun = time.perf_counter()
    seconds = until_end(*([other] if other else []), own=replace(OWN, waiting=200_000), processes=4)
    assert seconds == pytest.approx(500_000 * (2 if other else 1), rel=0.02)
    assert time.perf_counter() - begun < 2
