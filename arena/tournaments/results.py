"""The results of a tournament as arena.ranking reads them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Count

from arena.matches.models import MatchStatus
from arena.ranking.standings import Result, Row, standings, uncounted
from arena.tournaments.models import Entry, EntryStatus, Pairing, PairingSeat, Tournament

# A match of a withdrawn entry that will not be played; a void one is our failure and gives nobody anything.
_NOT_PLAYED = (MatchStatus.PLANNED, MatchStatus.QUEUED, MatchStatus.RUNNING, MatchStatus.CANCELLED)


@dataclass(frozen=True, slots=True)
class Results:
    """``entries``: those that play or played; ``withdrawn``: how many matches each of those that left was due."""

    entries: tuple[int, ...]
    results: tuple[Result, ...]
    withdrawn: Mapping[int, int]

    def standings(self) -> list[Row]:
        return standings(self.entries, self.results, self.withdrawn)


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One seat of a finished match, where rank and margin are always there."""

    entry: int
    rank: int | None
    margin: float | None
    forfeit: bool


def result_of(seats: Iterable[SeatResult]) -> Result:
    """The result of a match from its seats in order."""
    seats = tuple(seats)
    return Result(
        tuple(seat.entry for seat in seats),
        tuple(seat.rank or 0 for seat in seats),
        tuple(seat.margin or 0.0 for seat in seats),
        frozenset(seat.entry for seat in seats if seat.forfeit),
    )


def results_of(tournament: Tournament) -> Results:
    """What was scored so far, in at most four queries."""
    seats = PairingSeat.objects.filter(pairing__tournament=tournament, rank__isnull=False).order_by(
        "pairing_id", "index"
    )
    found: dict[int, list[SeatResult]] = defaultdict(list)
    columns = ("pairing_id", "entry_id", "rank", "margin", "forfeit")
    for pairing_id, entry_id, rank, margin, forfeit in seats.values_list(*columns):
        found[pairing_id].append(SeatResult(entry_id, rank, margin, forfeit))
    return with_withdrawn(tournament, [result_of(seats) for seats in found.values()])


def with_withdrawn(tournament: Tournament, played: list[Result]) -> Results:
    """The played results, and those of entries that left without playing."""
    statuses = dict(
        Entry.objects.filter(tournament=tournament)
        .exclude(status=EntryStatus.EXCLUDED)
        .order_by("pk")
        .values_list("pk", "status")
    )
    left = [pk for pk, status in statuses.items() if status == EntryStatus.WITHDRAWN]
    if not left:
        return Results(tuple(statuses), tuple(played), {})
    due = dict(PairingSeat.objects.filter(entry__in=left).values_list("entry_id").annotate(n=Count("pk")))
    withdrawn = {pk: due.get(pk, 0) for pk in left}
    forfeiting = frozenset(left) - uncounted(played, withdrawn)
    walkovers = [] if tournament.is_table else _walkovers(tournament, frozenset(left), forfeiting)
    return Results(tuple(statuses), (*played, *walkovers), withdrawn)


def _walkovers(tournament: Tournament, left: frozenset[int], forfeiting: frozenset[int]) -> list[Result]:
    """The unplayed matches of entries that left and are counted, against those that stayed."""
    if not forfeiting:
        return []
    unplayed = Pairing.objects.filter(tournament=tournament, match__status__in=_NOT_PLAYED, seats__entry__in=forfeiting)
    seats = PairingSeat.objects.filter(pairing__in=unplayed.values("pk")).order_by("pairing_id", "index")
    pairs: dict[int, list[int]] = defaultdict(list)
    for pairing_id, entry_id in seats.values_list("pairing_id", "entry_id"):
        pairs[pairing_id].append(entry_id)
    found = []
    for pair in pairs.values():
        gone = [entry for entry in pair if entry in left]
        stayed = [entry for entry in pair if entry not in left]
        if len(gone) == len(stayed) == 1:
            found.append(Result.walkover(stayed[0], gone[0]))
    return found
