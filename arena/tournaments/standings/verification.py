"""Verify the standings of tournaments by recomputing them from the seats of the matches alone.

Stale standings are brought up to date first: results that they do not include yet are not an error.
"""

from __future__ import annotations

from typing import Final

from django.utils import timezone

from arena.core.messages import Message, Template
from arena.core.ranking.standings import StandingsRow
from arena.matches.models import MatchStatus, Seat
from arena.tournaments.lifecycle import STARTED
from arena.tournaments.models import Entry, EntryStatus, PairingSeat, Tournament
from arena.tournaments.standings.results import SeatRow, add_unplayed_matches, build_results, encounter_id
from arena.tournaments.standings.store import FIGURES, figures_of, is_stale, ordered_standings, refresh

DIFFERENT: Final = Template(
    "standing.different",
    "entry %(entry)s, %(figure)s: %(stored)s in the standing, but %(computed)s computed from the matches",
)


def started_ids() -> list[int]:
    return list(Tournament.objects.filter(status__in=STARTED).order_by("pk").values_list("pk", flat=True))


def recompute(tournament_id: int) -> list[StandingsRow]:
    """Compute the standings with arena.core.ranking from the finished matches, without stored figures."""
    tournament = Tournament.objects.get(pk=tournament_id)
    pairings = {
        (match_id, index): (entry_id, encounter_id(round_id, encounter))
        for match_id, index, entry_id, round_id, encounter in PairingSeat.objects.filter(
            pairing__tournament=tournament
        ).values_list("pairing__match_id", "index", "entry_id", "pairing__round_id", "pairing__encounter")
    }
    seats = Seat.objects.filter(match__pairing__tournament=tournament, match__status=MatchStatus.FINISHED)
    rows: list[SeatRow] = []
    columns = ("match_id", "index", "rank", "margin", "fault")
    for match_id, index, rank, margin, fault in seats.order_by("match_id", "index").values_list(*columns):
        entry_id, encounter = pairings[match_id, index]
        rows.append((match_id, encounter, entry_id, rank, margin, bool(fault)))
    return ordered_standings(tournament, add_unplayed_matches(tournament, build_results(rows)))


def problems_of(tournament_id: int) -> list[Message]:
    """Return all inconsistencies, as messages for the terminal; empty for a consistent tournament."""
    if not PairingSeat.objects.filter(pairing__tournament=tournament_id, rank__isnull=False).exists():
        return []
    if is_stale(Tournament.objects.get(pk=tournament_id)):
        refresh(tournament_id, now=timezone.now())
    fresh = {row.entry: figures_of(row) for row in recompute(tournament_id)}
    stored = Entry.objects.filter(tournament=tournament_id).exclude(status=EntryStatus.EXCLUDED)
    return [
        DIFFERENT(
            entry=entry.pk,
            figure=figure,
            stored=repr(getattr(entry, figure)),
            computed=repr(fresh[entry.pk][figure]),
        )
        for entry in stored
        for figure in FIGURES
        if getattr(entry, figure) != fresh[entry.pk][figure]
    ]
