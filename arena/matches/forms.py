"""The filter for the match list and the form for requesting a scrimmage."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import BigIntegerField
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from arena.core.referee.spec import MatchLimits
from arena.games.forms import GameSettingsForm
from arena.games.registry import GAMES
from arena.games.sites import GAME_CHOICES, SITES
from arena.matches.listing import MatchFilter
from arena.matches.match_limits import default_move_seconds, too_long_error
from arena.matches.models import MatchStatus, Purpose
from arena.matches.scrimmages import Scrimmage
from arena.platform.page_addresses import FilterForm

STATUSES = [(status.value, status.label) for status in MatchStatus if status is not MatchStatus.PLANNED]


class MatchFilterForm(FilterForm[MatchFilter]):
    """The form that filters the list of matches."""

    filter_type = MatchFilter

    game = forms.ChoiceField(label=_("Game"), choices=[("", _("All games")), *GAME_CHOICES], required=False)
    status = forms.ChoiceField(label=_("Status"), choices=[("", _("All statuses")), *STATUSES], required=False)
    purpose = forms.ChoiceField(label=_("Kind"), choices=[("", _("All kinds")), *Purpose.choices], required=False)
    person = forms.CharField(label=_("Author"), max_length=150, required=False)
    bot = forms.IntegerField(
        required=False, min_value=1, max_value=BigIntegerField.MAX_BIGINT, widget=forms.HiddenInput
    )


class SingleChoiceRadioSelect(forms.RadioSelect):
    """Radio buttons for a field with several values; the result is a list with one item."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        chosen = super().value_from_datadict(data, files, name)
        return [chosen] if chosen else []


class ScrimmageForm(forms.Form):
    """The form for requesting a match between one of the person's bots and other bots of the same game."""

    MOVE_SECONDS = 10.0  # default limit; lets even a match between slow bots end in time
    PACES = ((0.6, _("Relaxed: 0.6 s per move")), (0.15, _("Brisk: 0.15 s per move")), (0.0, _("None: full speed")))

    mine = forms.TypedChoiceField(label=_("Your bot"), coerce=int)
    opponents = forms.TypedMultipleChoiceField(
        label=_("Opponents"),
        coerce=int,
        error_messages={"required": _("Choose at least one opponent.")},
        widget=forms.CheckboxSelectMultiple,
    )
    side = forms.ChoiceField(label=_("You play"), initial="random")
    move_seconds = forms.FloatField(label=_("Seconds per move"), min_value=0.1, max_value=60)
    pace = forms.TypedChoiceField(label=_("Spectator delay"), choices=PACES, coerce=float, initial=0.15)

    def __init__(
        self,
        data: Any = None,
        *,
        game: str,
        mine: list[tuple[int, str]],
        opponents: list[tuple[int, str]],
        **kwargs: Any,
    ) -> None:
        super().__init__(data, **kwargs)
        self.game = game
        self.game_settings = GameSettingsForm(data, game=game, initial=SITES[game].scrimmage)
        rules = GAMES[game]
        self.fields["move_seconds"].initial = default_move_seconds(game, self.MOVE_SECONDS)
        self.fields["mine"].choices = mine  # type: ignore[attr-defined]
        self.fields["opponents"].choices = opponents  # type: ignore[attr-defined]
        self.fields["opponents"].required = rules.min_seats > 1
        if rules.max_seats == 1:
            del self.fields["opponents"]
        if rules.max_seats == 2:
            self.fields["opponents"].widget = SingleChoiceRadioSelect(choices=opponents)
            self.fields["opponents"].label = _("Opponent")
            self.fields["side"].choices = _sides(game)  # type: ignore[attr-defined]
        else:
            del self.fields["side"]

    def clean_opponents(self) -> list[int]:
        chosen: list[int] = self.cleaned_data["opponents"]
        most = GAMES[self.game].max_seats - 1
        if len(chosen) > most:
            raise forms.ValidationError(_("Choose at most %(most)s opponents.") % {"most": most}, code="too_many")
        return chosen

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if not self.game_settings.is_valid():
            self.add_error(None, forms.ValidationError(_("Check the game settings."), code="settings"))
        if not self.errors:
            refused = too_long_error(self.game, self.game_settings.settings(), MatchLimits(data["move_seconds"]))
            if refused:
                self.add_error("move_seconds", refused)
        return data

    def scrimmage(self, *, mine_first: bool) -> Scrimmage:
        """Return the request; for a random side, ``mine_first`` decides whether the person's bot comes first."""
        data = self.cleaned_data
        side = data.get("side", "first")
        first = mine_first if side == "random" else side == "first"
        others = tuple(data.get("opponents", ()))
        bots = (data["mine"], *others) if first else (*others, data["mine"])
        return Scrimmage(self.game, bots, self.game_settings.settings(), data["move_seconds"], data["pace"])


def _sides(game: str) -> list[tuple[str, Any]]:
    first, second = SITES[game].seats or (_("First seat"), _("Second seat"))
    return [
        ("random", _("Random")),
        ("first", format_lazy(_("{seat} (moves first)"), seat=first)),
        ("second", second),
    ]
