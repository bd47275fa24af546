"""Analyse a match of the golden point in a notebook.

    from bots.notebook import golden_point

    match = golden_point.read("match-12.json")  # a match record, T<TAB>S as the course writes it, or CSV
    match.scores()                               # {"trend": 812, "steady": 640, ...}
    match.regret("trend")                        # after every round, how much more the best replies would have gained
    match.what_if(17, "trend", 9.2, 9.4)         # the golden number and everybody's scores in that case
    match.strategies("trend")                    # which rule predicts its numbers, how well, and in which rounds
    match.disruptions()                          # who played more than 50, and the effect

Players are identified by name or by position, starting from 0; rounds by the number that the match page shows. Lists of
rows can be passed to ``pandas.DataFrame`` directly. The methods are explained in
``arena.games.golden_point.evaluation``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from arena.core.referee import record
from arena.games.golden_point.evaluation import best_reply, disruptors, recorded_file, regret, rules, what_if
from arena.games.golden_point.evaluation import strategies as recognition
from arena.games.golden_point.evaluation.best_reply import BestReplies
from arena.games.golden_point.evaluation.golden_match import GoldenMatch, match_from_record
from arena.games.golden_point.evaluation.regret import SingleNumber

Player = str | int


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase: rounds ``first`` to ``last``, in which a player's first (1) or second (2) number follows a rule.

    ``score``: the mean closeness of the predictions: 1 if they are exact, falling to 0 at an error of a tenth of the
    larger number. ``exact``: the share of exact predictions.
    """

    number: int
    rule: str
    first: int
    last: int
    score: float
    exact: float
    constant: float | None


@dataclass(frozen=True, slots=True)
class Disruption:
    """A number above 50.

    ``jump``: the golden number minus the undisrupted part of the previous one. ``theory``: the predicted jump,
    0.618 n / count, where n is this number and count is how many numbers were played in the round.
    """

    round: int
    player: str
    number: float
    golden: float
    jump: float | None
    theory: float
    without: float | None


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A round recomputed with other numbers; ``scores``: the resulting scores at the end of the match."""

    golden: float
    gains: dict[str, int]
    scores: dict[str, int]


class Match:
    """A completed match. Its methods raise KeyError for an unknown player or round."""

    def __init__(self, played: GoldenMatch) -> None:
        self._played = played
        self.players = _unique_names(played.players)
        self.rounds = tuple(each.number for each in played.rounds)
        self.golden = played.golden_numbers

    def numbers(self, player: Player) -> list[tuple[float, ...] | None]:
        """Return a player's numbers by round; None for rounds in which the player was absent."""
        seat = self._seat(player)
        return [each.numbers[seat] for each in self._played.rounds]

    def scores(self) -> dict[str, int]:
        """Return the final scores, best first."""
        totals = dict(zip(self.players, self._played.totals(), strict=True))
        return dict(sorted(totals.items(), key=lambda each: -each[1]))

    def regret(self, player: Player) -> list[int]:
        """Return, for each round, how much more the best replies would have gained in all rounds up to that one."""
        return regret.regret_curve(self._played, self._seat(player))

    def best_single(self, player: Player) -> SingleNumber | None:
        """Return the number that would have scored most if the player had played it in all rounds.

        Return None if the player never had an opponent.
        """
        return regret.best_single_numbers(self._played)[self._seat(player)]

    def replies(self, round_number: int, player: Player) -> BestReplies | None:
        """Return which numbers would have won a round for a player, and which would have been farthest.

        Return None if the player was absent or alone.
        """
        return best_reply.best_replies(self._played.rounds[self._round_index(round_number)], self._seat(player))

    def what_if(self, round_number: int, player: Player, *numbers: float) -> WhatIf:
        """Recompute a round with different numbers for one player. Raises ValueError for invalid numbers."""
        found = what_if.what_if(self._played, self._round_index(round_number), self._seat(player), numbers)
        named = self.players
        return WhatIf(
            found.after.golden,
            dict(zip(named, found.after.gains, strict=True)),
            dict(zip(named, found.totals, strict=True)),
        )

    def disruptions(self) -> list[Disruption]:
        """Return a ``Disruption`` for every number above 50, oldest first."""
        return [
            Disruption(
                self.rounds[each.at],
                self.players[one.player],
                one.number,
                each.golden,
                each.jump,
                one.share,
                each.without,
            )
            for each in disruptors.disruptions(self._played)
            for one in each.disruptors
        ]

    def strategies(self, player: Player) -> list[Phase]:
        """Return the rules that a player's numbers follow, phase by phase, for the first number and then the second."""
        found = recognition.strategies(self._played, rules.SharedData.from_match(self._played), self._seat(player))
        return [
            Phase(
                which,
                phase.rule.value,
                self.rounds[phase.start],
                self.rounds[phase.end - 1],
                phase.score,
                phase.exact,
                phase.constant,
            )
            for which, strategy in enumerate(found, start=1)
            for phase in strategy.phases
        ]

    def __repr__(self) -> str:
        return f"<golden point: {len(self.players)} players, {len(self.rounds)} rounds>"

    def _seat(self, player: Player) -> int:
        seats = range(len(self.players))
        seat = player if isinstance(player, int) else next((at for at in seats if self.players[at] == player), -1)
        if seat not in seats:
            raise KeyError(f"There is no player {player!r}. The players are {', '.join(self.players)}.")
        return seat

    def _round_index(self, round_number: int) -> int:
        if round_number not in self.rounds:
            raise KeyError(f"There is no round {round_number}. The rounds are {self.rounds[0]} to {self.rounds[-1]}.")
        return self.rounds.index(round_number)


def read(path: str | Path, numbers: int | None = None) -> Match:
    """Read a match from a file. Raises ValueError with the line and the error.

    ``numbers``: how many numbers each player submits per round, which a T<TAB>S file does not state; None assumes two
    if possible.
    """
    data = Path(path).read_bytes()
    if data.lstrip()[:1] == b"{":
        return Match(match_from_record(record.Record.from_json(json.loads(data))))
    if data[:1] == b"\x78":  # a record as the arena stores it, compressed with zlib
        return Match(match_from_record(record.load(data)))
    return Match(recorded_file.read(recorded_file.decode(data), numbers))


def _unique_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Make names unique: the second ``Ann`` becomes ``Ann (2)``. Players without a name are numbered."""
    seen: dict[str, int] = {}
    found = []
    for seat, given in enumerate(names, start=1):
        name = given or f"Player {seat}"
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return tuple(found)
