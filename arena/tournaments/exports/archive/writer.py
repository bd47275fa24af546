"""Stream the archive of a finished tournament in chunks, however large it is.

Invariant: the content is consistent. Matches are read in batches, without a transaction that would block others. If the
tournament continues in the meantime because a match is rerun, the file ends before its manifest, and verification
reports this.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import msgspec

from arena.core.ranking.pairing.gauntlet import Gauntlet
from arena.core.referee.record import load
from arena.matches.models import Match, Seat
from arena.matches.records import ids_without_record, record_data_by_match
from arena.tournaments.exports.archive import contents
from arena.tournaments.exports.archive.contents import (
    ArchivedActivity,
    ArchivedEntry,
    ArchivedPairing,
    ArchivedRound,
    ArchivedRow,
    ArchivedSeat,
    ArchivedSubmission,
    ArchivedTournament,
    Manifest,
)
from arena.tournaments.formats.traits import system_of
from arena.tournaments.models import Entry, EntryStatus, Pairing, PairingSeat, Tournament, TournamentStatus
from arena.tournaments.queries.activity import ORGANIZERS_ONLY
from arena.tournaments.standings.store import FIGURES, is_stale

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

PORTION: Final = 200
_OVER: Final = (TournamentStatus.FINISHED, TournamentStatus.CANCELLED)
_COLUMNS: Final = (
    *("id", "name", "description", "game", "settings", "limits"),
    *("format", "repeats", "matches_per_encounter", "openings"),
    *("seeding", "tiebreaks", "seed", "status", "end_reason"),
)


class ArchiveAbortedError(RuntimeError):
    """Raised if the tournament changed during the export."""


def is_over(tournament_id: int) -> bool:
    """Return whether the tournament can be archived: no match is pending, and the standings are up to date."""
    row = Tournament.objects.filter(pk=tournament_id, status__in=_OVER).first()
    return row is not None and not is_stale(row) and not row.pairings.filter(ended_at=None).exists()


def archive_bytes(tournament_id: int, *, now: datetime) -> Iterator[bytes]:
    """Yield the archive file in chunks. Raises ArchiveAbortedError."""
    tournament = Tournament.objects.select_related("organizer").get(pk=tournament_id)
    sink, digests = _Sink(), {}
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, value in _files(tournament):
            data = msgspec.json.encode(value)
            digests[path] = hashlib.sha256(data).hexdigest()
            archive.writestr(path, data)
            yield sink.take_bytes()
        if Tournament.objects.values_list("results", flat=True).get(pk=tournament_id) != tournament.results:
            raise ArchiveAbortedError(f"tournament {tournament_id} changed while its archive was being written")
        thinned = ids_without_record(_match_ids(tournament))
        manifest = Manifest(contents.FORMAT, contents.VERSION, now.isoformat(), digests, thinned)
        archive.writestr(contents.MANIFEST, msgspec.json.encode(manifest))
    yield sink.take_bytes()


class _Sink(io.RawIOBase):
    """A non-seekable output stream for a ZIP file; the data written to it is fetched in chunks."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer) -> int:
        self._pieces.append(bytes(data))
        return len(self._pieces[-1])

    def take_bytes(self) -> bytes:
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)


def _files(tournament: Tournament) -> Iterator[tuple[str, Any]]:
    """Yield each file's path and contents, small files first."""
    entries = list(tournament.entries.select_related("bot__owner", "submission").order_by("pk"))
    yield contents.TOURNAMENT, _tournament(tournament, entries)
    yield contents.ENTRIES, [_entry(entry) for entry in entries]
    yield contents.STANDINGS, _standings(entries)
    yield contents.FEED, list(_activity_log(tournament))
    rounds = list(_rounds(tournament))
    yield contents.ROUNDS, rounds
    pairings = [pairing for round_ in rounds for pairing in round_.pairings]
    current = [pairing.match for pairing in pairings if pairing.match is not None]
    replaced = [match_id for pairing in pairings for match_id in pairing.replaced]
    yield from _records(current, replaced=False)
    yield from _records(replaced, replaced=True)


