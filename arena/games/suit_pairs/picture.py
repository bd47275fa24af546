"""Draw a table of Suit Pairs as SVG: visible hands, the table, and the values of the piles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from arena.games.drawing import SIDE, rect, tag, text
from arena.games.suit_pairs.cards import RANK_NAMES, RANKS, card_set, pile_points

_SYMBOLS: Final = "♣♦♥♠"
_INKS: Final = ("#1f2a24", "#b3261e", "#b3261e", "#1f2a24")
_FELT, _PAPER, _BACK, _LABEL = "#1f4d3f", "#fbf8f0", "#35618a", "#d5e6dd"
_WIDTH, _HEIGHT, _GAP = 62, 88, 8
_ROW: Final = 8  # cards in a row


def picture(views: Sequence[Mapping[str, Any]]) -> str:
    """Draw the newest position, with the first seat at the top, as in the list of players beside it.

    Where a hand is empty, as at the end, its place shows the pile.
    """
    view = views[-1]
    drawn = [rect(0, 0, SIDE, SIDE, _FELT, rx=12)]
    for seat, middle, label_y in ((0, 74, 152), (1, SIDE - 74, SIDE - 136)):
        hand, pile = view["hands"][seat], view["piles"][seat]
        cards = [None] * view["hand_sizes"][seat] if hand is None else hand
        by_rank: list[int] = sorted(pile, key=lambda card: (card % RANKS, card))
        drawn.append(_draw_cards(cards or by_rank, middle))
        points = str(pile_points(card_set(pile)))
        drawn.append(text(SIDE / 2, label_y, 30, points, _LABEL, text_anchor="middle", font_weight=700))
    table = view["table"]
    rows = [table[:_ROW], table[_ROW : 2 * _ROW]] if len(table) > _ROW else [table]
    for index, row in enumerate(rows):
        drawn.append(_draw_cards(row, SIDE / 2 + (index - (len(rows) - 1) / 2) * (_HEIGHT + _GAP)))
    return "".join(drawn)


def _draw_cards(cards: Sequence[int | None], middle: float) -> str:
    """Draw cards side by side at the height ``middle``, closer together if there are many; None is a face-down card."""
    step = min(_WIDTH + _GAP, (SIDE - 2 * _GAP - _WIDTH) / max(1, len(cards) - 1))
    left = (SIDE - step * (len(cards) - 1) - _WIDTH) / 2
    placed = (
        tag("g", _draw_card(card), transform=f"translate({left + index * step:.1f} {middle - _HEIGHT / 2:.1f})")
        for index, card in enumerate(cards)
    )
    return "".join(placed)


def _draw_card(card: int | None) -> str:
    shape = rect(0, 0, _WIDTH, _HEIGHT, _BACK if card is None else _PAPER, rx=8, stroke="#0f2b22", stroke_width=1.5)
    if card is None:
        return shape
    suit, rank = divmod(card, RANKS)
    ink = _INKS[suit]
    return (
        shape
        + text(9, 30, 26, RANK_NAMES[rank], ink, font_weight=700)
        + text(_WIDTH / 2, 74, 36, _SYMBOLS[suit], ink, text_anchor="middle")
    )
