"""Pages that belong to no single app: home, guide, leaderboards, and the check of health."""

from __future__ import annotations

from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from arena.games import GAMES
from arena.matches.queries import leaderboard as ratings
from arena.pages.guide import guide_facts
from arena.pages.health import health
from arena.pages.home import featured_json
from arena.pages.home import home as home_content
from arena.pages.libraries import libraries

PER_PAGE = 50


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/home.html", {"home": home_content(request.user)})


@require_safe
@never_cache
def featured(request: HttpRequest) -> JsonResponse:
    return JsonResponse(featured_json(request.user))


@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    context = {"libraries": libraries(settings.BOT_LIBRARIES_DIR), "facts": guide_facts()}
    return render(request, "pages/guide.html", context)


@require_safe
def leaderboards(request: HttpRequest) -> HttpResponse:
    return redirect("leaderboard", next(iter(GAMES)))


@require_safe
def leaderboard(request: HttpRequest, game: str) -> HttpResponse:
    if game not in GAMES:
        raise Http404
    search = request.GET.get("q", "").strip()[:80]
    page = Paginator(ratings(game, search), PER_PAGE).get_page(request.GET.get("page"))
    context = {"game": game, "games": list(GAMES), "page": page, "search": search}
    return render(request, "pages/leaderboard.html", context)


@require_safe
@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    found = health()
    return JsonResponse(found, status=200 if set(found.values()) == {"ok"} else 503)
