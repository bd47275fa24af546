"""How long new work is expected to wait for a worker.

The rule is that of one line before several counters: with ``processes`` counters, a mean of ``seconds`` at each and
``ahead`` in the line, somebody leaves a counter every ``seconds / processes``, and the newcomer goes to the one that
is left after all those ahead were served.
"""

from __future__ import annotations


def expected_wait(*, waiting: int, busy: int, processes: int, seconds: float | None) -> float | None:
    """Seconds; None where nobody serves the queue, or where nothing was played lately that would tell."""
    if processes == 0:
        return None
    free = max(0, processes - busy)
    if waiting < free:
        return 0.0
    if seconds is None:
        return None
    return (waiting - free + 1) * seconds / processes
