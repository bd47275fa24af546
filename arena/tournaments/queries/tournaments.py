"""Read-only queries for the tournament pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, F, Prefetch, Q, QuerySet
from django.utils import timezone

from arena.accounts.models import User
from arena.accounts.permissions import Person
from arena.games.forms import displayed_settings
from arena.matches.models import Match, MatchStatus
from arena.matches.visibility import PUBLIC
from arena.matches.visibility import visible as visible_matches
from arena.submissions.models import Bot
from arena.tournaments.formats.encounter_names import match_names
from arena.tournaments.formats.places import place_of
from arena.tournaments.formats.traits import traits_of
from arena.tournaments.models import (
    Entry,
    EntryPolicy,
    EntryStatus,
    Format,
    Pairing,
    Tournament,
    TournamentStatus,
)
from arena.tournaments.queries.drawn_bracket import TournamentBracket
from arena.tournaments.visibility import visible
from arena.ui.counts import count_up_to_most
from arena.ui.localized import localized_name, localized_text

_S = TournamentStatus
_BRACKETS = (Format.KNOCKOUT, Format.DOUBLE_ELIMINATION)
_EMBED_HEAD, _EMBED_ROW = 220, 50  # pixels
_EMBED_MIN_ROWS, _EMBED_MAX_ROWS = 4, 10  # rows
_EMBED_ENCOUNTER, _EMBED_MOST_ENCOUNTERS = 110, 6  # pixels, and encounters one below the other
PAIRING_COLUMNS = ("format", "repeats", "options", "matches_per_encounter", "openings", "seeding", "tiebreaks")


@dataclass(frozen=True, slots=True)
class Leader:
    """One of the leading entries.

    ``place``: its rank or, in a bracket that is being played, the range of its possible places; ``medal``: the rank for
    a medal's colour, 0 while the place is a range.
    """

    place: str
    medal: int
    name: str


@dataclass(frozen=True, slots=True)
class TournamentCard:
    """A tournament in a list.

    ``leaders``: the leading entries, if it has standings; ``shows_bracket``: whether everybody
    may see its bracket once it has started.
    """

    id: int
    name: str
    game: str
    format_label: str
    status: str
    status_label: str
    organizer: str
    organizer_id: int
    course_id: int | None
    course: str  # the name of its class; "" if it has none
    members_only: bool  # visible only to members of the class
    deadline: datetime | None  # None: entries are open until the organizer starts it
    starts_at: datetime | None
    started_at: datetime | None
    finished_at: datetime | None
    entries: int
    matches: int
    finished: int
    leaders: tuple[Leader, ...]
    shows_bracket: bool = False

    @property
    def embed_height(self) -> int:
        """Return the height in pixels of the embedded bracket or standings.

        A bracket comes before the standings. Its first round has half as many encounters as there are entries; below it
        is the losers' bracket or the third-place play-off. Without a bracket, up to ten rows of standings are
        visible. Readers scroll within the frame to see the rest.
        """
        if self.shows_bracket:
            first_round = 1 << max(0, (self.entries - 1).bit_length() - 1)
            return _EMBED_HEAD + _EMBED_ENCOUNTER * min(first_round * 3 // 2, _EMBED_MOST_ENCOUNTERS)
        return _EMBED_HEAD + _EMBED_ROW * max(_EMBED_MIN_ROWS, min(self.entries, _EMBED_MAX_ROWS))


@dataclass(frozen=True, slots=True)
class TournamentFilter:
    """The filter for the tournament list; empty fields are ignored."""

    game: str = ""
    status: str = ""
    text: str = ""
    course: int | None = None  # id of the class


def tournaments(chosen: TournamentFilter, reader: Person) -> QuerySet[Tournament]:
    """Return the tournaments that the reader may see, newest first, for a paginator.

    Callers convert each page of them with ``cards_of``.
    """
    rows = Tournament.objects.filter(visible(reader))
    for field in ("game", "status"):
        value = getattr(chosen, field)
        rows = rows.filter(**{field: value}) if value else rows
    if chosen.course is not None:
        rows = rows.filter(course_id=chosen.course)
    if chosen.text:
        rows = rows.filter(name__icontains=chosen.text)
    return rows.order_by("-pk")


def cards_of(rows: Iterable[Tournament] | QuerySet[Tournament]) -> list[TournamentCard]:
    """Return tournament cards in the given order. Runs two queries."""
    ids = [row.pk for row in rows]
    leaders = Entry.objects.filter(rank__lte=3).select_related("bot").order_by("rank", "position", "pk")
    found = {
        row.pk: row
        for row in Tournament.objects.filter(pk__in=ids)
        .select_related("organizer", "standing", "course")
        .annotate(n_entries=Count("entries", filter=Q(entries__status=EntryStatus.ENTERED)))
        .prefetch_related(Prefetch("entries", queryset=leaders, to_attr="best"))
    }
    return [_card(found[pk]) for pk in ids if pk in found]


def _card(row: Any) -> TournamentCard:
    return TournamentCard(
        id=row.pk,
        name=localized_name(row),
        game=row.game,
        format_label=row.get_format_display(),
        status=row.status,
        status_label=row.get_status_display(),
        organizer=row.organizer.username,
        organizer_id=row.organizer_id,
        course_id=row.course_id,
        course=row.course.name if row.course else "",
        members_only=row.members_only,
        deadline=row.deadline,
        starts_at=row.starts_at,
        started_at=row.started_at,
        finished_at=row.finished_at,
        entries=row.n_entries,
        matches=0 if row.withheld else row.standing.total,
        finished=0 if row.withheld else row.standing.finished,
        leaders=() if row.withheld else tuple(_leader(entry, row) for entry in row.best[:3]),
        shows_bracket=row.format in _BRACKETS and not row.withheld,
    )


def _leader(entry: Entry, tournament: Tournament) -> Leader:
    place = place_of(entry, tournament)
    return Leader(place, int(place) if place.isdecimal() else 0, localized_name(entry.bot))


def upcoming_tournaments(reader: Person, limit: int) -> list[TournamentCard]:
    """Return at most ``limit`` tournaments that have not started yet, earliest deadline first."""
    rows = Tournament.objects.filter(visible(reader), status__in=(_S.OPEN, _S.FROZEN))
    return cards_of(rows.order_by(F("deadline").asc(nulls_last=True), "pk")[:limit])


@dataclass(frozen=True, slots=True)
class CourseTournaments:
    """The newest tournaments of a class, and the number of all its tournaments that the reader may see."""

    cards: list[TournamentCard]
    total: int


def course_tournaments(course_id: int, reader: Person, limit: int = 12) -> CourseTournaments:
    """Return a class's tournaments for the class page, which only members can see."""
    rows = Tournament.objects.filter(visible(reader), course_id=course_id).order_by("-pk")
    return CourseTournaments(cards_of(rows[:limit]), rows.count())


