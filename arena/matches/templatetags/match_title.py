"""The title of a match page, made from players and scores: "Corners 51 – 13 Mia"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import template
from django.utils.translation import gettext as _

from arena.matches.queries import players_text
from arena.matches.results import scores_of

register = template.Library()


@dataclass(frozen=True, slots=True)
class TitleSeat:
    """A player in the title; ``score``: "" if there is none yet."""

    index: int
    name: str
    url: str
    score: str
    is_winner: bool


@dataclass(frozen=True, slots=True)
class MatchTitle:
    """The title of a match page.

    ``seats``: both seats of a two-player match, or a single seat; () for a larger table, whose best players are in
    ``text``.
    """

    seats: tuple[TitleSeat, ...]
    text: str

    def __str__(self) -> str:
        return self.text


@register.simple_tag
def match_title(snapshot: Mapping[str, Any]) -> MatchTitle:
    """Return the title: the names, with the final scores or, before the end, the scores after the newest turn.

    ``snapshot["own_seats"]``, which may be missing: the reader's seats; the title of a larger table names the players
    in them.
    """
    seats, outcome = snapshot["seats"], snapshot["outcome"]
    if len(seats) > 2:
        return MatchTitle((), _table_text(snapshot))
    scores = scores_of(snapshot) or [""] * len(seats)
    winner = outcome["winner"] if outcome and len(seats) == 2 else None
    shown = tuple(
        TitleSeat(seat["index"], seat["name"] or _("Guest"), seat["bot_url"], score, winner == seat["index"])
        for seat, score in zip(seats, scores, strict=True)
    )
    if len(shown) == 1:
        return MatchTitle(shown, " ".join(filter(None, (shown[0].name, shown[0].score))))
    first, second = shown
    between = f"{first.score} – {second.score}" if first.score else "–"
    return MatchTitle(shown, f"{first.name} {between} {second.name}")


def _table_text(snapshot: Mapping[str, Any]) -> str:
    """Describe the winners at a large table, or its players before the match is over."""
    seats, outcome = snapshot["seats"], snapshot["outcome"]
    if outcome and outcome["termination"] != "time_limit":
        seats = sorted(seats, key=lambda seat: (outcome["ranks"][seat["index"]], seat["index"]))
    own = {place for place, seat in enumerate(seats) if seat["index"] in snapshot.get("own_seats", ())}
    return players_text([seat["name"] or _("Guest") for seat in seats], own)
