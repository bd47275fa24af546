"""Verify an archive without a database: recompute everything from the records of its matches.

The checks run in this order: the file is complete; every record is valid under the rules of its game; the rounds agree
with the records on versions, results and seats; the standings follow from the results; and every file is unchanged.
That way, the first problem found is the most informative. A digest alone proves nothing, because anyone who alters a
file can also alter the digest; the proof is that the records agree with the rules.
"""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from arena.core.ranking.pairing.base import Bracket, Encounter, PlayedEncounter, PlayedRound, TournamentStage
from arena.core.ranking.results import Result
from arena.core.referee.record import MAX_JSON_BYTES, Record, RecordError
from arena.core.referee.replay import verify
from arena.games.registry import GAMES
from arena.matches.models import MatchStatus
from arena.tournaments.exports.archive import contents
from arena.tournaments.exports.archive.contents import (
    ArchivedEntry,
    ArchivedPairing,
    ArchivedRound,
    ArchivedRow,
    ArchivedTournament,
    Manifest,
)
from arena.tournaments.formats.traits import TRAITS, match_points, system_of, traits_of
from arena.tournaments.models import EntryStatus, Format, Tournament
from arena.tournaments.standings.history import build_tournament_state, played_encounter
from arena.tournaments.standings.results import (
    TournamentResults,
    Unplayed,
    add_given_unplayed_matches,
    encounter_id,
    is_unplayed,
)
from arena.tournaments.standings.store import FIGURES, figures_of

T = TypeVar("T")
_PAIRED_BY: Final = (
    *("id", "name", "game", "settings", "limits"),
    *("format", "repeats", "matches_per_encounter", "openings"),
)
_RANKED_BY: Final = ("seeding", "tiebreaks", "seed", "status", "end_reason")


class ArchiveProblem(StrEnum):
    """The reason why an archive fails its verification."""

    NOT_A_ZIP = "not_a_zip"
    NO_MANIFEST = "no_manifest"
    FILE_MISSING = "file_missing"
    TOO_LARGE = "too_large"
    UNREADABLE = "unreadable"  # invalid JSON, or another version
    UNLISTED = "unlisted"  # a file that the manifest does not list
    CHANGED = "changed"  # the file's digest differs from the manifest
    UNKNOWN_FORMAT = "unknown_format"
    INVALID_RECORD = "invalid_record"
    UNKNOWN_ENTRY = "unknown_entry"
    OTHER_RESULT = "other_result"  # rounds and record differ
    OTHER_SEED = "other_seed"
    NO_GAUNTLET_BOTS = "no_gauntlet_bots"
    NO_STANDINGS = "no_standings"  # the standings cannot be computed
    OTHER_ENTRIES = "other_entries"  # standings and entries differ
    OTHER_FIGURE = "other_figure"  # standings and matches differ


class ArchiveError(ValueError):
    """Raised for a problem with an archive; the message is a sentence that says where the problem is.

    ``subject``: the file, match, entry or figure that the problem concerns.
    """

    def __init__(self, code: ArchiveProblem, message: str, *, subject: str | int = "") -> None:
        super().__init__(message)
        self.code, self.subject = code, subject


@dataclass(frozen=True, slots=True)
class ArchiveSummary:
    """A summary of a valid archive.

    ``thinned``: matches whose results cannot be verified because their records were deleted.
    """

    name: str
    entries: int
    matches: int
    replaced: int
    thinned: tuple[int, ...] = ()


