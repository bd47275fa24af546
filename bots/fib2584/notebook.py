"""Analyse a match of 2584 in a notebook.

    from bots.notebook import fib2584

    match = fib2584.read("match-12.json")   # a match record
    match.scores()                          # raw mean, luck-adjusted score, luck and regret of each player, best first
    match.moves("my bot")                   # every move: board, direction, reward, regret, best direction
    match.worst("my bot")                   # the move with the largest regret; None if none is noticeable
    fib2584.value("b", 2, 2, 0, 0, 0, 0)    # the exact value of a board; None if it is unreachable
    fib2584.directions(2, 2, 0, 0, 0, 0)    # the value of each direction

Tiles are indices, from 0 (empty) to 12 (233). Lists of rows can be passed to ``pandas.DataFrame`` directly.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from arena.core.referee import record
from arena.games.fib2584 import reports
from arena.games.fib2584.board import DIRECTIONS, pack, unpack
from arena.games.fib2584.rules import GAME
from arena.games.fib2584.values import Unreachable, exact_values

Player = str | int


@dataclass(frozen=True, slots=True)
class Scores:
    """The means per game; ``luck`` is ``raw`` minus ``adjusted``."""

    player: str
    raw: float
    adjusted: float
    luck: float
    regret: float


@dataclass(frozen=True, slots=True)
class Move:
    """One move.

    ``board``: six tile indices before the move; ``turn``: numbered as on the match page.
    """

    turn: int
    game: int
    board: tuple[int, ...]
    direction: str
    reward: int
    regret: float
    best: str


class Match:
    """A completed match. Its methods raise KeyError for an unknown player."""

    def __init__(self, played: record.Record) -> None:
        self._played = played
        self.players = tuple(seat.name for seat in played.seats)

    def scores(self) -> list[Scores]:
        """Return the scores of all players, best luck-adjusted score first."""
        found = [
            Scores(self.players[one.seat], one.raw, one.adjusted, one.luck, one.regret)
            for one in reports.seat_reports(self._played)
        ]
        return sorted(found, key=lambda one: -one.adjusted)

    def moves(self, player: Player) -> list[Move]:
        """Return all moves of a player."""
        seat = self._seat(player)
        return [_move(one) for one in reports.reported_moves(self._played) if one.seat == seat]

    def worst(self, player: Player) -> Move | None:
        """Return the player's move with the largest regret; None if no move had a noticeable regret."""
        found = reports.seat_reports(self._played)[self._seat(player)].worst
        return None if found is None else _move(found)

    def __repr__(self) -> str:
        return f"<2584: {len(self.players)} players, {len(self._played.turns)} turns>"

    def _seat(self, player: Player) -> int:
        if isinstance(player, int) and 0 <= player < len(self.players):
            return player
        if player not in self.players:
            raise KeyError(f"There is no player {player!r}. The players are {', '.join(self.players)}.")
        return self.players.index(str(player))


def read(path: str | Path) -> Match:
    """Read a match from its record.

    Raises ValueError for a match of another game, RecordError for an invalid record.
    """
    data = Path(path).read_bytes()
    found = record.Record.from_json(json.loads(data)) if data.lstrip()[:1] == b"{" else record.load(data)
    if found.game != GAME.name:
        raise ValueError(f"This is a record of {found.game}, not of {GAME.name}. Choose a record of {GAME.name}.")
    return Match(found)


def value(kind: str, *tiles: int) -> float | None:
    """Return the exact value of a board, before a move if ``kind`` is "b" or before a drop if it is "a".

    Return None if the board is unreachable. Raises ValueError if it is invalid.
    """
    if kind not in ("a", "b"):
        raise ValueError(f'kind must be "a" or "b", not {kind!r}')
    try:
        return (
            exact_values().value_before_move(pack(tiles))
            if kind == "b"
            else exact_values().value_before_drop(pack(tiles))
        )
    except Unreachable:
        return None


def directions(*tiles: int) -> dict[str, float]:
    """Return the reward plus the value of the next state for each legal direction, best first. Raises Unreachable."""
    board = pack(tiles)
    if not exact_values().is_reachable_before_move(board):
        raise Unreachable
    worth = exact_values().direction_values(board)
    return {DIRECTIONS[one]: worth[one] for one in sorted(worth, key=lambda one: -worth[one])}


def _move(one: reports.ReportedMove) -> Move:
    return Move(
        one.turn, one.game, unpack(one.board), DIRECTIONS[one.direction], one.reward, one.regret, DIRECTIONS[one.best]
    )
