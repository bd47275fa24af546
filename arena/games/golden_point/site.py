"""The golden point on the site: names, settings."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from arena.games.site import GameSite, SettingText, TournamentDefaults

SITE: Final = GameSite(
    name=_("Golden point"),
    settings={
        "numbers": SettingText(_("Numbers a round"), choices={2: _("Two"), 1: _("One")}),
        "rounds": SettingText(_("Rounds of a match")),
    },
    tournament=TournamentDefaults("table", move_seconds=5.0, settings={"rounds": 400}),
)
