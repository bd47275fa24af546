"""The places of a running tournament: possible final places, and places gained since the last round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Final

from arena.core.ranking.possible_places import Pair, PlaceRange, possible_bracket_places, possible_places
from arena.core.ranking.rank_changes import places_gained
from arena.core.ranking.results import Result
from arena.core.ranking.standings import StandingsRow
from arena.tournaments.formats.traits import matches_due, system_of, traits_of
from arena.tournaments.models import Format, Tournament
from arena.tournaments.standings.history import load_tournament_state
from arena.tournaments.standings.results import TournamentResults, round_of

PLACE_COLUMNS: Final = ("best_place", "worst_place", "places_gained")
_MAX_PAIRED_ENTRIES: Final = 60  # number of entries; in larger fields, the remaining head-to-head matches are ignored
_EVERY_PAIR: Final = (Format.ROUND_ROBIN, Format.DOUBLE_ROUND_ROBIN)


@dataclass(frozen=True, slots=True)
class EntryPlaces:
    """The places of a tournament, keyed by entry.

    ``possible``: the possible final places; ``gained``: the number of places gained since the last round. Entries
    without a known value are missing.
    """

    possible: Mapping[int, PlaceRange] = field(default_factory=dict)
    gained: Mapping[int, int] = field(default_factory=dict)

    def columns(self, entry: int) -> dict[str, Any]:
        """Return an entry's values of ``PLACE_COLUMNS``, keyed by column."""
        place_range = self.possible.get(entry)
        return {
            "best_place": place_range and place_range.best,
            "worst_place": place_range and place_range.worst,
            "places_gained": self.gained.get(entry, 0),
        }


def compute_places(tournament: Tournament, results: TournamentResults, table: Sequence[StandingsRow]) -> EntryPlaces:
    """Compute the places; there are none before the first result.

    Places gained are not computed for knockouts and groups.
    """
    if not table:
        return EntryPlaces()
    gained = {} if traits_of(tournament).orders else _places_gained(results, table)
    return EntryPlaces(_possible_places(tournament, results, table), gained)


def _places_gained(results: TournamentResults, table: Sequence[StandingsRow]) -> dict[int, int]:
    """Return the number of places that each entry gained in the newest round that has a finished match."""
    newest = max(round_of(result) for result in results.results)
    before = results.without_round(newest)
    return places_gained(before.standings(), table) if before.results else {}


def _possible_places(
    tournament: Tournament, results: TournamentResults, table: Sequence[StandingsRow]
) -> dict[int, PlaceRange]:
    traits = traits_of(tournament)
    if traits.scored or tournament.format == Format.GROUPS:
        return {}  # scores are unbounded, and groups have their own tables
    if traits.orders:
        field_ = load_tournament_state(tournament, with_rounds=True)
        ranked = {row.entry for row in table if row.rank is not None}
        return possible_bracket_places(system_of(tournament, len(field_.entries)), field_, ranked)
    seeded = load_tournament_state(tournament, with_rounds=False)
    points = {row.entry: row.points for row in table if row.rank is not None}
    counts = Counter(entry for result in results.results for entry in result.entries)
    wanted = _matches_to_play(tournament, seeded.entries)
    gains = {
        entry: max(0, wanted.get(entry, 0) - counts[entry]) * _max_match_points(tournament, len(seeded.entries))
        for entry in points
        if entry not in seeded.withdrawn
    }
    return possible_places(points, gains, _remaining_matches(tournament, results, points))


def _matches_to_play(tournament: Tournament, entries: Sequence[int]) -> Mapping[int, int]:
    """Return how many matches each entry will play; a Swiss bye counts as an encounter."""
    if tournament.format == Format.SWISS:
        rounds = system_of(tournament, len(entries)).rounds(len(entries))
        return dict.fromkeys(entries, rounds * tournament.matches_per_encounter)
    return matches_due(tournament, entries)


def _max_match_points(tournament: Tournament, entries: int) -> float:
    """Return the most points that a seat can score in a match: one for each other seat."""
    if not tournament.is_table:
        return 1.0
    seats = tournament.options.get("seats", 0)
    return float(min(seats or entries, entries) - 1)


def _remaining_matches(
    tournament: Tournament, results: TournamentResults, points: Mapping[int, float]
) -> dict[Pair, int] | None:
    """Return how many matches each pair has left; None unless all pairs meet equally often and there are few pairs."""
    if tournament.format not in _EVERY_PAIR or len(points) > _MAX_PAIRED_ENTRIES:
        return None
    cycles = 2 if tournament.format == Format.DOUBLE_ROUND_ROBIN else 1
    each = cycles * tournament.repeats * tournament.matches_per_encounter
    met = Counter(_pair(result) for result in results.results if len(result.entries) == 2)
    return {pair: each - met[pair] for pair in combinations(sorted(points), 2) if met[pair] < each}


def _pair(result: Result) -> Pair:
    one, other = sorted(result.entries)
    return one, other
