"""Tournament downloads: tables for spreadsheets, and the verifiable archive."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils import timezone
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from arena.accounts.permissions import Action, SignedInRequest, require
from arena.platform.downloads import stream_download
from arena.tournaments.exports.archive import writer
from arena.tournaments.exports.spreadsheets import TABLES, stream_table
from arena.tournaments.queries import tournaments
from arena.tournaments.views.access import visible_tournament
from arena.tournaments.visibility import may_export_tables


@require_safe
def table(request: HttpRequest, tournament_id: int, table: str) -> HttpResponse | StreamingHttpResponse:
    detail = visible_tournament(request, tournament_id)
    if table not in TABLES:
        raise Http404
    if not may_export_tables(request.user, tournament_id):
        require(request.user, Action.EXPORT_TOURNAMENT, detail.organizer_id)
    name = f"{_name(detail)}-{table}.csv"
    return stream_download(request, stream_table(tournament_id, table), "text/csv; charset=utf-8", name)


@require_safe
@login_required
def archive(request: SignedInRequest, tournament_id: int) -> HttpResponse | StreamingHttpResponse:
    detail = visible_tournament(request, tournament_id)
    require(request.user, Action.EXPORT_TOURNAMENT, detail.organizer_id)
    if not writer.is_over(tournament_id):
        raise Http404
    pieces = writer.archive_bytes(tournament_id, now=timezone.now())
    return stream_download(request, pieces, "application/zip", f"{_name(detail)}.zip")


def _name(detail: tournaments.TournamentDetail) -> str:
    """Return a file name that contains the tournament's number and the ASCII part of its name."""
    return "-".join(filter(None, ("tournament", str(detail.card.id), slugify(detail.card.name)[:40])))
