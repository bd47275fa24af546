"""Measure the strength of the Reversi bots against a third-party engine and the simple house bots.

    python -m bots.reversi.bench.strength alpha_beta gtp:3 --matches 20 --seconds 0.3
    python -m bots.reversi.bench.strength mcts least_mobility --matches 40 --seconds 1
    python -m bots.reversi.bench.strength casual beginner --matches 40

GRhino (Debian's grhino) plays at the given level, without its opening book. Each opening consists of six random moves
and is played with both colours. Seconds are CPU time: a busy machine makes the matches longer but does not weaken any
bot.
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
from bots.reversi.gtp import EngineError, EngineProcess
from bots.reversi.house.engine.bitboard import iterate_squares, legal_moves, parse_square, position_after, square_name
from bots.reversi.house.engine.evaluation import Weights, create_evaluation, final_lead
from bots.reversi.house.engine.guided import GuidedSearch
from bots.reversi.house.engine.learned import learned_evaluation
from bots.reversi.house.engine.network import shipped_network
from bots.reversi.house.engine.network_player import NetworkPlayer
from bots.reversi.house.engine.thinking import Thinker
from bots.reversi.house.engine.tree import TreeSearch
from bots.reversi.house.levels import LEVELS
from tests.bots.reversi.positions import START

OPENING_PLIES: Final = 6
ENGINE: Final = "/usr/games/gtp-rhino"
# for each level of GRhino, the maximum number of lost matches; a draw counts half
RHINO_LEVELS: Final = {1: 5.0, 3: 9.5}
MATCHES: Final = 20
BENCH_SECONDS: Final = 0.1
_COLORS: Final = ("black", "white")


class Player(Protocol):
    """One side in one match; ``seat`` 0 is black."""

    def begin(self, seat: int) -> None: ...

    def see(self, seat: int, move: int) -> None:
        """Observe a move by either side; 0 is a pass."""

    def choose(self, own: int, other: int) -> int: ...


@dataclass(slots=True)
class OwnPlayer:
    """A player from this repository: ``make`` starts a match and returns a function that chooses moves."""

    make: Callable[[], Callable[[int, int], int]]
    _choose: Callable[[int, int], int] | None = None

    def begin(self, seat: int) -> None:
        self._choose = self.make()

    def see(self, seat: int, move: int) -> None:
        return

    def choose(self, own: int, other: int) -> int:
        assert self._choose is not None
        return self._choose(own, other)


class RhinoPlayer:
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
            self._engine.ask(f"play {_COLORS[seat]} {square_name(move).lower()}")
        else:
            with suppress(EngineError):  # it may have passed on its own
                self._engine.ask(f"play {_COLORS[seat]} pass")

    def choose(self, own: int, other: int) -> int:
        self._own = parse_square(self._engine.ask(f"genmove {_COLORS[self._seat]}").upper())
        return self._own


def create_players(seconds: float) -> dict[str, Callable[[], Player]]:
    """Return the players, keyed by name; those that search use this many seconds per move."""
    clock = time.process_time

    def thinker(make: Callable[[], Thinker | TreeSearch | GuidedSearch | NetworkPlayer]) -> Callable[[], Player]:
        def start_thinking() -> Callable[[int, int], int]:
            thinks = make()
            return lambda own, other: thinks.think(own, other, seconds).move

        return lambda: OwnPlayer(start_thinking)

    found: dict[str, Callable[[], Player]] = {
        "alpha_beta": thinker(lambda: Thinker(learned_evaluation(), uses_probcut=True, clock=clock)),
        "by_hand": thinker(lambda: Thinker(create_evaluation(Weights()), clock=clock)),
        "mcts": thinker(lambda: TreeSearch(random.Random(), clock=clock)),
        "mcts_guided": thinker(lambda: GuidedSearch(learned_evaluation(), clock=clock)),
        "self_taught": thinker(lambda: NetworkPlayer(shipped_network(), clock=clock)),
        "self_taught_unsolved": thinker(lambda: NetworkPlayer(shipped_network(), solve=False, clock=clock)),
        "random_move": lambda: OwnPlayer(lambda: _random_move),
        "most_discs": lambda: OwnPlayer(lambda: _most_discs),
        "least_mobility": lambda: OwnPlayer(lambda: _least_mobility),
    }
    found |= {level: lambda level=level: OwnPlayer(lambda: _level_player(level)) for level in LEVELS}  # type: ignore[misc]
    found |= {f"gtp:{level}": lambda level=level: RhinoPlayer(level) for level in range(1, 6)}  # type: ignore[misc]
    return found


def _level_player(name: str) -> Callable[[int, int], int]:
    player = import_module(f"bots.reversi.house.levels.{name}").AIPlayer("X")
    player.seconds_per_move = 60.0
    choose: Callable[[int, int], int] = player.choose
    return choose


def _random_move(own: int, other: int) -> int:
    return random.choice(list(iterate_squares(legal_moves(own, other))))


def _most_discs(own: int, other: int) -> int:
    return _random_best_move(own, other, lambda theirs, ours: -ours.bit_count())


def _least_mobility(own: int, other: int) -> int:
    return _random_best_move(own, other, lambda theirs, ours: legal_moves(theirs, ours).bit_count())


def _random_best_move(own: int, other: int, cost: Callable[[int, int], int]) -> int:
    """Return a random move among those with the lowest cost, as the corresponding house bots do."""
    costs = {move: cost(*position_after(own, other, move)) for move in iterate_squares(legal_moves(own, other))}
    least = min(costs.values())
    return random.choice([move for move, one in costs.items() if one == least])


def random_opening(chance: random.Random) -> list[int]:
    """Return the moves of a random opening."""
    while True:
        own, other = START
        line = []
        for _ in range(OPENING_PLIES):
            line.append(chance.choice(list(iterate_squares(legal_moves(own, other)))))
            own, other = position_after(own, other, line[-1])
            if not legal_moves(own, other):
                break
        else:
            return line


def play_match(black: Player, white: Player, opening: list[int]) -> int:
    """Play a match; return black's lead in discs."""
    seats = (black, white)
    for seat, player in enumerate(seats):
        player.begin(seat)
    (own, other), seat = START, 0
    waiting = list(opening)
    while True:
        if not legal_moves(own, other):
            if not legal_moves(other, own):
                return final_lead(own, other) * (-1 if seat else 1)
            move = 0
        else:
            move = waiting.pop(0) if waiting else seats[seat].choose(own, other)
        for player in seats:
            player.see(seat, move)
        own, other = position_after(own, other, move) if move else (other, own)
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


