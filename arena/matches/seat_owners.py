"""The player in a seat: a bot, a person, or a guest without an account."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.urls import reverse

from arena.matches.models import Seat
from arena.ui.localized import localized_name

# Relations to prefetch, so that ``owner_of`` needs no queries.
FETCHED: Final = ("submission__bot__owner", "person")
# The columns that ``owner_of`` reads, and the columns needed to start a bot.
SHOWN: Final = (
    *("submission__number", "submission__sha256"),
    *(f"submission__bot__{column}" for column in ("name", "texts", "game", "is_house", "owner__username")),
    "person__username",
)


@dataclass(frozen=True, slots=True)
class SeatOwner:
    """The player in a seat.

    ``name`` is "" for a guest: pages write "guest" in the reader's language. ``bot_owner`` and ``version`` are set only
    for a bot.
    """

    name: str
    url: str = ""
    bot_owner: str = ""
    version: int | None = None
    bot_id: int | None = None
    is_house: bool = False


def owner_of(seat: Seat) -> SeatOwner:
    if seat.submission is not None:
        bot = seat.submission.bot
        url = reverse("bot", args=[bot.pk])
        return SeatOwner(localized_name(bot), url, bot.owner.username, seat.submission.number, bot.pk, bot.is_house)
    if seat.person is not None:
        return SeatOwner(seat.person.username, reverse("profile", args=[seat.person.username]))
    return SeatOwner("")
