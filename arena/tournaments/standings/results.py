"""A tournament's results, converted to the types of arena.core.ranking."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Final

from arena.core.ranking.results import Result
from arena.core.ranking.score_table import score_table
from arena.core.ranking.standings import StandingsRow, annulled_entries, standings
from arena.core.ranking.tiebreaks import DEFAULT_TIEBREAKS, Tiebreak
from arena.matches.models import MatchStatus
from arena.tournaments.formats.traits import matches_due, system_of, tiebreaks_of, traits_of
from arena.tournaments.models import Bye, Entry, EntryStatus, Pairing, PairingSeat, Tournament

# Statuses of a withdrawn entry's unplayed matches; void matches are the arena's failures and are not scored.
_NOT_PLAYED: Final = (MatchStatus.PLANNED, MatchStatus.QUEUED, MatchStatus.RUNNING, MatchStatus.CANCELLED)
_ENCOUNTERS_A_ROUND: Final = 100_000


@dataclass(frozen=True, slots=True)
class TournamentResults:
    """A tournament's results.

    ``entries``: entries that are playing or have played; ``withdrawn``: the number of matches that each withdrawn entry
    was due to play.
    """

    entries: tuple[int, ...]
    results: tuple[Result, ...]
    withdrawn: Mapping[int, int]
    tiebreaks: tuple[Tiebreak, ...] = DEFAULT_TIEBREAKS
    scored: bool = False  # scores are added up

    def standings(self) -> list[StandingsRow]:
        if self.scored:
            return score_table(self.entries, self.results, self.withdrawn)
        return standings(self.entries, self.results, self.withdrawn, self.tiebreaks)

    def without_round(self, round_id: int) -> TournamentResults:
        """Return the results of all rounds except one."""
        return replace(self, results=tuple(result for result in self.results if round_of(result) != round_id))


# A seat in a finished match: match or pairing, encounter (see ``encounter_id``), entry, rank, margin, forfeited.
SeatRow = tuple[int, int, int, int | None, float | None, bool]


def encounter_id(round_id: int, encounter: int) -> int:
    """Return a number that is unique among the encounters of all rounds."""
    return round_id * _ENCOUNTERS_A_ROUND + encounter


def round_of(result: Result) -> int:
    """Return the id of a result's round; 0 for a result without an encounter."""
    return (result.encounter or 0) // _ENCOUNTERS_A_ROUND


def build_results(rows: Iterable[SeatRow]) -> list[Result]:
    """Convert seat rows to match results. The rows must be ordered by match and seat; rank and margin must be known."""
    found = []
    for _, seats in groupby(rows, key=itemgetter(0)):
        _, encounters, entries, ranks, margins, forfeits = zip(*seats, strict=True)
        forfeited = frozenset(entry for entry, lost in zip(entries, forfeits, strict=True) if lost)
        found.append(Result(entries, ranks, margins, forfeited, encounter=encounters[0]))
    return found


def results_of(tournament: Tournament) -> TournamentResults:
    """Return the results so far. Runs a constant number of queries."""
    seats = PairingSeat.objects.filter(pairing__tournament=tournament, rank__isnull=False)
    columns = ("pairing_id", "pairing__round_id", "pairing__encounter", "entry_id", "rank", "margin", "forfeit")
    rows = seats.order_by("pairing_id", "index").values_list(*columns)
    played = build_results(
        (pairing, encounter_id(round_id, encounter), entry, rank, margin, forfeit)
        for pairing, round_id, encounter, entry, rank, margin, forfeit in rows.iterator(chunk_size=5000)
    )
    return add_unplayed_matches(tournament, played)


# An entry, with its status and its seed.
EntryFacts = tuple[int, str, int | None]


@dataclass(frozen=True, slots=True)
class Unplayed:
    """The functions that load the unplayed matches that affect the standings, for example from an archive.

    ``pairs`` takes entries and returns, for each of their cancelled matches, the encounter and the two entries.
    ``byes`` returns the round and the entry of each bye.
    """

    pairs: Callable[[frozenset[int]], Iterable[tuple[int, Sequence[int]]]]
    byes: Callable[[], Iterable[tuple[int, int]]]