def tournaments_organized_by(person: User, limit: int) -> list[TournamentCard]:
    """Return an organizer's newest tournaments, at most ``limit``."""
    return cards_of(Tournament.objects.filter(organizer=person).order_by("-pk")[:limit])


def featured_tournament(reader: Person) -> int | None:
    """Return the id of the newest running tournament or, if none is running, of the newest paused or finished one.

    Return None if there is no such tournament; tournaments with withheld results are never featured.
    """
    rows = Tournament.objects.filter(visible(reader), withheld=False)
    for statuses in ((_S.RUNNING,), (_S.PAUSED, _S.FINISHED)):
        pk = (
            rows.filter(status__in=statuses)
            .order_by(F("started_at").desc(nulls_last=True), "-pk")
            .values_list("pk", flat=True)
            .first()
        )
        if pk is not None:
            return pk
    return None


@dataclass(frozen=True, slots=True)
class TournamentDetail:
    """A tournament as shown on its page."""

    card: TournamentCard
    description: str
    shown_description: str  # in the reader's language
    organizer_id: int
    settings: Mapping[str, Any]
    limits: Mapping[str, Any]
    format: str
    is_table: bool
    scored: bool  # whether it is a score attack
    repeats: int
    pairing: Mapping[str, Any]  # the columns that define the pairing
    entry_policy: str
    entry_policy_label: str
    entries_per_person: int
    parallel: int
    end_reason: str
    end_reason_label: str
    version: int
    time_zone: str  # time zone in which its times were entered
    withheld: bool  # whether only the organizer and staff know the results so far
    record_retention: str  # what happens to the data of its matches: see RecordRetention
    record_days: int | None
    started_when_created: bool = False  # whether the organizer chose to start it at once

    @property
    def displayed_settings(self) -> list[tuple[str, str]]:
        """Return the game's settings in the reader's language."""
        return displayed_settings(self.card.game, self.settings)


