"""Describe feed items, and format the notification that lists them, in the active language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from arena.following.models import FeedItem, ItemKind
from arena.notifications.kinds import NotificationKind
from arena.notifications.texts import Context, NotificationText
from arena.ui.localized import localized_name, ordinal

CODE: Final = "followed"
SHOWN: Final = 5  # maximum number of items in one notification


SENTENCES: Final = {
    ItemKind.BOT_CREATED: gettext_lazy("%(person)s has a new bot: %(bot)s"),
    ItemKind.VERSION_ACTIVATED: gettext_lazy("%(bot)s switched to version %(version)s"),
    ItemKind.RESULT: gettext_lazy("%(bot)s finished %(rank)s of %(entries)s in %(tournament)s"),
    ItemKind.TOURNAMENT_CREATED: gettext_lazy("%(person)s created the tournament %(tournament)s"),
    ItemKind.STARTED: gettext_lazy("%(tournament)s has started"),
    ItemKind.FINISHED: gettext_lazy("%(tournament)s has finished"),
    ItemKind.CANCELLED: gettext_lazy("%(tournament)s was cancelled"),
    ItemKind.ANNOUNCED: pgettext_lazy("announcement", "%(tournament)s: %(title)s"),
}


def facts_of(item: FeedItem, ranked: Mapping[int, int]) -> dict[str, Any]:
    """Return the JSON input of ``sentence_of``. ``ranked``: the number of ranked entries in each tournament."""
    facts: dict[str, Any] = {"kind": item.kind}
    if item.bot is not None:
        facts |= {"bot": localized_name(item.bot), "bot_id": item.bot_id}
    if item.person is not None:
        facts["person"] = item.person.username
    if item.submission is not None:
        facts["version"] = item.submission.number
    if item.tournament is not None:
        facts |= {"tournament": localized_name(item.tournament), "tournament_id": item.tournament_id}
    if item.entry is not None and item.tournament_id is not None:
        facts |= {"rank": item.entry.rank, "entries": ranked.get(item.tournament_id, 0)}
    if item.activity is not None and item.kind == ItemKind.ANNOUNCED:
        facts |= {"title": item.activity.details.get("title", ""), "text": item.activity.text}
    return facts


def sentence_of(facts: Mapping[str, Any]) -> str:
    """Describe an item on one line."""
    kind = facts["kind"]
    if kind == ItemKind.RESULT:
        if facts.get("rank") is None:
            return _("%(bot)s finished %(tournament)s unranked") % facts
        facts = {**facts, "rank": ordinal(facts["rank"])}
    return SENTENCES[ItemKind(kind)] % facts


def path_of(facts: Mapping[str, Any]) -> str:
    """Return the path of the page that shows the item."""
    if facts["kind"] in (ItemKind.BOT_CREATED, ItemKind.VERSION_ACTIVATED):
        return reverse("bot", args=[facts["bot_id"]])
    return reverse("tournament", args=[facts["tournament_id"]])


def _notification_text(context: Context) -> NotificationText:
    items, more = context["items"], context["more"]
    if len(items) == 1 and not more:
        return NotificationText(" ".join(sentence_of(items[0]).split()), items[0].get("text", ""), path_of(items[0]))
    count = len(items) + more
    title = ngettext(
        "%(n)s update from bots, people and tournaments you follow",
        "%(n)s updates from bots, people and tournaments you follow",
        count,
    ) % {"n": count}
    lines = [sentence_of(facts) for facts in items]
    if more:
        lines.append(ngettext("and %(n)s more", "and %(n)s more", more) % {"n": more})
    return NotificationText(title, "\n".join(lines), reverse("following"))


FOLLOWED: Final = NotificationKind(
    CODE, gettext_lazy("Updates from bots, people and tournaments you follow"), _notification_text
)
