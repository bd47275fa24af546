"""The stored standings of a tournament, recomputed from all results at a limited rate.

Invariants: standings are a function of the results and withdrawals, never of the previous standings, so computing them
twice, late, or in two processes at once makes no difference. ``Tournament.results`` counts the inputs, and
``Standing.counted`` says how many of them are included; standings with fewer inputs never replace those with more. At
most 5 % of the time is spent computing, whatever the number of matches. A tournament ends only with complete standings.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Avg, Count, DurationField, F, Q

from arena.core.ranking.standings import StandingsRow, head_to_head
from arena.matches.models import MatchStatus
from arena.tournaments import lifecycle
from arena.tournaments.events.publishing import publish_event
from arena.tournaments.events.snapshots import MAX_CROSSTABLE_ENTRIES, ROWS_A_PAGE, order_of, progress_json, row_json
from arena.tournaments.formats.traits import has_crosstable, system_of, traits_of
from arena.tournaments.models import Entry, Pairing, Standing, Tournament
from arena.tournaments.standings.history import load_tournament_state
from arena.tournaments.standings.places import PLACE_COLUMNS, EntryPlaces, compute_places
from arena.tournaments.standings.results import TournamentResults, results_of

FIGURES: Final = ("rank", "points", "played", "wins", "draws", "losses", "margin", "tiebreaks", "mean_rank")
_STORED: Final = (*FIGURES, "position", *PLACE_COLUMNS)
MIN_PAUSE: Final = timedelta(seconds=1)
MAX_PAUSE: Final = timedelta(minutes=10)  # a time farther away than this was set by a wrong clock
PAUSE_PER_SECOND: Final = 20  # pause after a computation, as a multiple of its duration
COMPUTATION_TIMEOUT: Final = timedelta(seconds=60)  # after this, the computing process is presumed dead
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _ComputedStandings:
    """The standings after the first ``counted`` results."""

    counted: int
    rows: Mapping[int, StandingsRow]
    positions: Mapping[int, int]
    places: EntryPlaces
    progress: Mapping[str, Any]  # columns of Standing
    head_to_head: Json
    redraw: bool  # whether the server must render parts of the page again


def is_stale(tournament: Tournament) -> bool:
    """Return whether results are missing from the standings."""
    counted = Standing.objects.filter(tournament=tournament).values_list("counted", flat=True).first()
    return counted is None or counted < tournament.results


def stale_tournaments() -> list[int]:
    """Return the ids of the tournaments whose standings must be recomputed."""
    rows = Standing.objects.filter(counted__lt=F("tournament__results"))
    return list(rows.values_list("tournament_id", flat=True))


def refresh_if_due(tournament_id: int, *, now: datetime, stopwatch: Callable[[], float] = time.perf_counter) -> bool:
    """Compute the standings if they are stale, the minimum interval has passed, and no other process is computing them.

    Return whether they were computed.
    """
    claimed = (
        Standing.objects.filter(_past_or_far_future("due_at", now), tournament_id=tournament_id)
        .filter(Q(busy_until=None) | _past_or_far_future("busy_until", now))
        .filter(counted__lt=F("tournament__results"))
        .update(busy_until=now + COMPUTATION_TIMEOUT)
    )
    if claimed:
        refresh(tournament_id, now=now, stopwatch=stopwatch)
    return bool(claimed)


def _past_or_far_future(column: str, now: datetime) -> Q:
    """Return a filter for times in ``column`` that have passed or are implausibly far in the future.

    Only a wrong clock can have set the latter.
    """
    return Q(**{f"{column}__lte": now}) | Q(**{f"{column}__gt": now + MAX_PAUSE})


def refresh(tournament_id: int, *, now: datetime, stopwatch: Callable[[], float] = time.perf_counter) -> None:
    """Compute the standings immediately, outside of any transaction that locks the tournament."""
    began = stopwatch()
    computed = _compute(tournament_id)
    pause = min(MAX_PAUSE, max(MIN_PAUSE, PAUSE_PER_SECOND * timedelta(seconds=stopwatch() - began)))
    with transaction.atomic():
        stored = Standing.objects.select_for_update().get(tournament_id=tournament_id)
        if stored.counted > computed.counted:
            return
        version = lifecycle.raise_version(tournament_id)
        met = _changed_cells(stored.head_to_head, computed.head_to_head)
        Standing.objects.filter(pk=stored.pk).update(
            counted=computed.counted,
            due_at=now + pause,
            busy_until=None,
            head_to_head=computed.head_to_head,
            **computed.progress,
        )
        entries, changed = _store_changes(tournament_id, computed)
        event = _event(tournament_id, entries, changed, met)
        publish_event(tournament_id, version, {**event, "redraw": computed.redraw})


def _compute(tournament_id: int) -> _ComputedStandings:
    tournament = Tournament.objects.get(pk=tournament_id)  # the counter must be read before the results that it counts
    results = results_of(tournament)
    cells: Json = {}
    if has_crosstable(tournament) and len(results.entries) <= MAX_CROSSTABLE_ENTRIES:
        cells = {
            str(entry): {str(other): {"points": cell.points, "played": cell.played} for other, cell in row.items()}
            for entry, row in head_to_head(results.entries, results.results).items()
        }
    table = ordered_standings(tournament, results) if results.results else []
    traits = traits_of(tournament)
    redraw = tournament.is_table or traits.drawn_by_round or traits.scored
    rows = {row.entry: row for row in table}
    places = compute_places(tournament, results, table)
    lines = _by_possible_places(table, places) if traits.orders else table
    positions = {row.entry: position for position, row in enumerate(lines, 1) if row.rank is not None}
    return _ComputedStandings(tournament.results, rows, positions, places, _progress(tournament), cells, redraw)


def _by_possible_places(table: Sequence[StandingsRow], places: EntryPlaces) -> list[StandingsRow]:
    """Sort rows of equal rank by their worst possible place.

    In a bracket, an entry with more points can be closer to elimination.
    """
    worst = {entry: place_range.worst for entry, place_range in places.possible.items()}
    return sorted(table, key=lambda row: (row.rank is None, row.rank or 0, worst.get(row.entry, 0)))


def ordered_standings(tournament: Tournament, results: TournamentResults) -> list[StandingsRow]:
    """Return the standings, sorted by the format's ranks; points and tiebreaks order entries of equal rank."""
    table = results.standings()
    field = load_tournament_state(tournament, with_rounds=traits_of(tournament).orders)
    if not field.entries:
        return table
    order = {row.entry: place for place, row in enumerate(table)}
    ranked = system_of(tournament, len(field.entries)).rank_entries(field, table)
    return sorted(ranked, key=lambda row: (row.rank is None, row.rank or 0, order[row.entry]))


