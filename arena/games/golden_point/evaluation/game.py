"""A played game of the golden point, the input of every analysis.

Invariants: every round holds something for every player of the game, None where one named nothing; a round that
nobody played is no round. Scores follow from the numbers by the rules alone, whatever a file said about them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from arena.core.referee.record import Record
from arena.games.golden_point.rules import Numbers, RoundScore, score_round


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """One round. ``number`` is what people call it; ``numbers`` and the gains of ``score`` are by player."""

    number: int
    numbers: tuple[Numbers | None, ...]
    score: RoundScore

    @classmethod
    def of(cls, number: int, numbers: Sequence[Numbers | None]) -> PlayedRound:
        """The round judged; raises ValueError where nobody named anything."""
        return cls(number, tuple(numbers), score_round(numbers))

    @property
    def golden(self) -> float:
        return self.score.golden

    @property
    def present(self) -> int:
        """How many players named something: N of the rules."""
        return sum(own is not None for own in self.numbers)

    @property
    def count(self) -> int:
        """How many numbers were named."""
        return sum(len(own) for own in self.numbers if own is not None)


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """Players by name, and their rounds, oldest first."""

    players: tuple[str, ...]
    rounds: tuple[PlayedRound, ...]

    @classmethod
    def of(cls, players: Sequence[str], rounds: Iterable[tuple[int, Sequence[Numbers | None]]]) -> PlayedGame:
        """From what everybody named, with the number of each round; rounds that nobody played are left out."""
        judged = (PlayedRound.of(number, named) for number, named in rounds if any(own is not None for own in named))
        return cls(tuple(players), tuple(judged))

    @property
    def goldens(self) -> tuple[float, ...]:
        return tuple(each.score.golden for each in self.rounds)

    @property
    def seat_rounds(self) -> int:
        """How much there is to analyse: players times rounds."""
        return len(self.players) * len(self.rounds)

    def totals(self) -> list[int]:
        """Everybody's score after the last round."""
        if not self.rounds:
            return [0] * len(self.players)
        return [sum(gains) for gains in zip(*(each.score.gains for each in self.rounds), strict=True)]

    def ranks(self) -> list[int]:
        """Everybody's place in the end: 1 is best; equals share the better rank."""
        totals = self.totals()
        ordered = sorted(totals, reverse=True)
        return [ordered.index(total) + 1 for total in totals]

    def scores(self, player: int) -> list[int]:
        """A player's score after every round."""
        return list(accumulate(each.score.gains[player] for each in self.rounds))

    def most_numbers(self) -> int:
        """How many numbers a player names in a round: 1 or 2; 1 where nothing was played."""
        return max((len(own) for each in self.rounds for own in each.numbers if own is not None), default=1)


def of_record(record: Record) -> PlayedGame:
    """The game of a match record; a seat that is out names nothing. Raises ValueError for another game's."""
    if record.game != "golden_point":
        raise ValueError(f"This is a record of {record.game}, not of the golden point.")
    seats = range(len(record.seats))
    rounds = []
    for turn in record.turns:
        named = {move.seat: tuple(map(float, move.move)) for move in turn.moves if move.fault is None}
        rounds.append((turn.number, [named.get(seat) for seat in seats]))
    return PlayedGame.of([seat.name for seat in record.seats], rounds)
