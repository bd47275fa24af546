"""Tournament downloads: tables for spreadsheets, and the verifiable archive."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_safe

from arena.accounts.permissions import SignedInRequest
from arena.tournaments.access import tournament_with_archive, tournament_with_tables
from arena.tournaments.exports.downloads import archive_response, table_response


@require_safe
def table(request: HttpRequest, tournament_id: int, table: str) -> HttpResponse | StreamingHttpResponse:
    return table_response(request, tournament_with_tables(request, tournament_id), table)


@require_safe
@login_required
def archive(request: SignedInRequest, tournament_id: int) -> HttpResponse | StreamingHttpResponse:
    return archive_response(request, tournament_with_archive(request, tournament_id))
