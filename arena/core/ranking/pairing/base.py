"""The interface of pairing systems.

Invariants: a system is a pure function of its own settings and of a ``Field``; the same field gives the same
round, so a round that a crash lost is paired again as it was. A round names every entry that is still in
play exactly once: in an encounter, a walkover or a bye, or (tables, gauntlet, knockout) leaves out only whom
the system has no match for. Withdrawn entries are never in an encounter.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from arena.core.ranking.results import Result, scores
from arena.core.ranking.standings import Row
from arena.core.ranking.tiebreaks import DEFAULT_TIEBREAKS, Tiebreak


class Stage(StrEnum):
    """The part of a tournament that a round belongs to."""

    MAIN = "main"  # the only part
    GROUPS = "groups"
    FINALS = "finals"  # among those who came out of the groups


class Bracket(StrEnum):
    """The part of a knockout that an encounter belongs to."""

    NONE = ""  # not a knockout
    WINNERS = "winners"  # the only bracket of a single elimination
    LOSERS = "losers"
    THIRD_PLACE = "third_place"
    FINAL = "final"  # in a double elimination once more where the loser of the two was unbeaten before


@dataclass(frozen=True, slots=True)
class Encounter:
    """Entries that meet in a round, in the order of the seats of their first match: two, or n at a table.

    ``slot``: the place from 0 in its bracket's round, from top to bottom, the gaps of byes included.
    ``group``: from 1; 0 outside groups.
    """

    entries: tuple[int, ...]
    bracket: Bracket = Bracket.NONE
    slot: int = 0
    group: int = 0


@dataclass(frozen=True, slots=True)
class Round:
    """What is paired at once.

    ``byes``: who rests. Where ``System.bye_wins``, a bye is as many ``Result.bye`` as an encounter has matches.
    ``walkovers``: encounters that cannot be played because one side withdrew; whether they count says
    arena.core.ranking.standings.
    """

    encounters: tuple[Encounter, ...]
    byes: tuple[int, ...] = ()
    walkovers: tuple[Encounter, ...] = ()
    stage: Stage = Stage.MAIN


@dataclass(frozen=True, slots=True)
class PlayedEncounter:
    """An encounter as stored: the results that count so far, and whether anything is still to come.

    Done without a result: nobody gets anything for it (void by a failure of ours).
    """

    encounter: Encounter
    results: tuple[Result, ...] = ()
    done: bool = False

    @property
    def points(self) -> tuple[float, ...]:
        """The sum of the scores of each of ``encounter.entries``."""
        return self._sums([zip(result.entries, scores(result), strict=True) for result in self.results])

    @property
    def margins(self) -> tuple[float, ...]:
        """The sum of the margins of each of ``encounter.entries``."""
        return self._sums([zip(result.entries, result.margins, strict=True) for result in self.results])

    def _sums(self, columns: Sequence[zip[tuple[int, float]]]) -> tuple[float, ...]:
        total = dict.fromkeys(self.encounter.entries, 0.0)
        for column in columns:
            for entry, value in column:
                total[entry] += value
        return tuple(total.values())


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round as stored; walkovers are among the encounters, with or without a ``Result.walkover``."""

    encounters: tuple[PlayedEncounter, ...]
    byes: tuple[int, ...] = ()
    stage: Stage = Stage.MAIN

    @property
    def done(self) -> bool:
        return all(played.done for played in self.encounters)


@dataclass(frozen=True, slots=True)
class Field:
    """A tournament as a pairing system sees it.

    ``entries``: everybody who plays or played, best seed first, never reordered later.
    ``rounds``: all that were paired so far, in order. ``withdrawn``: who left, with how many matches each
    was due (as arena.core.ranking.standings takes it). ``seed``: the only source of chance.
    """

    entries: tuple[int, ...]
    rounds: tuple[PlayedRound, ...] = ()
    withdrawn: Mapping[int, int] = field(default_factory=dict)
    seed: int = 0
    tiebreaks: tuple[Tiebreak, ...] = DEFAULT_TIEBREAKS

    @property
    def present(self) -> tuple[int, ...]:
        """Those who have not withdrawn, best seed first."""
        return tuple(entry for entry in self.entries if entry not in self.withdrawn)

    @property
    def done(self) -> bool:
        """Whether all that was paired was played."""
        return all(round_.done for round_ in self.rounds)

    def rng(self, purpose: str) -> random.Random:
        """Chance for one purpose, the same whenever it is asked for."""
        return random.Random(f"{self.seed}:{purpose}")  # noqa: S311  # a draw, not a secret


def with_walkovers(pairs: Iterable[tuple[int, int]], field: Field) -> tuple[list[Encounter], list[Encounter]]:
    """Encounters and walkovers of pairs in the order of their slots; of two that both withdrew nothing is left."""
    encounters: list[Encounter] = []
    walkovers: list[Encounter] = []
    for slot, seats in enumerate(pairs):
        gone = sum(entry in field.withdrawn for entry in seats)
        if gone < 2:
            (walkovers if gone else encounters).append(Encounter(seats, slot=slot))
    return encounters, walkovers


class System(Protocol):
    """How a format pairs. Systems are frozen dataclasses of an organizer's settings."""

    @property
    def bye_wins(self) -> bool:
        """Whether a bye counts as a won encounter (Swiss) or as nothing."""

    def ahead(self, field: Field) -> bool:
        """Whether the next round does not depend on results that are still out."""

    def next_round(self, field: Field) -> Round | None:
        """The next round, None where nothing is left to pair; asked only where ``ahead`` or all is played."""

    def rounds(self, entries: int) -> int:
        """How many rounds so many entries play; for a double elimination the most."""

    def total(self, entries: int) -> int:
        """How many encounters these rounds have if nobody withdraws; for a double elimination the most."""

    def order(self, field: Field, table: Sequence[Row]) -> list[Row]:
        """The final order with its ranks, from the table that points and tiebreaks make."""


class Schedule:
    """What systems share that need no results to pair: points and tiebreaks make their order, and a bye is nothing."""

    __slots__ = ()

    @property
    def bye_wins(self) -> bool:
        return False

    def ahead(self, field: Field) -> bool:
        return True

    def order(self, field: Field, table: Sequence[Row]) -> list[Row]:
        return list(table)
