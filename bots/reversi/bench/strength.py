"""Measure the strength of the Reversi bots against a third-party engine and the simple house bots.

    python -m bots.reversi.bench.strength alpha_beta gtp:3 --games 20 --seconds 0.3
    python -m bots.reversi.bench.strength mcts least_mobility --games 40 --seconds 1
    python -m bots.reversi.bench.strength casual beginner --games 40

GRhino (Debian's grhino) plays at its level without its opening book. Each opening consists of six random moves and is
played with both colours. Seconds are CPU time: a busy machine makes the games longer but does not weaken any bot.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Final, Protocol

from bench.measure import Sample
from bench.table import Goal, Row, Section, Unit
from bots.reversi.gtp import EngineFailed, EngineProcess
from bots.reversi.house.engine.bitboard import after, each, moves, name, square
from bots.reversi.house.engine.evaluation import Weights, evaluation, final
from bots.reversi.house.engine.guided import GuidedSearch
from bots.reversi.house.engine.learned import learned
from bots.reversi.house.engine.network import trained
from bots.reversi.house.engine.network_player import NetworkPlayer
from bots.reversi.house.engine.thinking import Thinker
from bots.reversi.house.engine.tree import TreeSearch
from bots.reversi.house.levels import LEVELS
from tests.bots.reversi.positions import START

OPENING_PLIES: Final = 6
ENGINE: Final = "/usr/games/gtp-rhino"
# for each level of GRhino, the maximum number of lost games, a draw counting half
RHINO_LEVELS: Final = {1: 5.0, 3: 9.5}
GAMES: Final = 20
BENCH_SECONDS: Final = 0.1
_COLORS: Final = ("black", "white")


class Player(Protocol):
    """One side in one game; ``seat`` 0 is black."""

    def begin(self, seat: int) -> None: ...

    def see(self, seat: int, move: int) -> None:
        """Observe a move by either side; 0 is a pass."""

    def choose(self, own: int, other: int) -> int: ...


@dataclass(slots=True)
class Own:
    """One of our players: ``make`` starts a game and returns a function that chooses moves."""

    make: Callable[[], Callable[[int, int], int]]
    _choose: Callable[[int, int], int] | None = None

    def begin(self, seat: int) -> None:
        self._choose = self.make()

    def see(self, seat: int, move: int) -> None:
        return

    def choose(self, own: int, other: int) -> int:
        assert self._choose is not None
        return self._choose(own, other)


class Rhino:
    """GRhino at a level from 1 to 5."""

    def __init__(self, level: int) -> None:
        self._engine = EngineProcess([ENGINE, f"--level={level}", "-b", "0"])
        self._seat = 0
        self._own = 0  # its own last move, which it already knows

    def begin(self, seat: int) -> None:
        self._seat, self._own = seat, 0
        self._engine.ask("clear_board")

    def see(self, seat: int, move: int) -> None:
        if seat == self._seat and move and move == self._own:
            self._own = 0
            return
        if move:
            self._engine.ask(f"play {_COLORS[seat]} {name(move).lower()}")
        else:
            with suppress(EngineFailed):  # it may have passed on its own
                self._engine.ask(f"play {_COLORS[seat]} pass")

    def choose(self, own: int, other: int) -> int:
        self._own = square(self._engine.ask(f"genmove {_COLORS[self._seat]}").upper())
        return self._own


def players(seconds: float) -> dict[str, Callable[[], Player]]:
    """Return the players by name; players that search think this long per move."""
    clock = time.process_time

    def thinker(make: Callable[[], Thinker | TreeSearch | GuidedSearch | NetworkPlayer]) -> Callable[[], Player]:
        def fresh() -> Callable[[int, int], int]:
            thinks = make()
            return lambda own, other: thinks.think(own, other, seconds).move

        return lambda: Own(fresh)

    found: dict[str, Callable[[], Player]] = {
        "alpha_beta": thinker(lambda: Thinker(learned(), guesses=True, clock=clock)),
        "by_hand": thinker(lambda: Thinker(evaluation(Weights()), clock=clock)),
        "mcts": thinker(lambda: TreeSearch(random.Random(), clock=clock)),
        "mcts_guided": thinker(lambda: GuidedSearch(learned(), clock=clock)),
        "self_taught": thinker(lambda: NetworkPlayer(trained(), clock=clock)),
        "self_taught_unsolved": thinker(lambda: NetworkPlayer(trained(), solve=False, clock=clock)),
        "random_move": lambda: Own(lambda: _random_move),
        "most_discs": lambda: Own(lambda: _most_discs),
        "least_mobility": lambda: Own(lambda: _least_mobility),
    }
    found |= {level: lambda level=level: Own(lambda: _level(level)) for level in LEVELS}  # type: ignore[misc]
    found |= {f"gtp:{level}": lambda level=level: Rhino(level) for level in range(1, 6)}  # type: ignore[misc]
    return found


def _level(name: str) -> Callable[[int, int], int]:
    player = import_module(f"bots.reversi.house.levels.{name}").AIPlayer("X")
    player.seconds_per_move = 60.0
    choose: Callable[[int, int], int] = player.choose
    return choose


def _random_move(own: int, other: int) -> int:
    return random.choice(list(each(moves(own, other))))


def _most_discs(own: int, other: int) -> int:
    return _first_of(own, other, lambda theirs, ours: -ours.bit_count())


def _least_mobility(own: int, other: int) -> int:
    return _first_of(own, other, lambda theirs, ours: moves(theirs, ours).bit_count())


def _first_of(own: int, other: int, cost: Callable[[int, int], int]) -> int:
    """Return a random move among those with the lowest cost, as the corresponding house bots do."""
    costs = {move: cost(*after(own, other, move)) for move in each(moves(own, other))}
    least = min(costs.values())
    return random.choice([move for move, one in costs.items() if one == least])


def opened(chance: random.Random) -> list[int]:
    """Return the moves of a random opening."""
    while True:
        own, other = START
        line = []
        for _ in range(OPENING_PLIES):
            line.append(chance.choice(list(each(moves(own, other)))))
            own, other = after(own, other, line[-1])
            if not moves(own, other):
                break
        else:
            return line


def play(black: Player, white: Player, opening: list[int]) -> int:
    """Play a game; return black's lead in discs."""
    seats = (black, white)
    for seat, player in enumerate(seats):
        player.begin(seat)
    (own, other), seat = START, 0
    waiting = list(opening)
    while True:
        if not moves(own, other):
            if not moves(other, own):
                return final(own, other) * (-1 if seat else 1)
            move = 0
        else:
            move = waiting.pop(0) if waiting else seats[seat].choose(own, other)
        for player in seats:
            player.see(seat, move)
        own, other = after(own, other, move) if move else (other, own)
        seat = 1 - seat


