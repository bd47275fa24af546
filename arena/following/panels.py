"""The follow button on the pages of bots, people and tournaments, and the feed link in their HTML head."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.urls import reverse

from arena.accounts.models import User
from arena.accounts.permissions import Person
from arena.following.queries import follow_of
from arena.following.subjects import Subject
from arena.following.visibility import active_people, may_follow
from arena.submissions.queries import BotRow


@dataclass(frozen=True, slots=True)
class FollowButton:
    """A follow button; ``follow_id``: id of the reader's follow, None if they do not follow the subject."""

    kind: str
    subject_id: int
    follow_id: int | None


def bot_button(bot: BotRow, reader: Person) -> FollowButton | None:
    return None if bot.owner_id == reader.pk else _button(Subject.BOT, bot.id, reader)


def person_button(person_id: int, reader: Person) -> FollowButton | None:
    return None if person_id == reader.pk else _button(Subject.PERSON, person_id, reader)


def tournament_button(tournament_id: int, reader: Person) -> FollowButton | None:
    return _button(Subject.TOURNAMENT, tournament_id, reader)


def _button(kind: Subject, subject_id: int, reader: Person) -> FollowButton | None:
    """Return the follow button; None if the reader may not follow the subject. Runs at most two queries."""
    followed = follow_of(reader, kind, subject_id)
    if followed is None and not may_follow(reader, kind, subject_id):
        return None
    return FollowButton(kind.value, subject_id, followed)


def bot_feed(bot_id: int, reader: Person) -> str:
    """Return the URL of the bot's public feed, or "" if the bot is not public.

    The result is the same for every ``reader``. Runs one query.
    """
    return reverse("bot-feed", args=[bot_id]) if may_follow(AnonymousUser(), Subject.BOT, bot_id) else ""


def tournament_feed(tournament_id: int, reader: Person) -> str:
    """Return the feed's URL; "" for a tournament of a class, which has no feed."""
    public = may_follow(AnonymousUser(), Subject.TOURNAMENT, tournament_id)
    return reverse("tournament-feed", args=[tournament_id]) if public else ""


def person_feed(person_id: int, reader: Person) -> str:
    """Return the feed's URL, or "" for a suspended person. Runs one query."""
    name = User.objects.filter(active_people(), pk=person_id).values_list("username", flat=True).first()
    return "" if name is None else reverse("person-feed", args=[name])
