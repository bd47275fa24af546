"""A completed golden-point match, the input to every analysis.

Invariants: every round has an entry for every player, None for a player without numbers; rounds without any numbers are
omitted. Scores are always computed from the numbers by the rules, never read from a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from arena.core.referee.record import Record
from arena.games.golden_point.rules import Numbers, RoundScore, score_round


@dataclass(frozen=True, slots=True)
class GoldenRound:
    """One round. ``number``: displayed round number. ``numbers`` and the gains in ``score`` are indexed by player."""

    number: int
    numbers: tuple[Numbers | None, ...]
    score: RoundScore

    @classmethod
    def from_numbers(cls, number: int, numbers: Sequence[Numbers | None]) -> GoldenRound:
        """Create the round and score it; raises ValueError if nobody played a number."""
        return cls(number, tuple(numbers), score_round(numbers))

    @property
    def golden_number(self) -> float:
        return self.score.golden

    @property
    def player_count(self) -> int:
        """Return how many players submitted numbers: N in the rules."""
        return sum(own is not None for own in self.numbers)

    @property
    def number_count(self) -> int:
        """Return how many numbers were played."""
        return sum(len(own) for own in self.numbers if own is not None)


@dataclass(frozen=True, slots=True)
class GoldenMatch:
    """A match: its players' names, with "" for a player without a name, and its rounds, oldest first."""

    players: tuple[str, ...]
    rounds: tuple[GoldenRound, ...]

    @classmethod
    def from_rounds(cls, players: Sequence[str], rounds: Iterable[tuple[int, Sequence[Numbers | None]]]) -> GoldenMatch:
        """Create the match from the players' names and (round number, numbers) pairs; omit rounds without numbers."""
        judged = (
            GoldenRound.from_numbers(number, named) for number, named in rounds if any(own is not None for own in named)
        )
        return cls(tuple(players), tuple(judged))

    @property
    def golden_numbers(self) -> tuple[float, ...]:
        return tuple(each.score.golden for each in self.rounds)

    @property
    def seat_rounds(self) -> int:
        """Return the size of the analysis: players times rounds."""
        return len(self.players) * len(self.rounds)

    def totals(self) -> list[int]:
        """Return the final scores."""
        if not self.rounds:
            return [0] * len(self.players)
        return [sum(gains) for gains in zip(*(each.score.gains for each in self.rounds), strict=True)]

    def ranks(self) -> list[int]:
        """Return the final ranks: 1 is best; ties share the better rank."""
        totals = self.totals()
        ordered = sorted(totals, reverse=True)
        return [ordered.index(total) + 1 for total in totals]

    def running_scores(self, player: int) -> list[int]:
        """Return a player's score after every round."""
        return list(accumulate(each.score.gains[player] for each in self.rounds))

    def numbers_per_player(self) -> int:
        """Return how many numbers each player submits per round (1 or 2); 1 for a match without rounds."""
        return max((len(own) for each in self.rounds for own in each.numbers if own is not None), default=1)


def match_from_record(record: Record) -> GoldenMatch:
    """Convert a match record; a seat that has left plays no numbers.

    Raises ValueError if the record is from another game.
    """
    if record.game != "golden_point":
        raise ValueError(f"This is a record of {record.game}, not of golden_point. Choose a record of golden_point.")
    seats = range(len(record.seats))
    rounds = []
    for turn in record.turns:
        named = {move.seat: tuple(map(float, move.move)) for move in turn.moves if move.fault is None}
        rounds.append((turn.number, [named.get(seat) for seat in seats]))
    return GoldenMatch.from_rounds([seat.name for seat in record.seats], rounds)
