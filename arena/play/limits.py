"""Limits on people's matches, so that nobody blocks others.

Rules: everyone may have one match at a time and a limited number of matches per hour, not counting continuations after
a take-back; guests at the same address are counted together. The number of matches waiting for a free worker is also
limited. Staff are exempt.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from arena.matches.models import MatchStatus
from arena.platform.quota import HOUR, HourlyUse, limit_reached
from arena.platform.refusal import Refused
from arena.play.identity import Visitor
from arena.play.models import Duel

MAX_WAITING_MATCHES: Final = 50
# A whole class may share one address.
GUESTS_AT_ONCE: Final = 6

_UNFINISHED: Final = (MatchStatus.QUEUED, MatchStatus.RUNNING)


def duels_of(visitor: Visitor) -> QuerySet[Duel]:
    """Select the visitor's matches, including those played as a guest in this browser."""
    mine = Q(match__requested_by=visitor.user) if visitor.user is not None else Q(pk__in=())
    return Duel.objects.filter(mine | Q(guest=visitor.guest) if visitor.guest else mine)


def unfinished_duel_of(visitor: Visitor) -> int | None:
    """Return the id of the visitor's unfinished match; None if there is none."""
    rows = duels_of(visitor).filter(match__status__in=_UNFINISHED)
    return rows.order_by("-pk").values_list("pk", flat=True).first()


def check_limits(visitor: Visitor, *, now: datetime) -> None:
    """Raise Refused if a limit has been reached; ``facts["running"]`` is the match that has to end first, if any.

    The caller must hold the lock on the visitor; see ``requests``.
    """
    running = unfinished_duel_of(visitor)
    if running is not None:
        raise Refused(
            _("You have a match in progress. Finish it or resign."),
            code="match_in_progress",
            facts={"running": running},
        )
    if visitor.user is not None and visitor.user.is_staff:
        return
    if Duel.objects.filter(match__status=MatchStatus.QUEUED).count() >= MAX_WAITING_MATCHES:
        raise limit_reached(_("Too many people are waiting for a match right now. Try again in a few minutes."))
    _check_hourly_limit(visitor, now)


def _check_hourly_limit(visitor: Visitor, now: datetime) -> None:
    if visitor.user is not None:
        mine, limit = Q(match__requested_by=visitor.user), settings.DUELS_AN_HOUR
        text = _("You have reached the hourly match limit (%(n)s).")
    else:
        mine, limit = Q(origin=visitor.origin), settings.GUEST_DUELS_AN_HOUR
        if Duel.objects.filter(mine, match__status__in=_UNFINISHED).count() >= GUESTS_AT_ONCE:
            raise limit_reached(
                _(
                    "Several guests from your network are already playing. Sign in to play, or wait for one of "
                    "them to finish."
                )
            )
        text = _("Your network has reached the hourly limit for guest matches (%(n)s).")
    rows = Duel.objects.filter(mine, take_backs=0, match__created_at__gt=now - HOUR).order_by("-match__created_at")
    created = list(rows.values_list("match__created_at", flat=True)[:limit])
    HourlyUse.from_times(created, limit, now=now).check(text, now=now)