def add_unplayed_matches(tournament: Tournament, played: list[Result]) -> TournamentResults:
    """Return the results of the played matches, with walkovers against withdrawn entries and, if they count, byes."""
    rows = Entry.objects.filter(tournament=tournament).order_by("pk").values_list("pk", "status", "seed")
    return add_given_unplayed_matches(
        tournament, list(rows), played, Unplayed(partial(_pairs, tournament), partial(_byes, tournament))
    )


def add_given_unplayed_matches(
    tournament: Tournament, facts: Iterable[EntryFacts], played: list[Result], unplayed: Unplayed
) -> TournamentResults:
    """Add unplayed matches as ``add_unplayed_matches`` does, but take the entries and functions from the arguments.

    Runs only the queries that the format needs.
    """
    entries = [each for each in facts if each[1] != EntryStatus.EXCLUDED]
    left = [pk for pk, status, _ in entries if status == EntryStatus.WITHDRAWN]
    withdrawn = dict.fromkeys(left, 0)
    seeded = [pk for _, pk in sorted((seed, pk) for pk, _, seed in entries if seed is not None)]
    scored = traits_of(tournament).scored
    forfeiting: frozenset[int] = frozenset()
    if traits_of(tournament).half_counts:
        withdrawn |= {pk: n for pk, n in matches_due(tournament, seeded).items() if pk in withdrawn} if left else {}
        forfeiting = frozenset(left) - annulled_entries(played, withdrawn)
    elif not scored:
        # Entries that never played are not in the table; all other results count.
        seen = {entry for result in played for entry in result.entries}
        withdrawn = {pk: 0 for pk in left if pk not in seen}
        forfeiting = frozenset(left)
    results = list(played)
    if forfeiting and not tournament.is_table:
        found = [walkover(pair, frozenset(left), encounter) for encounter, pair in unplayed.pairs(forfeiting)]
        results += [result for result in found if result is not None]
    if seeded and system_of(tournament, len(seeded)).bye_wins:
        results += _bye_wins(tournament, unplayed.byes())
    return TournamentResults(
        tuple(pk for pk, _, _ in entries),
        tuple(results),
        withdrawn,
        tiebreaks_of(tournament.format, tournament.tiebreaks),
        scored,
    )


def is_unplayed(status: str | None) -> bool:
    """Return whether a match with this status (None for a walkover) was not played and is not void."""
    return status is None or status in _NOT_PLAYED


def _pairs(tournament: Tournament, forfeiting: frozenset[int]) -> Iterable[tuple[int, Sequence[int]]]:
    theirs = Pairing.objects.filter(tournament=tournament, seats__entry__in=forfeiting)
    unplayed = theirs.filter(match__status__in=_NOT_PLAYED) | theirs.filter(match=None)
    seats = PairingSeat.objects.filter(pairing__in=unplayed.values("pk")).order_by("pairing_id", "index")
    pairs: dict[int, list[int]] = defaultdict(list)
    encounters: dict[int, int] = {}
    columns = ("pairing_id", "pairing__round_id", "pairing__encounter", "entry_id")
    for pairing_id, round_id, encounter, entry_id in seats.values_list(*columns):
        pairs[pairing_id].append(entry_id)
        encounters[pairing_id] = encounter_id(round_id, encounter)
    return [(encounters[pairing_id], pair) for pairing_id, pair in pairs.items()]


def walkover(entries: Iterable[int], left: frozenset[int], encounter: int) -> Result | None:
    """Return the result of an unplayed match: a win for the entry that has not withdrawn.

    ``left``: withdrawn entries. If both entries have withdrawn, or neither has, return None: nobody scores.
    """
    entries = tuple(entries)
    gone = [entry for entry in entries if entry in left]
    stayed = [entry for entry in entries if entry not in left]
    return Result.walkover(stayed[0], gone[0], encounter) if len(gone) == len(stayed) == 1 else None


def _byes(tournament: Tournament) -> Iterable[tuple[int, int]]:
    byes = Bye.objects.filter(round__tournament=tournament).order_by("pk")
    return [(round_id, entry_id) for round_id, entry_id in byes.values_list("round_id", "entry_id")]


def _bye_wins(tournament: Tournament, byes: Iterable[tuple[int, int]]) -> list[Result]:
    """Return the wins awarded for each bye: one per match of an encounter."""
    return [
        Result.bye(entry_id, encounter_id(round_id, _ENCOUNTERS_A_ROUND // 2 + place))
        for place, (round_id, entry_id) in enumerate(byes)
        for _ in range(tournament.matches_per_encounter)
    ]
