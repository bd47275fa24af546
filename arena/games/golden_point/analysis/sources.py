"""Find the source of the rounds to analyse: a finished match, a room or a recording.

Invariant: every request checks the visibility rules of the source's own app, even if its report is cached; readers
without permission get the same response as if the source did not exist.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from django.urls import reverse
from django.utils.translation import gettext as _

from arena.accounts.permissions import Person
from arena.games.golden_point.analysis.room_windows import RoomWindow, WindowRequest, room_window
from arena.games.golden_point.evaluation.golden_match import GoldenMatch, match_from_record
from arena.games.golden_point.recordings import queries as recordings
from arena.games.golden_point.rooms.live.serializers import translated_players
from arena.games.golden_point.rooms.queries import rooms
from arena.matches import queries as matches
from arena.matches.models import Match, MatchStatus
from arena.matches.queries import MatchCard
from arena.matches.records import record_of
from arena.matches.visibility import may_see
from arena.platform.refusal import NotFound
from arena.ui.localized import name_for_reader

GAME = "golden_point"


class SourceKind(StrEnum):
    """The kind of data from which a report is computed; the values appear in URLs."""

    MATCH = "matches"
    ROOM = "rooms"
    RECORDING = "recordings"


@dataclass(frozen=True, slots=True)
class Source:
    """A match, a room or a recording that the reader may see.

    ``id`` distinguishes different sets of rounds; ``load`` reads them.
    ``is_over`` is False for a match that has not finished: it has no rounds to explain yet. ``window``: the window of
    rounds, only for a room. ``owners``: ids of the accounts that own the recording, or whose bots played the match.
    ``house_bots``: names of the house bots in the reader's language, by seat.
    """

    id: str
    kind: SourceKind
    key: str
    title: str
    url: str
    is_over: bool
    seat_rounds: int
    load: Callable[[], GoldenMatch]
    window: RoomWindow | None = None
    owners: frozenset[int] = frozenset()
    house_bots: Mapping[int, str] = field(default_factory=dict)


def find(kind: SourceKind, key: str, reader: Person, wanted: WindowRequest) -> Source:
    """Return the source with this kind and key. Raises NotFound."""
    if kind is SourceKind.RECORDING:
        return _recording(key)
    if not key.isascii() or not key.isdecimal() or len(key) > 18:
        raise NotFound
    return _match(int(key), reader) if kind is SourceKind.MATCH else _room(int(key), wanted)


def load(source_id: str) -> GoldenMatch:
    """Load a match or a recording, given the ``id`` of its ``Source``. Called by workers."""
    kind, _, key = source_id.partition("/")
    return _record(int(key)) if kind == SourceKind.MATCH else recordings.match_of(key)


def _match(match_id: int, reader: Person) -> Source:
    card = matches.match_card(match_id) if may_see(reader, match_id) else None
    if card is None or card.game != GAME:
        raise NotFound
    return Source(
        id=f"{SourceKind.MATCH}/{match_id}",
        kind=SourceKind.MATCH,
        key=str(match_id),
        title=_title(card),
        url=reverse("match", args=[match_id]),
        is_over=card.status == MatchStatus.FINISHED,
        seat_rounds=len(card.seats) * card.turns,
        load=lambda: _record(match_id),
        owners=matches.owners_of(match_id),
        house_bots={seat.index: seat.name for seat in card.seats if seat.is_house},
    )


def _title(card: MatchCard) -> str:
    """Return the title of the match's page: the names of the players, best first once the match is over."""
    seats = sorted(card.seats, key=lambda seat: (seat.rank or 0, seat.index))
    return matches.players_text([seat.name or _("Guest") for seat in seats])


def _record(match_id: int) -> GoldenMatch:
    record = record_of(match_id)
    if record is None:
        raise NotFound
    return match_from_record(record)


def _room(number: int, wanted: WindowRequest) -> Source:
    line = rooms.room_row(number) if number < 2**31 else None
    if line is None:
        raise NotFound
    window = room_window(number, wanted)
    translated = translated_players(number)
    return Source(
        id=f"{SourceKind.ROOM}/{number}/{window.key}",
        kind=SourceKind.ROOM,
        key=str(number),
        title=line.name or _("Room %(n)s") % {"n": number},
        url=reverse("room", args=[number]),
        is_over=True,
        seat_rounds=window.match.seat_rounds,
        load=lambda: window.match,
        window=window,
        house_bots={
            seat: name_for_reader(name, translated[name])
            for seat, name in enumerate(window.match.players)
            if name in translated
        },
    )


def _recording(code: str) -> Source:
    line = recordings.recording_row(code)
    if line is None:
        raise NotFound
    return Source(
        id=f"{SourceKind.RECORDING}/{code}",
        kind=SourceKind.RECORDING,
        key=code,
        title=line.title,
        url=reverse("recording", args=[code]),
        is_over=True,
        seat_rounds=line.players * line.rounds,
        load=lambda: recordings.match_of(code),
        owners=frozenset(() if line.owner_id is None else (line.owner_id,)),
    )


def analysable_match(match_id: int, reader: Person) -> int | None:
    """Return the id of the match if it is a finished golden-point match, otherwise None.

    The page has already checked the reader's permission.
    """
    finished = Match.objects.filter(pk=match_id, game=GAME, status=MatchStatus.FINISHED)
    return match_id if finished.exists() else None
