"""The thinking time per move, as measured by the referee, stays within the limit."""

from __future__ import annotations

import pytest

from bots.reversi.house.engine.budget import TimeBudget


class Machine:
    """A machine with a simulated wall clock and CPU clock."""

    def __init__(self) -> None:
        self.wall = self.computed = 0.0

    def compute(self, seconds: float) -> None:
        self.wall += seconds
        self.computed += seconds

    def do_something_else(self, seconds: float) -> None:
        self.wall += seconds


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
def budget(machine: Machine) -> TimeBudget:
    return TimeBudget(1.0, wall=lambda: machine.wall, computing=lambda: machine.computed)


def test_long_limit_is_not_used_up(budget: TimeBudget) -> None:
    assert budget.begin(60.0) == 1.0


@pytest.mark.parametrize(("limit", "seconds"), [(1.0, 0.9), (0.3, 0.2), (0.1, 0.05)])
def test_a_short_limit_leaves_a_reserve(budget: TimeBudget, limit: float, seconds: float) -> None:
    assert budget.begin(limit) == pytest.approx(seconds)


def test_cpu_time_counts_if_the_limit_is_far(machine: Machine, budget: TimeBudget) -> None:
    budget.begin(60.0)
    machine.compute(0.3)
    machine.do_something_else(5.0)
    assert budget.clock() == pytest.approx(0.3)


def test_wall_time_counts_near_the_limit(machine: Machine, budget: TimeBudget) -> None:
    seconds = budget.begin(2.0)
    machine.compute(0.2)
    machine.do_something_else(1.5)
    assert budget.clock() < seconds
    machine.do_something_else(0.2)
    assert budget.clock() >= seconds
    assert machine.wall <= 1.9


def test_reserve_grows_after_a_pause_and_shrinks_again(machine: Machine, budget: TimeBudget) -> None:
    budget.begin(1.0)
    machine.do_something_else(0.15)
    budget.clock()
    after = budget.begin(1.0)
    assert after < 0.9 - 0.15
    for _ in range(30):
        last = budget.begin(1.0)
    assert last == pytest.approx(0.9)


def test_waiting_for_the_opponent_does_not_count_as_a_pause(machine: Machine, budget: TimeBudget) -> None:
    budget.begin(1.0)
    machine.do_something_else(30.0)
    assert budget.begin(1.0) == pytest.approx(0.9)
