"""Build the preview that apps show for a link to a match (Open Graph, https://ogp.me)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.urls import reverse

from arena.games.templatetags.games import game_label
from arena.matches.queries import MatchCard
from arena.matches.share_cards import HEIGHT, WIDTH
from arena.matches.templatetags.match_title import match_title
from arena.matches.templatetags.results import match_result


@dataclass(frozen=True, slots=True)
class LinkPreview:
    """A link preview; ``url`` and ``image`` are absolute URLs."""

    title: str
    description: str
    url: str
    image: str
    width: int = WIDTH
    height: int = HEIGHT


def match_preview(card: MatchCard, snapshot: Mapping[str, Any]) -> LinkPreview:
    return LinkPreview(
        title=str(match_title(snapshot)),
        description=" · ".join(filter(None, (match_result(snapshot), eyebrow(card)))),
        url=settings.SITE_URL + reverse("match", args=[card.id]),
        image=settings.SITE_URL + reverse("match-card", args=[card.id]),
    )


def eyebrow(card: MatchCard) -> str:
    """Return the line above the title: the game, and the match's name in its tournament or the kind of match."""
    return f"{game_label(card.game)} · {card.context.label if card.context else card.purpose_label}"
