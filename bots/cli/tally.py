"""Count the results of matches and format the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from arena.core.ranking.interval import mean_half_width, wilson_interval
from arena.core.referee.play import MatchResult
from bots.cli.table import format_table

NOTE = "rate: share of matches won, shared first places counted as fractions; interval: 95 % CI (Wilson)"
_MEAN_NOTE = "; per match: mean points with 95 % CI (t)"


@dataclass(slots=True)
class Tally:
    """The results of one bot.

    ``score``: 1 for each win; a shared first place counts 1 divided by the number of bots that share it. ``figures``:
    sums of the game's additional statistics, keyed by name.
    """

    name: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    score: float = 0.0
    points: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    slowest: float = 0.0
    ranks: list[int] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)

    @property
    def matches(self) -> int:
        return len(self.points)


def count_match(result: MatchResult, tallies: Sequence[Tally]) -> None:
    """Add a match to its bots' tallies; ``tallies`` is in seat order."""
    outcome = result.outcome
    best = [seat for seat, rank in enumerate(outcome.ranks) if rank == 1 and not result.diagnoses[seat]]
    for seat, tally in enumerate(tallies):
        tally.points.append(outcome.points[seat])
        tally.ranks.append(outcome.ranks[seat])
        for name, values in outcome.figures.items():
            tally.figures[name] = tally.figures.get(name, 0.0) + values[seat]
        if outcome.winner == seat:
            tally.wins += 1
            tally.score += 1
        elif seat in best:
            tally.draws += 1
            tally.score += 1 / len(best)
        else:  # if every bot committed a fault, the match is not a draw
            tally.losses += 1
        diagnosis = result.diagnoses[seat]
        if diagnosis:
            tally.faults.append(diagnosis.kind.value)
    for turn in result.record.turns:
        for move in turn.moves:
            tallies[move.seat].slowest = max(tallies[move.seat].slowest, move.seconds)


def format_results(tallies: Sequence[Tally]) -> str:
    """Format the table of results, best bot first, followed by a note on its columns."""
    # if points only show who won, their mean would duplicate the rate
    means = tallies[0].matches > 1 and any(points not in (0, 0.5, 1) for one in tallies for points in one.points)
    counts = ("won", "shared", "mean rank") if len(tallies) > 2 else ("won", "drawn", "lost")
    head = ("bot", *counts, "rate", "interval", "points", *(("per match",) if means else ()))
    figures = list(dict.fromkeys(name for tally in tallies for name in tally.figures))
    ranked = sorted(tallies, key=lambda tally: (-sum(tally.points), -tally.score))
    rows = [
        (
            *_format_tally(tally, is_table=len(tallies) > 2),
            *((_format_mean(tally),) if means else ()),
            *(f"{tally.figures.get(name, 0.0) / tally.matches:.1f}" for name in figures),
            *_slowest_and_faults(tally),
        )
        for tally in ranked
    ]
    shown = format_table((*head, *(name.replace("_", " ") for name in figures), "slowest s", "faults"), rows)
    return f"{shown}\n{NOTE}{_MEAN_NOTE if means else ''}"


def _format_tally(tally: Tally, *, is_table: bool) -> tuple[str, ...]:
    """Return a bot's row in the table.

    ``is_table``: whether more than two bots play; if so, second place is not a loss, and the mean rank is shown.
    """
    low, high = wilson_interval(tally.score, tally.matches)
    return (
        tally.name,
        str(tally.wins),
        str(tally.draws),
        f"{sum(tally.ranks) / tally.matches:.1f}" if is_table else str(tally.losses),
        f"{100 * tally.score / tally.matches:.1f} %",
        f"{100 * low:.1f}-{100 * high:.1f} %",
        f"{sum(tally.points):g}",
    )


def _format_mean(tally: Tally) -> str:
    half = mean_half_width(tally.points)
    return f"{sum(tally.points) / tally.matches:.1f} +- {half:.1f}"


def _slowest_and_faults(tally: Tally) -> tuple[str, str]:
    kinds = sorted(set(tally.faults))
    return f"{tally.slowest:.3f}", ", ".join(f"{tally.faults.count(kind)} {kind}" for kind in kinds)
