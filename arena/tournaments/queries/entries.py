"""Read-only queries for entries, invitations and bots that could enter."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Count, Q

from arena.accounts.permissions import Person
from arena.submissions.models import Bot
from arena.tournaments.formats.places import place_of
from arena.tournaments.models import Entry, EntryStatus, Invitation, TournamentStatus
from arena.tournaments.queries.drawn_bracket import TournamentBracket, bracket_of
from arena.tournaments.visibility import visible
from arena.ui.localized import localized_name


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry on the tournament's page, and what its author should do next.

    ``is_eliminated``: whether it has no encounter left in a running tournament. This is a result, so it may be
    withheld.
    """

    id: int
    tournament_id: int
    bot_id: int
    name: str
    owner: str
    owner_id: int
    is_house: bool
    version: int | None
    status: str
    status_label: str
    reason_label: str
    rank: int | None
    points: float
    played: int
    is_eliminated: bool = False

    @property
    def has_passed(self) -> bool:
        """Return whether the entry has a submission that could play."""
        return self.version is not None

    @property
    def version_label(self) -> str:
        return f"v{self.version}" if self.version is not None else ""


def entries(
    tournament_id: int, *, owner_id: int | None = None, bracket: TournamentBracket | None = None
) -> list[EntryRow]:
    """Return the entries, or only those of one owner; pass the tournament's ``bracket`` if it is already loaded."""
    rows = Entry.objects.filter(tournament_id=tournament_id).select_related("bot__owner", "bot__active", "submission")
    if owner_id is not None:
        rows = rows.filter(bot__owner_id=owner_id)
    found = list(rows.order_by("pk"))
    out: Collection[int] = _eliminated_entries(bracket or bracket_of(tournament_id)) if found else ()
    return [_entry_row(row, out) for row in found]


def _eliminated_entries(bracket: TournamentBracket) -> frozenset[int]:
    """Return the ids of the eliminated entries; empty unless the tournament is under way."""
    under_way = (TournamentStatus.RUNNING, TournamentStatus.PAUSED)
    return bracket.eliminated_entries() if bracket.tournament.status in under_way else frozenset()


def bot_ids(tournament_id: int) -> list[int]:
    """Return the ids of the bots that entered."""
    return list(Entry.objects.filter(tournament=tournament_id).values_list("bot_id", flat=True))


def _entry_row(entry: Entry, out: Collection[int] = ()) -> EntryRow:
    plays = entry.submission or entry.bot.active
    return EntryRow(
        id=entry.pk,
        tournament_id=entry.tournament_id,
        bot_id=entry.bot_id,
        name=localized_name(entry.bot),
        owner=entry.bot.owner.username,
        owner_id=entry.bot.owner_id,
        is_house=entry.bot.is_house,
        version=plays.number if plays else None,
        status=entry.status,
        status_label=entry.get_status_display(),
        reason_label=entry.get_reason_display() if entry.reason else "",
        rank=entry.rank,
        points=entry.points,
        played=entry.played,
        is_eliminated=entry.pk in out,
    )


def entry(entry_id: int) -> EntryRow | None:
    row = Entry.objects.filter(pk=entry_id).select_related("bot__owner", "bot__active", "submission").first()
    return _entry_row(row) if row else None


def own_bots(game: str, owner_id: int, *, not_in: int | None = None) -> list[tuple[int, str]]:
    """Return a person's bots as (id, label), playable ones first, except those entered in the tournament ``not_in``."""
    rows = Bot.objects.filter(owner_id=owner_id, game=game, retired=False)
    if not_in is not None:
        rows = rows.exclude(entries__in=Entry.objects.filter(tournament_id=not_in, status=EntryStatus.ENTERED))
    by_name = rows.select_related("active").order_by("name", "pk")
    return [_choice(bot) for bot in sorted(by_name, key=lambda bot: bot.active_id is None)]


def house_bots(game: str, *, not_in: int | None = None, names: Collection[str] | None = None) -> list[tuple[int, str]]:
    """Return a game's house bots as (id, label), limited to ``names`` if given.

    ``not_in``: the id of a tournament; house bots already entered in it are excluded. So are difficulty levels for
    people to play against, because they are weaker versions of a bot in the list.
    """
    rows = Bot.objects.filter(is_house=True, level=None, game=game, retired=False)
    if not_in is not None:
        rows = rows.exclude(entries__in=Entry.objects.filter(tournament_id=not_in, status=EntryStatus.ENTERED))
    if names is not None:
        rows = rows.filter(name__in=names)
    return [_choice(bot) for bot in rows.select_related("active").order_by("name", "pk")]


def _choice(bot: Bot) -> tuple[int, str]:
    return bot.pk, f"{localized_name(bot)} v{bot.active.number}" if bot.active else localized_name(bot)


def invited_people(tournament_id: int) -> list[str]:
    rows = Invitation.objects.filter(tournament_id=tournament_id)
    return list(rows.order_by("person__username").values_list("person__username", flat=True))


def choices_of_entries(tournament_id: int) -> list[tuple[int, str]]:
    rows = Entry.objects.filter(tournament_id=tournament_id).select_related("bot").order_by("bot__name", "pk")
    return [(row.pk, localized_name(row.bot)) for row in rows]


@dataclass(frozen=True, slots=True)
class Participation:
    """A bot's participation in a tournament, for the pages of the bot and its author."""

    tournament_id: int
    tournament: str
    status: str
    status_label: str
    bot: str
    place: str  # as in the standings; "" if it has none, or while the results are withheld
    entries: int
    points: float | None  # None while the results are withheld
    reason: str


def participations_of_bot(bot_id: int, reader: Person) -> list[Participation]:
    return _participations(Q(bot_id=bot_id), reader)


def participations_of_person(username: str, reader: Person) -> list[Participation]:
    return _participations(Q(bot__owner__username__iexact=username), reader)


def _participations(whose: Q, reader: Person, limit: int = 12) -> list[Participation]:
    """Return the newest participations that ``whose`` selects and the reader may see. Runs one query."""
    rows = (
        Entry.objects.filter(whose, visible(reader, "tournament__"))
        .select_related("tournament", "bot")
        .annotate(n_entries=Count("tournament__entries", filter=Q(tournament__entries__status=EntryStatus.ENTERED)))
        .order_by("-tournament_id", "pk")
    )
    return [
        Participation(
            tournament_id=row.tournament_id,
            tournament=localized_name(row.tournament),
            status=row.tournament.status,
            status_label=row.tournament.get_status_display(),
            bot=localized_name(row.bot),
            place="" if row.tournament.withheld else place_of(row, row.tournament),
            entries=row.n_entries,
            points=None if row.tournament.withheld else row.points,
            reason=row.get_reason_display() if row.reason else "",
        )
        for row in rows[:limit]
    ]
