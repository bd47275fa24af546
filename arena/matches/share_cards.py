"""Draw a match as SVG for share cards and animations: board, players and result.

A shared link to a match shows its card (Open Graph, https://ogp.me), and the match page builds animations from these
images. Callers must check that the reader may see the match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from resvg_py import svg_to_bytes

from arena.games.drawing import FONTS, SIDE, circle, rect, seat_swatch, tag, text
from arena.games.sites import SITES
from arena.games.templatetags.games import points, turn_words
from arena.matches.card_text import fit_text, text_width
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
_NAME_HEIGHT, _NOTE_HEIGHT = 84, 64
_CAPITAL: Final = 0.72  # height of a capital letter relative to the font size
_SMALLEST: Final = 24  # minimum font size

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CardRow:
    """A player's row on a card; ``score``: "" if there is none yet; ``swatch``: the seat whose swatch it shows."""

    name: str
    score: str
    is_winner: bool
    swatch: int | None = None


@dataclass(frozen=True, slots=True)
class ShareCard:
    """The content of a card.

    ``eyebrow``: the kind of match; ``note``: the result or the progress; ``board``: SVG, "" for none.
    """

    eyebrow: str
    lines: tuple[CardRow, ...]
    note: str
    board: str

    def svg(self) -> str:
        parts = [rect(0, 0, WIDTH, HEIGHT, _GROUND)]
        if self.board:
            parts.append(tag("g", self.board, transform=f"translate({_MARGIN} {_MARGIN})"))
        left, room = (_LEFT, _ROOM) if self.board else (_MARGIN * 4, WIDTH - _MARGIN * 8)
        parts += _draw_note(left, 56, room, self.eyebrow, _MUTED)
        parts += self._players(left, room)
        parts += _draw_note(left, 508, room, self.note, _INK)
        parts.append(text(left + 62, 594, 28, _("Bot Arena"), _INK, font_weight=700))
        parts += [circle(left + 17, 584, 15, "#24724f"), circle(left + 37, 584, 15, "#fbf8f0")]
        drawn = tag("g", "".join(parts), font_family=FONTS)
        box = f"0 0 {WIDTH} {HEIGHT}"
        return tag("svg", drawn, xmlns="http://www.w3.org/2000/svg", viewBox=box, width=WIDTH, height=HEIGHT)

    def png(self) -> bytes:
        return bytes(svg_to_bytes(svg_string=self.svg(), font_family="DejaVu Sans", sans_serif_family="DejaVu Sans"))

    def _players(self, left: float, room: float) -> list[str]:
        is_table = len(self.lines) > 2
        height, size = (92, 38) if is_table else (176, 54)
        drawn = []
        for index, line in enumerate(self.lines):
            y = 168 + index * height
            ink = _GOLD if line.is_winner else _INK
            indent = 0.0
            if line.swatch is not None:
                indent = size
                drawn.append(seat_swatch(left + 0.3 * size, y - _CAPITAL * size / 2, 0.3 * size, line.swatch))
            if is_table:
                beside = max(120.0 - indent, text_width(line.score, size) + 24)
                drawn += _draw_name(left + indent, y, room - indent - beside, size, line.name, ink)
                drawn.append(text(left + room, y, size, line.score, ink, font_weight=700, text_anchor="end"))
            else:
                drawn += _draw_name(left + indent, y - 6, room - indent, size, line.name, ink)
                drawn.append(text(left, y + 84, 80, line.score, ink, font_weight=700))
        return drawn


def share_card(snapshot: Json, turns: Sequence[Json], eyebrow: str, at: int | None = None) -> ShareCard:
    """Return the card for turn ``at``, by default the newest turn.

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
    """Return the cards of a match from start to end, sampled evenly if the match is long."""
    count = len(turns)
    shown = min(count, FRAMES)
    chosen = [round(step * (count - 1) / max(1, shown - 1)) for step in range(shown)]
    return [share_card(snapshot, turns, eyebrow, at).svg() for at in chosen]


def _player_rows(snapshot: Json, views: Sequence[Json], *, is_end: bool) -> tuple[CardRow, ...]:
    seats, outcome = snapshot["seats"], snapshot["outcome"] if is_end else None
    site = SITES[snapshot["match"]["game"]]
    so_far = list(site.scores(views[-1])) if site.scores and views and not outcome else []
    if len(seats) <= 2:
        shown = match_title({**snapshot, "outcome": outcome}).seats
        scores = [points(score) for score in so_far] or [seat.score for seat in shown]
        if site.counts and views and not is_end:
            scores = [str(count) for count in site.counts(views[-1])]
        return tuple(
            CardRow(seat.name, score, seat.is_winner, seat.index if site.seat_swatches else None)
            for seat, score in zip(shown, scores, strict=True)
        )
    if outcome:
        seats = sorted(seats, key=lambda seat: (outcome["ranks"][seat["index"]] or len(seats), seat["index"]))
    elif so_far:
        seats = sorted(seats, key=lambda seat: (-so_far[seat["index"]], seat["index"]))
    return tuple(_table_player_row(seat, outcome, so_far, has_swatch=site.seat_swatches) for seat in seats[:_LISTED])


def _table_player_row(seat: Json, outcome: Json | None, so_far: Sequence[float], *, has_swatch: bool) -> CardRow:
    index = seat["index"]
    scores = outcome["points"] if outcome else so_far
    is_winner = outcome is not None and outcome["ranks"][index] == 1
    return CardRow(
        seat["name"] or _("Guest"), points(scores[index]) if scores else "", is_winner, index if has_swatch else None
    )


def _draw_name(x: float, y: float, room: float, size: int, name: str, ink: str) -> list[str]:
    """Draw a name in a font size of at most ``size``.

    ``y``: the baseline of a name in that size; smaller text is centred on the same line.
    """
    fitted = fit_text(name, room, _NAME_HEIGHT, largest=size, smallest=_SMALLEST)
    raised = _CAPITAL * (size - fitted.size) + (len(fitted.lines) - 1) * fitted.spacing
    first = y - raised / 2
    return fitted.draw(x, first, ink, font_weight=700)


def _draw_note(x: float, y: float, room: float, content: str, ink: str) -> list[str]:
    """Draw the kind of match or its result in one or two lines."""
    return fit_text(content, room, _NOTE_HEIGHT, largest=28, smallest=18).draw(x, y, ink)
