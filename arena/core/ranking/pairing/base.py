"""The interface of pairing systems.

Invariants: a system is a pure function of its own settings and of a ``TournamentState``; the same state gives the same
round, so a round lost in a crash is paired again identically. A round contains every active entry exactly once: in an
encounter, a walkover or a bye; the exceptions are tables, gauntlet and knockout, which omit entries that have no match.
Withdrawn entries are never in an encounter.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from arena.core.ranking.results import Result, scores
from arena.core.ranking.standings import StandingsRow
from arena.core.ranking.tiebreaks import DEFAULT_TIEBREAKS, Tiebreak


class TournamentStage(StrEnum):
    """The part of a tournament that a round belongs to."""

    MAIN = "main"  # the only stage of a tournament without groups
    GROUPS = "groups"
    FINALS = "finals"  # among the entries that advanced from the groups


class Bracket(StrEnum):
    """The part of a knockout that an encounter belongs to."""

    NONE = ""  # not a knockout
    WINNERS = "winners"  # the only bracket in a single elimination
    LOSERS = "losers"
    THIRD_PLACE = "third_place"
    FINAL = "final"  # in a double elimination; played again if the loser was unbeaten before


@dataclass(frozen=True, slots=True)
class Encounter:
    """An encounter: two entries (n at a table) that play each other in a round, in the seat order of their first match.

    ``slot``: the encounter's index in the round of its bracket, counted from the top and including byes.
    ``group``: from 1; 0 outside groups.
    """

    entries: tuple[int, ...]
    bracket: Bracket = Bracket.NONE
    slot: int = 0
    group: int = 0


@dataclass(frozen=True, slots=True)
class Round:
    """The encounters that are paired together.

    ``byes``: entries without an opponent. If ``PairingSystem.bye_wins``, a bye counts as one ``Result.bye`` per match
    of an encounter.
    ``walkovers``: encounters that cannot be played because one side withdrew; arena.core.ranking.standings decides
    whether they count.
    """

    encounters: tuple[Encounter, ...]
    byes: tuple[int, ...] = ()
    walkovers: tuple[Encounter, ...] = ()
    stage: TournamentStage = TournamentStage.MAIN


@dataclass(frozen=True, slots=True)
class PlayedEncounter:
    """An encounter as stored: the results that count so far, and whether any are outstanding.

    An encounter that ended without a result is void because of an arena failure: neither side scores.
    """

    encounter: Encounter
    results: tuple[Result, ...] = ()
    done: bool = False

    @property
    def points(self) -> tuple[float, ...]:
        """Return the total score of each of ``encounter.entries``."""
        return self._totals([zip(result.entries, scores(result), strict=True) for result in self.results])

    @property
    def margins(self) -> tuple[float, ...]:
        """Return the total margin of each of ``encounter.entries``."""
        return self._totals([zip(result.entries, result.margins, strict=True) for result in self.results])

    def _totals(self, columns: Sequence[zip[tuple[int, float]]]) -> tuple[float, ...]:
        total = dict.fromkeys(self.encounter.entries, 0.0)
        for column in columns:
            for entry, value in column:
                total[entry] += value
        return tuple(total.values())


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round as stored; ``encounters`` include all walkovers, even those not scored as ``Result.walkover``."""

    encounters: tuple[PlayedEncounter, ...]
    byes: tuple[int, ...] = ()
    stage: TournamentStage = TournamentStage.MAIN

    @property
    def is_finished(self) -> bool:
        return all(played.done for played in self.encounters)


@dataclass(frozen=True, slots=True)
class TournamentState:
    """A tournament as a pairing system sees it.

    ``entries``: all entries, top seed first, never reordered later. ``rounds``: all paired rounds, in order.
    ``withdrawn``: the withdrawn entries, each with the number of matches it was due to play (see
    arena.core.ranking.standings). ``seed``: the only source of randomness.
    """

    entries: tuple[int, ...]
    rounds: tuple[PlayedRound, ...] = ()
    withdrawn: Mapping[int, int] = field(default_factory=dict)
    seed: int = 0
    tiebreaks: tuple[Tiebreak, ...] = DEFAULT_TIEBREAKS

    @property
    def active_entries(self) -> tuple[int, ...]:
        """Return the entries that have not withdrawn, top seed first."""
        return tuple(entry for entry in self.entries if entry not in self.withdrawn)

    @property
    def is_round_finished(self) -> bool:
        """Return whether all paired encounters have been played."""
        return all(round_.is_finished for round_ in self.rounds)

    def rng(self, purpose: str) -> random.Random:
        """Return a random number generator for one purpose, seeded identically on every call."""
        return random.Random(f"{self.seed}:{purpose}")  # noqa: S311  # a draw, not a secret


def split_walkovers(
    pairs: Iterable[tuple[int, int]], field: TournamentState
) -> tuple[list[Encounter], list[Encounter]]:
    """Split pairs into encounters and walkovers, in slot order; drop pairs in which both entries have withdrawn."""
    encounters: list[Encounter] = []
    walkovers: list[Encounter] = []
    for slot, seats in enumerate(pairs):
        gone = sum(entry in field.withdrawn for entry in seats)
        if gone < 2:
            (walkovers if gone else encounters).append(Encounter(seats, slot=slot))
    return encounters, walkovers


class PairingSystem(Protocol):
    """A tournament format's method of pairing entries. Systems are frozen dataclasses with the organizer's settings."""

    @property
    def bye_wins(self) -> bool:
        """Return whether a bye counts as a win, as in the Swiss system; otherwise it scores nothing."""

    def can_pair_ahead(self, field: TournamentState) -> bool:
        """Return whether the next round can be paired before all results are known."""

    def next_round(self, field: TournamentState) -> Round | None:
        """Return the next round; None after the last. Called if ``can_pair_ahead``, or once all matches have ended."""

    def rounds(self, entries: int) -> int:
        """Return the number of rounds for this many entries; for double elimination, the maximum."""

    def encounter_count(self, entries: int) -> int:
        """Return the number of encounters if nobody withdraws; for double elimination, the maximum."""

    def rank_entries(self, field: TournamentState, table: Sequence[StandingsRow]) -> list[StandingsRow]:
        """Return the final order with ranks, from the points and tiebreaks in the standings."""


class FixedSchedule:
    """The base class of systems that pair without looking at results.

    Points and tiebreaks decide the final order, and a bye scores nothing.
    """

    __slots__ = ()

    @property
    def bye_wins(self) -> bool:
        return False

    def can_pair_ahead(self, field: TournamentState) -> bool:
        return True

    def rank_entries(self, field: TournamentState, table: Sequence[StandingsRow]) -> list[StandingsRow]:
        return list(table)
