"""oEmbed responses (https://oembed.com) for matches, tournaments and game pages: an iframe and its size."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

from django.urls import Resolver404, resolve, reverse
from django.utils.html import format_html
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from arena.games.site import EmbeddablePage
from arena.games.sites import SITES
from arena.matches.queries import match_card as match_card
from arena.matches.visibility import may_see as may_see_match
from arena.pages.tv.programme import ANYBODY
from arena.tournaments.queries import tournaments

_CACHE_SECONDS: Final = 3600
_SMALLEST: Final = 200


def oembed_response(site: str, query: Mapping[str, str]) -> dict[str, Any] | None:
    """Return the response for the query's ``url``, ``maxwidth`` and ``maxheight``; None if embedding is disabled.

    ``site``: the address of this site; ``url`` must belong to it.
    """
    try:
        parts = urlsplit(query.get("url", ""))
        found = resolve(parts.path)
    except (ValueError, Resolver404):  # not a URL of this site
        return None
    if parts.netloc != urlsplit(site).netloc:
        return None
    pk = next(iter(found.kwargs.values()), 0)
    frame_of = _page_finders().get(found.url_name or "")
    frame = frame_of(pk) if frame_of else None
    if frame is None:
        return None
    width, height = _limit_size(frame.width, query.get("maxwidth")), _limit_size(frame.height, query.get("maxheight"))
    address = urljoin(site, frame.url)
    return {
        "version": "1.0",
        "type": "rich",
        "title": frame.title,
        "provider_name": _("Bot Arena"),
        "provider_url": site,
        "cache_age": _CACHE_SECONDS,
        "width": width,
        "height": height,
        "html": format_html(
            '<iframe src="{}" width="{}" height="{}" title="{}" loading="lazy" frameborder="0"></iframe>',
            address,
            width,
            height,
            frame.title,
        ),
    }


def _page_finders() -> dict[str, Callable[[int], EmbeddablePage | None]]:
    """Return, for each page's URL name, the function that finds its embeddable version."""
    of_games = {name: import_string(path) for site in SITES.values() for name, path in site.frames.items()}
    return {"match": _match_page, "tournament": _tournament_page, **of_games}


def _match_page(pk: int) -> EmbeddablePage | None:
    card = match_card(pk) if may_see_match(ANYBODY, pk) else None
    if card is None:
        return None
    names = " – ".join(seat.name for seat in card.listed_seats)
    return EmbeddablePage(reverse("embed-match", args=[pk]), names, 520, SITES[card.game].embed_height)


def _tournament_page(pk: int) -> EmbeddablePage | None:
    detail = tournaments.detail(pk, ANYBODY)
    if detail is None:
        return None
    return EmbeddablePage(reverse("embed-tournament", args=[pk]), detail.card.name, 640, detail.card.embed_height)


def _limit_size(wanted: int, most: str | None) -> int:
    """Limit the size ``wanted`` to ``most``, the embedding site's maximum, while keeping the page readable."""
    if most is None or not (most.isascii() and most.isdigit() and len(most) < 6):
        return wanted
    return max(_SMALLEST, min(wanted, int(most)))
