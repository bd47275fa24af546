"""Find matches that repeat an earlier match exactly; with deterministic bots, such repeats are common.

Invariant: the digest covers the game, the settings, the submissions by seat and every answer in order. It never covers
times, and covers the seed only if the game depends on it. A repeat counts like any other match; it is marked so that
readers recognize it.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Collection

import msgspec
from django.db.models import Min

from arena.accounts.permissions import Person
from arena.core.referee.record import Record
from arena.games.registry import GAMES
from arena.matches.models import Match
from arena.matches.visibility import PUBLIC, visible


def play_digest(record: Record) -> str:
    """Return the SHA-256 of a match's play as 64 hexadecimal digits; "" for a match without any requests."""
    if not record.turns:
        return ""
    played = [(move.seat, move.move, str(move.fault or "")) for turn in record.turns for move in turn.moves]
    dealt = record.seed if _depends_on_seed(record) else None
    content = (record.game, record.settings, [seat.sha256 for seat in record.seats], dealt, played)
    return hashlib.sha256(msgspec.json.encode(content, order="sorted")).hexdigest()


def _depends_on_seed(record: Record) -> bool:
    """Return whether the match depends on the seed.

    If so, its initial state does too, because a state contains all later randomness.
    """
    rules, seats = GAMES[record.game], len(record.seats)
    settings = rules.settings(record.settings)
    seeds = (random.Random(seed) for seed in (record.seed, record.seed + 1))  # noqa: S311 - not a secret
    first, other = (rules.initial(settings, seats, rng) for rng in seeds)
    return bool(first != other)


def earlier_identical_match(match_id: int, reader: Person) -> int | None:
    """Return the id of the earliest identical match that the reader may see; None if none precedes this match."""
    digest = Match.objects.filter(pk=match_id).values_list("play_digest", flat=True).first()
    if not digest:
        return None
    rows = Match.objects.filter(visible(reader), play_digest=digest, pk__lt=match_id)
    return rows.order_by("pk").values_list("pk", flat=True).first()


def first_matches_by_digest(digests: Collection[str]) -> dict[str, int]:
    """Return the id of the first public match for each digest; runs one query, or none if there are no digests."""
    if not digests:
        return {}
    rows = Match.objects.filter(PUBLIC, play_digest__in=digests)  # a match gets its digest together with its result
    return dict(rows.order_by().values_list("play_digest").annotate(first=Min("pk")))
