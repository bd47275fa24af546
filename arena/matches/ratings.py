"""The leaderboards: ratings of all bots of a game, computed afresh from the rated matches alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from django.db import transaction
from django.db.models import QuerySet

from arena.matches.models import Match, MatchStatus, Purpose, Rating, Seat
from arena.matches.visibility import PUBLIC
from arena.ranking.rating import RatedResult, rate

RATED = (Purpose.TOURNAMENT,)


def rebuild(game: str) -> int:
    """Recompute the ratings of a game where a rated match came in since; returns how many bots are rated."""
    counted = _rated(game).count()
    stored = Rating.objects.filter(game=game).values_list("counted", flat=True).first()
    if not counted or counted == stored:
        return 0
    results, tallies = _results(game)
    rows = [
        Rating(
            bot_id=bot,
            game=game,
            value=rating.value,
            deviation=rating.deviation,
            matches=tallies[bot].total(),
            wins=tallies[bot]["wins"],
            draws=tallies[bot]["draws"],
            losses=tallies[bot]["losses"],
            counted=counted,
        )
        for bot, rating in rate(results).items()
    ]
    with transaction.atomic():
        Rating.objects.filter(game=game).delete()
        Rating.objects.bulk_create(rows)
    return len(rows)


def ratings_of(bot_ids: Collection[int]) -> dict[int, float]:
    """By bot, where it has one on the leaderboard of its game."""
    return dict(Rating.objects.filter(bot__in=bot_ids).values_list("bot_id", "value"))


def _rated(game: str) -> QuerySet[Match]:
    """What everybody may see: a tournament for a class's members alone is not on everybody's leaderboard."""
    return Match.objects.filter(PUBLIC, game=game, status=MatchStatus.FINISHED, purpose__in=RATED)


def _results(game: str) -> tuple[list[RatedResult], dict[int, Counter[str]]]:
    """Results with ranks by bot. A bot that meets itself, another version of its own, is not rated by it."""
    seats = (
        Seat.objects.filter(match__in=_rated(game), rank__isnull=False)
        .order_by("match_id", "index")
        .values_list("match_id", "submission__bot_id", "rank")
    )
    tables: dict[int, list[tuple[int, int]]] = {}
    for match_id, bot, rank in seats.iterator(chunk_size=5000):
        tables.setdefault(match_id, []).append((bot, rank or 0))
    results: list[RatedResult] = []
    tallies: dict[int, Counter[str]] = {}
    for table in tables.values():
        bots = [bot for bot, _ in table]
        if len(set(bots)) != len(bots):
            continue
        results.append(RatedResult(tuple(bots), tuple(rank for _, rank in table)))
        winners = sum(rank == 1 for _, rank in table)
        for bot, rank in table:
            verdict = "losses" if rank > 1 else "wins" if winners == 1 else "draws"
            tallies.setdefault(bot, Counter())[verdict] += 1
    return results, tallies