@dataclass(slots=True)
class Score:
    won: int = 0
    drawn: int = 0
    lost: int = 0

    def count(self, lead: int) -> None:
        self.won += lead > 0
        self.drawn += lead == 0
        self.lost += lead < 0

    def __str__(self) -> str:
        return f"{self.won} won, {self.drawn} drawn, {self.lost} lost"


def match(ours: Player, theirs: Player, games: int, seed: int = 1, show: bool = False) -> Score:
    """Return our points and theirs; each opening is played with both colours."""
    score, chance = Score(), random.Random(seed)
    for number in range(games):
        if number % 2 == 0:
            opening = opened(chance)
        lead = -play(theirs, ours, opening) if number % 2 else play(ours, theirs, opening)
        score.count(lead)
        if show:
            print(f"{number + 1}: {lead:+d}   {score}", flush=True)
    return score


def run() -> Section:
    """Run the benchmark's short matches; report opponents that are not installed."""
    if not Path(ENGINE).exists():
        return Section("strength at Reversi", (), ("GRhino is not installed: make rivals",))
    return Section("strength at Reversi", tuple(_lost_to(level, most) for level, most in RHINO_LEVELS.items()))


def _lost_to(level: int, most: float | None) -> Row:
    known = players(BENCH_SECONDS)
    score = match(known["alpha_beta"](), known[f"gtp:{level}"](), GAMES)
    return Row(
        f"games of {GAMES} not won against GRhino at level {level}, {BENCH_SECONDS:g} s per move",
        Sample((score.lost + score.drawn / 2,)),
        goal=None if most is None else Goal(most),
        unit=Unit.COUNT,
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bots.reversi.bench.strength", description="Play a match.")
    parser.add_argument("ours", metavar="BOT", help=", ".join(players(1.0)))
    parser.add_argument("theirs", metavar="BOT")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=0.3, help="CPU seconds per move")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    known = players(options.seconds)
    score = match(known[options.ours](), known[options.theirs](), options.games, options.seed, show=True)
    print(f"{options.ours} against {options.theirs}, {options.seconds:g} s per move: {score}")


if __name__ == "__main__":
    main()
