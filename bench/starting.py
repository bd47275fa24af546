"""Measure the startup time of one bot, and of two hundred bots that import numpy."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from arena.core.referee.players import Player
from bench import fixtures, games
from bench.baselines import ForkBaseline
from bench.fixtures import BotConversation
from bench.measure import Sample, Subject, measure_interleaved
from bench.table import Comparison, Goal, GoalQuantity, MissingComparison, Row, Section

ONE_TIMES, MANY_TIMES = 40, 3
MANY, MANY_OF_RIVAL = 200, 10
ONE_GOAL = Goal(10, GoalQuantity.RATIO)  # about 10 ms
MANY_GOAL = Goal(25, GoalQuantity.RATIO)  # about 2 s
_BUBBLEWRAP_ROW = "rival: the same interpreter in bubblewrap"


def run() -> Section:
    bot = games.table_workload().bot()
    plain, numpy = fixtures.create_bot_folder("plain", bot), fixtures.create_bot_folder("numpy", f"import numpy\n{bot}")
    rival, absent = _bubblewrap_subject(plain)
    with fixtures.running_fork_server() as server, ForkBaseline(fixtures.LIBRARIES) as forks:
        one = measure_interleaved(
            {
                "fork": lambda: (forks.measure(1),),
                "ours": _start_subject(lambda: fixtures.jailed_player(server, plain)),
                "interpreter": _start_subject(lambda: fixtures.interpreter_player(plain)),
                **rival,
            },
            ONE_TIMES,
            seconds=10,
        )
        many = measure_interleaved(
            {
                "fork": lambda: (forks.measure(MANY),),
                "ours": lambda: _measure_starts([fixtures.jailed_player(server, numpy) for _ in range(MANY)]),
                "interpreter": lambda: _measure_starts(
                    [fixtures.interpreter_player(numpy) for _ in range(MANY_OF_RIVAL)]
                ),
            },
            MANY_TIMES,
            seconds=15,
            warm_up=0,
        )
    return Section("start of bots", (_one_row(one, absent), _many_row(many)), _remarks())


def _one_row(one: dict[str, Sample], absent: tuple[MissingComparison, ...]) -> Row:
    comparisons = [
        Comparison("baseline: a bare fork that sends one byte", one["fork"]),
        Comparison("rival: a fresh interpreter with our harness, no jail", one["interpreter"]),
    ]
    if "bubblewrap" in one:
        comparisons.append(Comparison(_BUBBLEWRAP_ROW, one["bubblewrap"]))
    return Row("one bot, jailed, loaded, ready for a request", one["ours"], tuple(comparisons), ONE_GOAL, absent=absent)


def _many_row(many: dict[str, Sample]) -> Row:
    rival = fixtures.scale_sample(many["interpreter"], MANY / MANY_OF_RIVAL)
    return Row(
        f"{MANY} bots one after another, numpy imported, all alive",
        many["ours"],
        (
            Comparison(f"baseline: {MANY} bare forks", many["fork"]),
            Comparison(f"rival: fresh interpreters ({MANY_OF_RIVAL} measured)", rival),
        ),
        MANY_GOAL,
    )


def _start_subject(make: Callable[[], Player]) -> Subject:
    def measure() -> Sequence[float]:
        conversation = BotConversation(make(), replace(games.table_workload(), seats=2))
        started = time.perf_counter()
        try:
            conversation.load()
            return (time.perf_counter() - started,)
        finally:
            conversation.close()

    return measure


def _measure_starts(players: list[Player]) -> Sequence[float]:
    conversations = [BotConversation(player, replace(games.table_workload(), seats=MANY)) for player in players]
    started = time.perf_counter()
    try:
        for conversation in conversations:
            conversation.load()
            conversation.construct()
        return (time.perf_counter() - started,)
    finally:
        for conversation in conversations:
            conversation.close()


def _bubblewrap_subject(folder: Path) -> tuple[dict[str, Subject], tuple[MissingComparison, ...]]:
    """Return the bubblewrap jail as a subject for comparison, or the reason why it cannot be measured."""
    if not fixtures.BUBBLEWRAP:
        return {}, (MissingComparison(_BUBBLEWRAP_ROW, "not installed"),)
    subject = _start_subject(lambda: fixtures.bubblewrap_player(folder))
    try:
        subject()
    except RuntimeError:
        return {}, (MissingComparison(_BUBBLEWRAP_ROW, "does not work"),)  # not permitted on this machine
    return {"bubblewrap": subject}, ()


def _remarks() -> tuple[str, ...]:
    remarks = []
    if not (fixtures.LIBRARIES / "numpy").is_dir():
        remarks.append("numpy is not installed here: make install")
    return tuple(remarks)
