"""Load the tournament or entry for a request; readers who may not see the tournament get a 404."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest

from arena.accounts.permissions import Action, require
from arena.tournaments.entries.eligibility import may_withdraw
from arena.tournaments.queries import entries, tournaments
from arena.tournaments.visibility import may_export_tables, may_see


def visible_tournament(request: HttpRequest, tournament_id: int) -> tournaments.TournamentDetail:
    """Return the tournament if the reader may see it. Raises Http404."""
    detail = tournaments.detail(tournament_id, request.user)
    if detail is None:
        raise Http404
    return detail


def organized_tournament(request: HttpRequest, tournament_id: int) -> tournaments.TournamentDetail:
    """Return the tournament if the reader may run it. Raises Http404 or PermissionDenied."""
    detail = visible_tournament(request, tournament_id)
    require(request.user, Action.RUN_TOURNAMENT, detail.organizer_id)
    return detail


def tournament_with_tables(request: HttpRequest, tournament_id: int) -> tournaments.TournamentDetail:
    """Return the tournament if the reader may download its tables. Raises Http404 or PermissionDenied."""
    detail = visible_tournament(request, tournament_id)
    if not may_export_tables(request.user, tournament_id):
        require(request.user, Action.EXPORT_TOURNAMENT, detail.organizer_id)
    return detail


def tournament_with_archive(request: HttpRequest, tournament_id: int) -> tournaments.TournamentDetail:
    """Return the tournament if the reader may download its archive. Raises Http404 or PermissionDenied."""
    detail = visible_tournament(request, tournament_id)
    require(request.user, Action.EXPORT_TOURNAMENT, detail.organizer_id)
    return detail


def withdrawable_entry(request: HttpRequest, tournament_id: int, entry_id: int) -> entries.EntryRow:
    """Return the tournament's entry if the reader may withdraw it. Raises Http404 or PermissionDenied."""
    entry = entries.entry(entry_id)
    if entry is None or entry.tournament_id != tournament_id or not may_see(request.user, tournament_id):
        raise Http404
    organizer_id = tournaments.organizer_of(tournament_id)
    if not may_withdraw(request.user, bot_owner_id=entry.owner_id, organizer_id=organizer_id):
        raise PermissionDenied(Action.WITHDRAW_ENTRY)
    return entry