def detail(tournament_id: int, reader: Person) -> TournamentDetail | None:
    """Return the tournament; None if the reader cannot see it."""
    row = Tournament.objects.filter(visible(reader), pk=tournament_id).first()
    if row is None:
        return None
    return TournamentDetail(
        card=cards_of([row])[0],
        description=row.description,
        shown_description=localized_text(row.texts, "description") or row.description,
        organizer_id=row.organizer_id,
        settings=row.settings,
        limits=row.limits,
        format=row.format,
        is_table=row.is_table,
        scored=traits_of(row).scored,
        repeats=row.repeats,
        pairing={name: getattr(row, name) for name in PAIRING_COLUMNS},
        entry_policy=row.entry_policy,
        entry_policy_label=str(EntryPolicy(row.entry_policy).for_audience(members_only=row.members_only).label),
        entries_per_person=row.entries_per_person,
        parallel=row.parallel,
        end_reason=row.end_reason,
        end_reason_label=row.get_end_reason_display(),
        version=row.version,
        time_zone=row.time_zone or timezone.get_default_timezone_name(),
        withheld=row.withheld,
        record_retention=row.record_retention,
        record_days=row.record_days,
        started_when_created=row.deadline == row.starts_at and bool(row.starts_at and row.starts_at <= row.created_at),
    )


def blocking_matches(bracket: TournamentBracket) -> tuple[str, ...]:
    """Return the names of the void matches that block the next round; empty while results are withheld."""
    row = bracket.tournament
    if row.withheld or row.paired_at is not None or not traits_of(row).advances:
        return ()
    return tuple(name for _id, name in void_matches(bracket))


def organizer_of(tournament_id: int) -> int | None:
    return Tournament.objects.filter(pk=tournament_id).values_list("organizer_id", flat=True).first()


@dataclass(frozen=True, slots=True)
class TournamentMatchFilter:
    """The filter for a tournament's match list."""

    entry: int | None = None
    status: str = ""


def matches(tournament_id: int, chosen: TournamentMatchFilter, reader: Person) -> QuerySet[Match]:
    """Return the filtered matches that the reader may see, in round order, for a paginator."""
    pairings = Pairing.objects.filter(tournament_id=tournament_id)
    if chosen.entry is not None:
        pairings = pairings.filter(seats__entry_id=chosen.entry)
    rows = Match.objects.filter(visible_matches(reader), pairing__in=pairings)
    if chosen.status:
        rows = rows.filter(status=chosen.status)
    return rows.order_by("pk")


def void_matches(bracket: TournamentBracket) -> list[tuple[int, str]]:
    """Return the ids and names of the void matches."""
    rows = Pairing.objects.filter(tournament=bracket.tournament, match__status=MatchStatus.VOID)
    void = [match_id for match_id in rows.order_by("pk").values_list("match_id", flat=True) if match_id is not None]
    names = match_names(void) if void else {}
    return [(match_id, names[match_id]) for match_id in void]


def site_counts() -> dict[str, int]:
    """Return the numbers of people, bots and matches shown on the home page."""
    return {
        "people": User.objects.filter(is_active=True).count(),
        "bots": Bot.objects.filter(retired=False).count(),
        "matches": count_up_to_most(Match.objects.filter(PUBLIC, status=MatchStatus.FINISHED)),
    }
