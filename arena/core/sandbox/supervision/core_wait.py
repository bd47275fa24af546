"""Estimate how long a process as a whole waited for a core: some thread was runnable, but none ran.

The quantity to estimate is Q, the time in which at least one thread was runnable and none ran. The kernel records for
each thread i its CPU time c_i and its run delay d_i, and for the process its CPU time C. Adding up the d_i would be
wrong: two threads that wait at once count twice, and waiting for a sibling thread is not waiting for the machine. A bot
with 16 threads could hide 15 seconds of sleep behind each second of computing. But in any window of time

    Q  >=  (run delay of i)  -  (CPU time of all other threads)  =  d_i - (C - c_i)

because thread i was runnable for d_i, and some thread of the process ran for at most C - c_i of it. Windows that do not
overlap add up, so the estimate grows from sample to sample by the largest increase that any thread yields:

    Q(k) = max over i of  Q(a) + d_i(a..k) - (C - c_i)(a..k),   a: an earlier sample, the anchor of thread i

Which samples may be an anchor follows from one property of the kernel's count: a wait is added when it ends. What is
added after sample a must not have begun before it, or it would be credited twice:

- the sample before the thread was first seen: all of its waits are later;
- the start of the request: the process was stopped before;
- any sample a, if the thread got a core between a and the next sample b: its waits after b began after a. The sum of
  run delays then starts at b, and the sum of CPU time at a.

A wait that has not ended can be long if many processes compete for the core. Such a wait counts from the first sample
at which the thread was seen runnable, provided that the thread was runnable at all samples since and got no core in
between: to sleep, the thread would have had to run.

If the process has its own control group and a single core, and the kernel measures pressure, the kernel counts Q
itself, in the "full" line of cpu.pressure. That is exact to a tick at each sample, and includes threads that end.

Invariant: the estimate never exceeds Q by more than the errors below, whatever the threads do. Therefore neither
sleeping nor computing can be hidden by threads that wait, take turns, start or end.

Error bounds
- Too much, at most: a wait that was in progress when the request arrived, once per request.
- Too little: the last wait of a thread that ended since the previous sample, and the beginning of a wait that has not
  ended (at most one sampling interval each); two intervals and a tick when work moves from one existing thread to
  another; if several threads take turns within one interval, all of their waits except the longest. A bot is charged
  for this time although it waited, as it is whenever a wait is unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from arena.core.sandbox.supervision.threads import ThreadTimes

# The kernel adds the CPU time of a running thread at every tick, in nanoseconds; 100 Hz is the slowest rate in use.
_TICK: Final = 10_000_000
_UNBORN: Final = ThreadTimes(0, 0, 0)


class CoreWait:
    """An estimate, in nanoseconds, of how long one process has waited for a core during its requests."""

    def __init__(self) -> None:
        self.total = 0
        self._cpu = 0
        self._threads: Mapping[int, ThreadTimes] = {}
        self._anchors: dict[int, int] = {}  # Q(a) - d_i(a) + (C - c_i)(a)
        self._group: int | None = None
        self._waits_since: dict[int, int] = {}  # when a thread was first seen runnable, without running since

    def restart(self, cpu: int, threads: Mapping[int, ThreadTimes]) -> int:
        """Start measuring the waits of a new request; return the total wait of all requests so far.

        The process must be stopped, and `cpu` must have been read before `threads`.
        """
        self._cpu, self._threads = cpu, threads
        self._anchors, self._waits_since, self._group = {}, {}, None
        return self.total

    def sample(self, at: int, cpu: int, threads: Mapping[int, ThreadTimes], group_waited: int | None = None) -> int:
        """Return the total wait until the monotonic time `at`; `cpu` must have been read before `threads`.

        group_waited: the kernel's value for the process's control group, if available.
        """
        total = self._total_of_group(group_waited)
        for thread, times in threads.items():
            anchor = self._anchors.get(thread)
            if anchor is None:
                anchor = self._first_anchor(thread)
            others = cpu - times.cpu
            waited = times.waited + (self._current_wait(at, thread, times) if times.runnable else 0)
            total = max(total, anchor + waited - (others if others > 0 else 0))
        self._move_anchors(threads)
        self.total, self._cpu, self._threads = total, cpu, threads
        return total

    def estimate_from_thread(self, cpu: int, thread: int, times: ThreadTimes) -> int:
        """Shortly after `restart`, estimate the total from a thread that existed before it.

        Does not change the state.
        """
        before = self._threads.get(thread)
        if before is None:
            return self.total
        others = (cpu - self._cpu) - (times.cpu - before.cpu)
        waited = times.waited - before.waited - (others if others > 0 else 0)
        return self.total + waited if waited > 0 else self.total

    def _total_of_group(self, waited: int | None) -> int:
        """Return the total waiting time: the total at the first reading, plus the increase of the group's counter.

        ``waited``: the kernel's counter of the group's waiting time; None if the kernel has none.
        """
        if waited is None:
            return self.total
        if self._group is None:
            self._group = self.total - waited
        return max(self.total, self._group + waited)

    def _current_wait(self, at: int, thread: int, times: ThreadTimes) -> int:
        """Return the observed length of the current wait, which the kernel has not counted yet."""
        if self._threads.get(thread) != times:  # the thread has run since, or was not runnable
            self._waits_since[thread] = at
        return at - self._waits_since.setdefault(thread, at)

    def _first_anchor(self, thread: int) -> int:
        """Set and return the first anchor of a thread.

        The thread predates the request or has started since the previous sample.
        """
        before = self._threads.get(thread, _UNBORN)
        self._anchors[thread] = self.total - before.waited + max(0, self._cpu - before.cpu)
        return self._anchors[thread]

    def _move_anchors(self, threads: Mapping[int, ThreadTimes]) -> None:
        """Move a thread's anchor to the previous sample if the thread has had a core since and the estimate rises."""
        for thread, before in self._threads.items():
            now = threads.get(thread)
            if now is None:
                self._anchors.pop(thread, None)
            elif now.slices != before.slices:
                later = self.total - now.waited + max(0, self._cpu - before.cpu) - _TICK
                self._anchors[thread] = max(self._anchors[thread], later)
