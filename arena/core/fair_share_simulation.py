"""Simulate how worker processes play batches of matches in fair-share order.

A free process takes a match of the party with the fewest running matches; ties go to the least recently served party,
and within a party to the first batch. See ``arena.platform.jobs.fair_share`` for the real queue.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

_MAX_STARTS: Final = 2000  # the rest is extrapolated, so that a forecast of any tournament takes milliseconds


@dataclass(frozen=True, slots=True)
class Batch:
    """A number of matches of one party, all with the same duration.

    ``waiting``: the matches not yet started, of which at most ``at_once`` (0: no limit) run at a time; they are divided
    into ``rounds``, each of which begins after the last match of the previous one. ``running``: the remaining seconds
    of each running match.
    """

    party: str
    waiting: int
    seconds: float
    at_once: int = 0
    rounds: int = 1
    running: tuple[float, ...] = ()

    @property
    def matches(self) -> int:
        """Return the number of matches that are not over."""
        return self.waiting + len(self.running)


def seconds_until_end(batches: Sequence[Batch], own: int, *, processes: int) -> float:
    """Return the time until all matches of the batch with the index ``own`` are over, in seconds."""
    return _Simulation(batches, max(1, processes)).run(own)


@dataclass(slots=True)
class _Line:
    batch: Batch
    left: int  # matches not yet started
    left_in_round: int
    running: int

    def can_start(self) -> bool:
        if not self.left_in_round and not self.running:
            self.left_in_round = min(self.left, self._round_size())
        return self.left_in_round > 0 and (not self.batch.at_once or self.running < self.batch.at_once)

    def _round_size(self) -> int:
        return -(-self.batch.waiting // max(1, self.batch.rounds))


@dataclass(slots=True)
class _Simulation:
    batches: Sequence[Batch]
    processes: int
    now: float = 0.0
    starts: int = 1  # the number 1 stands for all starts before the simulation
    _ends: list[tuple[float, int]] = field(default_factory=list)  # a heap
    _busy: Counter[str] = field(default_factory=Counter)  # running matches by party
    _served: Counter[str] = field(default_factory=Counter)  # number of each party's last start
    _lines: list[_Line] = field(default_factory=list)

    def __post_init__(self) -> None:
        for index, batch in enumerate(self.batches):
            self._lines.append(_Line(batch, batch.waiting, 0, len(batch.running)))
            self._busy[batch.party] += len(batch.running)
            self._served[batch.party] |= bool(batch.running)
            self._ends += [(seconds, index) for seconds in batch.running]
        heapq.heapify(self._ends)

    def run(self, own: int) -> float:
        line = self._lines[own]
        while line.left or line.running:
            while len(self._ends) < self.processes and (index := self._next()) is not None:
                self._start(index)
            if self.starts >= _MAX_STARTS and line.left:
                return self.now + self._extrapolated(line)
            self._end_next()
        return self.now

    def _next(self) -> int | None:
        """Return the index of the batch whose match a free process takes; None if no match can start."""
        first: dict[str, int] = {}
        for index, line in enumerate(self._lines):
            if line.batch.party not in first and line.can_start():
                first[line.batch.party] = index
        if not first:
            return None
        return first[min(first, key=lambda party: (self._busy[party], self._served[party], first[party]))]

    def _start(self, index: int) -> None:
        line = self._lines[index]
        self.starts += 1
        self._served[line.batch.party] = self.starts
        self._busy[line.batch.party] += 1
        line.left -= 1
        line.left_in_round -= 1
        line.running += 1
        heapq.heappush(self._ends, (self.now + line.batch.seconds, index))

    def _end_next(self) -> None:
        self.now, index = heapq.heappop(self._ends)
        self._lines[index].running -= 1
        self._busy[self._lines[index].batch.party] -= 1

    def _extrapolated(self, line: _Line) -> float:
        """Return the seconds for the rest of a batch: at its average rate so far or, without one, at an equal share."""
        done = line.batch.waiting - line.left
        if done and self.now:
            return line.left * self.now / done
        parties = len({other.batch.party for other in self._lines if other.left})
        at_once = min(line.batch.at_once or self.processes, self.processes / max(1, parties))
        return line.left * line.batch.seconds / at_once
