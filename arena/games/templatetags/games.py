"""What pages say of a game and its seats, asked from the game; see arena.games.site."""

from __future__ import annotations

from django import template
from django.template.loader import select_template
from django.utils.safestring import SafeString

from arena.games.registry import GAMES
from arena.games.site import MenuEntry
from arena.games.sites import GAME_NAMES, SITES

register = template.Library()


@register.simple_tag
def game_label(name: str) -> str:
    """What readers call the game; its code where the site does not have it any more."""
    return str(GAME_NAMES.get(name, name))


@register.simple_tag
def game_menu() -> list[MenuEntry]:
    """What games add to the main navigation."""
    return [entry for site in SITES.values() for entry in site.menu]


@register.simple_tag
def first_game() -> str:
    """The game that a page begins with where none was chosen."""
    return next(iter(GAMES))


@register.simple_tag
def seat_label(game: str, index: int) -> str:
    """What the seat is called, as in "Black"; "" in games whose seats have no names."""
    seats = SITES[game].seats if game in SITES else ()
    return str(seats[index]) if index < len(seats) else ""


@register.simple_tag
def seat_mark(game: str, index: int) -> SafeString:
    """The seat's own picture, such as a disc, with its name for screen readers; "" in games without names for seats."""
    label = seat_label(game, index)
    if not label:
        return SafeString("")
    color = GAMES[game].colors[index] if index < len(GAMES[game].colors) else ""
    found = select_template([f"{game}/mark.html", "games/mark.html"])
    rendered: SafeString = found.render({"index": index, "color": color, "label": label})
    return rendered
