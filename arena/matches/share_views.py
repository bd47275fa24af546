"""The share card and animation frames of a match."""

from __future__ import annotations

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from arena.matches import queries
from arena.matches.access import require_visible_or_404
from arena.matches.link_preview import eyebrow
from arena.matches.share_cards import HEIGHT, WIDTH, animation_frames, share_card
from arena.matches.snapshots import match_snapshot as read_match
from arena.platform.live.single_flight import single_flight

_CACHE_SECONDS: Final = 3600
_CACHE_SECONDS_WHILE_RUNNING: Final = 5


@require_safe
def match_card(request: HttpRequest, match_id: int) -> HttpResponse:
    """Send the share card as PNG; ``?at=N`` shows an earlier turn."""
    card = _card_or_404(request, match_id)
    requested = request.GET.get("at", "")
    at = int(requested) if requested.isdecimal() and len(requested) < 6 else None
    if at is not None and card.turns and at >= card.turns:
        at = None  # one cache key for all requests for the newest turn

    def draw() -> bytes:
        found = read_match(match_id)
        return share_card(found.sent, found.turns, eyebrow(card), at).png()

    seconds = _CACHE_SECONDS if card.finished_at else _CACHE_SECONDS_WHILE_RUNNING
    png = single_flight(f"share-card:{match_id}:{card.status}:{at}:{get_language()}", draw, seconds)
    return HttpResponse(png, content_type="image/png", headers={"Cache-Control": "private, max-age=600"})


@require_safe
def match_animation(request: HttpRequest, match_id: int) -> JsonResponse:
    """Send the frames of a finished match as SVG, for the animation."""
    card = _card_or_404(request, match_id)
    found = read_match(match_id)
    if not found.sent["outcome"] or not found.turns:
        raise Http404
    return JsonResponse(
        {"width": WIDTH, "height": HEIGHT, "frames": animation_frames(found.sent, found.turns, eyebrow(card))}
    )


def _card_or_404(request: HttpRequest, match_id: int) -> queries.MatchCard:
    require_visible_or_404(request, match_id)
    card = queries.match_card(match_id)
    if card is None:
        raise Http404
    return card
