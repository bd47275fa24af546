"""Measure the startup of one bot, and of two hundred bots that import numpy."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from arena.core.referee.players import Player
from bench import games, stage
from bench.floors import BareForks
from bench.measure import Sample, Subject, interleaved
from bench.stage import BotConversation
from bench.table import Absent, Comparison, Goal, Measure, Row, Section

ONE_TIMES, MANY_TIMES = 40, 3
MANY, MANY_OF_RIVAL = 200, 10
ONE_GOAL = Goal(10, Measure.RATIO)  # about 10 ms
MANY_GOAL = Goal(25, Measure.RATIO)  # about 2 s
_BUBBLEWRAP_ROW = "rival: the same interpreter in bubblewrap"


def run() -> Section:
    bot = games.table().bot()
    plain, numpy = stage.bot_folder("plain", bot), stage.bot_folder("numpy", f"import numpy\n{bot}")
    rival, absent = _bubblewrap(plain)
    with stage.fork_server() as server, BareForks(stage.LIBRARIES) as forks:
        one = interleaved(
            {
                "fork": lambda: (forks.measure(1),),
                "ours": _started(lambda: stage.jailed(server, plain)),
                "interpreter": _started(lambda: stage.plain(plain)),
                **rival,
            },
            ONE_TIMES,
            seconds=10,
        )
        many = interleaved(
            {
                "fork": lambda: (forks.measure(MANY),),
                "ours": lambda: _all_started([stage.jailed(server, numpy) for _ in range(MANY)]),
                "interpreter": lambda: _all_started([stage.plain(numpy) for _ in range(MANY_OF_RIVAL)]),
            },
            MANY_TIMES,
            seconds=15,
            warm_up=0,
        )
    return Section("start of bots", (_one_row(one, absent), _many_row(many)), _remarks())


def _one_row(one: dict[str, Sample], absent: tuple[Absent, ...]) -> Row:
    comparisons = [
        Comparison("floor: a bare fork that sends one byte", one["fork"]),
        Comparison("rival: a fresh interpreter with our harness, no jail", one["interpreter"]),
    ]
    if "bubblewrap" in one:
        comparisons.append(Comparison(_BUBBLEWRAP_ROW, one["bubblewrap"]))
    return Row("one bot, jailed, loaded, ready for a request", one["ours"], tuple(comparisons), ONE_GOAL, absent=absent)


def _many_row(many: dict[str, Sample]) -> Row:
    rival = stage.scaled(many["interpreter"], MANY / MANY_OF_RIVAL)
    return Row(
        f"{MANY} bots one after another, numpy imported, all alive",
        many["ours"],
        (
            Comparison(f"floor: {MANY} bare forks", many["fork"]),
            Comparison(f"rival: fresh interpreters ({MANY_OF_RIVAL} measured)", rival),
        ),
        MANY_GOAL,
    )


def _started(make: Callable[[], Player]) -> Subject:
    def measure() -> Sequence[float]:
        conversation = BotConversation(make(), replace(games.table(), seats=2))
        started = time.perf_counter()
        try:
            conversation.load()
            return (time.perf_counter() - started,)
        finally:
            conversation.close()

    return measure


def _all_started(players: list[Player]) -> Sequence[float]:
    conversations = [BotConversation(player, replace(games.table(), seats=MANY)) for player in players]
    started = time.perf_counter()
    try:
        for conversation in conversations:
            conversation.load()
            conversation.construct()
        return (time.perf_counter() - started,)
    finally:
        for conversation in conversations:
            conversation.close()


def _bubblewrap(folder: Path) -> tuple[dict[str, Subject], tuple[Absent, ...]]:
    """Return the bubblewrap rival to measure, or the reason why it cannot be measured."""
    if not stage.BUBBLEWRAP:
        return {}, (Absent(_BUBBLEWRAP_ROW, "not installed"),)
    subject = _started(lambda: stage.bubblewrapped(folder))
    try:
        subject()
    except RuntimeError:
        return {}, (Absent(_BUBBLEWRAP_ROW, "does not work"),)  # not permitted on this machine
    return {"bubblewrap": subject}, ()


def _remarks() -> tuple[str, ...]:
    remarks = []
    if not (stage.LIBRARIES / "numpy").is_dir():
        remarks.append("numpy is not installed here: make install")
    return tuple(remarks)
