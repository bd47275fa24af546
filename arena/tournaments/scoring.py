"""Scoring: what a stored match changes in the standing of its tournament.

Invariants: the standing is a function of the finished matches and of who withdrew, computed by
arena.ranking.standings; ``score`` brings it up to date in the transaction that stores the result, after taking
the tournament's row, so results that come in together are counted one after the other and none is lost.
A match that did not finish (void, cancelled) is not scored at all.
"""

from __future__ import annotations

from typing import Any

from arena.matches.hooks import StoredResult
from arena.ranking.standings import Row, head_to_head, scores
from arena.tournaments import lifecycle
from arena.tournaments.announcing import announce
from arena.tournaments.models import Entry, Pairing, PairingSeat, Tournament
from arena.tournaments.results import Results, SeatResult, result_of, results_of
from arena.tournaments.snapshots import MOST_IN_CROSSTABLE, matches_json, order_of, progress_json, row_json

FIGURES = ("rank", "points", "played", "wins", "draws", "losses", "margin")


def score(result: StoredResult) -> int:
    """Score a finished match in its storing transaction; returns the tournament's id.

    A constant number of queries, and one live event with everything that changed.
    """
    pairing = Pairing.objects.get(match_id=result.match_id)
    version = lifecycle.touch(pairing.tournament_id)
    _fill(pairing, result)
    tournament = Tournament.objects.get(pk=pairing.tournament_id)
    results = results_of(tournament)
    entries, changed = _update(tournament, results)
    announce(tournament.pk, version, _event(tournament, pairing, results, entries, changed))
    return tournament.pk


def refresh(tournament: Tournament) -> None:
    """Compute the standing anew, where something else than a result changed it; does nothing before the first."""
    results = results_of(tournament)
    if results.results:
        _update(tournament, results)


def _fill(pairing: Pairing, result: StoredResult) -> None:
    seats = list(pairing.seats.order_by("index"))
    outcome = result.outcome
    for seat in seats:
        seat.rank, seat.margin = outcome.ranks[seat.index], outcome.margins[seat.index]
        seat.forfeit = bool(result.faults[seat.index])
    found = result_of(SeatResult(seat.entry_id, seat.rank, seat.margin, seat.forfeit) for seat in seats)
    for seat, points in zip(seats, scores(found), strict=True):
        seat.points = points
    PairingSeat.objects.bulk_update(seats, ["rank", "margin", "forfeit", "points"])


def _update(tournament: Tournament, results: Results) -> tuple[list[Entry], list[Entry]]:
    """Write what changed in the standing; returns all entries and the changed ones."""
    entries = list(Entry.objects.filter(tournament=tournament).select_related("bot__owner", "submission"))
    rows = {row.entry: row for row in results.standings()}
    changed = [entry for entry in entries if _apply(entry, rows.get(entry.pk))]
    Entry.objects.bulk_update(changed, list(FIGURES))
    return entries, changed


def _apply(entry: Entry, row: Row | None) -> bool:
    """Set an entry's figures; whether any of them is new."""
    if row is None:
        return False
    before = [getattr(entry, figure) for figure in FIGURES]
    for figure in FIGURES:
        setattr(entry, figure, getattr(row, figure))
    return before != [getattr(entry, figure) for figure in FIGURES]


def _event(
    tournament: Tournament, pairing: Pairing, results: Results, entries: list[Entry], changed: list[Entry]
) -> dict[str, Any]:
    (match,) = matches_json([pairing.match_id])
    cells = []
    if not tournament.is_table and len(entries) <= MOST_IN_CROSSTABLE:
        a, b = PairingSeat.objects.filter(pairing=pairing).order_by("index").values_list("entry_id", flat=True)
        table = head_to_head((a, b), results.results)
        one, other = table[a][b], table[b][a]
        cells = [{"a": a, "b": b, "points_a": one.points, "points_b": other.points, "played": one.played}]
    return {
        "type": "result",
        "rows": [row_json(entry) for entry in changed],
        "order": [entry.pk for entry in order_of(entries)],
        "head_to_head": cells,
        "match": match,
        "progress": progress_json(tournament.pk),
        "redraw": tournament.is_table,  # the scores by table are drawn by the server
    }