def _tournament(tournament: Tournament, entries: Sequence[Entry]) -> ArchivedTournament:
    columns = {name: getattr(tournament, name) for name in _COLUMNS}
    options = contents.archive_options(tournament.options)
    system = system_of(tournament, sum(entry.seed is not None for entry in entries))
    if isinstance(system, Gauntlet):
        options[contents.OPTION_KEYS["gauntlet_bots"]] = system.gauntlet_bots
    return ArchivedTournament(
        **columns,
        options=options,
        organizer=tournament.organizer.username,
        deadline=_iso(tournament.deadline),
        started_at=_iso(tournament.started_at),
        finished_at=_iso(tournament.finished_at),
    )


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _entry(entry: Entry) -> ArchivedEntry:
    return ArchivedEntry(
        id=entry.pk,
        bot=entry.bot.name,
        author=entry.bot.owner.username,
        is_house=entry.bot.is_house,
        seed=entry.seed,
        status=entry.status,
        reason=entry.reason,
        submission=_submission(entry.submission),
    )


def _submission(submission: Any) -> ArchivedSubmission | None:
    return ArchivedSubmission(submission.number, submission.sha256) if submission else None


def _standings(entries: Iterable[Entry]) -> list[ArchivedRow]:
    counted = [entry for entry in entries if entry.status != EntryStatus.EXCLUDED]
    return [ArchivedRow(entry.pk, **{figure: getattr(entry, figure) for figure in FIGURES}) for entry in counted]


def _activity_log(tournament: Tournament) -> Iterator[ArchivedActivity]:
    rows = tournament.activities.exclude(kind__in=ORGANIZERS_ONLY).select_related("actor").order_by("pk")
    for row in rows:
        actor = row.actor.username if row.actor else None
        yield ArchivedActivity(_iso(row.at) or "", row.kind, actor, row.entry_id, row.match_id, row.text, row.details)


def _rounds(tournament: Tournament) -> Iterator[ArchivedRound]:
    for row in tournament.rounds.order_by("number"):
        pairings = list(Pairing.objects.filter(round=row).select_related("match").order_by("pk"))
        seats = defaultdict[int, list[PairingSeat]](list)
        for paired in PairingSeat.objects.filter(pairing__in=pairings).order_by("pairing_id", "index"):
            seats[paired.pairing_id].append(paired)
        current = [pairing.match_id for pairing in pairings if pairing.match_id]
        played: dict[tuple[int, int], ArchivedSubmission | None] = {
            (seat.match_id, seat.index): _submission(seat.submission)
            for seat in Seat.objects.filter(match__in=current).select_related("submission")
        }
        replaced: dict[int, list[int]] = {}
        older = Match.objects.filter(replaced_by__in=current).order_by("pk").values_list("pk", "replaced_by_id")
        for pk, by in older:
            replaced.setdefault(by or 0, []).append(pk)
        yield ArchivedRound(
            number=row.number,
            stage=row.stage,
            byes=list(row.byes.order_by("pk").values_list("entry_id", flat=True)),
            pairings=[
                _pairing(
                    pairing,
                    [_seat(seat, played.get((pairing.match_id or 0, seat.index))) for seat in seats[pairing.pk]],
                    replaced.get(pairing.match_id or 0, []),
                )
                for pairing in pairings
            ],
        )


def _pairing(pairing: Pairing, seats: list[ArchivedSeat], replaced: list[int]) -> ArchivedPairing:
    return ArchivedPairing(
        encounter=pairing.encounter,
        leg=pairing.leg,
        bracket=pairing.bracket,
        slot=pairing.slot,
        group=pairing.group,
        match=pairing.match_id,
        status=pairing.match.status if pairing.match else None,
        seats=seats,
        replaced=replaced,
    )


def _seat(seat: PairingSeat, submission: ArchivedSubmission | None) -> ArchivedSeat:
    return ArchivedSeat(
        entry=seat.entry_id,
        submission=submission,
        rank=seat.rank,
        margin=seat.margin,
        points=seat.points,
        forfeit=seat.forfeit,
    )


def _match_ids(tournament: Tournament) -> list[int]:
    """Return the ids of all matches that may have records, including replaced ones."""
    rows = Pairing.objects.filter(round__tournament=tournament, match__isnull=False)
    current = list(rows.values_list("match_id", flat=True))
    return [*current, *Match.objects.filter(replaced_by__in=current).values_list("pk", flat=True)]


def _records(match_ids: Sequence[int], *, replaced: bool) -> Iterator[tuple[str, Any]]:
    for first in range(0, len(match_ids), PORTION):
        for match_id, data in sorted(record_data_by_match(match_ids[first : first + PORTION]).items()):
            yield contents.match_path(match_id, replaced=replaced), load(data)
