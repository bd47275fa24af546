"""How much people may play, so that nobody keeps the others from it.

Rules: everybody has one game at a time, and a number of them within an hour; guests from one address are counted
together. Only so many may wait for a place at all. Staff are exempt.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.accounts.usage import HOUR
from arena.matches.models import MatchStatus
from arena.play.identity import Visitor
from arena.play.models import Duel

MOST_WAITING: Final = 50
# Behind one address there may be a whole class.
GUESTS_AT_ONCE: Final = 6

_UNFINISHED: Final = (MatchStatus.QUEUED, MatchStatus.RUNNING)


class DuelRefused(Exception):  # noqa: N818 - the request is refused, nothing is broken
    """Why a game cannot be played, in the reader's language; says what to do next.

    ``running``: the game that has to end first, if it is that.
    """

    def __init__(self, reason: str, running: int | None = None) -> None:
        super().__init__(reason)
        self.running = running


def duels_of(visitor: Visitor) -> QuerySet[Duel]:
    """Those that the visitor plays or played, as a guest in this browser too."""
    mine = Q(match__requested_by=visitor.user) if visitor.user is not None else Q(pk__in=())
    return Duel.objects.filter(mine | Q(guest=visitor.guest) if visitor.guest else mine)


def running_of(visitor: Visitor) -> int | None:
    """The id of the game that has not ended."""
    rows = duels_of(visitor).filter(match__status__in=_UNFINISHED)
    return rows.order_by("-pk").values_list("pk", flat=True).first()


def check(visitor: Visitor, *, now: datetime) -> None:
    """Raises DuelRefused; decides only for a caller who holds the visitor, see ``requests``."""
    running = running_of(visitor)
    if running is not None:
        raise DuelRefused(_("You are in the middle of a game. Play it to its end, or resign."), running)
    if visitor.user is not None and visitor.user.is_staff:
        return
    if Duel.objects.filter(match__status=MatchStatus.QUEUED).count() >= MOST_WAITING:
        raise DuelRefused(_("Too many people are waiting for a game just now. Try again in a few minutes."))
    _check_hour(visitor, now)


def _check_hour(visitor: Visitor, now: datetime) -> None:
    if visitor.user is not None:
        mine, limit = Q(match__requested_by=visitor.user), settings.DUELS_AN_HOUR
    else:
        mine, limit = Q(origin=visitor.origin), settings.GUEST_DUELS_AN_HOUR
        if Duel.objects.filter(mine, match__status__in=_UNFINISHED).count() >= GUESTS_AT_ONCE:
            raise DuelRefused(
                _("Several guests are playing from your network already. Sign in to play, or wait for one of them.")
            )
    if Duel.objects.filter(mine, match__created_at__gt=now - HOUR).count() >= limit:
        text = ngettext(
            "You have played %(n)s game within the hour, and more is not possible. Come back a little later.",
            "You have played %(n)s games within the hour, and more is not possible. Come back a little later.",
            limit,
        )
        raise DuelRefused(text % {"n": limit})
