"""Select the bots on the ladder of a game.

Invariants: a bot is eligible if it is not retired, its active version has passed its check, and it is not one of the
difficulty levels for people to play against. An author has at most ``LADDER_BOTS_PER_AUTHOR`` bots on the ladder: the
chosen ones, otherwise the oldest. All house bots play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils.translation import ngettext

from arena.classes.quotas import lock_person
from arena.platform.refusal import Refused
from arena.ratings.models import LadderOptOut
from arena.submissions.models import Bot

_CAN_PLAY: Final = Q(retired=False, level=None, active__isnull=False)


class LadderStatus(StrEnum):
    """An eligible bot's status: on the ladder or, if not, why."""

    PLAYS = "plays"
    KEPT_OUT = "kept_out"  # kept off by its author
    SURPLUS = "surplus"  # its author has reached the limit


@dataclass(frozen=True, slots=True)
class Entrant:
    """An eligible bot. ``author``: None for a house bot."""

    bot: int
    name: str
    submission: int
    author: int | None
    membership: LadderStatus


def max_bots_per_author() -> int:
    most: int = settings.LADDER_BOTS_PER_AUTHOR
    return most


def ladder_pool_of(game: str) -> list[tuple[int, int | None]]:
    """Return the ids of the submission and the author of every bot on the ladder, oldest first. Runs one query."""
    rows = Bot.objects.filter(_CAN_PLAY, game=game, ladder_opt_out=None).order_by("pk")
    entered, most = Counter[int](), max_bots_per_author()
    found: list[tuple[int, int | None]] = []
    for submission, owner, is_house in rows.values_list("active_id", "owner_id", "is_house"):
        entered[owner] += not is_house
        if submission is not None and (is_house or entered[owner] <= most):
            found.append((submission, None if is_house else owner))
    return found


def entrants_of(owner: int, game: str) -> list[Entrant]:
    """Return an author's eligible bots, oldest first. Runs one query."""
    rows = Bot.objects.filter(_CAN_PLAY, game=game, owner=owner).order_by("pk")
    columns = rows.values_list("pk", "name", "active_id", "owner_id", "is_house", "ladder_opt_out")
    return list(_entrants(columns, max_bots_per_author()))


def _entrants(rows: Iterable[tuple[int, str, int | None, int, bool, int | None]], most: int) -> Iterable[Entrant]:
    entered: Counter[int] = Counter()
    for bot, name, submission, owner, is_house, absence in rows:
        membership = LadderStatus.PLAYS
        if absence is not None:
            membership = LadderStatus.KEPT_OUT
        elif not is_house:
            membership = LadderStatus.PLAYS if entered[owner] < most else LadderStatus.SURPLUS
            entered[owner] += 1
        yield Entrant(bot, name, submission or 0, None if is_house else owner, membership)


def choose_bots(owner: int, game: str, chosen: Collection[int], *, offered: Collection[int], now: datetime) -> None:
    """Put the owner's chosen bots on the ladder, and take the other offered bots off it. Raises Refused.

    Bots that leave the ladder keep their ratings.
    """
    most = max_bots_per_author()
    with transaction.atomic():
        lock_person(owner)
        own = {one.bot for one in entrants_of(owner, game) if one.author is not None}
        playing = own & set(chosen)
        if len(playing) > most:
            text = ngettext(
                "At most %(n)s of your bots can play on the ladder. Deselect the others.",
                "At most %(n)s of your bots can play on the ladder. Deselect the others.",
                most,
            )
            raise Refused(text % {"n": most}, code="too_many_bots", field="bots")
        LadderOptOut.objects.filter(bot__in=playing).delete()
        out = (own & set(offered)) - playing
        LadderOptOut.objects.bulk_create([LadderOptOut(bot_id=bot, since=now) for bot in out], ignore_conflicts=True)
