"""Context processor that adds the data of installed games to every page.

The base template therefore does not need the games app's template tags.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.contrib.staticfiles import finders
from django.http import HttpRequest
from django.templatetags.static import static
from django.utils.functional import SimpleLazyObject

from arena.games.registry import GAMES
from arena.games.sites import SITES
from arena.platform import bundles


def games(request: HttpRequest) -> dict[str, Any]:
    """Return the template variables for games.

    ``game_menu``: the entries in the main navigation; ``first_game``: the default game; ``game_styles``: see
    ``unbundled_styles``.
    """
    return {
        "game_menu": [entry for site in SITES.values() for entry in site.menu],
        "first_game": next(iter(GAMES)),
        "game_styles": SimpleLazyObject(unbundled_styles),
    }


def unbundled_styles() -> list[str]:
    """Return the URLs of the style sheets of EXTRA_GAMES, which the site's bundle does not contain."""
    return [static(name) for name in _styles() if name not in bundles.current_bundle().styles]


@lru_cache(maxsize=1)
def _styles() -> tuple[str, ...]:
    """Return the static file names of the games' style sheets."""
    return tuple(name for name in (f"{game}/{game}.css" for game in SITES) if finders.find(name))
