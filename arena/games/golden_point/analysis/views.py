"""Pages that analyse golden-point rounds: a match, some rounds of a room, or a recording."""

from __future__ import annotations

import dataclasses
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from msgspec import structs

from arena.accounts.permissions import may
from arena.games.golden_point.analysis import presentation, services, sources
from arena.games.golden_point.analysis.forms import WhatIfForm
from arena.games.golden_point.analysis.query_params import QueryParams, query_params, window_request
from arena.games.golden_point.analysis.reports import FailedReport, report_of
from arena.games.golden_point.analysis.room_windows import SIZES
from arena.games.golden_point.analysis.services import ReportAction
from arena.games.golden_point.analysis.sources import Source, SourceKind
from arena.games.golden_point.evaluation.recorded_file import write
from arena.games.golden_point.evaluation.report import MatchReport
from arena.games.golden_point.recordings.texts import player_name
from arena.platform.downloads import attachment
from arena.platform.refusal import NotFound
from arena.play.identity import fair_share_key, visitor_of

PLAYERS_PER_PAGE = 20
ROUNDS_PER_PAGE = 20


@require_safe
@never_cache
def analysis(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Show the analysis of the source or, if it is not available, the reason."""
    source = _source_or_404(request, kind, key)
    context: dict[str, Any] = {"source": source, "sizes": SIZES}
    if not source.is_over:
        return render(request, "golden_point_analysis/match_running.html", context)
    report = report_of(source, _fair_share_key_of(request), now=timezone.now())
    if not isinstance(report, MatchReport):
        failed = isinstance(report, FailedReport)
        context |= {"state": report, "failed": failed, "may_repeat": failed and _may_repeat(request, source)}
        return render(request, "golden_point_analysis/report_progress.html", context)
    if not report.match.rounds:
        return render(request, "golden_point_analysis/empty.html", context)
    explained = _report_context(request, _in_reader_language(report, source))
    return render(request, "golden_point_analysis/analysis.html", {**context, **explained})


@require_POST
@login_required
def retry_report(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Retry a report that the arena failed to compute."""
    source = _source_or_404(request, kind, key)
    if not _may_repeat(request, source):
        raise PermissionDenied(ReportAction.REPEAT_REPORT)
    services.retry_report(source.id, now=timezone.now())
    return redirect("golden-point-analysis", kind, key)


@require_safe
@never_cache
def round_json(request: HttpRequest, kind: str, key: str, number: int) -> JsonResponse:
    """Return one round for the what-if script."""
    report = _report_or_404(request, kind, key)
    at = next((at for at, each in enumerate(report.match.rounds) if each.number == number), None)
    if at is None:
        raise Http404
    return JsonResponse(presentation.round_json(report.match, at))


@require_safe
def numbers_file(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Return all numbers in the course's format, for notebooks and for uploading elsewhere."""
    text = write(_report_or_404(request, kind, key).match)
    headers = attachment(f"{kind}-{key}-numbers.tsv")
    return HttpResponse(text, content_type="text/tab-separated-values; charset=utf-8", headers=headers)


def _fair_share_key_of(request: HttpRequest) -> str:
    return fair_share_key(visitor_of(request))


def _may_repeat(request: HttpRequest, source: Source) -> bool:
    return any(may(request.user, ReportAction.REPEAT_REPORT, owner) for owner in source.owners or (None,))


def _report_or_404(request: HttpRequest, kind: str, key: str) -> MatchReport:
    source = _source_or_404(request, kind, key)
    report = report_of(source, _fair_share_key_of(request), now=timezone.now()) if source.is_over else None
    if not isinstance(report, MatchReport) or not report.match.rounds:
        raise Http404
    return _in_reader_language(report, source)


def _in_reader_language(report: MatchReport, source: Source) -> MatchReport:
    """Name house bots and unnamed players in the language of the page, because reports are cached for all readers."""
    names = enumerate(report.match.players)
    players = tuple(source.house_bots.get(seat) or player_name(name, seat) for seat, name in names)
    return structs.replace(report, match=dataclasses.replace(report.match, players=players))


def _source_or_404(request: HttpRequest, kind: str, key: str) -> Source:
    try:
        return sources.find(SourceKind(kind), key, request.user, window_request(request.GET))
    except (ValueError, NotFound):
        raise Http404 from None


def _report_context(request: HttpRequest, report: MatchReport) -> dict[str, Any]:
    match, query = report.match, query_params(request.GET)
    lines = presentation.player_rows(report)
    chosen = next((line for line in lines if line.seat == query.player), lines[0])
    page = Paginator(lines, PLAYERS_PER_PAGE).get_page(request.GET.get("page"))
    seats = list(dict.fromkeys([*(line.seat for line in page), chosen.seat]))
    indexes = presentation.round_indices(report, disrupted=query.disrupted)
    rounds = Paginator(indexes, ROUNDS_PER_PAGE).get_page(request.GET.get("rounds"))
    return {
        "match": match,
        "numbers": match.numbers_per_player(),
        "page": page,
        "chosen": chosen,
        "phases": presentation.phases(match, report.strategies[chosen.seat]),
        "curves": {**presentation.curves(match, seats), "chosen": chosen.seat},
        "rounds": rounds,
        "round_rows": presentation.round_rows(report, list(rounds), chosen.seat),
        "disrupted": query.disrupted,
        "disruptions": len(report.disruptions),
        **_what_if(request, report, chosen.seat, query),
    }


def _what_if(request: HttpRequest, report: MatchReport, player: int, query: QueryParams) -> dict[str, Any]:
    """Return the what-if form, filled with the actual or requested numbers, and the alternative result."""
    match = report.match
    places = {each.number: at for at, each in enumerate(match.rounds)}
    at = places.get(-1 if query.round is None else query.round, presentation.last_played_round(match, player))
    own = match.rounds[at].numbers[player] or ()
    named = {"round": match.rounds[at].number, "player": player, **dict(zip("xy", map(repr, own), strict=False))}
    form = WhatIfForm(request.GET if "x" in request.GET else None, match=match, initial=named)
    found = None
    if form.is_valid():
        at = form.at
        found = presentation.alternative_round(match, form.at, form.cleaned_data["player"], form.numbers())
        player = form.cleaned_data["player"]
    shown = presentation.round_json(match, at)
    return {"form": form, "then": found, "round": shown, "wins": shown["wins"][player]}
