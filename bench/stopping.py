"""Measure how fast a spinning bot is stopped, on request and at its time limit."""

from __future__ import annotations

import select
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from arena.core.referee.clock import SystemClock
from arena.core.referee.conversation import SeatFaulted
from arena.core.referee.seat import ask_alone
from arena.core.referee.spec import MatchLimits
from arena.core.sandbox.supervision.forkserver import ForkServer
from bench import fixtures, games
from bench.baselines import measure_bare_kill
from bench.fixtures import BotConversation
from bench.measure import Sample, measure_interleaved
from bench.table import Comparison, Row, Section

TIMES = 20
LIMIT = 0.1
SPINNER = "def get_move(given):\n    while True: pass\n"


def run() -> Section:
    folder = fixtures.create_bot_folder("spinner", SPINNER)
    wall: list[float] = []
    with fixtures.running_fork_server() as server:
        kill = measure_interleaved(
            {
                "baseline": measure_bare_kill,
                "ours": lambda: _measure_kill(server, folder),
                "rival": _measure_interpreter_kill,
            },
            TIMES,
            seconds=6,
        )
        overrun = measure_interleaved(
            {"baseline": _measure_poll_delay, "ours": lambda: _measure_overrun(server, folder, wall)}, TIMES, seconds=8
        )
    return Section(
        "end of a bot that spins",
        (
            Row(
                "from the kill until the process is reaped",
                kill["ours"],
                (
                    Comparison("baseline: a bare child that sleeps", kill["baseline"]),
                    Comparison("rival: a plain interpreter that spins", kill["rival"]),
                ),
            ),
            Row(
                f"fair time used beyond the limit of {LIMIT:g} s before the kill",
                overrun["ours"],
                (Comparison("baseline: delay of a poll() with the same timeout", overrun["baseline"]),),
            ),
            Row("wall time used beyond the limit", Sample(tuple(wall))),
        ),
        ("fair time: a bot's clock stops while others use its core",),
    )


def _measure_kill(server: ForkServer, folder: Path) -> Sequence[float]:
    conversation = _start_spinning_bot(server, folder)
    conversation.seat.ask(games.pair_workload().first_request(), MatchLimits(), SystemClock())
    time.sleep(0.02)  # the bot is spinning by then
    started = time.perf_counter()
    conversation.close()
    return (time.perf_counter() - started,)


def _measure_overrun(server: ForkServer, folder: Path, wall: list[float]) -> Sequence[float]:
    """Measure how far a bot's charged time exceeds its limit.

    The wall-clock time from the limit until the fault is reported is appended to ``wall``.
    """
    conversation = _start_spinning_bot(server, folder)
    started = time.perf_counter()
    event = ask_alone(
        conversation.seat,
        games.pair_workload().first_request(),
        MatchLimits(move_seconds=LIMIT),
        SystemClock(),
        lambda: False,
    )
    wall.append(time.perf_counter() - started - LIMIT)
    conversation.close()
    if not isinstance(event, SeatFaulted):
        raise RuntimeError("a spinning bot gave an answer")
    return (event.spent.charged - LIMIT,)


def _start_spinning_bot(server: ForkServer, folder: Path) -> BotConversation:
    conversation = BotConversation(
        fixtures.jailed_player(server, folder, fixtures.first_available_core()), games.pair_workload()
    )
    conversation.load()
    conversation.construct()
    return conversation


def _measure_interpreter_kill() -> Sequence[float]:
    process = subprocess.Popen([sys.executable, "-I", "-S", "-c", "while True: pass"])
    time.sleep(0.03)
    started = time.perf_counter()
    process.kill()
    process.wait()
    return (time.perf_counter() - started,)


def _measure_poll_delay() -> Sequence[float]:
    started = time.perf_counter()
    select.poll().poll(LIMIT * 1000)
    return (time.perf_counter() - started - LIMIT,)