def check_archive(path: Path) -> ArchiveSummary:
    """Check an archive, and return its summary.

    Raises ArchiveError for the first problem found, and OSError for an unreadable file.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            return _Archive(archive).check()
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise ArchiveError(ArchiveProblem.NOT_A_ZIP, f"The file is not a valid ZIP file: {error}") from None


class _Archive:
    """An open archive and the data read from it."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._names = set(archive.namelist())
        if contents.MANIFEST not in self._names:
            raise ArchiveError(
                ArchiveProblem.NO_MANIFEST,
                "The file has no manifest.json: it is not a tournament archive, or it was truncated.",
            )
        self._manifest = self._read(contents.MANIFEST, Manifest)
        self._check_names()
        # A record that exists is checked, whatever the manifest says.
        self._thinned = frozenset(
            pk
            for pk in self._manifest.thinned
            if self._names.isdisjoint(contents.match_path(pk, replaced=replaced) for replaced in (False, True))
        )
        self.tournament = self._read(contents.TOURNAMENT, ArchivedTournament)
        if self.tournament.format not in TRAITS:
            raise ArchiveError(
                ArchiveProblem.UNKNOWN_FORMAT,
                f"tournament.json: there is no format {self.tournament.format!r}.",
                subject=self.tournament.format,
            )
        self.entries = {entry.id: entry for entry in self._read(contents.ENTRIES, list[ArchivedEntry])}
        self.rounds = self._read(contents.ROUNDS, list[ArchivedRound])
        self.standings = self._read(contents.STANDINGS, list[ArchivedRow])
        self._seeds: dict[int, int] = {}  # the random seed of each round in a score attack

    def check(self) -> ArchiveSummary:
        matches = replaced = 0
        for round_, pairing in self._pairings():
            location = f"round {round_.number}, encounter {pairing.encounter}, match {pairing.match}"
            if pairing.status == MatchStatus.FINISHED and pairing.match not in self._thinned:
                record = self._check_result(location, pairing)
                self._check_seed(location, round_.number, record.seed)
                matches += 1
            for match_id in sorted(set(pairing.replaced) - self._thinned):
                self._record(contents.match_path(match_id, replaced=True), match_id)
                replaced += 1
        self._check_standings()
        self._check_digests()
        return ArchiveSummary(self.tournament.name, len(self.entries), matches, replaced, tuple(sorted(self._thinned)))

    # --- files

    def _read_bytes(self, name: str) -> bytes:
        if name not in self._names:
            raise ArchiveError(ArchiveProblem.FILE_MISSING, f"{name} is missing.", subject=name)
        if self._archive.getinfo(name).file_size > MAX_JSON_BYTES:
            raise ArchiveError(ArchiveProblem.TOO_LARGE, f"{name} is too large.", subject=name)
        return self._archive.read(name)

    def _read(self, name: str, kind: type[T]) -> T:
        try:
            return msgspec.json.decode(self._read_bytes(name), type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            message = f"{name} cannot be read: {error}"
            raise ArchiveError(ArchiveProblem.UNREADABLE, message, subject=name) from None

    def _check_names(self) -> None:
        listed = {*self._manifest.files, contents.MANIFEST}
        for name in sorted(listed - self._names):
            raise ArchiveError(ArchiveProblem.FILE_MISSING, f"{name} is missing.", subject=name)
        for name in sorted(self._names - listed):
            raise ArchiveError(ArchiveProblem.UNLISTED, f"{name} is not listed in manifest.json.", subject=name)

    def _check_digests(self) -> None:
        for name, digest in self._manifest.files.items():
            if hashlib.sha256(self._read_bytes(name)).hexdigest() != digest:
                message = f"{name} has been changed: its SHA-256 is different."
                raise ArchiveError(ArchiveProblem.CHANGED, message, subject=name)

    # --- matches

    def _pairings(self) -> Iterator[tuple[ArchivedRound, ArchivedPairing]]:
        for round_ in self.rounds:
            for pairing in round_.pairings:
                yield round_, pairing

    def _record(self, name: str, match_id: int) -> Record:
        """Read a match's record, and verify it against the rules."""
        try:
            record = Record.from_json(self._read(name, dict[str, Any]))
        except RecordError as error:
            message = f"match {match_id}: {error}"
            raise ArchiveError(ArchiveProblem.INVALID_RECORD, message, subject=match_id) from None
        for problem in verify(record, GAMES):
            raise ArchiveError(ArchiveProblem.INVALID_RECORD, f"match {match_id}: {problem}", subject=match_id)
        return record

    def _check_result(self, location: str, pairing: ArchivedPairing) -> Record:
        """Check a pairing's seats against its match record, and return it; error messages begin with ``location``."""
        match_id = pairing.match or 0
        record = self._record(contents.match_path(match_id), match_id)
        out = {move.seat for turn in record.turns for move in turn.moves if move.fault}
        seats = pairing.seats
        unknown = [seat.entry for seat in seats if seat.entry not in self.entries]
        if unknown:
            message = f"{location}: there is no entry {unknown[0]}."
            raise ArchiveError(ArchiveProblem.UNKNOWN_ENTRY, message, subject=unknown[0])
        ranks, margins = record.outcome.ranks, record.outcome.margins
        result = Result(
            tuple(seat.entry for seat in seats),
            tuple(ranks),
            tuple(margins),
            frozenset(seat.entry for index, seat in enumerate(seats) if index in out),
        )
        pairs: Mapping[str, tuple[object, object]] = {
            "game": (self.tournament.game, record.game),
            "programs": (
                [seat.submission and seat.submission.sha256 for seat in seats],
                [s.sha256 for s in record.seats],
            ),
            "ranks": ([seat.rank for seat in seats], ranks),
            "margins": ([seat.margin for seat in seats], margins),
            "forfeits": ([seat.forfeit for seat in seats], [index in out for index in range(len(seats))]),
            "points": ([seat.points for seat in seats], list(match_points(self.tournament.format, result))),
        }
        for name, (expected, found) in pairs.items():
            if expected != found:
                message = f"{location}, {name}: {expected} in the rounds, but {found} in the record."
                raise ArchiveError(ArchiveProblem.OTHER_RESULT, message, subject=name)
        return record

    def _check_seed(self, location: str, round_: int, seed: int) -> None:
        """In a score attack, check that a match's random seed is the same as in the earlier matches of its round.

        ``location``: where the match is in the archive, for the error message.
        """
        expected = self._seeds.setdefault(round_, seed)
        if TRAITS[self.tournament.format].scored and seed != expected:
            raise ArchiveError(
                ArchiveProblem.OTHER_SEED,
                f"{location}: the random seed is {seed}, but {expected} in the earlier records of the round.",
                subject=location,
            )

    # --- standings

    def _check_standings(self) -> None:
        try:
            computed = self._compute_standings()
        except (KeyError, ValueError, TypeError, IndexError, ZeroDivisionError) as error:
            message = f"The standings cannot be computed from this plan: {error!r}"
            raise ArchiveError(ArchiveProblem.NO_STANDINGS, message) from None
        expected = {row.entry: row for row in self.standings}
        if set(expected) != set(computed):
            different = sorted(set(expected) ^ set(computed))
            message = f"standings: entry {different[0]} is missing from the standings or from the entries."
            raise ArchiveError(ArchiveProblem.OTHER_ENTRIES, message, subject=different[0])
        for entry_id, figures in computed.items():
            for figure in FIGURES:
                ours, theirs = figures[figure], getattr(expected[entry_id], figure)
                if theirs is not msgspec.UNSET and ours != theirs:  # older archives have fewer figures
                    name = self.entries[entry_id].bot
                    raise ArchiveError(
                        ArchiveProblem.OTHER_FIGURE,
                        f"standings, {name} (entry {entry_id}), {figure}: {theirs!r} in the archive, "
                        f"but {ours!r} computed from the matches.",
                        subject=figure,
                    )

    def _compute_standings(self) -> Mapping[int, Mapping[str, Any]]:
        """Compute the standings of all counted entries as the site does."""
        tournament = self._unsaved_tournament()
        facts = [(entry.id, entry.status, entry.seed) for entry in self.entries.values()]
        results = add_given_unplayed_matches(
            tournament, facts, self._played_results(), Unplayed(self._unplayed_pairings, self._byes)
        )
        blank = ArchivedRow(0, None, 0.0, 0, 0, 0, 0, 0.0, [], None)
        found = {pk: {figure: getattr(blank, figure) for figure in FIGURES} for pk in results.entries}
        if results.results:
            found |= {row.entry: figures_of(row) for row in self._order_standings(tournament, results)}
        return found

    def _unsaved_tournament(self) -> Tournament:
        """Return an unsaved tournament with the columns that the formats need."""
        plan, options = self.tournament, contents.tournament_options(self.tournament.options)
        if plan.format == Format.GAUNTLET and not options.get("gauntlet_bots"):
            raise ArchiveError(
                ArchiveProblem.NO_GAUNTLET_BOTS,
                "tournament.json does not say how many seeds the gauntlet matches with all others.",
            )
        return Tournament(**{name: getattr(plan, name) for name in (*_PAIRED_BY, *_RANKED_BY)}, options=options)

    def _played_results(self) -> list[Result]:
        return [
            _build_result(round_, pairing)
            for round_, pairing in self._pairings()
            if pairing.status == MatchStatus.FINISHED
        ]

    def _unplayed_pairings(self, forfeiting: frozenset[int]) -> list[tuple[int, list[int]]]:
        return [
            (encounter_id(round_.number, pairing.encounter), [seat.entry for seat in pairing.seats])
            for round_, pairing in self._pairings()
            if is_unplayed(pairing.status) and any(seat.entry in forfeiting for seat in pairing.seats)
        ]

    def _byes(self) -> list[tuple[int, int]]:
        return [(round_.number, entry) for round_ in self.rounds for entry in round_.byes]

    def _order_standings(self, tournament: Tournament, results: TournamentResults) -> list[Any]:
        table = results.standings()
        seeded = sorted((entry.seed, entry.id) for entry in self.entries.values() if entry.seed is not None)
        if not seeded:
            return table
        statuses = {pk: self.entries[pk].status for _seed, pk in seeded}
        left = frozenset(pk for pk, status in statuses.items() if status == EntryStatus.WITHDRAWN)
        rounds: tuple[PlayedRound, ...] = (PlayedRound(()),) * len(self.rounds)
        if traits_of(tournament).orders:
            rounds = tuple(_played_round(tournament, round_, left) for round_ in self.rounds)
        field = build_tournament_state(tournament, statuses, rounds)
        return system_of(tournament, len(statuses)).rank_entries(field, table)


def _build_result(round_: ArchivedRound, pairing: ArchivedPairing) -> Result:
    seats = pairing.seats
    return Result(
        tuple(seat.entry for seat in seats),
        tuple(seat.rank or 0 for seat in seats),
        tuple(seat.margin or 0.0 for seat in seats),
        frozenset(seat.entry for seat in seats if seat.forfeit),
        encounter=encounter_id(round_.number, pairing.encounter),
    )


def _played_round(tournament: Tournament, round_: ArchivedRound, left: frozenset[int]) -> PlayedRound:
    legs: dict[int, list[ArchivedPairing]] = {}
    for pairing in round_.pairings:
        legs.setdefault(pairing.encounter, []).append(pairing)
    waits_for_void = traits_of(tournament).advances
    return PlayedRound(
        tuple(_encounter(round_, found, left, waits_for_void) for found in legs.values()),
        tuple(round_.byes),
        TournamentStage(round_.stage),
    )


def _encounter(
    round_: ArchivedRound, legs: list[ArchivedPairing], left: frozenset[int], waits_for_void: bool
) -> PlayedEncounter:
    first = legs[0]
    encounter = Encounter(tuple(seat.entry for seat in first.seats), Bracket(first.bracket), first.slot, first.group)
    found = [(pairing.status, _build_result(round_, pairing)) for pairing in legs]
    return played_encounter(encounter, found, left, waits_for_void)
