"""Measure whole matches by the referee alone: Reversi, and golden point with 200 seats and 400 rounds."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from arena.core.referee.clock import SystemClock
from arena.core.referee.events import MatchEvent, TurnPlayed
from arena.core.referee.play import play_match
from arena.core.referee.players import Player
from arena.core.referee.spec import MatchSpec, SeatSpec
from arena.core.sandbox.outside.forkserver import ForkServer
from arena.games.registry import GAMES
from bench import asking, stage
from bench.floors import Echo
from bench.measure import Sample, interleaved, timed
from bench.table import Beside, Goal, Row, Section

REVERSI_TIMES = 20
SEATS, ROUNDS, GOLDEN_TIMES = 200, 400, 3
# Bots that look at every number of the last round; fewer rounds tell enough.
READING_BOT = """
def get_move(state):
    played = [x for own in state.history[-1] for x in own] if state.history else [20.0]
    return 0.618 * sum(played) / len(played), 12.0
"""
READING_ROUNDS = 60


def run_reversi() -> Section:
    """Starts of the bots included."""
    folder = stage.bot_folder("reversi", stage.reversi_bot())
    core = stage.some_core()
    with stage.fork_server() as server:
        samples = interleaved(
            {
                "floor": _match(lambda: stage.in_process(folder)),
                "ours": _match(lambda: stage.jailed(server, folder, core)),
                "rival": _match(lambda: stage.plain(folder)),
            },
            REVERSI_TIMES,
            seconds=10,
        )
    beside = (
        Beside("floor: rules, harness and bots in one process", samples["floor"]),
        Beside("rival: a fresh interpreter for each bot, no jail", samples["rival"]),
    )
    row = Row("Reversi, 60 moves of two instant bots, referee alone", samples["ours"], beside, Goal(0.060))
    return Section("a whole match", (row,))


def reversi_spec() -> MatchSpec:
    return MatchSpec(GAMES["reversi"], {}, 1, seats=_seats(2))


def _seats(count: int) -> tuple[SeatSpec, ...]:
    return tuple(SeatSpec(f"bot {seat}", f"{seat:064}") for seat in range(count))


def _match(make: Callable[[], Player]) -> Callable[[], Sequence[float]]:
    return timed(lambda: play(reversi_spec(), [make(), make()]))


def play(spec: MatchSpec, players: list[Player], on_event: Callable[[MatchEvent], None] = lambda event: None) -> None:
    """Play to the end; raises RuntimeError where a bot failed, for then nothing was measured."""
    result = play_match(spec, players, SystemClock(), on_event, lambda: False)
    failed = next((diagnosis for diagnosis in result.diagnoses if diagnosis), None)
    if failed is not None:
        raise RuntimeError(f"a bot failed: {failed.message}")


def run_golden() -> Section:
    instant, reading = _Rounds(), _Rounds()
    question = b"." * len(asking.round_question().body)
    echo = Echo(SEATS, stage.some_core())  # before the fork server: its children inherit nothing of it
    try:
        with stage.fork_server() as server:
            samples = interleaved(
                {
                    "ours": lambda: _golden_match(server, stage.GOLDEN_BOT, ROUNDS, instant),
                    "floor": lambda: (sum(echo.ask(question) for _ in range(ROUNDS)),),
                },
                GOLDEN_TIMES,
                seconds=50,
                warm_up=0,
            )
            _golden_match(server, READING_BOT, READING_ROUNDS, reading)
    finally:
        echo.close()
    match = Row(
        f"golden point, {SEATS} seats x {ROUNDS} rounds, starts included",
        samples["ours"],
        (Beside("floor: as many messages to bare processes", samples["floor"]),),
        Goal(30.0),
    )
    one = Beside("floor: the same of bots that answer at once", instant.sample())
    return Section(
        "a large match",
        (
            match,
            Row("one round of it", instant.sample(), (Beside(match.beside[0].name, _each_round(samples["floor"])),)),
            Row("one round of bots that go through all numbers of the last", reading.sample(), (one,)),
        ),
    )


def _each_round(matches: Sample) -> Sample:
    return stage.scaled(matches, 1 / ROUNDS)


class _Rounds:
    """The seconds from each round to the next, over all matches."""

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


def _golden_match(server: ForkServer, bot: str, rounds: int, seen: _Rounds) -> Sequence[float]:
    folder = stage.bot_folder("golden", bot)
    spec = MatchSpec(GAMES["golden_point"], {"numbers": 2, "rounds": rounds}, 1, seats=_seats(SEATS))
    core = stage.some_core()  # as a worker does: a match is pinned to one
    players: list[Player] = [stage.jailed(server, folder, core) for _ in range(SEATS)]
    return timed(lambda: play(spec, players, seen.on_event))()
