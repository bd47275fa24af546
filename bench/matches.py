"""Measure whole matches with the referee alone: a short two-player match, and a long match with many players."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from arena.core.referee.clock import SystemClock
from arena.core.referee.events import MatchEvent, TurnPlayed
from arena.core.referee.play import play_match
from arena.core.referee.players import Player
from arena.core.referee.spec import MatchSpec
from arena.core.sandbox.supervision.forkserver import ForkServer
from bench import fixtures, games
from bench.baselines import EchoProcesses
from bench.games import Workload
from bench.measure import Sample, measure_interleaved, timed_subject
from bench.table import Comparison, Goal, GoalQuantity, Row, Section

PAIR_TIMES, TABLE_TIMES = 20, 3
PAIR_GOAL = Goal(15, GoalQuantity.RATIO)  # about 60 ms
TABLE_GOAL = Goal(45, GoalQuantity.RATIO)  # about 20 s


def run_pair() -> Section:
    """Time the two-player match, including bot startup."""
    pair = games.pair_workload()
    folder = fixtures.create_bot_folder("pair", pair.bot())
    core = fixtures.first_available_core()
    with fixtures.running_fork_server() as server:
        samples = measure_interleaved(
            {
                "baseline": _pair_match_subject(pair, lambda: fixtures.in_process_player(folder)),
                "ours": _pair_match_subject(pair, lambda: fixtures.jailed_player(server, folder, core)),
                "rival": _pair_match_subject(pair, lambda: fixtures.interpreter_player(folder)),
            },
            PAIR_TIMES,
            seconds=10,
        )
    comparisons = (
        Comparison("baseline: rules, harness and bots in one process", samples["baseline"]),
        Comparison("rival: a fresh interpreter for each bot, no jail", samples["rival"]),
    )
    row = Row(f"{pair.match}, referee alone", samples["ours"], comparisons, PAIR_GOAL)
    return Section("a whole match", (row,))


def _pair_match_subject(pair: Workload, make: Callable[[], Player]) -> Callable[[], Sequence[float]]:
    return timed_subject(lambda: play_without_faults(pair.spec(), [make() for _ in range(pair.seats)]))


def play_without_faults(
    spec: MatchSpec, players: list[Player], on_event: Callable[[MatchEvent], None] = lambda event: None
) -> None:
    """Play a match to the end. Raises RuntimeError if a bot failed, because the measurement is then invalid."""
    result = play_match(spec, players, SystemClock(), on_event, lambda: False)
    failed = next((diagnosis for diagnosis in result.diagnoses if diagnosis), None)
    if failed is not None:
        raise RuntimeError(f"a bot failed: {failed.message}")


def run_table() -> Section:
    table = games.table_workload()
    turns = table.rules.max_turns(table.rules.settings(table.settings))
    instant, reading = _RoundTimer(), _RoundTimer()
    question = b"." * len(table.first_request().body)
    echo = EchoProcesses(
        table.seats, fixtures.first_available_core()
    )  # before the fork server starts, so that its children inherit nothing
    try:
        with fixtures.running_fork_server() as server:
            samples = measure_interleaved(
                {
                    "ours": lambda: _measure_table_match(server, table.bot(), table.spec(), instant),
                    "baseline": lambda: (sum(echo.ask(question) for _ in range(turns)),),
                },
                TABLE_TIMES,
                seconds=50,
                warm_up=0,
            )
            _measure_table_match(server, table.reader, table.spec(table.reader_settings), reading)
    finally:
        echo.close()
    match = Row(
        f"{table.match}, starts included",
        samples["ours"],
        (Comparison("baseline: as many messages of the same size, only echoed", samples["baseline"]),),
        TABLE_GOAL,
    )
    one = Comparison("baseline: the same with bots that answer immediately", instant.sample())
    each = fixtures.scale_sample(samples["baseline"], 1 / turns)
    return Section(
        "a large match",
        (
            match,
            Row("one round of the match", instant.sample(), (Comparison(match.comparisons[0].name, each),)),
            Row("one round, with bots that read all numbers of the previous round", reading.sample(), (one,)),
        ),
    )


class _RoundTimer:
    """A timer for the pauses between rounds, in seconds, across all matches."""

    def __init__(self) -> None:
        self._seconds: list[float] = []
        self._last = 0.0

    def on_event(self, event: MatchEvent) -> None:
        now = time.perf_counter()
        if isinstance(event, TurnPlayed) and event.number > 1:
            self._seconds.append(now - self._last)
        self._last = now

    def sample(self) -> Sample:
        return Sample(tuple(self._seconds))


def _measure_table_match(server: ForkServer, bot: str, spec: MatchSpec, seen: _RoundTimer) -> Sequence[float]:
    folder = fixtures.create_bot_folder("table", bot)
    core = fixtures.first_available_core()  # as in a worker, where a match is pinned to one core
    players: list[Player] = [fixtures.jailed_player(server, folder, core) for _ in spec.seats]
    return timed_subject(lambda: play_without_faults(spec, players, seen.on_event))()
