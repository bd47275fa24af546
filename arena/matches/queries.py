"""Read-only queries for pages about matches."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from django.db.models import Prefetch, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from arena.accounts.models import User
from arena.accounts.permissions import Person
from arena.games.base import Termination
from arena.games.registry import GAMES
from arena.matches.callbacks import MatchContext, contexts_of
from arena.matches.listing import MatchFilter, newest_match_ids
from arena.matches.models import Match, MatchStatus, Purpose, Seat
from arena.matches.repeats import first_matches_by_digest
from arena.matches.seat_faults import shown_fault
from arena.matches.seat_owners import FETCHED, owner_of
from arena.matches.visibility import visible
from arena.submissions.models import Bot
from arena.ui.localized import localized_name

_ALL_NAMED: Final = 4  # largest table at which all players are named
_NAMED: Final = 3  # number of players named at a larger table


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat in a match list. ``url`` is "" for a guest; ``owner`` and ``version`` are set only for bots."""

    index: int
    bot_id: int | None
    name: str
    url: str
    owner: str
    version: int | None
    is_house: bool
    points: float | None
    count: int | None  # see Seat.count
    rank: int | None
    fault: str
    seconds: float
    slowest: float
    color: str


@dataclass(frozen=True, slots=True)
class MatchCard:
    """A match in a list; ``seats``: in seat order; ``listed_seats``: only the best few at a large table."""

    id: int
    game: str
    status: str
    status_label: str
    purpose: str
    purpose_label: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    termination: str
    limit_seconds: float  # limit for the whole match; 0 means no limit
    turns: int
    seats: tuple[SeatRow, ...]
    context: MatchContext | None
    repeats: bool  # whether an identical earlier match exists
    replaced_by: int | None  # the match that counts instead

    SHOWN = 4

    @property
    def match_name(self) -> str:
        """Return the match's name in its tournament; "" outside tournaments."""
        return self.context.match_name if self.context else ""

    @property
    def listed_seats(self) -> tuple[SeatRow, ...]:
        if len(self.seats) <= self.SHOWN:
            return self.seats
        return tuple(sorted(self.seats, key=lambda seat: (seat.rank or 0, seat.index)))[: self.SHOWN]

    @property
    def shows_turns(self) -> bool:
        """Return whether the number of turns is known; it is stored when the match ends."""
        return self.turns > 0 or self.status == MatchStatus.FINISHED

    @property
    def unlisted_count(self) -> int:
        return max(0, len(self.seats) - self.SHOWN)


def cards_of(rows: Iterable[Match] | QuerySet[Match]) -> list[MatchCard]:
    """Return match cards in the given order. Runs two queries, plus one for each match purpose that has a context."""
    return cards_of_ids([row.pk for row in rows])


def cards_of_ids(match_ids: Sequence[int]) -> list[MatchCard]:
    seats = Seat.objects.select_related(*FETCHED).order_by("index")
    found = {
        row.pk: row
        for row in Match.objects.filter(pk__in=match_ids).prefetch_related(Prefetch("seats", queryset=seats))
    }
    by_purpose: dict[str, list[int]] = {}
    for row in found.values():
        by_purpose.setdefault(row.purpose, []).append(row.pk)
    contexts = contexts_of(by_purpose)
    first = first_matches_by_digest({row.play_digest for row in found.values() if row.play_digest})
    return [
        _card(found[pk], contexts.get(pk), repeats=first.get(found[pk].play_digest, pk) < pk)
        for pk in match_ids
        if pk in found
    ]


def match_card(match_id: int) -> MatchCard | None:
    return next(iter(cards_of_ids([match_id])), None)


def _card(match: Match, context: MatchContext | None, *, repeats: bool) -> MatchCard:
    return MatchCard(
        id=match.pk,
        game=match.game,
        status=match.status,
        status_label=match.get_status_display(),
        purpose=match.purpose,
        purpose_label=match.get_purpose_display(),
        created_at=match.created_at,
        started_at=match.started_at,
        finished_at=match.finished_at,
        termination=match.termination,
        limit_seconds=match.limits.get("match_seconds", 0.0),
        turns=match.turns,
        seats=_seats_of(match),
        context=context,
        repeats=repeats,
        replaced_by=match.replaced_by_id,
    )


def _seats_of(match: Match) -> tuple[SeatRow, ...]:
    """Return the seats in order; a match that ended at its time limit has neither ranks nor scores."""
    lines = tuple(seat_row(seat, match.game) for seat in match.seats.all())
    if match.termination != Termination.TIME_LIMIT:
        return lines
    return tuple(replace(line, rank=None, points=None, count=None) for line in lines)


def seat_row(seat: Seat, game: str) -> SeatRow:
    """Convert a seat to a row; the seat must have been loaded with the relations in ``FETCHED``."""
    colors = GAMES[game].colors
    owner = owner_of(seat)
    return SeatRow(
        index=seat.index,
        bot_id=owner.bot_id,
        name=owner.name or _("Guest"),
        url=owner.url,
        owner=owner.bot_owner,
        version=owner.version,
        is_house=owner.is_house,
        points=seat.points,
        count=seat.count,
        rank=seat.rank,
        fault=shown_fault(seat),
        seconds=seat.seconds,
        slowest=seat.slowest,
        color=colors[seat.index] if colors else "",
    )


def seat_rows(match_id: int) -> list[SeatRow]:
    """Return the seats of a match, ordered by number."""
    rows = Seat.objects.filter(match_id=match_id).select_related(*FETCHED, "match").order_by("index")
    return [seat_row(seat, seat.match.game) for seat in rows]


def unambiguous_names(lines: Sequence[SeatRow]) -> list[str]:
    """Return every seat's name in the language of the page; names that several seats share include the version."""
    count = Counter(line.name for line in lines)
    return [
        f"{line.name} v{line.version}" if count[line.name] > 1 and line.version is not None else line.name
        for line in lines
    ]


