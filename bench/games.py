"""The games' additions to the benchmark: ``bots/<game>/bench/__init__.py`` defines one ``GameBench``, named ``BENCH``.

General benchmarks use the first game that declares the kind of match that they need; benchmarks of one game belong to
that game. The Debian packages of the engines used for comparison are listed in ``bots/<game>/bench/packages.txt``, one
per line.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TypeVar

from arena.core.referee import protocol
from arena.core.referee.protocol import Request
from arena.core.referee.spec import MatchSpec, SeatSpec
from arena.games.base import AnyGame, Json
from arena.games.registry import GAMES, PACKAGES
from bench.benchmark import Benchmark


@dataclass(frozen=True, slots=True)
class Workload:
    """A match for measuring the arena rather than its bots.

    ``match`` and ``question``: names of the match and of one of its requests, shown in the table. ``bot``: the source
    of a bot that answers immediately throughout the match; ``answering``: the source of a bot that can answer
    ``first_request`` repeatedly. ``turns``: the moves of all seats in the turns before that request.
    """

    game: str
    match: str
    question: str
    seats: int
    bot: Callable[[], str]
    answering: str
    settings: Mapping[str, Json] = field(default_factory=dict)
    turns: Callable[[random.Random, int], list[list[Json]]] = lambda rng, seats: []

    @property
    def rules(self) -> AnyGame:
        return GAMES[self.game]

    def spec(self, settings: Mapping[str, Json] | None = None) -> MatchSpec:
        """Return the match specification that a worker receives; ``settings`` override the workload's own."""
        seats = tuple(SeatSpec(f"bot {seat}", f"{seat:064}") for seat in range(self.seats))
        return MatchSpec(self.rules, {**self.settings, **(settings or {})}, 1, seats=seats)

    def observation(self) -> Json:
        """Return the first seat's observation before the first turn."""
        return self.rules.own(self._initial(random.Random(1)), 0)

    def first_request(self) -> Request:
        """Return the request that the first seat receives after ``turns``."""
        rng = random.Random(1)
        state = self._initial(rng)
        for answers in self.turns(rng, self.seats):
            moves = {seat: self.rules.parse(state, seat, answer) for seat, answer in enumerate(answers)}
            state = self.rules.apply(state, moves)
        return protocol.move_request(0, self.rules.own(state, 0), protocol.encode_shared(self.rules.shared(state)))

    def _initial(self, rng: random.Random) -> Json:
        return self.rules.initial(self.rules.settings(self.settings), self.seats, rng)


@dataclass(frozen=True, slots=True)
class TableWorkload(Workload):
    """A match with many seats that act simultaneously.

    ``brief``: settings of a match with one turn. ``reader``: the source of a bot that reads its whole input;
    ``reader_settings``: settings for a shorter match, played by that bot.
    """

    brief: Mapping[str, Json] = field(default_factory=dict)
    reader: str = ""
    reader_settings: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GameBench:
    """A game's additions to the benchmark.

    ``benchmarks``: the game's own measurements, keyed by their names in ``--only``. ``pair``: a short match between two
    players who take turns; ``table``: a long match with many players.
    """

    benchmarks: Mapping[str, Benchmark] = field(default_factory=dict)
    pair: Workload | None = None
    table: TableWorkload | None = None


_Match = TypeVar("_Match", bound=Workload)


@cache
def pair_workload() -> Workload:
    """Return the first two-player match that a game declares. Raises LookupError if no game declares one."""
    return _first_declared(bench.pair for bench in game_benches())


@cache
def table_workload() -> TableWorkload:
    """Return the first many-player match that a game declares. Raises LookupError if no game declares one."""
    return _first_declared(bench.table for bench in game_benches())


def game_benches() -> Iterator[GameBench]:
    """Yield the ``GameBench`` of every installed game that has one, in the order of the list of games."""
    for one in PACKAGES.values():
        name = f"{one.bots}.bench"
        if find_spec(name):
            yield import_module(name).BENCH


def _first_declared(declared: Iterator[_Match | None]) -> _Match:
    found = next((one for one in declared if one is not None), None)
    if found is None:
        raise LookupError("No game declares such a match: see bench/games.py")
    return found
