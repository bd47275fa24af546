"""The results of a tournament as arena.ranking reads them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Final

from arena.matches.models import MatchStatus
from arena.ranking.results import Result
from arena.ranking.standings import Row, standings, uncounted
from arena.ranking.tiebreaks import DEFAULT_TIEBREAKS, Tiebreak
from arena.tournaments.formats import due, system_of, tiebreaks_of, traits_of
from arena.tournaments.models import Bye, Entry, EntryStatus, Pairing, PairingSeat, Tournament

# A match of a withdrawn entry that will not be played; a void one is our failure and gives nobody anything.
_NOT_PLAYED: Final = (MatchStatus.PLANNED, MatchStatus.QUEUED, MatchStatus.RUNNING, MatchStatus.CANCELLED)
_ENCOUNTERS_A_ROUND: Final = 100_000


@dataclass(frozen=True, slots=True)
class Results:
    """``entries``: those that play or played; ``withdrawn``: how many matches each of those that left was due."""

    entries: tuple[int, ...]
    results: tuple[Result, ...]
    withdrawn: Mapping[int, int]
    tiebreaks: tuple[Tiebreak, ...] = DEFAULT_TIEBREAKS

    def standings(self) -> list[Row]:
        return standings(self.entries, self.results, self.withdrawn, self.tiebreaks)


# A seat of a finished match: match or pairing, encounter (see ``encounter_id``), entry, rank, margin, forfeited.
SeatRow = tuple[int, int, int, int | None, float | None, bool]


def encounter_id(round_id: int, encounter: int) -> int:
    """One number for an encounter of any round."""
    return round_id * _ENCOUNTERS_A_ROUND + encounter


def results_from(rows: Iterable[SeatRow]) -> list[Result]:
    """The results of matches from their seats, ordered by match and seat; rank and margin are always there."""
    found = []
    for _, seats in groupby(rows, key=itemgetter(0)):
        _, encounters, entries, ranks, margins, forfeits = zip(*seats, strict=True)
        forfeited = frozenset(entry for entry, lost in zip(entries, forfeits, strict=True) if lost)
        found.append(Result(entries, ranks, margins, forfeited, encounter=encounters[0]))
    return found


def results_of(tournament: Tournament) -> Results:
    """What was scored so far, in a constant number of queries."""
    seats = PairingSeat.objects.filter(pairing__tournament=tournament, rank__isnull=False)
    columns = ("pairing_id", "pairing__round_id", "pairing__encounter", "entry_id", "rank", "margin", "forfeit")
    rows = seats.order_by("pairing_id", "index").values_list(*columns)
    played = results_from(
        (pairing, encounter_id(round_id, encounter), entry, rank, margin, forfeit)
        for pairing, round_id, encounter, entry, rank, margin, forfeit in rows.iterator(chunk_size=5000)
    )
    return with_unplayed(tournament, played)


def with_unplayed(tournament: Tournament, played: list[Result]) -> Results:
    """The played results, those of entries that left without playing, and byes where they count."""
    rows = Entry.objects.filter(tournament=tournament).exclude(status=EntryStatus.EXCLUDED).order_by("pk")
    entries = list(rows.values_list("pk", "status", "seed"))
    left = [pk for pk, status, _ in entries if status == EntryStatus.WITHDRAWN]
    withdrawn = dict.fromkeys(left, 0)
    seeded = [pk for _, pk in sorted((seed, pk) for pk, _, seed in entries if seed is not None)]
    if traits_of(tournament).half_counts:
        withdrawn |= {pk: n for pk, n in due(tournament, seeded).items() if pk in withdrawn} if left else {}
        forfeiting = frozenset(left) - uncounted(played, withdrawn)
    else:
        # Who never sat down has no place in the table; everybody else's results count, however few.
        seen = {entry for result in played for entry in result.entries}
        withdrawn = {pk: 0 for pk in left if pk not in seen}
        forfeiting = frozenset(left)
    walkovers = [] if tournament.is_table else _walkovers(tournament, frozenset(left), forfeiting)
    results = (*played, *walkovers, *_byes(tournament, len(seeded)))
    return Results(
        tuple(pk for pk, _, _ in entries), results, withdrawn, tiebreaks_of(tournament.format, tournament.tiebreaks)
    )


def _walkovers(tournament: Tournament, left: frozenset[int], forfeiting: frozenset[int]) -> list[Result]:
    """The unplayed matches of entries that left and are counted, against those that stayed."""
    if not forfeiting:
        return []
    theirs = Pairing.objects.filter(tournament=tournament, seats__entry__in=forfeiting)
    unplayed = theirs.filter(match__status__in=_NOT_PLAYED) | theirs.filter(match=None)
    seats = PairingSeat.objects.filter(pairing__in=unplayed.values("pk")).order_by("pairing_id", "index")
    pairs: dict[int, list[int]] = defaultdict(list)
    encounters: dict[int, int] = {}
    columns = ("pairing_id", "pairing__round_id", "pairing__encounter", "entry_id")
    for pairing_id, round_id, encounter, entry_id in seats.values_list(*columns):
        pairs[pairing_id].append(entry_id)
        encounters[pairing_id] = encounter_id(round_id, encounter)
    found = [walkover(pair, left, encounters[pairing_id]) for pairing_id, pair in pairs.items()]
    return [result for result in found if result is not None]


def walkover(entries: Iterable[int], left: frozenset[int], encounter: int) -> Result | None:
    """What an unplayed match gives: a win to who stayed, nothing where both did or neither."""
    entries = tuple(entries)
    gone = [entry for entry in entries if entry in left]
    stayed = [entry for entry in entries if entry not in left]
    return Result.walkover(stayed[0], gone[0], encounter) if len(gone) == len(stayed) == 1 else None


def _byes(tournament: Tournament, entries: int) -> list[Result]:
    """As many won matches as an encounter has, where a bye is worth an encounter."""
    if not entries or not system_of(tournament, entries).bye_wins:
        return []
    byes = Bye.objects.filter(round__tournament=tournament).order_by("pk").values_list("pk", "entry_id", "round_id")
    return [
        Result.bye(entry_id, encounter_id(round_id, _ENCOUNTERS_A_ROUND // 2 + place))
        for place, (_, entry_id, round_id) in enumerate(byes)
        for _ in range(tournament.games)
    ]
