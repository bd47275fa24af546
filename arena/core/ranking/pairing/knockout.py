"""Single elimination: the first lost encounter eliminates an entry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.core.ranking.pairing.base import Bracket, Round, TournamentState
from arena.core.ranking.pairing.elimination import (
    BracketPlay,
    Draw,
    final_order,
    losers,
    next_bracket_round,
    pair_adjacent,
    seeded_slots,
    winners,
)
from arena.core.ranking.standings import StandingsRow


@dataclass(frozen=True, slots=True)
class Knockout:
    """Single elimination from a seeded bracket; the top seeds get the first-round byes.

    ``third_place``: the semifinal losers meet in the same round as the final.
    """

    third_place: bool = True

    @property
    def bye_wins(self) -> bool:
        return False

    def can_pair_ahead(self, field: TournamentState) -> bool:
        return not field.rounds

    def next_round(self, field: TournamentState) -> Round | None:
        return next_bracket_round(self._play_bracket, field)

    def rounds(self, entries: int) -> int:
        return (entries - 1).bit_length() if entries > 1 else 0

    def encounter_count(self, entries: int) -> int:
        return max(0, entries - 1) + (self.third_place and entries > 3)

    def rank_entries(self, field: TournamentState, table: Sequence[StandingsRow]) -> list[StandingsRow]:
        return final_order(self._play_bracket, 1, field, table)

    def bracket(self, field: TournamentState) -> tuple[Draw, TournamentState]:
        """Return the draw of the bracket, and the tournament's state."""
        return self._play_bracket, field

    def _play_bracket(self, entries: Sequence[int]) -> BracketPlay:
        if len(entries) < 2:
            return
        slots = seeded_slots(entries)
        beaten: list[int | None] = []
        while len(slots) > 2:
            ended = yield pair_adjacent(slots, Bracket.WINNERS)
            slots, beaten = winners(ended, Bracket.WINNERS), losers(ended, Bracket.WINNERS)
        final = pair_adjacent(slots, Bracket.FINAL)
        if self.third_place and None not in beaten and beaten:
            final += pair_adjacent(beaten, Bracket.THIRD_PLACE)
        yield final
