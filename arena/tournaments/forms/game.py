"""What differs between games on the form of a tournament: one entry a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from arena.games.registry import GAMES
from arena.tournaments.models import Format


class GameSettingsForm(forms.Form):
    """The settings of a game; without fields where it has none that an organizer would change."""

    game = ""

    def settings(self) -> dict[str, Any]:
        """Every setting of the game, checked by its rules; raises SettingsError."""
        rules = GAMES[self.game]
        return rules.settings_json(rules.settings(self.cleaned_data))


class ReversiSettingsForm(GameSettingsForm):
    game = "reversi"


class GoldenPointSettingsForm(GameSettingsForm):
    game = "golden_point"

    numbers = forms.TypedChoiceField(
        label=_("Numbers a round"), choices=[(2, _("Two")), (1, _("One"))], coerce=int, initial=2
    )
    rounds = forms.IntegerField(label=_("Rounds of a match"), min_value=1, max_value=2000, initial=400)


@dataclass(frozen=True, slots=True)
class GameOnForm:
    """A game's settings block, the format offered first, and the limits that suit it."""

    settings: type[GameSettingsForm]
    format: Format
    move_seconds: float
    pace_seconds: float
    pace_help: str | Promise


GAME_FORMS: Final[Mapping[str, GameOnForm]] = {
    "reversi": GameOnForm(
        ReversiSettingsForm,
        Format.ROUND_ROBIN,
        move_seconds=60,
        pace_seconds=0,
        pace_help=_("A move lasts at least this long, so that people can follow. 0 plays as fast as the bots."),
    ),
    "golden_point": GameOnForm(
        GoldenPointSettingsForm,
        Format.TABLE,
        move_seconds=5,
        pace_seconds=0,
        pace_help=_("A round lasts at least this long, so that people can follow. 0 plays as fast as the bots."),
    ),
}
