"""The places that pages show: a rank or, while a bracket is played, the range of places that are still possible.

In a bracket, a rank is the best place that an entry can still reach. Shown as the entry's place, such a rank would be
misleading: after the first round of a double elimination, every entry can still finish first.
"""

from __future__ import annotations

from arena.tournaments.formats.traits import TRAITS
from arena.tournaments.models import Entry, Format, Tournament, TournamentStatus


def ranks_by_bracket(tournament: Tournament) -> bool:
    """Return whether a rank, while the bracket is undecided, is the best place that the entry can still reach.

    The finals of groups are not included: their possible places are not computed.
    """
    return TRAITS[tournament.format].orders and tournament.format != Format.GROUPS


def place_of(entry: Entry, tournament: Tournament) -> str:
    """Format the place of an entry in the tournament's standings; "" if it has none."""
    shows_range = shows_ranges(ranks_by_bracket(tournament), tournament.status)
    return format_place(entry.rank, entry.best_place, entry.worst_place, shows_range=shows_range)


def shows_ranges(by_bracket: bool, status: str) -> bool:
    """Return whether places are shown as ranges: in brackets (see ``ranks_by_bracket``), until they are finished.

    ``isOpen`` in static/js/tournaments/standings-model.js does the same in browsers.
    """
    return by_bracket and status != TournamentStatus.FINISHED


def format_place(rank: int | None, best: int | None, worst: int | None, *, shows_range: bool) -> str:
    """Format a rank or, if ranges are shown and known, the places that an entry can still reach; "" without a rank."""
    if rank is None:
        return ""
    return (format_places(best, worst) if shows_range else "") or str(rank)


def format_places(best: int | None, worst: int | None) -> str:
    """Format the places that an entry can still reach, as in "2–5"; "" if they are unknown."""
    if not best:
        return ""
    return str(best) if best == worst else f"{best}–{worst}"
