"""Template tags about a game and its seats; see arena.games.site."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from django import template
from django.contrib.staticfiles import finders
from django.template.loader import select_template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import pgettext

from arena.core.number_format import format_number, format_shortest
from arena.games.drawing import HUES, is_hollow
from arena.games.registry import GAMES
from arena.games.site import TURNS, TurnWords
from arena.games.sites import GAME_NAMES, SITES

register = template.Library()

# Draws the matches of games without their own view.
PLAIN_VIEW = "js/matches/plain-view.js"


@register.simple_tag
def game_label(name: str) -> str:
    """Return the game's name, or its code if the site no longer has the game."""
    return str(GAME_NAMES.get(name, name))


def turn_words(name: str) -> TurnWords:
    """Return what pages call a turn of the game; the default words if the site no longer has the game."""
    return SITES[name].turns if name in SITES else TURNS


@register.simple_tag
def turn_name(game: str) -> str:
    return str(turn_words(game).name)


@register.simple_tag
def move_heading(game: str) -> str:
    """Return the game's heading for a single move, such as "Move"."""
    return str(turn_words(game).move)


@register.simple_tag
def moves_heading(game: str) -> str:
    """Return the game's heading for the moves of a turn, such as "Moves"."""
    return str(turn_words(game).moves)


@register.simple_tag
def turn_count(game: str, count: int) -> str:
    """Format a number of turns with the game's own word for them, such as "100 rounds"."""
    return str(turn_words(game).count % {"n": count})


@register.simple_tag
def turn_position(game: str, turn: int, turns: int) -> str:
    """Name a turn in a match of ``turns`` turns, such as "Round 5 of 100"."""
    return str(turn_words(game).position % {"turn": turn, "turns": turns})


@register.simple_tag
def turn_moment(game: str, turn: int) -> str:
    """Return when something happened, such as "at move 25"; turn 0 is the time before the first turn."""
    return turn_moments(game, [turn])


@register.simple_tag
def turn_moments(game: str, turns: Sequence[int]) -> str:
    """Return the times at which something happened, such as "at moves 3, 5"."""
    words = turn_words(game)
    numbers = [str(turn) for turn in turns if turn]
    if not numbers:
        return str(words.start)
    return str(words.at % {"n": len(numbers), "turns": pgettext("between names", ", ").join(numbers)})


@register.simple_tag
def within_turn(game: str) -> str:
    """Return "for one move" in the words of the game, for limits on answers; "" stands for any game."""
    return str(turn_words(game).within)


@register.simple_tag
def seat_label(game: str, index: int) -> str:
    """Return the name of a seat, such as "Black"; "" if seats have no names."""
    seats = SITES[game].seats if game in SITES else ()
    return str(seats[index]) if index < len(seats) else ""


@register.simple_tag
def seat_mark(game: str, index: int) -> SafeString:
    """Return the seat's picture, such as a disc, with the seat's name for screen readers; "" if it has no name."""
    label = seat_label(game, index)
    if not label:
        return SafeString("")
    color = GAMES[game].colors[index] if index < len(GAMES[game].colors) else ""
    found = select_template([f"{game}/mark.html", "games/mark.html"])
    rendered: SafeString = found.render({"index": index, "color": color, "label": label})
    return rendered


@register.simple_tag
def seat_swatch(index: int) -> SafeString:
    """Draw a seat's swatch, as charts/seat-swatches.js does.

    Seats 12 to 23 repeat the hues with hollow swatches.
    """
    hollow = " is-hollow" if is_hollow(index) else ""
    return format_html('<span class="seat-swatch hue-{}{}" aria-hidden="true"></span>', index % len(HUES), hollow)


@register.filter
def points(value: float | None) -> str:
    """Format points with at most two decimal places and without trailing zeros; halves are shown as ½.

    ``static/js/site/format.js`` does the same.
    """
    if value is None:
        return "–"
    whole, half = divmod(value, 1)
    if half == 0.5 and value > 0:
        return f"{format_number(whole)}½" if whole else "½"
    return format_shortest(value)


@register.simple_tag
def game_part(game: str, part: str) -> tuple[str, str]:
    """Return the templates for a part of a game's view: the game's own, then the generic one."""
    return f"{game}/{part}.html", f"games/{part}.html"


@register.filter
def view_name(game: str) -> str:
    """Return the name of the JavaScript module that draws a game's matches, for the ``bundles`` template tags."""
    return f"{game}/view.js" if game in _games_with_a_view() else PLAIN_VIEW


@lru_cache(maxsize=1)
def _games_with_a_view() -> frozenset[str]:
    return frozenset(game for game in SITES if finders.find(f"{game}/view.js"))


@register.filter
def view_module(game: str) -> str:
    """Return the URL of the JavaScript module that draws a game's matches, for the script that imports it."""
    return static(view_name(game))


@register.filter
def has_one_board(game: str) -> bool:
    """Return whether tournaments of the game show a single match, as wide as the page."""
    return game in SITES and SITES[game].boards == 1


@register.simple_tag
def score_label(game: str) -> str:
    """Return the name of a score that differs from the one on the board; "" for games that have only one score."""
    return str(SITES[game].score_name) if game in SITES and SITES[game].score_decimals else ""


@register.filter
def is_wide(game: str) -> bool:
    """Return whether the display area of the game's matches is wider than it is high."""
    return game in SITES and SITES[game].wide


@register.filter
def move_text(move: Any) -> str:
    """Format a move as its game writes it, with shortened numbers; a dash if there is no move."""
    if move is None:
        return "–"
    if isinstance(move, list | tuple):
        return " · ".join(format_shortest(number) for number in move)
    return str(move)


@register.simple_tag
def move_label(game: str, move: Any) -> str:
    """Format a move for display; a dash if there is no move."""
    label = SITES[game].move_label if game in SITES else None
    return str(label(move)) if label and move is not None else move_text(move)


@register.filter
def seat_value(values: Sequence[Any], seat: int) -> Any:
    """Return one seat's item from a list indexed by seat."""
    return values[seat]
