"""Find bots, people, tournaments and classes by prefixes of the words in their names.

Readers only find what pages would show them: tournaments and classes according to the rules of their apps, people who
are not suspended, and the bots of those people. Visitors find only people who have a bot, because these appear on
public lists anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Case, Exists, OuterRef, Q, QuerySet, When
from django.urls import reverse
from django.utils.translation import gettext as _

from arena.accounts.models import User
from arena.accounts.permissions import Person
from arena.classes.models import Course
from arena.classes.queries import CourseFilter, courses
from arena.following.visibility import active_people
from arena.search.models import SearchKind, SearchTerm
from arena.search.terms import upper_bound, words_of
from arena.submissions.models import Bot
from arena.tournaments.models import Tournament
from arena.tournaments.visibility import visible as visible_tournaments
from arena.ui.localized import localized_name


@dataclass(frozen=True, slots=True)
class Hit:
    """A search result.

    ``game``: the game of a bot or tournament, otherwise ""; ``detail``: the owner, status or role.
    """

    name: str
    path: str
    game: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class HitGroup:
    """The hits of one kind; ``more``: whether there are more."""

    kind: str
    hits: Sequence[Hit]
    more: bool


def search(text: str, reader: Person, limit: int) -> list[HitGroup]:
    """Return at most ``limit`` hits of each kind. Runs one query per kind.

    Names that begin with the text come first.
    """
    words = words_of(text)
    if not words:
        return []
    found = ((kind, _find_rows(kind, words, reader, limit)) for kind in SearchKind)
    return [
        HitGroup(kind.value, [_HITS[kind](row) for row in rows[:limit]], len(rows) > limit)
        for kind, rows in found
        if rows
    ]


def _find_rows(kind: SearchKind, words: Sequence[bytes], reader: Person, limit: int) -> list[Any]:
    rows, name = _ROWS[kind](reader)
    for word in words:
        rows = rows.filter(pk__in=_terms_with_prefix(kind, word).values("subject"))
    # Not ``Exists``: for every row, a database would scan all terms with the prefix.
    leading = Q(pk__in=_terms_with_prefix(kind, words[0]).filter(leading=True).values("subject"))
    return list(rows.order_by(Case(When(leading, then=0), default=1), name, "pk")[: limit + 1])


def _terms_with_prefix(kind: SearchKind, word: bytes) -> QuerySet[SearchTerm]:
    return SearchTerm.objects.filter(kind=kind, term__gte=word, term__lt=upper_bound(word))


def _visible_bots(reader: Person) -> tuple[QuerySet[Any], str]:
    of_people = Q(is_house=True) | active_people("owner__")
    return Bot.objects.filter(of_people, retired=False).select_related("owner"), "name"


def _visible_people(reader: Person) -> tuple[QuerySet[Any], str]:
    rows = User.objects.filter(active_people())
    if not isinstance(reader, User):
        rows = rows.filter(Exists(Bot.objects.filter(owner=OuterRef("pk"), retired=False)))
    return rows, "username"


def _visible_tournaments(reader: Person) -> tuple[QuerySet[Any], str]:
    return Tournament.objects.filter(visible_tournaments(reader)), "name"


def _visible_classes(reader: Person) -> tuple[QuerySet[Any], str]:
    rows = courses(CourseFilter(), reader) if isinstance(reader, User) else Course.objects.none()
    return rows.select_related("owner"), "name"


_ROWS: Final[dict[SearchKind, Callable[[Person], tuple[QuerySet[Any], str]]]] = {
    SearchKind.BOT: _visible_bots,
    SearchKind.PERSON: _visible_people,
    SearchKind.TOURNAMENT: _visible_tournaments,
    SearchKind.CLASS: _visible_classes,
}


def _bot_hit(row: Bot) -> Hit:
    return Hit(
        localized_name(row), reverse("bot", args=[row.pk]), row.game, _("house") if row.is_house else row.owner.username
    )


def _person_hit(row: User) -> Hit:
    return Hit(row.username, reverse("profile", args=[row.username]), detail=row.get_role_display())


def _tournament_hit(row: Tournament) -> Hit:
    return Hit(localized_name(row), reverse("tournament", args=[row.pk]), row.game, row.get_status_display())


def _class_hit(row: Course) -> Hit:
    return Hit(row.name, reverse("class", args=[row.pk]), detail=row.owner.username)


_HITS: Final[dict[SearchKind, Callable[[Any], Hit]]] = {
    SearchKind.BOT: _bot_hit,
    SearchKind.PERSON: _person_hit,
    SearchKind.TOURNAMENT: _tournament_hit,
    SearchKind.CLASS: _class_hit,
}
