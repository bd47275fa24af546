from __future__ import annotations

import random

import pytest

from arena.platform.workers.work import expected_wait


@pytest.mark.parametrize(
    ("waiting", "busy", "processes", "seconds", "expected"),
    [
        (0, 0, 4, 10.0, 0.0),
        (0, 3, 4, None, 0.0),  # a process is free, so the match duration does not matter
        (2, 2, 4, 10.0, 2.5),  # the free processes are taken by the waiting matches
        (0, 4, 4, 10.0, 2.5),
        (10, 4, 4, 10.0, 27.5),
        (10, 4, 4, None, None),
        (0, 0, 0, 10.0, None),
        (0, 9, 4, 10.0, 2.5),  # the pool has just shrunk, and old leases remain
    ],
)
def test_expected_wait_follows_from_queue_and_processes(
    waiting: int, busy: int, processes: int, seconds: float | None, expected: float | None
) -> None:
    assert expected_wait(waiting=waiting, busy=busy, processes=processes, seconds=seconds) == expected


@pytest.mark.parametrize(("processes", "waiting"), [(1, 0), (1, 5), (4, 0), (4, 7), (16, 40)])
def test_formula_matches_a_simulated_queue(processes: int, waiting: int) -> None:
    """The formula matches the mean wait over many simulated queues with exponential service times."""
    rng = random.Random(processes * 100 + waiting)
    waits = []
    for _ in range(2000):
        free_at = sorted(rng.expovariate(1 / 10) for _ in range(processes))
        for _ in range(waiting):
            free_at = sorted([free_at[0] + rng.expovariate(1 / 10), *free_at[1:]])
        waits.append(free_at[0])
    expected = expected_wait(waiting=waiting, busy=processes, processes=processes, seconds=10.0)
    assert expected == pytest.approx(sum(waits) / len(waits), rel=0.1)
