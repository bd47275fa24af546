"""Notify authors of why one of their bots lost, once the match has been reviewed.

An author gets at most one notice per game and day (UTC): if there are several losses, the notice is about the first one
reviewed. Games whose verdicts come from jobs call ``send_loss_notices`` when a job has finished;
``notify_of_recent_losses`` reviews the losses in all other games.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.core.cache import cache
from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils import translation
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from arena.games.localized_messages import translate_stored_message
from arena.games.review import Review, Verdict
from arena.matches.losses import Loss, recent_losses
from arena.matches.models import Match, Seat
from arena.matches.queries import seat_rows, unambiguous_names
from arena.matches.reviews import Reviewer
from arena.matches.seat_owners import FETCHED, owner_of
from arena.notifications.kinds import NotificationKind
from arena.notifications.models import Notification
from arena.notifications.services import notify
from arena.notifications.texts import Context, NotificationText
from arena.ui.localized import name_for_reader, ordinal, translated_names

_CODE: Final = "loss"
_RECENT: Final = timedelta(hours=2)
_LOOKED_AT: Final = 200  # losses per game and call
_REVIEWED: Final = 10  # per game and call; a review takes up to 0.1 s
_RETRIED_SECONDS: Final = 600  # time after which a match without a verdict is reviewed again


def send_loss_notices(match_id: int, review: Review, *, now: datetime) -> int:
    """Notify the authors of the bots that lost a match, and return how many people were notified.

    Call this in the transaction that stores the review of the match.
    """
    match = Match.objects.get(pk=match_id)
    if match.withheld:
        return 0
    seats = list(Seat.objects.filter(match=match).select_related(*FETCHED).order_by("index"))
    contexts: dict[int, Context] = {}
    for seat in seats:
        verdict = review.verdict_for([seat.index])
        if verdict is not None and _lost_by_play(seat, len(seats)) and seat.submission is not None:
            contexts[seat.submission.bot.owner_id] = _notice_context(seat, seats, verdict)
    if not contexts:
        return 0
    return notify(
        _CODE,
        contexts,
        {"match": match_id, "names": _translated_seat_names(match_id)},
        event=_event_key(match.game, now),
    )


def _translated_seat_names(match_id: int) -> dict[str, dict[str, str]]:
    """Return the names of the seats in other languages, keyed by language and by the name in the worker's language."""
    shown = unambiguous_names(seat_rows(match_id))
    found = {}
    for language, _label in settings.LANGUAGES:
        with translation.override(language):
            names = zip(shown, unambiguous_names(seat_rows(match_id)), strict=True)
        found[language] = {one: other for one, other in names if one != other}
    return {language: names for language, names in found.items() if names}


def _event_key(game: str, now: datetime) -> str:
    return f"loss/{game}/{now:%Y-%m-%d}"


def notify_of_recent_losses(reviewers: Mapping[str, Reviewer], *, now: datetime) -> int:
    """Review recent losses in these games and notify the bots' authors; return the number of notified authors.

    Each call reviews at most one match of each author who has not had a notice for the game today, and at most
    ``_REVIEWED`` matches per game.
    """
    return sum(_notify_in_game(game, reviewer, now) for game, reviewer in reviewers.items())


def _notify_in_game(game: str, reviewer: Reviewer, now: datetime) -> int:
    today = Notification.objects.filter(recipient=OuterRef("submission__bot__owner"), event=_event_key(game, now))
    losses = recent_losses(game, since=now - _RECENT, most=_LOOKED_AT, unless=Exists(today))
    due: dict[int, Loss] = {}
    for loss in losses:
        if len(due) == _REVIEWED:
            break
        if loss.owner_id not in due and cache.add(f"loss-notice/{loss.match_id}", 1, _RETRIED_SECONDS):
            due[loss.owner_id] = loss
    found = [(loss, reviewer(loss.match_id)) for loss in due.values()]
    return sum(send_loss_notices(loss.match_id, review, now=now) for loss, review in found if review is not None)


def _lost_by_play(seat: Seat, seats: int) -> bool:
    """Return whether the seat lost through play, not through a fault; at a larger table, the lower half has lost."""
    if seat.submission is None or seat.submission.bot.is_house or seat.fault:
        return False
    return seat.rank is not None and seat.rank > max(1, seats / 2)


def _notice_context(seat: Seat, seats: list[Seat], verdict: Verdict) -> Context:
    """Return the context of a notice, with the only opponent or, at a larger table, the only winner."""
    is_pair = len(seats) == 2
    named = [one for one in seats if one.pk != seat.pk and (is_pair or one.rank == 1)]
    opponent = named[0] if len(named) == 1 else None
    return {
        "bot": owner_of(seat).name,
        "rank": None if is_pair else seat.rank,
        "seats": len(seats),
        "opponent": owner_of(opponent).name if opponent else "",
        "opponent_names": translated_names(opponent.submission.bot) if opponent and opponent.submission else {},
        "at": verdict.position if verdict.turn else None,
        "verdict": verdict.message.to_json("message"),
    }


def _notice_text(context: Context) -> NotificationText:
    address = reverse("match", args=[context["match"]])
    position = "" if context["at"] is None else f"?at={context['at']}"
    names = context.get("names", {}).get(get_language())
    body = translate_stored_message(context["verdict"], names)
    return NotificationText(_notice_title(context), body, f"{address}{position}")


def _notice_title(context: Context) -> str:
    opponent = name_for_reader(context["opponent"], context.get("opponent_names", {}))
    rank = context.get("rank")  # older notices have none
    if rank is None:
        title = _("%(bot)s lost to %(opponent)s") if opponent else _("%(bot)s lost a match")
        return title % {**context, "opponent": opponent}
    if opponent:
        title = _("%(bot)s finished %(rank)s of %(seats)s; %(opponent)s won")
    else:
        title = _("%(bot)s finished %(rank)s of %(seats)s")
    return title % {**context, "rank": ordinal(rank), "opponent": opponent}


LOSS: Final = NotificationKind(
    _CODE, gettext_lazy("Why your bot lost a match, at most once a day for each game"), _notice_text
)
