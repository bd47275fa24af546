"""Draw a match as SVG for share cards and animations: board, players and result.

A shared link to a match shows its card (Open Graph, https://ogp.me), and the match page builds animations from these
images. Callers must check that the reader may see the match.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from resvg_py import svg_to_bytes

from arena.games.drawing import FONTS, SIDE, circle, rect, tag, text
from arena.games.sites import SITES
from arena.games.templatetags.games import points, turn_words
from arena.matches.templatetags.match_title import match_title
from arena.matches.templatetags.results import match_result

WIDTH, HEIGHT = 1200, 630  # the size for Open Graph
FRAMES: Final = 120  # maximum number of frames in an animation
_MARGIN: Final = (HEIGHT - SIDE) // 2
_LEFT: Final = SIDE + 4 * _MARGIN
_ROOM: Final = WIDTH - _LEFT - 3 * _MARGIN
_GROUND, _INK, _MUTED, _GOLD = "#12181f", "#f3f5f7", "#9aa7b5", "#e5b23c"
_LISTED: Final = 4  # maximum number of players shown from a larger table
_SEEN: Final = 40  # maximum number of earlier turns shown
_SMALLEST: Final = 0.7  # minimum size of shrunken text
_LATIN_WIDTH: Final = 0.58  # character width relative to the font size; 1 for full-width characters

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player's row on the card; ``score``: "" if there is none yet."""

    name: str
    score: str
    is_winner: bool


@dataclass(frozen=True, slots=True)
class ShareCard:
    """The content of a card.

    ``eyebrow``: the kind of match; ``note``: the result or the progress; ``board``: SVG, "" for none.
    """

    eyebrow: str
    lines: tuple[PlayerRow, ...]
    note: str
    board: str

    def svg(self) -> str:
        parts = [rect(0, 0, WIDTH, HEIGHT, _GROUND)]
        if self.board:
            parts.append(tag("g", self.board, transform=f"translate({_MARGIN} {_MARGIN})"))
        left, room = (_LEFT, _ROOM) if self.board else (_MARGIN * 4, WIDTH - _MARGIN * 8)
        parts += _wrap_text(left, 56, room, self.eyebrow, _MUTED)
        parts += self._players(left, room)
        parts += _wrap_text(left, 508, room, self.note, _INK)
        parts.append(text(left + 62, 594, 28, _("Bot Arena"), _INK, font_weight=700))
        parts += [circle(left + 17, 584, 15, "#24724f"), circle(left + 37, 584, 15, "#fbf8f0")]
        drawn = tag("g", "".join(parts), font_family=FONTS)
        box = f"0 0 {WIDTH} {HEIGHT}"
        return tag("svg", drawn, xmlns="http://www.w3.org/2000/svg", viewBox=box, width=WIDTH, height=HEIGHT)

    def png(self) -> bytes:
        return bytes(svg_to_bytes(svg_string=self.svg(), font_family="DejaVu Sans", sans_serif_family="DejaVu Sans"))

    def _players(self, left: float, room: float) -> list[str]:
        height = 176 if len(self.lines) <= 2 else 92
        size = 54 if len(self.lines) <= 2 else 38
        drawn = []
        for index, line in enumerate(self.lines):
            y = 168 + index * height
            ink = _GOLD if line.is_winner else _INK
            if len(self.lines) <= 2:
                drawn.append(_fit_text(left, y, room, size, line.name, ink, font_weight=700))
                drawn.append(text(left, y + 84, 80, line.score, ink, font_weight=700))
                continue
            drawn.append(_fit_text(left, y, room - 120, size, line.name, ink, font_weight=700))
            drawn.append(text(left + room, y, size, line.score, ink, font_weight=700, text_anchor="end"))
        return drawn


def share_card(snapshot: Json, turns: Sequence[Json], eyebrow: str, at: int | None = None) -> ShareCard:
    """Return the card for a turn, by default for the newest.

    ``snapshot`` and ``turns``: from ``arena.matches.snapshots.match_snapshot``; ``eyebrow``: the kind of match in
    words.
    """
    last = len(turns) - 1
    index = last if at is None else max(0, min(at, last))
    is_end = index == last
    views = [turn["view"] for turn in turns[max(0, index - _SEEN) : index + 1]]
    picture = SITES[snapshot["match"]["game"]].picture
    board = picture(views) if picture and views and views[-1] else ""
    note = match_result(snapshot) if is_end else ""
    if not note and last > 0:
        note = str(turn_words(snapshot["match"]["game"]).position) % {"turn": index, "turns": last}
    return ShareCard(eyebrow, _player_rows(snapshot, views, is_end=is_end), note, board)


def animation_frames(snapshot: Json, turns: Sequence[Json], eyebrow: str) -> list[str]:
    """Yield the cards of a match from start to end, sampled evenly if the match is long."""
    count = len(turns)
    shown = min(count, FRAMES)
    chosen = [round(step * (count - 1) / max(1, shown - 1)) for step in range(shown)]
    return [share_card(snapshot, turns, eyebrow, at).svg() for at in chosen]


def _player_rows(snapshot: Json, views: Sequence[Json], *, is_end: bool) -> tuple[PlayerRow, ...]:
    seats, outcome = snapshot["seats"], snapshot["outcome"] if is_end else None
    if len(seats) <= 2:
        counts = SITES[snapshot["match"]["game"]].counts
        shown = match_title({**snapshot, "outcome": outcome}).seats
        scores = [seat.score for seat in shown]
        if counts and views and not is_end:
            scores = [str(count) for count in counts(views[-1])]
        return tuple(PlayerRow(seat.name, score, seat.is_winner) for seat, score in zip(shown, scores, strict=True))
    if outcome:
        seats = sorted(seats, key=lambda seat: (outcome["ranks"][seat["index"]] or len(seats), seat["index"]))
    return tuple(_table_player_row(seat, outcome) for seat in seats[:_LISTED])


def _table_player_row(seat: Json, outcome: Json | None) -> PlayerRow:
    name = seat["name"] or _("Guest")
    if outcome is None:
        return PlayerRow(name, "", is_winner=False)
    return PlayerRow(name, points(outcome["points"][seat["index"]]), outcome["ranks"][seat["index"]] == 1)


def _fit_text(x: float, y: float, room: float, size: float, content: str, ink: str, **attributes: str | float) -> str:
    """Fit text on one line: shrink it, or truncate it if it would be too small to read."""
    fits = min(size, size * room / max(1.0, _width(content, size)))
    if fits < size * _SMALLEST:
        fits = size * _SMALLEST
        while content and _width(content + "…", fits) > room:
            content = content[:-1]
        content += "…"
    return text(x, y, fits, content, ink, **attributes)


def _wrap_text(x: float, y: float, room: float, content: str, ink: str) -> list[str]:
    """Wrap text onto at most two lines."""
    size = 28.0
    first, second = content, ""
    if _width(content, size) > room:
        cut = max((place for place in range(len(content)) if _width(content[:place], size) <= room), default=0)
        space = content.rfind(" ", 0, cut + 1)
        cut = space if space > cut // 2 else cut
        first, second = content[:cut].rstrip(), content[cut:].lstrip()
    lines = [_fit_text(x, y, room, size, first, ink)]
    return [*lines, _fit_text(x, y + 38, room, size, second, ink)] if second else lines


def _width(content: str, size: float) -> float:
    """Estimate the width of ``content``; the exact width depends on the fonts of the machine."""
    return size * sum(1.0 if unicodedata.east_asian_width(char) in "WF" else _LATIN_WIDTH for char in content)
