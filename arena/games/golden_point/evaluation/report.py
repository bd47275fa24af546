"""The report on a game: all analyses in one object, and its stored form."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import msgspec

from arena.games.golden_point.evaluation.disruptors import Disruption, disruptions
from arena.games.golden_point.evaluation.game import PlayedGame
from arena.games.golden_point.evaluation.regret import SingleNumber, best_single_numbers
from arena.games.golden_point.evaluation.rules import SharedData
from arena.games.golden_point.evaluation.strategies import Strategy, strategies

# Increase this whenever the results of the analysis change: reports of earlier versions are computed again.
VERSION: Final = 4

Progress = Callable[[int], None]  # called with the number of players analysed so far


@dataclass(frozen=True, slots=True)
class GameReport:
    """The report on one game.

    ``strategies`` (one per number) and ``singles`` are indexed by player; ``disruptions`` are in round order.
    """

    game: PlayedGame
    strategies: tuple[tuple[Strategy, ...], ...]
    singles: tuple[SingleNumber | None, ...]
    disruptions: tuple[Disruption, ...]


def create_report(game: PlayedGame, progress: Progress = lambda done: None) -> GameReport:
    """Analyse a game, in about 30 µs per player per round.

    ``progress``: called with the number of players analysed so far.
    """
    known = SharedData.from_game(game)
    found = []
    for player in range(len(game.players)):
        progress(player)
        found.append(strategies(game, known, player))
    return GameReport(game, tuple(found), tuple(best_single_numbers(game)), tuple(disruptions(game)))


def pack(report: GameReport) -> bytes:
    """Serialize the report as zlib-compressed MessagePack."""
    return zlib.compress(msgspec.msgpack.encode(report), level=3)


def unpack(data: bytes) -> GameReport:
    """Parse the result of ``pack``. Raises ValueError for anything else."""
    try:
        return msgspec.msgpack.decode(zlib.decompress(data), type=GameReport)
    except (zlib.error, msgspec.DecodeError) as error:
        raise ValueError(f"not a report: {error}") from None
