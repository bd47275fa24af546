"""2584 on a 2x3 board: every seat plays its own boards with the same random drops, and seats are ranked by regret.

A match consists of several games. In each turn, every seat that still has a legal move in the current game slides its
board; when no seat has one left, the next game begins. The k-th drop of a game uses the same two random numbers for
every seat, derived from a seed in the state.

A seat's points are its luck-adjusted score: V(start) minus its mean regret per game; the regret of a move is
V(before) - (reward + V(after)). Drops change V by 0 on average, so this score, which excludes those changes, is an
unbiased estimate of the mean score (a control variate, like AIVAT for poker). A seat that faults forfeits the rest:
V(before) of the current game and V(start) of each game not started. It ranks below all seats that finished.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Final

from arena.core.messages import Template, gettext_noop, templates_by_code
from arena.games.base import (
    Game,
    IllegalMove,
    IntegerSetting,
    Json,
    Outcome,
    Scoring,
    Termination,
    Trial,
    Viewer,
    outcome_by_score,
    read_settings,
)
from arena.games.fib2584.board import (
    DIRECTIONS,
    START_DROPS,
    board_text,
    drop,
    legal_directions,
    slide,
    slides,
    unpack,
)
from arena.games.fib2584.values import exact_values, start_value
from arena.games.fib2584.verdict_messages import VERDICTS

# A move increases the sum of the tiles by at least 1, and no board exceeds 376.
_MAX_MOVES: Final = 375
_DEFAULT_GAMES: Final = 20

RAW_MEAN: Final = "raw_mean"  # mean of the raw scores, including luck

NO_DIRECTION: Final = Template(
    "fib2584.no_direction",
    gettext_noop('a move must be a number from 0 to 3, or one of "up", "right", "down" and "left"'),
)
CHANGES_NOTHING: Final = Template(
    "fib2584.changes_nothing",
    gettext_noop("%(direction)s changes nothing on this board; legal directions: %(directions)s"),
    lists=("directions",),
)


@dataclass(frozen=True, slots=True)
class Settings:
    """The match settings. ``games``: number of boards per seat."""

    games: int = _DEFAULT_GAMES


@dataclass(frozen=True, slots=True)
class Board:
    """One seat's board in the current game, its score and its regret so far.

    ``drops`` and ``score``: drops and rewards in the current game; ``total``: rewards in all games. ``regret``: the sum
    over all moves; ``last``: the regret of the move in the last turn, None if the seat did not move; ``unplayed``: the
    part of ``regret`` caused by leaving. ``best_tile``: the index of the largest tile so far.
    """

    tiles: int
    drops: int = START_DROPS
    score: int = 0
    total: int = 0
    regret: float = 0.0
    best_tile: int = 0
    best_game: int = 0
    last: float | None = None
    unplayed: float = 0.0

    @property
    def is_alive(self) -> bool:
        return bool(slides(self.tiles))


@dataclass(frozen=True)
class State:
    """The state between two turns.

    ``game``: number of the current game, counted from 1; ``turn``: turns played; ``out``: seats that left because of a
    fault.
    """

    settings: Settings
    seed: int
    boards: tuple[Board, ...]
    game: int = 1
    turn: int = 0
    out: frozenset[int] = frozenset()

    @cached_property
    def to_move(self) -> tuple[int, ...]:
        """Return the seats with an unfinished board."""
        return tuple(seat for seat, board in enumerate(self.boards) if seat not in self.out and board.is_alive)


class Fib2584(Game[State, int, Settings]):
    """The rules of play. A move is a direction: 0 up, 1 right, 2 down, 3 left."""

    name = "fib2584"
    min_seats = 1
    max_seats = 50
    scoring = Scoring.SCORED
    independent_seats = True
    messages = templates_by_code(NO_DIRECTION, CHANGES_NOTHING, *VERDICTS)
    schema = (IntegerSetting("games", _DEFAULT_GAMES, 1, 100),)
    figures = (RAW_MEAN,)
    trial = Trial({"games": 1}, 2, "first_legal")

    def settings(self, raw: Mapping[str, Json]) -> Settings:
        return Settings(**read_settings("2584", self.schema, raw))

    def settings_json(self, settings: Settings) -> dict[str, Json]:
        return {"games": settings.games}

    def initial(self, settings: Settings, seats: int, rng: random.Random) -> State:
        if not self.min_seats <= seats <= self.max_seats:
            raise ValueError(f"2584 has {self.min_seats} to {self.max_seats} seats, not {seats}.")
        seed = rng.getrandbits(64)
        return State(settings, seed, (Board(_start_board(seed, 1)),) * seats)

    def max_turns(self, settings: Settings) -> int:
        return settings.games * _MAX_MOVES

    def to_move(self, state: State) -> tuple[int, ...]:
        return state.to_move

    def shared(self, state: State) -> Json:
        return {"game": state.game, "games": state.settings.games, "turn": state.turn + 1}

    def own(self, state: State, seat: int) -> Json:
        board = state.boards[seat]
        return {"indices": unpack(board.tiles), "legal": legal_directions(board.tiles), "score": board.score}

    def parse(self, state: State, seat: int, answer: Json) -> int:
        direction = DIRECTIONS.index(answer) if isinstance(answer, str) and answer in DIRECTIONS else answer
        if isinstance(direction, bool) or not isinstance(direction, int) or not 0 <= direction < len(DIRECTIONS):
            raise IllegalMove(NO_DIRECTION())
        legal = legal_directions(state.boards[seat].tiles)
        if direction not in legal:
            names = tuple(DIRECTIONS[one] for one in legal)
            raise IllegalMove(CHANGES_NOTHING(direction=DIRECTIONS[direction], directions=names))
        return direction

    def apply(self, state: State, moves: Mapping[int, int], out: frozenset[int] = frozenset()) -> State:
        if not moves.keys() <= set(state.to_move) - out:
            raise ValueError(f"Expected moves from seats {state.to_move}, but got moves from seats {sorted(moves)}.")
        boards = [board if board.last is None else replace(board, last=None) for board in state.boards]
        for seat, direction in moves.items():
            boards[seat] = _slide_board(boards[seat], direction, state.seed, state.game)
        for seat in out - state.out:
            boards[seat] = _forfeit_board(boards[seat], state.settings.games - state.game)
        after = replace(state, boards=tuple(boards), turn=state.turn + 1, out=state.out | out)
        return after if after.to_move or after.game == state.settings.games else _next_game(after)

    def outcome(self, state: State) -> Outcome | None:
        if state.to_move:
            return None
        points = tuple(adjusted_score(board, state.settings.games) for board in state.boards)
        everybody_left = len(state.out) == len(state.boards)
        termination = Termination.FORFEIT if everybody_left else Termination.COMPLETED
        raw = tuple(board.total / state.settings.games for board in state.boards)
        return outcome_by_score(points, state.out, termination, {RAW_MEAN: raw})

    def view(self, state: State, viewer: Viewer) -> dict[str, Json]:
        """Return compact columns indexed by seat.

        They are compact because a long match with many seats has hundreds of thousands of moves.

        ``boards``: six hexadecimal tile indices each; ``scores``: scores in the current game; ``totals``: scores in all
        games; ``best_tiles`` (as indices) and ``best_games``; ``adjusted``: luck-adjusted scores so far; ``regrets``:
        regrets of the moves in the last turn, None for a seat that did not move; ``out``: the seats that left.
        """
        boards = state.boards
        return {
            "game": state.game,
            "games": state.settings.games,
            "boards": [board_text(board.tiles) for board in boards],
            "scores": [board.score for board in boards],
            "totals": [board.total for board in boards],
            "best_tiles": [board.best_tile for board in boards],
            "best_games": [max(board.best_game, board.score) for board in boards],
            "adjusted": [round(adjusted_score(board, state.game), 6) for board in boards],
            "regrets": [None if board.last is None else round(board.last, 3) for board in boards],
            "out": sorted(state.out),
        }

    def encode(self, move: int) -> Json:
        return move

    def decode(self, raw: Json) -> int:
        if isinstance(raw, bool) or not isinstance(raw, int) or not 0 <= raw < len(DIRECTIONS):
            raise ValueError(f"{raw!r} is not a direction.")
        return raw


def adjusted_score(board: Board, games: int) -> float:
    """Return the luck-adjusted score after ``games`` games."""
    return start_value() - board.regret / games


@lru_cache(maxsize=1 << 12)
def drop_random_numbers(seed: int, game: int, number: int) -> tuple[float, float]:
    """Return the two random numbers for drop ``number`` in a game, which determine the tile and the cell.

    They are the same for every seat.
    """
    rng = random.Random(f"{seed}/{game}/{number}")  # noqa: S311 - a game
    return rng.random(), rng.random()


def _start_board(seed: int, game: int) -> int:
    tiles = 0
    for number in range(START_DROPS):
        tiles, _, _ = drop(tiles, *drop_random_numbers(seed, game, number))
    return tiles


def _slide_board(board: Board, direction: int, seed: int, game: int) -> Board:
    worth = exact_values().direction_values(board.tiles)
    slid, reward = slide(board.tiles, direction)
    tiles, _, _ = drop(slid, *drop_random_numbers(seed, game, board.drops))
    regret = max(worth.values()) - worth[direction]
    return Board(
        tiles,
        board.drops + 1,
        board.score + reward,
        board.total + reward,
        board.regret + regret,
        max(board.best_tile, *unpack(slid)),
        board.best_game,
        regret,
    )


def _forfeit_board(board: Board, unplayed: int) -> Board:
    """Forfeit the current game and the ``unplayed`` later games of a seat that left; return its board."""
    lost = exact_values().value_before_move(board.tiles) + unplayed * start_value()
    return replace(board, regret=board.regret + lost, unplayed=lost)


def _next_game(state: State) -> State:
    """Start the next game on the boards of all seats except those that have left."""
    game = state.game + 1
    tiles = _start_board(state.seed, game)
    boards = tuple(
        board
        if seat in state.out
        else replace(
            board,
            tiles=tiles,
            drops=START_DROPS,
            score=0,
            best_tile=max(board.best_tile, *unpack(tiles)),
            best_game=max(board.best_game, board.score),
        )
        for seat, board in enumerate(state.boards)
    )
    return replace(state, boards=boards, game=game)


GAME: Final = Fib2584()
