"""Asking for a game against a bot, and for another one after it with the colours swapped.

Invariant: nothing of these games counts for any leaderboard: their purpose is their own.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from arena.classes.quotas import hold
from arena.games.registry import GAMES
from arena.matches.models import Purpose
from arena.matches.services import UNFINISHED, MatchRequest, create_matches
from arena.platform.refusal import Refused
from arena.play import limits
from arena.play.identity import Visitor, party_of
from arena.play.models import Duel
from arena.play.opponents import GAMES_OF_PEOPLE, Opponent, opponent

# Seconds that a bot has for a move: the house's were made for it, a student's may need longer.
HOUSE_SECONDS: Final = 2.0
STUDENTS_SECONDS: Final = 20.0
# So that a move is seen before it is answered.
PACE_SECONDS: Final = 0.5


@dataclass(frozen=True, slots=True)
class DuelWish:
    """``seat``: the person's; ``clock``: seconds for all their moves together."""

    game: str
    bot_id: int
    seat: int
    clock: int


def request_duel(visitor: Visitor, wish: DuelWish, *, now: datetime, rng: random.Random) -> int:
    """Create the game, which begins when a place is free; its match's id. Raises Refused."""
    chosen = opponent(wish.game, wish.bot_id, for_guest=visitor.is_guest) if wish.game in GAMES_OF_PEOPLE else None
    if chosen is None:
        raise Refused(_("This bot cannot be played against just now. Choose another."))
    with transaction.atomic():
        _hold(visitor)
        limits.check(visitor, now=now)
        return _create(visitor, wish, chosen, rng, rematch_of=None)


def rematch(match_id: int, visitor: Visitor, *, now: datetime, rng: random.Random) -> int:
    """The same once more with the colours swapped, by the bot's present version; asked for twice, the same game.

    The visitor is the one who played. Raises Refused.
    """
    old = Duel.objects.select_related("match").get(pk=match_id)
    if old.match.status in UNFINISHED:
        raise Refused(_("This game has not ended yet."))
    bots = old.match.seats.exclude(index=old.seat).values_list("submission__bot_id", flat=True)
    mine = old.match.seats.get(index=old.seat)
    wish = DuelWish(old.match.game, bots.get() or 0, 1 - old.seat, mine.clock or 0)
    chosen = opponent(wish.game, wish.bot_id, for_guest=visitor.is_guest)
    try:
        with transaction.atomic():
            _hold(visitor)
            again = Duel.objects.filter(rematch_of=old).values_list("pk", flat=True).first()
            if again is not None:
                return again
            if chosen is None:
                raise Refused(_("This bot cannot be played against just now. Choose another."))
            limits.check(visitor, now=now)
            return _create(visitor, wish, chosen, rng, rematch_of=old)
    except IntegrityError:  # a guest's second click was faster
        return Duel.objects.values_list("pk", flat=True).get(rematch_of=old)


def _hold(visitor: Visitor) -> None:
    """Two clicks at once of somebody with an account count as two; a guest's meet the limits of their address."""
    if visitor.user is not None:
        hold(visitor.user.pk)


def _create(visitor: Visitor, wish: DuelWish, chosen: Opponent, rng: random.Random, *, rematch_of: Duel | None) -> int:
    rules = GAMES[wish.game]
    seconds = HOUSE_SECONDS if chosen.is_house else STUDENTS_SECONDS
    seated: list[int | None] = [chosen.submission, chosen.submission]
    seated[wish.seat] = None
    request = MatchRequest(
        game=wish.game,
        settings=rules.settings_json(rules.settings({})),
        limits={"move_seconds": seconds, "pace_seconds": PACE_SECONDS},
        seed=rng.getrandbits(48),
        purpose=Purpose.DUEL,
        submissions=tuple(seated),
        requested_by=visitor.user.pk if visitor.user else None,
        clock=wish.clock,
        party=party_of(visitor),
    )
    (match_id,) = create_matches([request])
    guest = {"guest": visitor.guest, "origin": visitor.origin} if visitor.is_guest else {}
    Duel.objects.create(match_id=match_id, seat=wish.seat, rematch_of=rematch_of, **guest)
    return match_id
