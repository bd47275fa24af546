"""All bots of a match share one core, however many threads they start."""

from __future__ import annotations

import os
import time
from contextlib import ExitStack

import pytest

from arena.core.sandbox.supervision.forkserver import ForkServer
from tests.core.sandbox.jailed_bots import jailed_bot

pytestmark = pytest.mark.sandbox

BUSY = """
def think():
    while True: sum(range(10_000))
for _ in range(3): threading.Thread(target=think, daemon=True).start()
try: os.sched_setaffinity(0, range(os.cpu_count()))
except PermissionError: send(sorted(os.sched_getaffinity(0)))
think()
"""


def test_bot_runs_on_its_assigned_core(fork_server: ForkServer) -> None:
    core = max(os.sched_getaffinity(0))
    with jailed_bot(fork_server, "send(sorted(os.sched_getaffinity(0)))", core=core) as bot:
        assert bot.receive() == [core]


def test_all_bots_of_a_match_use_one_core_together(fork_server: ForkServer) -> None:
    core = max(os.sched_getaffinity(0))
    with ExitStack() as stack:
        bots = [stack.enter_context(jailed_bot(fork_server, BUSY, core=core)) for _ in range(4)]
        assert [bot.receive() for bot in bots] == [[core]] * 4
        start = time.monotonic()
        before = sum(bot.process.usage().cpu for bot in bots)
        assert bots[0].process.wait_for_exit(0.5) is None
        used = sum(bot.process.usage().cpu for bot in bots) - before
        assert 0 < used <= 1.05 * (time.monotonic() - start)


def test_threads_of_a_bot_stay_on_its_core(fork_server: ForkServer) -> None:
    """Every thread is bound to the core, including threads started later."""
    core = max(os.sched_getaffinity(0))
    body = """
        places = []
        threads = [threading.Thread(target=lambda: places.append(sorted(os.sched_getaffinity(0)))) for _ in range(4)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        send(places)
    """
    with jailed_bot(fork_server, body, core=core) as bot:
        assert bot.receive() == [[core]] * 4