def play_matches(ours: Player, theirs: Player, count: int, seed: int = 1, show: bool = False) -> Score:
    """Play ``count`` matches; return the score of ``ours``. Each opening is played with both colours."""
    score, chance = Score(), random.Random(seed)
    for number in range(count):
        if number % 2 == 0:
            opening = random_opening(chance)
        lead = -play_match(theirs, ours, opening) if number % 2 else play_match(ours, theirs, opening)
        score.count(lead)
        if show:
            print(f"{number + 1}: {lead:+d}   {score}", flush=True)
    return score


def run() -> Section:
    """Run the benchmark's short matches; report opponents that are not installed."""
    if not Path(ENGINE).exists():
        return Section("strength at Reversi", (), ("GRhino is not installed: make rivals",))
    return Section("strength at Reversi", tuple(_check_losses(level, most) for level, most in RHINO_LEVELS.items()))


def _check_losses(level: int, most: float | None) -> Row:
    known = create_players(BENCH_SECONDS)
    score = play_matches(known["alpha_beta"](), known[f"gtp:{level}"](), MATCHES)
    return Row(
        f"matches of {MATCHES} not won against GRhino at level {level}, {BENCH_SECONDS:g} s per move",
        Sample((score.lost + score.drawn / 2,)),
        goal=None if most is None else Goal(most),
        unit=Unit.COUNT,
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bots.reversi.bench.strength", description="Play matches.")
    parser.add_argument("ours", metavar="BOT", help=", ".join(create_players(1.0)))
    parser.add_argument("theirs", metavar="BOT")
    parser.add_argument("--matches", "--games", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=0.3, help="CPU seconds per move")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    known = create_players(options.seconds)
    score = play_matches(known[options.ours](), known[options.theirs](), options.matches, options.seed, show=True)
    print(f"{options.ours} against {options.theirs}, {options.seconds:g} s per move: {score}")


if __name__ == "__main__":
    main()
