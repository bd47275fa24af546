"""The report on a match: all analyses in one object, and its stored form."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Final

import msgspec

from arena.games.golden_point.evaluation.disruptors import Disruption, disruptions
from arena.games.golden_point.evaluation.golden_match import GoldenMatch
from arena.games.golden_point.evaluation.regret import SingleNumber, best_single_numbers
from arena.games.golden_point.evaluation.rules import SharedData
from arena.games.golden_point.evaluation.strategies import Strategy, strategies

# Increase this whenever the results of the analysis change: reports of earlier versions are computed again.
VERSION: Final = 4

Progress = Callable[[int], None]  # called with the number of players analysed so far


class MatchReport(msgspec.Struct, frozen=True):
    """The report on one match.

    ``strategies`` (one per number) and ``singles`` are indexed by player; ``disruptions`` are in round order.
    """

    match: GoldenMatch = msgspec.field(name="game")  # the key in stored reports
    strategies: tuple[tuple[Strategy, ...], ...]
    singles: tuple[SingleNumber | None, ...]
    disruptions: tuple[Disruption, ...]


def create_report(match: GoldenMatch, progress: Progress = lambda done: None) -> MatchReport:
    """Analyse a match, in about 30 µs per player per round.

    ``progress``: called with the number of players analysed so far.
    """
    known = SharedData.from_match(match)
    found = []
    for player in range(len(match.players)):
        progress(player)
        found.append(strategies(match, known, player))
    return MatchReport(match, tuple(found), tuple(best_single_numbers(match)), tuple(disruptions(match)))


def pack(report: MatchReport) -> bytes:
    """Serialize the report as zlib-compressed MessagePack."""
    return zlib.compress(msgspec.msgpack.encode(report), level=3)


def unpack(data: bytes) -> MatchReport:
    """Parse the result of ``pack``. Raises ValueError for anything else."""
    try:
        return msgspec.msgpack.decode(zlib.decompress(data), type=MatchReport)
    except (zlib.error, msgspec.DecodeError) as error:
        raise ValueError(f"not a report: {error}") from None
