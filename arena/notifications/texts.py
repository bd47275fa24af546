"""Text and links for the site's own notifications, in the active language.

Contexts by kind: CHECK_FAILED ``bot``, ``version``, ``submission``; STARTED ``tournament`` (its name),
``tournament_id``; RESULT those of STARTED, and either ``withheld`` or both ``entries`` and ``places``, a list of [bot,
rank or null] for the recipient's bots; MATCH_VOID ``tournament``, ``tournament_id`` and, if known, ``match``, its
``names`` by language, and ``reason``, a message in JSON; ANNOUNCEMENT ``title``, ``text`` and, if it concerns a
tournament, ``tournament_id``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from arena.games.localized_messages import translate_stored_message
from arena.notifications.models import Kind
from arena.ui.localized import ordinal, sentence_space

Context = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class NotificationText:
    """A notification's title and body, and the path of the page to which it links.

    ``more``: earlier news in the same notification, newest first.
    """

    title: str
    body: str
    path: str
    more: tuple[NotificationText, ...] = ()


def _check_failed_text(context: Context) -> NotificationText:
    return NotificationText(
        _("%(bot)s v%(version)s did not pass its check") % context,
        _("The studio opens at the line that failed, with the reason beside it."),
        reverse("studio-submission", args=[context["submission"]]),
    )


def _tournament_started_text(context: Context) -> NotificationText:
    shown = _("Matches are running, and the standings update live.")
    withheld = _("The results are withheld until the organizer releases them.")
    return NotificationText(
        _("%(tournament)s has started") % context,
        withheld if context.get("withheld") else shown,
        reverse("tournament", args=[context["tournament_id"]]),
    )


def _result_text(context: Context) -> NotificationText:
    places = [_rank_sentence(bot, rank, context["entries"]) for bot, rank in context.get("places", ())]
    if context.get("withheld"):
        shown = _("The results are withheld until you release them.")
    else:
        shown = _("The tournament page shows the final standings.")
    return NotificationText(
        _("%(tournament)s is over") % context,
        sentence_space().join(places) or shown,
        reverse("tournament", args=[context["tournament_id"]]),
    )


def _rank_sentence(bot: str, rank: int | None, entries: int) -> str:
    if rank is None:
        return _("%(bot)s is unranked.") % {"bot": bot}
    return _("%(bot)s finished %(rank)s of %(entries)s.") % {"bot": bot, "rank": ordinal(rank), "entries": entries}


def _match_void_text(context: Context) -> NotificationText:
    body = [
        _("The arena failed in all three attempts to play this match, so the match does not count. You can rerun it.")
    ]
    if context.get("reason"):
        body.append(_("Reason: %(reason)s") % {"reason": translate_stored_message(context["reason"])})
    name = context.get("names", {}).get(get_language())
    if name:
        title, path = _("%(match)s in %(tournament)s could not be played"), reverse("match", args=[context["match"]])
    else:
        title = _("A match in %(tournament)s could not be played")
        path = reverse("tournament", args=[context["tournament_id"]])
    return NotificationText(title % {**context, "match": name}, "\n".join(body), path)


def _announcement_text(context: Context) -> NotificationText:
    about = context.get("tournament_id")
    path = reverse("tournament", args=[about]) if about else reverse("notification-list")
    return NotificationText(" ".join(context["title"].split()), context["text"], path)


TEXTS: Mapping[Kind, Callable[[Context], NotificationText]] = {
    Kind.CHECK_FAILED: _check_failed_text,
    Kind.STARTED: _tournament_started_text,
    Kind.RESULT: _result_text,
    Kind.MATCH_VOID: _match_void_text,
    Kind.ANNOUNCEMENT: _announcement_text,
}