def _progress(tournament: Tournament) -> Json:
    """Return the numbers of matches (excluding cancelled ones), results and void matches, and the mean duration.

    Until every round has been paired, the number of matches is the number that the format plans, less those that will
    not be played.
    """
    rows = Pairing.objects.filter(tournament=tournament).values_list("match__status")
    took = Avg(F("match__finished_at") - F("match__started_at"), output_field=DurationField())
    found = {status: (n, mean) for status, n, mean in rows.annotate(n=Count("pk"), took=took)}
    finished, mean = found.get(MatchStatus.FINISHED, (0, None))
    unplayed = sum(found.get(status, (0, None))[0] for status in (None, MatchStatus.CANCELLED))
    total = sum(n for n, _ in found.values()) - unplayed
    if tournament.paired_at is None and tournament.started_at is not None:
        entries = Entry.objects.filter(tournament=tournament, seed__isnull=False).count()
        planned = system_of(tournament, entries).encounter_count(entries) * tournament.matches_per_encounter
        total = max(total, planned - unplayed)
    return {
        "total": total,
        "finished": finished,
        "failed": found.get(MatchStatus.VOID, (0, None))[0],
        "mean_seconds": mean.total_seconds() if mean is not None else None,
    }


def _store_changes(tournament_id: int, computed: _ComputedStandings) -> tuple[list[Entry], list[Entry]]:
    """Store the changes; return all entries, and those that changed.

    Runs two statements, whatever the number of entries.
    """
    entries = list(Entry.objects.filter(tournament_id=tournament_id).select_related("bot__owner", "submission"))
    changed = [entry for entry in entries if _apply(entry, computed)]
    if changed:
        Entry.objects.bulk_create(changed, update_conflicts=True, unique_fields=["id"], update_fields=_STORED)
    return entries, changed


def _apply(entry: Entry, computed: _ComputedStandings) -> bool:
    """Set an entry's columns from its computed row, or clear them if it has none; return whether any changed."""
    before = [getattr(entry, figure) for figure in _STORED]
    row = computed.rows.get(entry.pk)
    figures = figures_of(row) if row else {figure: getattr(Entry(), figure) for figure in FIGURES}
    figures |= {"position": computed.positions.get(entry.pk), **computed.places.columns(entry.pk)}
    for figure, value in figures.items():
        setattr(entry, figure, value)
    return before != [getattr(entry, figure) for figure in _STORED]


def figures_of(row: StandingsRow) -> Json:
    """Return the figures of a standings row, keyed by the column names of the entry's model."""
    return {figure: getattr(row, figure) for figure in FIGURES} | {"tiebreaks": list(row.tiebreaks)}


def _changed_cells(before: Json, after: Json) -> list[Json]:
    """Return the pairs whose crosstable cells have changed, each pair once."""
    changed = []
    for entry, others in after.items():
        for other, cell in others.items():
            if int(entry) < int(other) and before.get(entry, {}).get(other) != cell:
                against = after[other][entry]
                changed.append(
                    {
                        "a": int(entry),
                        "b": int(other),
                        "points_a": cell["points"],
                        "points_b": against["points"],
                        "played": cell["played"],
                    }
                )
    return changed


def _event(tournament_id: int, entries: list[Entry], changed: list[Entry], met: list[Json]) -> Json:
    if len(entries) > ROWS_A_PAGE:
        return {"type": "standing", "refetch": True, "progress": progress_json(tournament_id)}
    return {
        "type": "standing",
        "rows": [row_json(entry) for entry in changed],
        "order": [entry.pk for entry in order_of(entries)],
        "head_to_head": met,
        "progress": progress_json(tournament_id),
    }
