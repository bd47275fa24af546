"""Load a match's data for a request; readers who may not see the match get a 404."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from arena.accounts.permissions import Action, require
from arena.core.referee.record import Record
from arena.matches import private_report, queries, records
from arena.matches.visibility import may_see


def require_visible_or_404(request: HttpRequest, match_id: int) -> None:
    """Raise Http404 for a match that this reader may not see, just as for a match that does not exist."""
    if not may_see(request.user, match_id):
        raise Http404


def record_data_or_404(request: HttpRequest, match_id: int) -> bytes:
    """Return the record of a finished match as it is stored: JSON compressed with zlib. Raises Http404."""
    require_visible_or_404(request, match_id)
    data = records.record_data(match_id)
    if data is None:
        raise Http404
    return data


def record_or_404(request: HttpRequest, match_id: int) -> Record:
    """Return the record of a finished match. Raises Http404."""
    require_visible_or_404(request, match_id)
    record = records.record_of(match_id)
    if record is None:
        raise Http404
    return record


def report_or_404(request: HttpRequest, match_id: int, index: int) -> private_report.PrivateSeatReport:
    """Return the private report of a seat.

    Raises Http404, and PermissionDenied for anyone except the bot's author and staff.
    """
    require_visible_or_404(request, match_id)
    owner = queries.seat_owner(match_id, index)
    if owner is None:
        raise Http404
    require(request.user, Action.SEE_LOG, owner)
    seat = private_report.report_of(match_id, index)
    if seat is None:
        raise Http404
    return seat
