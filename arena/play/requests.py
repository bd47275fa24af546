"""Request a match that a person plays alone or against bots, or a rematch, in which the seats rotate by one.

Invariant: these matches have their own purpose, so they never affect a leaderboard.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from arena.classes.quotas import lock_person
from arena.games.registry import GAMES
from arena.matches.models import Purpose
from arena.matches.services import UNFINISHED, MatchRequest, create_matches
from arena.platform.refusal import Refused
from arena.play import limits
from arena.play.identity import Visitor, fair_share_key
from arena.play.models import Duel
from arena.play.opponents import Opponent, opponents_by_id, people_settings

# Seconds per move for a bot: house bots were built for this time; a student's bot may need longer.
HOUSE_SECONDS: Final = 2.0
STUDENTS_SECONDS: Final = 20.0
# A delay that lets people see their move before the reply.
PACE_SECONDS: Final = 0.5


@dataclass(frozen=True, slots=True)
class DuelRequest:
    """A person's request for a match.

    ``bots``: the ids of the bots in the other seats, in order; ``clock``: the person's total time for all moves, in
    seconds.
    """

    game: str
    bots: tuple[int, ...]
    seat: int
    clock: int


def request_duel(visitor: Visitor, wanted: DuelRequest, *, now: datetime, rng: random.Random) -> int:
    """Create the match, which begins when a process is free; return its id. Raises Refused."""
    against = _requested_opponents(visitor, wanted)
    with transaction.atomic():
        _lock_visitor(visitor)
        limits.check_limits(visitor, now=now)
        return _create_duel(visitor, wanted, against, rng, rematch_of=None)


def rematch(match_id: int, visitor: Visitor, *, now: datetime, rng: random.Random) -> int:
    """Create a rematch and return its id: the seats rotate by one, and bots play their current versions.

    A duplicate request returns the same rematch. The visitor must be one of the original match's players. Raises
    Refused.
    """
    old = Duel.objects.select_related("match").get(pk=match_id)
    if old.match.status in UNFINISHED:
        raise Refused(
            _("This match has not ended yet. Wait until it ends, then ask for a rematch."), code="match_in_progress"
        )
    wanted = _rematch_request(old)
    try:
        with transaction.atomic():
            _lock_visitor(visitor)
            again = Duel.objects.filter(rematch_of=old).values_list("pk", flat=True).first()
            if again is not None:
                return again
            against = _requested_opponents(visitor, wanted)
            limits.check_limits(visitor, now=now)
            return _create_duel(visitor, wanted, against, rng, rematch_of=old)
    except IntegrityError:  # a guest clicked twice, and the other click was faster
        return Duel.objects.values_list("pk", flat=True).get(rematch_of=old)


def _rematch_request(old: Duel) -> DuelRequest:
    """Return the request for a rematch of a duel."""
    seats = list(old.match.seats.order_by("index").values_list("submission__bot_id", "clock"))
    rotated = [*seats[-1:], *seats[:-1]]
    seat = next_seat(old.seat, len(seats))
    bots = tuple(bot or 0 for index, (bot, _clock) in enumerate(rotated) if index != seat)
    return DuelRequest(old.match.game, bots, seat, rotated[seat][1] or 0)


def next_seat(seat: int, seats: int) -> int:
    """Return the person's seat in a rematch."""
    return (seat + 1) % seats


def _requested_opponents(visitor: Visitor, wanted: DuelRequest) -> list[Opponent]:
    """Return the requested bots in the order of the request. Raises Refused."""
    people = people_settings(wanted.game)
    if people is None or len(wanted.bots) + 1 not in people.player_counts or not 0 <= wanted.seat <= len(wanted.bots):
        raise Refused(_("This match cannot be played with these options. Choose again."), code="invalid_options")
    found = opponents_by_id(wanted.game, set(wanted.bots), for_guest=visitor.is_guest)
    if not set(wanted.bots) <= found.keys():
        raise Refused(_("This bot is not available right now. Choose another."), code="bot_unavailable")
    return [found[bot] for bot in wanted.bots]


def _lock_visitor(visitor: Visitor) -> None:
    """Lock the person's row, so that two simultaneous clicks count as two; guests have no row and are not locked."""
    if visitor.user is not None:
        lock_person(visitor.user.pk)


def _create_duel(
    visitor: Visitor, wanted: DuelRequest, against: Sequence[Opponent], rng: random.Random, *, rematch_of: Duel | None
) -> int:
    rules, people = GAMES[wanted.game], people_settings(wanted.game)
    seconds = HOUSE_SECONDS if all(bot.is_house for bot in against) else STUDENTS_SECONDS
    seated: list[int | None] = [bot.submission for bot in against]
    seated.insert(wanted.seat, None)
    request = MatchRequest(
        game=wanted.game,
        settings=rules.settings_json(rules.settings(people.settings if people else {})),
        limits={"move_seconds": seconds, "pace_seconds": PACE_SECONDS},
        seed=rng.getrandbits(48),
        purpose=Purpose.DUEL,
        submissions=tuple(seated),
        requested_by=visitor.user.pk if visitor.user else None,
        clock=wanted.clock,
        party=fair_share_key(visitor),
    )
    (match_id,) = create_matches([request])
    guest = {"guest": visitor.guest, "origin": visitor.origin} if visitor.is_guest else {}
    Duel.objects.create(match_id=match_id, seat=wanted.seat, rematch_of=rematch_of, **guest)
    return match_id
