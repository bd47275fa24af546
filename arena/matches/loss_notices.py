"""Notify authors when one of their bots has lost, and explain why, once the match has been reviewed.

An author gets one notice per game per day (UTC). Later losses of the day renew it: it becomes unread again, counts the
losses, and lists the verdict on each of them, with the latest loss first. Only the first loss sends an email.

Games whose verdicts come from jobs call ``send_loss_notices`` when a job has finished; ``notify_of_recent_losses``
reviews the losses in all other games.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.conf import settings
from django.core.cache import cache
from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils import translation
from django.utils.translation import get_language, gettext_lazy, ngettext

from arena.games.localized_messages import translate_stored_message
from arena.games.review import Review, Verdict
from arena.matches.losses import Loss, recent_losses
from arena.matches.models import Match, Seat
from arena.matches.queries import seat_rows, unambiguous_names
from arena.matches.reviews import Reviewer
from arena.matches.seat_owners import FETCHED, owner_of
from arena.notifications.kinds import NotificationKind
from arena.notifications.models import Notification
from arena.notifications.services import notify, renew
from arena.notifications.texts import Context, NotificationText
from arena.ui.localized import name_for_reader, ordinal, translated_names

_CODE: Final = "loss"
_RECENT: Final = timedelta(hours=2)
_MAX_LOSSES: Final = 200  # losses per game and call
_REVIEWED: Final = 10  # per game and call; a review takes up to 0.1 s
_LISTED: Final = 50  # losses in one notice; once they are reached, no more are reviewed on demand that day
_RETRIED_SECONDS: Final = 600  # time after which a match without a verdict is reviewed again
TITLES: Final = {
    "lost": gettext_lazy("%(bot)s lost a match"),
    "lost_to": gettext_lazy("%(bot)s lost to %(opponent)s"),
    "placed": gettext_lazy("%(bot)s finished %(rank)s of %(seats)s"),
    "placed_behind": gettext_lazy("%(bot)s finished %(rank)s of %(seats)s; %(opponent)s won"),
}


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
    ended = match.finished_at.isoformat() if match.finished_at else ""
    shared = {"match": match_id, "ended": ended, "names": _translated_seat_names(match_id)}
    event = _event_key(match.game, now)
    first = notify(_CODE, contexts, shared, event=event)
    renewed = [
        renew(owner, event, partial(_add_loss, loss={**shared, **context}), now=now)
        for owner, context in sorted(contexts.items())  # always locked in the same order
    ]
    return first + sum(renewed)


def _add_loss(context: Context, loss: Context) -> Context | None:
    """Add ``loss`` to a notice's context, and return the new context; None if the notice already covers this loss.

    The latest loss is the context itself, and the others are in ``earlier``; ``count`` includes those no longer listed.
    """
    latest = {name: value for name, value in context.items() if name not in ("earlier", "count")}
    known = [latest, *context.get("earlier", [])]
    if any(one["match"] == loss["match"] for one in known):
        return None
    newest, *others = sorted([*known, loss], key=lambda one: one.get("ended", ""), reverse=True)
    return {**newest, "earlier": others[: _LISTED - 1], "count": context.get("count", 1) + 1}


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

    Each call reviews at most one match per author, and at most ``_REVIEWED`` matches per game. Authors who have not
    had a notice for the game today come first.
    """
    return sum(_notify_in_game(game, reviewer, now) for game, reviewer in reviewers.items())


def _notify_in_game(game: str, reviewer: Reviewer, now: datetime) -> int:
    today = Notification.objects.filter(event=_event_key(game, now))
    full = today.filter(recipient=OuterRef("submission__bot__owner"), context__count__gte=_LISTED)
    losses = recent_losses(game, since=now - _RECENT, most=_MAX_LOSSES, unless=Exists(full))
    notified = set(today.values_list("recipient_id", flat=True))
    due: dict[int, Loss] = {}
    for loss in sorted(losses, key=lambda one: one.owner_id in notified):
        if len(due) == _REVIEWED:
            break
        if loss.owner_id not in due and cache.add(_cache_key(loss.match_id), 1, _RETRIED_SECONDS):
            due[loss.owner_id] = loss
    found = [(loss, reviewer(loss.match_id)) for loss in due.values()]
    return sum(_send_reviewed(loss.match_id, review, now) for loss, review in found if review is not None)


def _send_reviewed(match_id: int, review: Review, now: datetime) -> int:
    """Send the notices; if the review has a verdict, mark the match as reviewed until it is no longer recent."""
    sent = send_loss_notices(match_id, review, now=now)
    if review.verdicts:
        cache.set(_cache_key(match_id), 1, int(_RECENT.total_seconds()))
    return sent


def _cache_key(match_id: int) -> str:
    return f"loss-notice/{match_id}"


def _lost_by_play(seat: Seat, seats: int) -> bool:
    """Return whether the seat lost through play, not through a fault; at a larger table, the lower half has lost."""
    if seat.submission is None or seat.submission.bot.is_house or seat.fault:
        return False
    return seat.rank is not None and seat.rank > max(1, seats / 2)


def _notice_context(seat: Seat, seats: list[Seat], verdict: Verdict) -> Context:
    """Return the context of a notice; it names the only opponent or, at a larger table, the only winner."""
    is_pair = len(seats) == 2
    named = [one for one in seats if one.pk != seat.pk and (is_pair or one.rank == 1)]
    opponent = named[0] if len(named) == 1 else None
    return {
        "bot": owner_of(seat).name,
        "rank": None if is_pair else seat.rank,
        "seats": len(seats),
        "opponent": owner_of(opponent).name if opponent else "",
        "opponent_names": translated_names(opponent.submission.bot) if opponent and opponent.submission else {},
        "at": verdict.turn if verdict.turn else None,
        "verdict": verdict.message.to_json("message"),
    }


def _notice_text(context: Context) -> NotificationText:
    text = _loss_text(context)
    count = context.get("count", 1)
    if count == 1:
        return text
    title = ngettext("%(n)s loss. Latest: %(latest)s", "%(n)s losses. Latest: %(latest)s", count)
    earlier = tuple(_loss_text(loss) for loss in context["earlier"])
    return replace(text, title=title % {"n": count, "latest": text.title}, more=earlier)


def _loss_text(context: Context) -> NotificationText:
    address = reverse("match", args=[context["match"]])
    position = "" if context["at"] is None else f"?at={context['at']}"
    names = context.get("names", {}).get(get_language())
    body = translate_stored_message(context["verdict"], names)
    return NotificationText(_notice_title(context), body, f"{address}{position}")


def _notice_title(context: Context) -> str:
    opponent = name_for_reader(context["opponent"], context.get("opponent_names", {}))
    rank = context.get("rank")  # older notices have none
    if rank is None:
        title = TITLES["lost_to" if opponent else "lost"]
        return title % {**context, "opponent": opponent}
    title = TITLES["placed_behind" if opponent else "placed"]
    return title % {**context, "rank": ordinal(rank), "opponent": opponent}


LOSS: Final = NotificationKind(
    _CODE, gettext_lazy("Why your bot lost a match (at most one notification per game per day)"), _notice_text
)
