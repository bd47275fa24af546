"""Tournament downloads: tables for spreadsheets, and the verifiable archive."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils import timezone
from django.utils.text import slugify

from arena.platform.downloads import stream_download
from arena.tournaments.exports.archive import writer
from arena.tournaments.exports.spreadsheets import TABLES, stream_table
from arena.tournaments.queries.tournaments import TournamentDetail


def table_response(request: HttpRequest, detail: TournamentDetail, table: str) -> HttpResponse | StreamingHttpResponse:
    """Return a response with a table as CSV. Raises Http404 if there is no such table."""
    if table not in TABLES:
        raise Http404
    name = f"{_name(detail)}-{table}.csv"
    return stream_download(request, stream_table(detail.card.id, table), "text/csv; charset=utf-8", name)


def archive_response(request: HttpRequest, detail: TournamentDetail) -> HttpResponse | StreamingHttpResponse:
    """Return a response with the archive. Raises Http404 before the tournament is over."""
    if not writer.is_over(detail.card.id):
        raise Http404
    pieces = writer.archive_bytes(detail.card.id, now=timezone.now())
    return stream_download(request, pieces, "application/zip", f"{_name(detail)}.zip")


def _name(detail: TournamentDetail) -> str:
    """Return a file name that contains the tournament's number and the ASCII part of its name."""
    return "-".join(filter(None, ("tournament", str(detail.card.id), slugify(detail.card.name)[:40])))