def match_names(match_ids: Collection[int]) -> dict[int, str]:
    """Return each match's players in the language of the page, such as "Corners – Mia". Runs one query.

    At a larger table, only the first few are named.
    """
    seats: dict[int, list[SeatRow]] = defaultdict(list)
    rows = Seat.objects.filter(match__in=match_ids).select_related(*FETCHED, "match").order_by("match_id", "index")
    for seat in rows:
        seats[seat.match_id].append(seat_row(seat, seat.match.game))
    return {match_id: players_text(unambiguous_names(lines)) for match_id, lines in seats.items()}


def players_text(names: Sequence[str], own: Collection[int] = ()) -> str:
    """Join the names of a match's players; at a larger table, name only the first few and count the others.

    ``own``: positions of the reader's players in ``names``; these are named before others.
    """
    if len(names) <= 2:
        return " – ".join(names)
    room = _NAMED if len(names) > _ALL_NAMED else len(names)
    chosen = sorted(range(len(names)), key=lambda place: (place not in own, place))[:room]
    shown = pgettext("between names", ", ").join(names[place] for place in sorted(chosen))
    more = len(names) - room
    if more == 0:
        return shown
    return ngettext("%(names)s and %(n)s more", "%(names)s and %(n)s more", more) % {"names": shown, "n": more}


def recent_matches_of_bot(bot_id: int, reader: Person, limit: int = 8) -> list[MatchCard]:
    return cards_of_ids(newest_match_ids(MatchFilter(bot=bot_id, skips_cancelled_duels=True), reader, limit))


def recent_matches_of_person(username: str, reader: Person, limit: int = 8) -> list[MatchCard]:
    return cards_of_ids(newest_match_ids(MatchFilter(person=username, skips_cancelled_duels=True), reader, limit))


@dataclass(frozen=True, slots=True)
class FeaturedMatch:
    """A match featured on pages outside the match list."""

    match_id: int
    is_live: bool


def featured_match(game: str, reader: Person) -> FeaturedMatch | None:
    """Return a game's newest live match that the reader may see, otherwise the newest finished one.

    Matches with human players are excluded, because they may be slow. Return None if all matches have human players.
    """
    rows = Match.objects.filter(visible(reader), game=game).exclude(purpose=Purpose.DUEL)
    for status in (MatchStatus.RUNNING, MatchStatus.FINISHED):
        pk = rows.filter(status=status).order_by("-pk").values_list("pk", flat=True).first()
        if pk is not None:
            return FeaturedMatch(pk, status == MatchStatus.RUNNING)
    return None


def count_unfinished_scrimmages(user_id: int) -> int:
    """Return how many of a person's scrimmages have not ended."""
    return Match.objects.filter(
        requested_by_id=user_id, purpose=Purpose.SCRIMMAGE, status__in=(MatchStatus.QUEUED, MatchStatus.RUNNING)
    ).count()


def owners_of(match_id: int) -> frozenset[int]:
    """Return the ids of the authors whose bots play in a match."""
    seats = Seat.objects.filter(match_id=match_id, submission__isnull=False)
    return frozenset(seats.values_list("submission__bot__owner", flat=True))


@dataclass(frozen=True, slots=True)
class ReaderSeats:
    """The seats in which the reader or the reader's bots play, in order; ``person``: the seat of the reader, if any."""

    indices: tuple[int, ...] = ()
    person: int | None = None

    @property
    def addressed(self) -> dict[str, int | str] | None:
        """Return the seat of the reader or of the reader's only bot, for messages in the second person.

        Return None if neither applies: messages are then in the third person.
        """
        if self.person is not None:
            return {"seat": self.person, "is": "person"}
        return {"seat": self.indices[0], "is": "bot"} if len(self.indices) == 1 else None


def reader_seats(match_id: int, reader: Person) -> ReaderSeats:
    if not reader.is_authenticated:
        return ReaderSeats()
    is_own = Q(person_id=reader.pk) | Q(submission__bot__owner_id=reader.pk)
    rows = Seat.objects.filter(is_own, match_id=match_id).order_by("index")
    found = list(rows.values_list("index", "person_id"))
    person = next((index for index, person_id in found if person_id is not None), None)
    return ReaderSeats(tuple(index for index, person_id in found), person)


def seat_owner(match_id: int, index: int) -> User | None:
    seat = Seat.objects.filter(match_id=match_id, index=index).select_related("submission__bot__owner").first()
    return seat.submission.bot.owner if seat and seat.submission else None


def replaced_matches(match_id: int) -> list[int]:
    """Return the ids of the matches that this one replaces, oldest first."""
    return list(Match.objects.filter(replaced_by_id=match_id).order_by("pk").values_list("pk", flat=True))


def game_of(match_id: int) -> str:
    """Return the match's game; "" if there is no such match."""
    return Match.objects.filter(pk=match_id).values_list("game", flat=True).first() or ""


def requester_of(match_id: int) -> int | None:
    """Return the id of the person who requested the match; for a tournament match, the organizer's id."""
    return Match.objects.filter(pk=match_id).values_list("requested_by_id", flat=True).first()


def playable_bots_of(person_id: int, game: str) -> list[tuple[int, str]]:
    """Return the person's bots that can play the game, as pairs of an id and a label such as "Corners v3"."""
    rows = Bot.objects.filter(game=game, retired=False, owner=person_id).exclude(active=None).order_by("name", "pk")
    return [
        (bot.pk, f"{localized_name(bot)} v{bot.active.number}" if bot.active else localized_name(bot))
        for bot in rows.select_related("active").only("name", "texts", "active__number")
    ]
