"""Double elimination: the second lost encounter eliminates an entry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.core.ranking.pairing.base import Bracket, Round, TournamentState
from arena.core.ranking.pairing.elimination import (
    BracketEncounter,
    BracketPlay,
    Draw,
    EntryOrBye,
    final_order,
    losers,
    next_bracket_round,
    pair_adjacent,
    seeded_slots,
    waiting_encounters,
    winners,
)
from arena.core.ranking.standings import StandingsRow


@dataclass(frozen=True, slots=True)
class DoubleElimination:
    """Two brackets: losers of the winners' bracket continue in the losers' bracket, whose losers are eliminated.

    The winners of the two brackets meet in the final. If the unbeaten finalist loses, each has one loss, and they
    meet again. The winners' round j + 1 is played along with the losers' round 2 j - 1.
    """

    @property
    def bye_wins(self) -> bool:
        return False

    def can_pair_ahead(self, field: TournamentState) -> bool:
        return not field.rounds

    def next_round(self, field: TournamentState) -> Round | None:
        return next_bracket_round(_play_bracket, field)

    def rounds(self, entries: int) -> int:
        return 2 * (entries - 1).bit_length() + 1 if entries > 1 else 0

    def encounter_count(self, entries: int) -> int:
        return max(0, 2 * entries - 1) if entries > 1 else 0

    def rank_entries(self, field: TournamentState, table: Sequence[StandingsRow]) -> list[StandingsRow]:
        return final_order(_play_bracket, 2, field, table)

    def bracket(self, field: TournamentState) -> tuple[Draw, TournamentState]:
        """Return the draw of the bracket, and the tournament's state."""
        return _play_bracket, field


def _play_bracket(entries: Sequence[int]) -> BracketPlay:
    if len(entries) < 2:
        return
    ended = yield pair_adjacent(seeded_slots(entries), Bracket.WINNERS)
    upper, lower = winners(ended, Bracket.WINNERS), losers(ended, Bracket.WINNERS)
    turn = 0
    while len(upper) > 1:
        ended = yield pair_adjacent(upper, Bracket.WINNERS) + pair_adjacent(lower, Bracket.LOSERS)
        upper, dropped = winners(ended, Bracket.WINNERS), losers(ended, Bracket.WINNERS)
        survivors = winners(ended, Bracket.LOSERS)
        turn += 1
        ended = yield waiting_encounters(upper) + pair_adjacent(
            _pair_with_dropped(survivors, dropped, turn), Bracket.LOSERS
        )
        lower = winners(ended, Bracket.LOSERS)
    yield from _play_finals(upper[0], lower[0])


def _play_finals(unbeaten: EntryOrBye, other: EntryOrBye) -> BracketPlay:
    ended = yield [BracketEncounter(unbeaten, other, Bracket.FINAL)]
    if ended[0].winner == other:
        yield [BracketEncounter(other, unbeaten, Bracket.FINAL)]


def _pair_with_dropped(survivors: Sequence[EntryOrBye], dropped: Sequence[EntryOrBye], turn: int) -> list[EntryOrBye]:
    """Pair survivors of the losers' bracket with entries that drop down from the winners' bracket.

    The entries that drop down are ordered differently from ``turn`` to ``turn``, to avoid rematches.
    """
    coming = list(dropped)
    if turn % 2:
        coming.reverse()
    else:
        half = len(coming) // 2
        coming = coming[half:] + coming[:half]
    return [slot for pair in zip(survivors, coming, strict=True) for slot in pair]
