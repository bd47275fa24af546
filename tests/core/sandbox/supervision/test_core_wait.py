"""The estimated waiting time for a core is checked against a simulated scheduler, which knows the exact value."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import cycle

import pytest

from arena.core.sandbox.supervision.core_wait import CoreWait
from arena.core.sandbox.supervision.threads import ThreadTimes

MS = 1_000_000  # the simulation's step, in nanoseconds
SLICE, TICK = 3, 4  # steps
# What a thread wants at each step: True for a core, False to sleep. The thread exits at the end of its script.
Script = Iterator[bool]


@dataclass(eq=False)
class SimulatedThread:
    """A thread with the kernel's counters.

    Waiting time is added at the end of each wait, CPU time at each tick while the thread runs.
    """

    script: Script
    born: int = 0
    cpu: int = 0
    told_cpu: int = 0
    told_wait: int = 0
    slices: int = 0
    waits_since: int | None = None
    wants: bool = False
    ended: bool = False

    def times(self) -> ThreadTimes:
        return ThreadTimes(self.told_cpu * MS, self.told_wait * MS, self.slices, self.wants)


@dataclass
class Machine:
    """A machine whose cores are shared, round robin, by the bot's threads and by others.

    ``others``: the number of other threads, which always want a core.
    """

    threads: list[SimulatedThread]
    others: int
    cores: int = 1
    now: int = 0
    waited: int = 0  # the exact value
    cpu: int = 0
    slept: int = 0
    _queue: list[SimulatedThread | None] = field(default_factory=list)
    _running: dict[int, tuple[SimulatedThread | None, int]] = field(default_factory=dict)  # with the steps left

    def __post_init__(self) -> None:
        self._queue = [None] * self.others

    @property
    def alive(self) -> dict[int, SimulatedThread]:
        return {number: one for number, one in enumerate(self.threads) if not one.ended and one.born <= self.now}

    def step(self) -> None:
        for thread in self.alive.values():
            wanted = next(thread.script, None)
            if wanted is None:
                thread.ended = True
            if wanted and not thread.wants:
                thread.waits_since = self.now
                self._queue.append(thread)
            elif not wanted and thread.wants and thread in self._queue:
                self._queue.remove(thread)
            thread.wants = bool(wanted)
        for core in range(self.cores):
            self._schedule(core)
        running = [one for one, _ in self._running.values() if one is not None]
        for thread in running:
            thread.cpu += 1
            if self.now % TICK == 0:
                thread.told_cpu = thread.cpu
        wanting = [one for one in self.alive.values() if one.wants]
        self.cpu += len(running)
        self.waited += bool(wanting) and not running
        self.slept += not wanting
        self.now += 1

    def _schedule(self, core: int) -> None:
        thread, left = self._running.pop(core, (None, 0))
        if thread is not None and (left == 0 or not thread.wants):
            thread.told_cpu = thread.cpu
            if thread.wants:
                thread.waits_since = self.now
                self._queue.append(thread)
        elif left:
            self._running[core] = thread, left - 1
            return
        elif thread is None and len([one for one in self._queue if one is None]) < self.others - self._busy_others():
            self._queue.append(None)
        if self._queue:
            following = self._queue.pop(0)
            if following is not None:
                assert following.waits_since is not None
                following.told_wait += self.now - following.waits_since
                following.slices += 1
            self._running[core] = following, SLICE - 1

    def _busy_others(self) -> int:
        return len([one for one, _ in self._running.values() if one is None])


def simulate_estimate(machine: Machine, steps: int, interval: Callable[[], int]) -> float:
    """Return the estimate in milliseconds after ``steps`` steps; check that no sample exceeds the exact value."""
    estimate = CoreWait()
    look = interval()
    estimate.restart(0, {number: one.times() for number, one in machine.alive.items()})
    for _ in range(steps):
        if machine.now == look:
            threads = {number: one.times() for number, one in machine.alive.items()}
            found = estimate.sample(machine.now * MS, machine.cpu * MS, threads)
            assert found <= machine.waited * MS, machine.now
            look += interval()
        machine.step()
    threads = {number: one.times() for number, one in machine.alive.items()}
    return estimate.sample(machine.now * MS, machine.cpu * MS, threads) / MS


def random_bursts(rng: random.Random) -> Script:
    """Alternate between computing and sleeping, for random periods, and eventually end."""
    for _ in range(rng.randrange(1, 60)):
        length, pause = rng.choice([1, 2, 10, 60]), rng.choice([0, 1, 5, 50, 300])
        yield from [True] * rng.randrange(1, 2 * length)
        yield from [False] * pause


@pytest.mark.parametrize("seed", range(40))
def test_estimate_never_exceeds_the_actual_wait(seed: int) -> None:
    rng = random.Random(seed)
    threads = [
        SimulatedThread(random_bursts(rng), born=rng.choice([0, 1, rng.randrange(3000)]))
        for _ in range(rng.randrange(1, 17))
    ]
    machine = Machine(threads, others=rng.choice([0, 0, 1, 4]), cores=rng.choice([1, 1, 2]))
    simulate_estimate(machine, 4000, lambda: rng.choice([1, 5, 20, 50]))


def compute_for(steps: int, machine_of: Callable[[], Machine], index: int) -> Script:
    """Ask for a core in every step until the machine's thread ``index`` has run for this many steps."""
    while machine_of().threads[index].cpu < steps:
        yield True


def compute_forever(wanted: bool) -> Script:
    return cycle([wanted])


