"""Visibility of follows and feed items; the only place that decides it.

Items of a tournament are visible to everyone who may see the tournament. Feeds show withheld results to nobody, not
even to the organizer, who sees them on the operations page. The actions of a suspended person appear in no feed; house
bots belong to no person.
"""

from __future__ import annotations

from typing import Final

from django.db.models import Q

from arena.accounts.models import HOUSE_USERNAME, User
from arena.accounts.permissions import Person
from arena.following.models import Follow, ItemKind
from arena.following.subjects import Subject
from arena.submissions.models import Bot
from arena.tournaments.visibility import may_see
from arena.tournaments.visibility import visible as visible_tournaments

# The contents of a subject's feed, and what its followers are notified of.
CONTENTS: Final = {
    Subject.BOT: (ItemKind.BOT_CREATED, ItemKind.VERSION_ACTIVATED, ItemKind.RESULT),
    Subject.PERSON: (ItemKind.BOT_CREATED, ItemKind.RESULT, ItemKind.TOURNAMENT_CREATED),
    Subject.TOURNAMENT: (ItemKind.STARTED, ItemKind.FINISHED, ItemKind.CANCELLED, ItemKind.ANNOUNCED),
}
_RESULTS: Final = (ItemKind.RESULT, ItemKind.FINISHED)


def visible_items(reader: Person) -> Q:
    """Return a filter for the feed items that the reader may see. Runs no query."""
    tournament = Q(tournament=None) | visible_tournaments(reader, "tournament__")
    withheld = Q(kind__in=_RESULTS, tournament__withheld=True)
    author = Q(person=None) | Q(person__is_active=True) | Q(bot__is_house=True)
    return tournament & ~withheld & author


def feed_items_of(kind: Subject, subject_id: int) -> Q:
    """Return a filter for the feed items of one subject."""
    return Q(**{f"{kind.value}_id": subject_id}, kind__in=CONTENTS[kind])


def followed_items(follower_id: int) -> Q:
    """Return a filter for the feed items of everything that a person follows, except the person's own actions."""
    rows = Follow.objects.filter(follower_id=follower_id)
    found = Q()
    for kind, contents in CONTENTS.items():
        column = f"{kind.value}_id"
        followed = rows.filter(**{f"{column}__isnull": False}).values(column)
        found |= Q(**{f"{column}__in": followed}, kind__in=contents)
    return found & (Q(person=None) | ~Q(person_id=follower_id))


def active_people(path: str = "") -> Q:
    """Return a filter that excludes suspended accounts, but not the house account.

    With a ``path`` such as "person__", the filter excludes the rows that refer to a suspended account.
    """
    return Q(**{f"{path}is_active": True}) | Q(**{f"{path}username": HOUSE_USERNAME})


def may_follow(reader: Person, kind: Subject, subject_id: int) -> bool:
    """Return whether the reader may see this bot, person or tournament.

    For an anonymous reader, return whether it is public.
    """
    if kind == Subject.BOT:
        return Bot.objects.filter(Q(owner__is_active=True) | Q(is_house=True), pk=subject_id).exists()
    if kind == Subject.PERSON:
        return User.objects.filter(active_people(), pk=subject_id).exists()
    return may_see(reader, subject_id)


def visible_follows(reader: User) -> Q:
    """Return a filter for the reader's follows whose subject they may still see."""
    bot = Q(bot__owner__is_active=True) | Q(bot__is_house=True)
    tournament = Q(tournament__isnull=False) & visible_tournaments(reader, "tournament__")
    return bot | active_people("person__") | tournament
