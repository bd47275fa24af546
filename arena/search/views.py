"""The search page, and the list of results that the search dialog shows as the user types."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from arena.search.queries import search

ON_PAGE = 25
IN_DIALOG = 5
TEXT_LENGTH = 100


@require_safe
def search_page(request: HttpRequest) -> HttpResponse:
    return _render_hits(request, "search/page.html", ON_PAGE)


@require_safe
@never_cache
def search_hits(request: HttpRequest) -> HttpResponse:
    return _render_hits(request, "search/hits.html", IN_DIALOG)


def _render_hits(request: HttpRequest, template: str, limit: int) -> HttpResponse:
    text = request.GET.get("q", "")[:TEXT_LENGTH].strip()
    return render(request, template, {"text": text, "groups": search(text, request.user, limit)})