def test_waiting_of_a_helper_thread_counts_for_its_process() -> None:
    """A helper thread's waiting counts even if the main thread sleeps until the helper has finished computing.

    This pattern occurs in bots from the course.
    """
    machines: list[Machine] = []
    helper = SimulatedThread(compute_for(300, lambda: machines[0], 1), born=7)
    machines.append(Machine([SimulatedThread(compute_forever(False)), helper], others=4))
    found = simulate_estimate(machines[0], 3000, lambda: 20)
    truth = machines[0].waited
    assert truth > 1000
    assert truth - 40 <= found <= truth


def test_sequential_helper_threads_lose_one_interval_each() -> None:
    """The estimate loses at most 60 ms for each helper thread that starts when the previous one ends.

    Such threads are typical of iterative deepening with one thread per depth.
    """
    machines: list[Machine] = []

    def one_after_the_other(index: int) -> Script:
        while index > 1 and not machines[0].threads[index - 1].ended:
            yield False
        yield from compute_for(60, lambda: machines[0], index)

    helpers = [SimulatedThread(one_after_the_other(index), born=5) for index in range(1, 9)]
    machines.append(Machine([SimulatedThread(compute_forever(False)), *helpers], others=4))
    found = simulate_estimate(machines[0], 3000, lambda: 20)
    truth = machines[0].waited
    assert truth > 1000
    assert truth - 8 * 60 <= found <= truth


def test_threads_on_their_own_core_are_not_counted_as_waiting() -> None:
    """Sixteen threads that have a core to themselves are never counted as waiting.

    Even so, their run delays add up to fifteen times the elapsed time.
    """
    machine = Machine([SimulatedThread(compute_forever(True)) for _ in range(16)], others=0)
    assert simulate_estimate(machine, 2000, lambda: 20) == 0
    assert sum(thread.told_wait for thread in machine.threads) > 15 * 1900


def test_threads_waking_simultaneously_hide_no_sleep() -> None:
    """Threads that wake briefly, wait for each other and sleep again are not counted as waiting on an idle core."""
    rush = [True] * 20 + [False] * 100
    machine = Machine([SimulatedThread(cycle(rush)) for _ in range(16)], others=0)
    assert simulate_estimate(machine, 3000, lambda: 20) == 0
    assert machine.slept > 2000


def test_sleeping_main_thread_gains_nothing_from_helpers() -> None:
    machine = Machine(
        [SimulatedThread(compute_forever(False)), *(SimulatedThread(compute_forever(True)) for _ in range(3))], others=2
    )
    found = simulate_estimate(machine, 3000, lambda: 20)
    assert found <= machine.waited == 3000 - machine.cpu


def test_unsampled_threads_get_no_waiting_time() -> None:
    """Threads that start and end between two samples are never seen, so their waiting is not counted."""
    machine = Machine(
        [
            SimulatedThread(compute_forever(False)),
            *(SimulatedThread(iter([True] * 15), born=20 * n + 1) for n in range(100)),
        ],
        others=4,
    )
    assert simulate_estimate(machine, 2000, lambda: 20) == 0


def test_waiting_before_the_request_is_ignored() -> None:
    estimate = CoreWait()
    estimate.restart(10 * MS, {1: ThreadTimes(10 * MS, 500 * MS, 3)})
    assert estimate.sample(5 * MS, 11 * MS, {1: ThreadTimes(11 * MS, 504 * MS, 4)}) == 4 * MS
    estimate.restart(11 * MS, {1: ThreadTimes(11 * MS, 700 * MS, 5)})
    assert estimate.sample(905 * MS, 11 * MS, {1: ThreadTimes(11 * MS, 701 * MS, 5)}) == 5 * MS


def test_ongoing_wait_counts_from_the_first_sample() -> None:
    """A wait in progress counts from the first sample at which it was seen.

    The kernel counts a wait only when it ends, which on a crowded core may be long after the limit.
    """
    machine = Machine([SimulatedThread(compute_forever(True))], others=100)
    found = simulate_estimate(machine, 250, lambda: 20)
    assert machine.threads[0].told_wait == 0
    assert machine.waited - 21 <= found <= machine.waited == 250


def test_sleep_before_waking_at_the_limit_is_not_waiting() -> None:
    estimate = CoreWait()
    estimate.restart(0, {1: ThreadTimes(0, 0, 1)})
    assert estimate.sample(10 * MS, 0, {1: ThreadTimes(0, 0, 1)}) == 0
    assert estimate.sample(5000 * MS, 0, {1: ThreadTimes(0, 0, 1, runnable=True)}) == 0
    assert estimate.sample(5020 * MS, 0, {1: ThreadTimes(0, 0, 1, runnable=True)}) == 20 * MS
    assert estimate.sample(5040 * MS, 0, {1: ThreadTimes(0, 30 * MS, 2, runnable=True)}) == 30 * MS


def test_peek_includes_the_main_threads_wait_and_changes_nothing() -> None:
    estimate = CoreWait()
    estimate.restart(10 * MS, {1: ThreadTimes(9 * MS, 500 * MS, 3)})
    assert estimate.estimate_from_thread(12 * MS, 1, ThreadTimes(11 * MS, 503 * MS, 4)) == 3 * MS
    assert estimate.estimate_from_thread(14 * MS, 1, ThreadTimes(11 * MS, 503 * MS, 4)) == 1 * MS, (
        "a sibling had the core for 2 ms"
    )
    assert estimate.estimate_from_thread(12 * MS, 2, ThreadTimes(11 * MS, 503 * MS, 4)) == 0, (
        "nothing is known of its past"
    )
    assert estimate.sample(5 * MS, 12 * MS, {1: ThreadTimes(11 * MS, 503 * MS, 4)}) == 3 * MS
    assert estimate.restart(12 * MS, {}) == 3 * MS
