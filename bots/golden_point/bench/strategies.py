"""Rank the golden-point house bots by their results at randomly drawn tables."""

from __future__ import annotations

from arena.core.ranking.interval import mean_half_width
from bench.measure import Sample
from bench.table import Goal, Row, Section, Unit
from bots.golden_point.training.tables import BotResults, Plan, compare_bots, format_results

SEED = 1
BEST = 1.6


def run() -> Section:
    """Measure the house bots' mean ranks; the spread shown is the 95 % confidence interval of the mean."""
    plan = Plan()
    results = compare_bots(plan, SEED)
    rows = [
        Row(result.name, _mean(result), goal=None if place else Goal(BEST), unit=Unit.RANK)
        for place, result in enumerate(results)
    ]
    return Section(
        f"mean rank at {plan.tables} tables of {plan.seats} house bots, {plan.rounds} rounds",
        tuple(rows),
        ("the spread is the 95 % interval of the mean", *"\n".join(format_results(results)).splitlines()),
    )


def _mean(result: BotResults) -> Sample:
    half = mean_half_width(result.ranks) or 0.0
    return Sample((result.mean_rank - half, result.mean_rank, result.mean_rank + half))
