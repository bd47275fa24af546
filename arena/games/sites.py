"""The site definitions of all installed games, by name."""

from __future__ import annotations

from collections.abc import Collection
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from django.core.exceptions import ImproperlyConfigured

from arena.games.registry import GAMES, PACKAGES
from arena.games.site import Export, GameSite
from arena.platform import environment


def _load_site(package: str) -> GameSite:
    site: GameSite = import_module(f"{package}.site").SITE
    return site


def check_site(site: GameSite, *, hides: bool) -> None:
    """Raise ImproperlyConfigured if people could learn hidden information by taking back moves.

    ``hides``: whether the game hides information.
    """
    if hides and site.people is not None and site.people.takes_back:
        raise ImproperlyConfigured(
            f"{site.name} hides information, so people cannot be allowed to take back moves. See HumanPlay."
        )


SITES: Final = {name: _load_site(one.package) for name, one in PACKAGES.items()}
for _name, _site in SITES.items():
    check_site(_site, hides=GAMES[_name].hides)
GAME_NAMES: Final = {name: site.name for name, site in SITES.items()}
GAME_CHOICES: Final = list(GAME_NAMES.items())


def apps() -> list[str]:
    """Return the Django apps of all games: each game's own, and its additional ones."""
    return [app for name, site in SITES.items() for app in (PACKAGES[name].package, *site.apps)]


def game_settings(taken: Collection[str]) -> dict[str, Any]:
    """Return the games' settings: the upper-case names in their ``settings.py``.

    Raises ImproperlyConfigured if a name is in ``taken`` or belongs to another game, or if ``GAME_SETTINGS`` names a
    setting that no game has.
    """
    found: dict[str, Any] = {}
    for one in PACKAGES.values():
        name = f"{one.package}.settings"
        own = vars(import_module(name)) if find_spec(name) else {}
        brought = {key: value for key, value in own.items() if key.isupper()}
        used = sorted(brought.keys() & {*taken, *found})
        if used:
            raise ImproperlyConfigured(
                f"{name} cannot set {', '.join(used)}, which the site or another game already sets. Choose other names."
            )
        found |= brought
    if unknown := sorted(environment.game_variables().keys() - found.keys()):
        raise ImproperlyConfigured(f"GAME_SETTINGS names {', '.join(unknown)}, but no game has such a setting.")
    return found


def export(game: str, file: str) -> Export | None:
    """Return the game's match download with this file name; None if there is no such download."""
    return next((one for one in SITES[game].exports if one.file == file), None) if game in SITES else None
