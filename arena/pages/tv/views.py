"""The public screen: the page, its programme, and the scenes, each as a fragment of a page."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from arena.matches.snapshots import snapshot as match_snapshot
from arena.matches.visibility import may_see as may_see_match
from arena.pages.tv.programme import ANYBODY, programme
from arena.platform.page_addresses import row_id
from arena.tournaments.events.snapshots import snapshot as tournament_snapshot
from arena.tournaments.formats.summary import summary_of
from arena.tournaments.queries import stages, tournaments
from arena.tournaments.queries.bracket_views import one_screen
from arena.tournaments.queries.brackets import rounds_of
from arena.tournaments.queries.drawn_bracket import bracket_of
from arena.tournaments.queries.explained_matches import explained_key_match
from arena.tournaments.queries.phases import phase_of
from arena.tournaments.queries.programme import match_in_tournament

UPCOMING = 5
ENTRIES = 15  # bots that fit on a screen before a tournament starts


@require_safe
@never_cache
def tv(request: HttpRequest) -> HttpResponse:
    """Show the public screen.

    ``?tournament=`` restricts it to one tournament; ``?overlay=1`` makes it an overlay for video streams.
    """
    chosen = row_id(request.GET.get("tournament", ""))
    detail = tournaments.detail(chosen, ANYBODY) if chosen is not None else None
    if request.GET.get("tournament") and detail is None:
        raise Http404
    first = programme(timezone.now, chosen)  # saves a request before the first scene
    context = {"detail": detail, "overlay": bool(request.GET.get("overlay")), "programme": first}
    return render(request, "tv/tv.html", context)


@require_safe
@never_cache
def tv_programme(request: HttpRequest) -> JsonResponse:
    return JsonResponse(programme(timezone.now, row_id(request.GET.get("tournament", ""))))


@require_safe
@never_cache
def tv_match(request: HttpRequest, match_id: int) -> HttpResponse:
    if not may_see_match(ANYBODY, match_id):
        raise Http404
    tournament_match = match_in_tournament(match_id)
    context = {"snapshot": match_snapshot(match_id), "tournament_match": tournament_match}
    return render(request, "tv/match.html", context)


@require_safe
@never_cache
def tv_turning_point(request: HttpRequest, match_id: int) -> HttpResponse:
    if not may_see_match(ANYBODY, match_id):
        raise Http404
    key = explained_key_match(match_id, now=timezone.now())
    context = {"key": key, "tournament_match": match_in_tournament(match_id)}
    return render(request, "tv/turning_point.html", context)


@require_safe
@never_cache
def tv_standings(request: HttpRequest, tournament_id: int) -> HttpResponse:
    shown = _public_standings(tournament_id)
    return render(request, "tv/standings.html", {**shown, "news": stages.standings_news(shown["standings"])})


@require_safe
@never_cache
def tv_podium(request: HttpRequest, tournament_id: int) -> HttpResponse:
    shown = _public_standings(tournament_id)
    final = stages.podium_stage(shown["standings"])
    if not final.podium:
        raise Http404
    return render(request, "tv/podium.html", {**shown, "final": final})


def _public_standings(tournament_id: int) -> dict[str, Any]:
    """Return the tournament's card and snapshot for a template; raise Http404 unless everybody may see its results."""
    detail = tournaments.detail(tournament_id, ANYBODY)
    if detail is None or detail.withheld:
        raise Http404
    return {"card": detail.card, "standings": tournament_snapshot(tournament_id)}


@require_safe
@never_cache
def tv_bracket(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show one of the screens into which a large bracket is divided; ``?part=`` is its number, starting from 1."""
    detail = tournaments.detail(tournament_id, ANYBODY)
    tree = rounds_of(bracket_of(tournament_id)).tree if detail and not detail.withheld else None
    part = row_id(request.GET.get("part", "1"))
    screen = one_screen(tree, part) if tree and part else None
    if detail is None or screen is None:
        raise Http404
    shown, parts = screen
    return render(request, "tv/bracket.html", {"card": detail.card, "tree": shown, "part": part, "parts": parts})


@require_safe
@never_cache
def tv_lobby(request: HttpRequest, tournament_id: int) -> HttpResponse:
    detail = tournaments.detail(tournament_id, ANYBODY)
    if detail is None or detail.card.started_at:
        raise Http404
    entries = tournament_snapshot(tournament_id)["rows"]
    context = {
        "card": detail.card,
        "phase": phase_of(detail, bracket_of(tournament_id), now=timezone.now()),
        "summary": summary_of(detail.pairing, detail.limits, detail.card.game),
        "entries": entries[:ENTRIES],
        "more_entries": max(0, detail.card.entries - ENTRIES),
    }
    return render(request, "tv/lobby.html", context)


@require_safe
@never_cache
def tv_upcoming(request: HttpRequest) -> HttpResponse:
    return render(request, "tv/upcoming.html", {"cards": tournaments.upcoming_tournaments(ANYBODY, UPCOMING)})
