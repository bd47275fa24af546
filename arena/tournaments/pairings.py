"""Which entries meet in which round, by the format of the tournament."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from arena.games import GAMES
from arena.ranking.pairing import double_round_robin, round_robin, tables
from arena.tournaments.models import Entry, Format, Tournament

# What one start creates, and what is counted anew with every result, without anybody having to wait.
MOST_MATCHES = 20_000
Table = tuple[Entry, ...]  # in the order of the seats


def rounds_of(tournament: Tournament, entries: Sequence[Entry]) -> list[tuple[Table, ...]]:
    """The rounds of the whole tournament, each the tables that are set in it."""
    if tournament.is_table:
        return [(table,) for table in tables(entries, tournament.repeats)]
    drawn = double_round_robin if tournament.format == Format.DOUBLE_ROUND_ROBIN else round_robin
    return [round_.pairings for round_ in drawn(entries, tournament.repeats)]


def capacity(tournament: Tournament) -> int:
    """The most entries that a tournament admits."""
    if tournament.is_table:
        return GAMES[tournament.game].max_seats
    legs = tournament.repeats * (2 if tournament.format == Format.DOUBLE_ROUND_ROBIN else 1)
    # n entries play n (n - 1) / 2 matches a leg.
    return (1 + isqrt(1 + 8 * MOST_MATCHES // legs)) // 2
