"""Which core a match is given."""

from __future__ import annotations

import os

from arena.matches.seating import core_of


def test_all_bots_of_a_match_get_the_same_core_and_matches_are_spread() -> None:
    cores = sorted(os.sched_getaffinity(0))
    given = [core_of(match) for match in range(1, 4 * len(cores) + 1)]
    assert given == [core_of(match) for match in range(1, 4 * len(cores) + 1)]
    assert sorted(given) == sorted(cores * 4)
