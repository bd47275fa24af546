"""Measure a house bot's strength in pairs of matches with the same opening and swapped colours.

Several matches run at a time.

The bots are the shipped ones, played by the referee as in ``python -m bots play``. One bot waits while the other
thinks, so each match needs only one core.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from arena.core.ranking.interval import Z95, wilson_interval
from arena.core.ranking.sprt import PairCounts
from arena.core.referee.clock import SystemClock
from arena.core.referee.events import MatchEvent
from arena.core.referee.faults import MatchStopped
from arena.core.referee.play import play_match
from arena.core.referee.spec import MatchLimits, MatchSpec, SeatSpec
from arena.games.registry import GAMES
from bots.cli.errors import CommandError
from bots.cli.locate import LocatedBot, locate
from bots.cli.schedule import schedule
from bots.cli.seating import Seating, create_seating
from bots.cli.table import format_table

_GAME: Final = "reversi"
_MAX_SECONDS: Final = 1.0  # thinking time of a house bot per move
_RESERVE_SECONDS: Final = 0.1  # safety margin within the time limit of a move
_UNHURRIED_SECONDS: Final = 60.0
_ONE_THREAD: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")  # as in the jail


@dataclass(frozen=True, slots=True)
class MeasuredMatch:
    """The result of one match.

    ``points``: 1, 0.5 or 0 for the measured bot. ``fault``: a fault committed by either bot, or "".
    """

    pair: int
    opening: str
    black: bool
    points: float
    lead: float
    turns: int
    fault: str


@dataclass(frozen=True, slots=True)
class ScoreRate:
    """The score over several matches, with two 95 % confidence intervals.

    These are the Wilson interval for ``rate``, and the pentanomial interval.

    ``pentanomial``: how many pairs scored 0, 0.5, 1, 1.5 and 2 points. Pairs are counted because the matches in a pair
    are not independent.
    """

    player: str
    opponent: str
    matches: int
    won: int
    drawn: int
    lost: int
    rate: float
    low: float
    high: float
    pairs: int
    pentanomial: tuple[int, int, int, int, int]
    pentanomial_low: float
    pentanomial_high: float
    faults: int


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of an evaluation: which pairs of matches to play, and for how long.

    ``first``: the number of the first pair; ``until``: the monotonic time at which unfinished pairs are abandoned.
    """

    first: int
    pairs: int
    seconds: float
    until: float


def compute_rate(player: str, opponent: str, matches: Sequence[MeasuredMatch]) -> ScoreRate:
    """Return the score rate achieved in the matches, with its confidence intervals."""
    points = [match.points for match in matches]
    by_pair: dict[int, float] = {}
    for match in matches:
        by_pair[match.pair] = by_pair.get(match.pair, 0.0) + match.points
    pairs = PairCounts()
    for found in by_pair.values():
        pairs = pairs.add(found)
    spread = statistics.stdev(by_pair.values()) / 2 if len(by_pair) > 1 else 0.5
    half = Z95 * spread / math.sqrt(pairs.pairs)
    low, high = wilson_interval(sum(points), len(points))
    return ScoreRate(
        player,
        opponent,
        len(points),
        points.count(1.0),
        points.count(0.5),
        points.count(0.0),
        statistics.fmean(points),
        low,
        high,
        pairs.pairs,
        pairs.counts,
        max(0.0, pairs.score - half),
        min(1.0, pairs.score + half),
        sum(1 for match in matches if match.fault),
    )


def play_matches(bots: Sequence[LocatedBot], plan: Plan, processes: int, seat: Seating) -> Iterator[MeasuredMatch]:
    """Play pairs of matches; yield the matches of the pairs that finish in time."""

    def play_pair(number: int) -> list[MeasuredMatch]:
        if time.monotonic() > plan.until:
            return []
        try:
            return list(_play_pair(bots, plan, number, seat))
        except MatchStopped:
            return []

    with ThreadPoolExecutor(processes) as pool:
        for matches in pool.map(play_pair, range(plan.first, plan.first + plan.pairs)):
            yield from matches


