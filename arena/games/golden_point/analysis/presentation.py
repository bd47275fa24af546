"""Prepare a report for its page: table rows and chart lines, computed only for what the page shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise

from arena.games.golden_point.analysis.rule_texts import MEANINGS, NAMES
from arena.games.golden_point.evaluation.best_reply import BestReplies, best_gain, best_replies
from arena.games.golden_point.evaluation.disruptors import Disruption
from arena.games.golden_point.evaluation.golden_match import GoldenMatch, GoldenRound
from arena.games.golden_point.evaluation.regret import SingleNumber, mean_regret, regret_against_mean, regret_curve
from arena.games.golden_point.evaluation.report import MatchReport
from arena.games.golden_point.evaluation.strategies import Phase, Strategy
from arena.games.golden_point.evaluation.what_if import what_if
from arena.games.golden_point.rules import Numbers


@dataclass(frozen=True, slots=True)
class PhaseRow:
    """A phase: rounds in which a number follows one rule. ``score`` and ``exact`` are percentages."""

    rule: str
    name: Promise
    meaning: Promise
    first: int
    last: int
    score: int
    exact: int
    constant: float | None


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """One player. ``missed``: how much more the best replies would have gained.

    ``rules``: for each of the player's numbers, the longest phase in which it follows a rule; None if it was not
    played.
    """

    seat: int
    name: str
    rank: int
    score: int
    could_win: int
    missed: int
    single: SingleNumber | None
    rules: tuple[PhaseRow | None, ...]


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A round from one player's perspective.

    ``own``: None if the player was absent; ``replies``: None if the player was absent or alone.
    """

    number: int
    golden: float
    own: Numbers | None
    gain: int
    won: bool
    replies: BestReplies | None
    disruption: Disruption | None
    disruptors: tuple[tuple[str, Numbers], ...]


@dataclass(frozen=True, slots=True)
class AlternativeSeat:
    """A player in the alternative round. ``total`` and ``total_then``: actual and alternative final scores."""

    seat: int
    name: str
    numbers: Numbers | None
    gain: int
    gain_then: int
    total: int
    total_then: int


@dataclass(frozen=True, slots=True)
class AlternativeRound:
    """A round recomputed with the what-if numbers."""

    number: int
    golden: float
    golden_then: float
    seats: tuple[AlternativeSeat, ...]


def player_rows(report: MatchReport) -> list[PlayerRow]:
    """Return the players, best first; ties in seat order."""
    places = zip(report.match.totals(), report.match.ranks(), strict=True)
    lines = [_player_row(report, seat, total, rank) for seat, (total, rank) in enumerate(places)]
    return sorted(lines, key=lambda line: line.rank)


def _player_row(report: MatchReport, seat: int, score: int, rank: int) -> PlayerRow:
    could_win = sum(best_gain(each, seat) for each in report.match.rounds)
    return PlayerRow(
        seat=seat,
        name=report.match.players[seat],
        rank=rank,
        score=score,
        could_win=could_win,
        missed=could_win - score,
        single=report.singles[seat],
        rules=tuple(
            phase_row(report.match, strategy.main_phase) if strategy.main_phase else None
            for strategy in report.strategies[seat]
        ),
    )


def phase_row(match: GoldenMatch, phase: Phase) -> PhaseRow:
    return PhaseRow(
        rule=phase.rule.value,
        name=NAMES[phase.rule],
        meaning=MEANINGS[phase.rule],
        first=match.rounds[phase.start].number,
        last=match.rounds[phase.end - 1].number,
        score=round(100 * phase.score),
        exact=round(100 * phase.exact),
        constant=phase.constant,
    )


def phases(match: GoldenMatch, strategies: Sequence[Strategy]) -> list[list[PhaseRow]]:
    """Return the phases of each strategy, oldest first; a player has one strategy for each number of a pick."""
    return [[phase_row(match, phase) for phase in strategy.phases] for strategy in strategies]


def curves(match: GoldenMatch, seats: Sequence[int]) -> dict[str, Any]:
    """Return the chart data.

    It consists of the round numbers and these seats' regret after each round, absolute and relative to the mean.
    """
    mean = mean_regret(match)
    return {
        "rounds": [each.number for each in match.rounds],
        "lines": [
            {
                "seat": seat,
                "name": match.players[seat],
                "values": regret_curve(match, seat),
                "apart": [round(value, 2) for value in regret_against_mean(match, seat, mean)],
            }
            for seat in seats
        ],
    }


def round_indices(report: MatchReport, *, disrupted: bool) -> Sequence[int]:
    """Return the indices of all rounds or, if ``disrupted``, those with disruptors, newest first, for a paginator."""
    if disrupted:
        return [each.at for each in report.disruptions][::-1]
    return range(len(report.match.rounds) - 1, -1, -1)


def round_rows(report: MatchReport, indexes: Sequence[int], player: int) -> list[RoundRow]:
    found = {each.at: each for each in report.disruptions}
    return [_round_row(report.match, at, player, found.get(at)) for at in indexes]


def _round_row(match: GoldenMatch, at: int, player: int, disruption: Disruption | None) -> RoundRow:
    each = match.rounds[at]
    by_player: dict[int, list[float]] = {}
    for one in disruption.disruptors if disruption else ():
        by_player.setdefault(one.player, []).append(one.number)
    return RoundRow(
        number=each.number,
        golden=each.golden_number,
        own=each.numbers[player],
        gain=each.score.gains[player],
        won=player in each.score.nearest,
        replies=best_replies(each, player),
        disruption=disruption,
        disruptors=tuple((match.players[seat], tuple(named)) for seat, named in by_player.items()),
    )


def alternative_round(match: GoldenMatch, at: int, player: int, numbers: Numbers) -> AlternativeRound:
    """Recompute the round at index ``at`` with other numbers for one player; sort by alternative final score."""
    each, found = match.rounds[at], what_if(match, at, player, numbers)
    totals = match.totals()
    seats = [
        AlternativeSeat(
            seat=seat,
            name=match.players[seat],
            numbers=numbers if seat == player else each.numbers[seat],
            gain=each.score.gains[seat],
            gain_then=found.after.gains[seat],
            total=totals[seat],
            total_then=found.totals[seat],
        )
        for seat in range(len(match.players))
    ]
    ordered = sorted(seats, key=lambda line: (-line.total_then, line.seat))
    return AlternativeRound(each.number, each.golden_number, found.after.golden, tuple(ordered))


def last_played_round(match: GoldenMatch, player: int) -> int:
    """Return the index of the last round in which a player played a number, or of the last round if there is none."""
    indexes = range(len(match.rounds) - 1, -1, -1)
    return next((at for at in indexes if match.rounds[at].numbers[player] is not None), len(match.rounds) - 1)


def round_json(match: GoldenMatch, at: int) -> dict[str, Any]:
    """Return the data from which the script computes what-if results.

    ``wins`` describes each player's best replies; its ``times`` says how many numbers the player submitted.
    """
    each = match.rounds[at]
    return {
        "number": each.number,
        "wins": [_winning_range(each, seat) for seat in range(len(match.players))],
        "numbers": [None if own is None else list(own) for own in each.numbers],
        "gains": list(each.score.gains),
        "golden": each.golden_number,
        "totals": match.totals(),
    }


def _winning_range(each: GoldenRound, seat: int) -> dict[str, float] | None:
    own, found = each.numbers[seat], best_replies(each, seat)
    if own is None or found is None:
        return None
    return {"low": found.low, "best": found.best, "high": found.high, "times": len(own)}
