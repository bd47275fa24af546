"""The review of a finished match: each seat's move with the largest regret, based on exact values."""

from __future__ import annotations

from typing import Final

from django.core.cache import cache

from arena.games.fib2584.board import ARROWS
from arena.games.fib2584.reports import SeatScoreReport, seat_reports
from arena.games.fib2584.rules import GAME
from arena.games.fib2584.verdict_messages import STEADY, WORST
from arena.games.review import Review, Verdict
from arena.matches.queries import seat_rows, unambiguous_names
from arena.matches.records import record_of

_MAX_MOVES: Final = 20_000  # in a match that is reviewed while the page loads
_MIN_REGRET: Final = 1.0  # points; a smaller regret is not a mistake
_CACHE_SECONDS: Final = 24 * 3600  # seconds

_Found = tuple[SeatScoreReport, int]  # with the seat's rank


def review(match_id: int) -> Review | None:
    """Return the review, or None if the match is so long that computing the review would delay the page.

    The reports are cached; the names are read every time, because they are in the reader's language.
    """
    key = f"fib2584-reports/{match_id}"
    reports: list[_Found] | None = cache.get(key)
    if reports is None:
        reports = _reports(match_id)
        if reports is None:
            return None
        cache.set(key, reports, _CACHE_SECONDS)
    names = unambiguous_names(seat_rows(match_id))
    found = [_verdict(report, names[report.seat], lost=rank > 1) for report, rank in reports]
    return Review(tuple(sorted((one for one in found if one), key=lambda one: one.turn)))


def _reports(match_id: int) -> list[_Found] | None:
    record = record_of(match_id, game=GAME.name)
    if record is None or sum(len(turn.moves) for turn in record.turns) > _MAX_MOVES:
        return None
    return [(report, record.outcome.ranks[report.seat]) for report in seat_reports(record)]


def _verdict(report: SeatScoreReport, name: str, *, lost: bool) -> Verdict | None:
    worst = report.worst
    if worst is None or worst.regret < _MIN_REGRET:
        return Verdict(report.seat, 0, STEADY(name=name, regret=f"{report.regret:.1f}")) if lost else None
    message = WORST(
        name=name,
        turn=worst.turn,
        move=ARROWS[worst.direction],
        best=ARROWS[worst.best],
        regret=f"{worst.regret:.1f}",
    )
    return Verdict(report.seat, worst.turn, message, cost=worst.regret)