def _play_pair(bots: Sequence[LocatedBot], plan: Plan, number: int, seat: Seating) -> Iterator[MeasuredMatch]:
    limit = _UNHURRIED_SECONDS if plan.seconds >= _MAX_SECONDS else plan.seconds + _RESERVE_SECONDS
    for encounter in schedule(_GAME, 2, 2, number, {}, GAMES[_GAME].opening_moves):
        seated = [bots[index] for index in encounter.order]
        spec = MatchSpec(
            GAMES[_GAME],
            encounter.settings,
            encounter.seed,
            MatchLimits(move_seconds=limit),
            tuple(SeatSpec(bot.name, bot.sha256) for bot in seated),
        )
        players = [seat(bot.folder) for bot in seated]
        result = play_match(spec, players, SystemClock(), _ignore_event, lambda: time.monotonic() > plan.until)
        ours = encounter.order.index(0)
        yield MeasuredMatch(
            number,
            str(encounter.settings["opening"]),
            ours == 0,
            result.outcome.points[ours],
            result.outcome.margins[ours],
            len(result.record.turns),
            ", ".join(one.kind.value for one in result.diagnoses if one),
        )


def _ignore_event(event: MatchEvent) -> None:
    """Ignore events, because there are no viewers."""


def format_rates(rates: Sequence[ScoreRate]) -> str:
    """Format score rates as a table."""
    head = ("player", "opponent", "matches", "won-drawn-lost", "rate", "95 %", "pairs 0 to 2 points", "95 % of pairs")
    rows = [
        (
            rate.player,
            rate.opponent,
            str(rate.matches),
            f"{rate.won}-{rate.drawn}-{rate.lost}",
            f"{rate.rate:.3f}",
            f"{rate.low:.3f} to {rate.high:.3f}",
            " ".join(map(str, rate.pentanomial)),
            f"{rate.pentanomial_low:.3f} to {rate.pentanomial_high:.3f}",
        )
        for rate in rates
    ]
    return format_table(head, rows)


def main(arguments: Sequence[str] | None = None) -> None:
    options = _parse_options(arguments)
    if options.pairs < 1 or options.processes < 1 or not 0 < options.seconds <= _MAX_SECONDS:
        raise CommandError(
            "--pairs and --processes must be at least 1, and --seconds above 0 and at most 1.", code="invalid_plan"
        )
    for name in _ONE_THREAD:
        os.environ.setdefault(name, "1")
    until = time.monotonic() + 60 * options.minutes if options.minutes else math.inf
    plan = Plan(options.first, options.pairs, options.seconds, until)
    rates, all_matches = [], []
    with ExitStack() as stack:
        ours = locate(options.player, _GAME, stack)
        for opponent in options.opponents:
            theirs = locate(opponent, _GAME, stack)
            matches = []
            for match in play_matches((ours, theirs), plan, options.processes, create_seating(False, _GAME, stack)):
                matches.append(match)
                if not options.json:
                    print(f"pair {match.pair}: {match.points:g} ({match.lead:+g}) {match.fault}", flush=True)
            if matches:
                rates.append(compute_rate(options.player, opponent, matches))
            all_matches.append([asdict(match) for match in matches])
    if options.save:
        found = {"rates": [asdict(rate) for rate in rates], "seconds": options.seconds, "matches": all_matches}
        options.save.write_text(json.dumps(found, indent=1))
    print(json.dumps([asdict(rate) for rate in rates]) if options.json else format_rates(rates))


def _parse_options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bots evaluate reversi",
        description="Measure a bot's strength in pairs of matches with swapped seats.",
    )
    parser.add_argument(
        "opponents", nargs="*", default=["house:mcts"], metavar="BOT", help="opponents (default: house:mcts)"
    )
    parser.add_argument("--player", default="house:self_taught", metavar="BOT", help="bot to measure")
    parser.add_argument("--pairs", type=int, default=100, help="pairs of matches against each opponent (default: 100)")
    parser.add_argument(
        "--seconds", type=float, default=1.0, help="thinking time per move in seconds, at most 1 (default: 1)"
    )
    parser.add_argument(
        "--processes", type=int, default=os.cpu_count() or 1, help="concurrent matches (default: all cores)"
    )
    parser.add_argument(
        "--first", type=int, default=1, help="number of the first pair, which determines the opening (default: 1)"
    )
    parser.add_argument(
        "--minutes", type=float, help="time limit in minutes; unfinished pairs are discarded (default: no limit)"
    )
    parser.add_argument("--save", type=Path, metavar="FILE", help="write all results as JSON")
    parser.add_argument("--json", action="store_true", help="print the score rates as JSON")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
