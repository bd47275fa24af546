"""Reversi on the site: names, settings."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from arena.games.site import GameSite

SITE: Final = GameSite(
    name=_("Reversi"),
    seats=(_("Black"), _("White")),
)
