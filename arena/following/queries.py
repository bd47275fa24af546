"""Read-only queries about feeds, follows and updates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Q
from django.urls import reverse

from arena.accounts.models import User
from arena.accounts.permissions import Person
from arena.following.models import FeedItem, Follow
from arena.following.subjects import Subject
from arena.following.texts import facts_of, path_of, sentence_of
from arena.following.visibility import feed_items_of, followed_items, may_follow, visible_follows, visible_items
from arena.submissions.models import Bot
from arena.tournaments.models import Entry, Tournament
from arena.ui.localized import localized_name

IN_FEED = 30


@dataclass(frozen=True, slots=True)
class Update:
    """A feed item in the active language."""

    id: int
    kind: str
    sentence: str
    text: str  # text written by an organizer, otherwise ""
    path: str
    at: datetime


@dataclass(frozen=True, slots=True)
class FeedSubject:
    """The subject of a feed; ``since``: its creation date."""

    kind: Subject
    id: int
    name: str
    path: str
    since: datetime


@dataclass(frozen=True, slots=True)
class FollowRow:
    """A row in the reader's list; ``name`` and ``path`` are "" if the reader may no longer see the subject."""

    id: int
    kind: str
    name: str
    path: str
    since: datetime


def updates_of(items: Sequence[FeedItem]) -> list[Update]:
    """Return an update for each feed item, in the given order. Runs one query."""
    ranked = ranked_entries(items)
    found = []
    for item in items:
        facts = facts_of(item, ranked)
        found.append(Update(item.pk, item.kind, sentence_of(facts), facts.get("text", ""), path_of(facts), item.at))
    return found


def ranked_entries(items: Iterable[FeedItem]) -> dict[int, int]:
    """Return the number of ranked entries in each tournament of these items."""
    tournaments = {item.tournament_id for item in items if item.entry_id is not None}
    rows = Entry.objects.filter(tournament__in=tournaments, rank__isnull=False).values("tournament_id")
    return {row["tournament_id"]: row["n"] for row in rows.annotate(n=Count("pk")).order_by()}


def newest_items(chosen: Q, limit: int) -> list[FeedItem]:
    """Return the newest items that ``chosen`` selects, at most ``limit``, and load the related rows for their texts."""
    rows = FeedItem.objects.filter(chosen).order_by("-pk")
    return list(rows.select_related("bot", "person", "tournament", "submission__bot", "entry", "activity")[:limit])


def public_feed(subject: FeedSubject) -> list[Update]:
    """Return the public items about the subject, newest first."""
    return updates_of(newest_items(feed_items_of(subject.kind, subject.id) & visible_items(AnonymousUser()), IN_FEED))


def feed_subject(kind: Subject, key: int | str) -> FeedSubject | None:
    """Return the subject of a public feed; a person is looked up by name. Return None if there is no such feed."""
    if kind == Subject.PERSON:
        person = User.objects.filter(username__iexact=key).first()
        found = None if person is None else _subject_of_person(person)
    elif kind == Subject.BOT:
        bot = Bot.objects.filter(pk=key).first()
        found = None if bot is None else _subject_of_bot(bot)
    else:
        tournament = Tournament.objects.filter(pk=key).first()
        found = None if tournament is None else _subject_of_tournament(tournament)
    return found if found is not None and may_follow(AnonymousUser(), kind, found.id) else None


def _subject_of_person(row: User) -> FeedSubject:
    path = reverse("profile", args=[row.username])
    return FeedSubject(Subject.PERSON, row.pk, row.username, path, row.date_joined)


def _subject_of_bot(row: Bot) -> FeedSubject:
    return FeedSubject(Subject.BOT, row.pk, localized_name(row), reverse("bot", args=[row.pk]), row.created_at)


def _subject_of_tournament(row: Tournament) -> FeedSubject:
    path = reverse("tournament", args=[row.pk])
    return FeedSubject(Subject.TOURNAMENT, row.pk, localized_name(row), path, row.created_at)


def feed_path(subject: FeedSubject) -> str:
    key = subject.name if subject.kind == Subject.PERSON else subject.id
    return reverse(f"{subject.kind.value}-feed", args=[key])


def followed_subjects(reader: User) -> list[FollowRow]:
    """Return everything the reader follows, newest first.

    Subjects that they may no longer see have no name.
    """
    visible = set(Follow.objects.filter(visible_follows(reader), follower=reader).values_list("pk", flat=True))
    rows = Follow.objects.filter(follower=reader).select_related("bot", "person", "tournament")
    return [_follow_row(row, shown=row.pk in visible) for row in rows]


def _follow_row(row: Follow, *, shown: bool) -> FollowRow:
    if row.bot is not None:
        subject = _subject_of_bot(row.bot)
    elif row.person is not None:
        subject = _subject_of_person(row.person)
    else:
        assert row.tournament is not None  # noqa: S101 - the check constraint says so
        subject = _subject_of_tournament(row.tournament)
    name, path = (subject.name, subject.path) if shown else ("", "")
    return FollowRow(row.pk, subject.kind.value, name, path, row.since)


def recent_updates(reader: User, limit: int) -> list[Update]:
    """Return up to ``limit`` updates on everything that the reader follows, newest first."""
    return updates_of(newest_items(followed_items(reader.pk) & visible_items(reader), limit))


def follow_of(reader: Person, kind: Subject, subject_id: int) -> int | None:
    """Return the id of the reader's follow for the subject, or None if they do not follow it."""
    if not isinstance(reader, User):
        return None
    rows = Follow.objects.filter(**{f"{kind.value}_id": subject_id}, follower=reader)
    return rows.values_list("pk", flat=True).first()
