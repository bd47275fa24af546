"""Embeddable pages for matches and tournaments, and the oEmbed endpoint, which describes all embeddable pages."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from arena.matches.queries import match_card
from arena.matches.snapshots import snapshot as match_snapshot
from arena.matches.visibility import may_see as may_see_match
from arena.pages.embed.oembed import oembed_response
from arena.pages.tv.programme import ANYBODY
from arena.tournaments.events.snapshots import snapshot as tournament_snapshot
from arena.tournaments.queries import tournaments
from arena.tournaments.queries.brackets import rounds_of
from arena.tournaments.queries.drawn_bracket import bracket_of
from arena.ui.framing import allow_framing


@allow_framing
def embedded_match(request: HttpRequest, match_id: int) -> HttpResponse:
    if not may_see_match(ANYBODY, match_id):
        raise Http404
    card = match_card(match_id)
    caption = card.context.label if card and card.context else ""
    return render(request, "embed/match.html", {"snapshot": {**match_snapshot(match_id), "caption": caption}})


@allow_framing
def embedded_tournament(request: HttpRequest, tournament_id: int) -> HttpResponse:
    detail = tournaments.detail(tournament_id, ANYBODY)
    if detail is None:
        raise Http404
    context = {
        "card": detail.card,
        "standings": tournament_snapshot(tournament_id),
        "results_hidden": detail.withheld,
        "tree": None if detail.withheld else rounds_of(bracket_of(tournament_id)).tree,
    }
    return render(request, "embed/tournament.html", context)


@require_safe
def oembed(request: HttpRequest) -> JsonResponse:
    """Return the oEmbed data of the page at ``url`` (https://oembed.com)."""
    if request.GET.get("format", "json") != "json":
        return _json({"error": _("Only JSON is supported. Remove the parameter “format”.")}, 501)
    found = oembed_response(request.build_absolute_uri("/"), request.GET)
    if found is None:
        return _json({"error": _("This URL has no content to embed. Use the URL of a match or a tournament.")}, 404)
    return _json(found, 200)


def _json(content: dict[str, Any], status: int) -> JsonResponse:
    """Return a JSON response with public data that scripts on any site may read."""
    return JsonResponse(content, status=status, headers={"Access-Control-Allow-Origin": "*"})
