"""Notify authors why one of their bots lost, once the match has been reviewed.

At most one notice a day (UTC) for each author: if there are several losses, the first one to be reviewed.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arena.games.review import Review, Verdict
from arena.games.wording import translated_json
from arena.matches.models import Match, Seat
from arena.matches.seat_owners import FETCHED, owner_of
from arena.notifications.kinds import NotificationKind
from arena.notifications.services import notify
from arena.notifications.texts import Context, Text
from arena.ui.localized import name_for_reader, translated_names

_CODE: Final = "loss"


def send(match_id: int, review: Review, *, now: datetime) -> int:
    """Call it in the transaction that stores the review of a lost match; returns how many people are notified."""
    match = Match.objects.get(pk=match_id)
    if match.withheld:
        return 0
    seats = list(Seat.objects.filter(match=match).select_related(*FETCHED).order_by("index"))
    told: dict[int, Context] = {}
    for seat in seats:
        verdict = review.verdict_for([seat.index])
        if verdict is not None and _lost(seat) and seat.submission is not None:
            told[seat.submission.bot.owner_id] = _context(seat, seats, verdict)
    return notify(_CODE, told, {"match": match_id}, event=f"loss/{now:%Y-%m-%d}")


def _lost(seat: Seat) -> bool:
    """Return the matches lost by play; faults have their own report."""
    if seat.submission is None or seat.submission.bot.is_house or seat.fault:
        return False
    return seat.rank is not None and seat.rank > 1


def _context(seat: Seat, seats: list[Seat], verdict: Verdict) -> Context:
    others = [one for one in seats if one.pk != seat.pk]
    opponent = others[0] if len(others) == 1 else None
    return {
        "bot": owner_of(seat).name,
        "opponent": owner_of(opponent).name if opponent else "",
        "opponent_names": translated_names(opponent.submission.bot) if opponent and opponent.submission else {},
        "at": verdict.position if verdict.turn else None,
        "verdict": verdict.message.to_json("message"),
    }


def _text(context: Context) -> Text:
    lost_to = _("%(bot)s lost to %(opponent)s") if context["opponent"] else _("%(bot)s lost a match")
    address = reverse("match", args=[context["match"]])
    position = "" if context["at"] is None else f"?at={context['at']}"
    opponent = name_for_reader(context["opponent"], context.get("opponent_names", {}))
    return Text(
        lost_to % {**context, "opponent": opponent}, translated_json(context["verdict"]), f"{address}{position}"
    )


LOSS: Final = NotificationKind(_CODE, gettext_lazy("Why your bot lost a match, at most once a day"), _text)
