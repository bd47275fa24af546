"""What one chooses before a game."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from arena.play.opponents import Opponent, Opponents
from arena.play.requests import DuelWish

OTHER: Final = "other"
CLOCKS: Final = ((300, _("5 minutes")), (600, _("10 minutes")), (1800, _("30 minutes")))
COLORS: Final = (("X", _("Black, you begin")), ("O", _("White")), ("random", _("Drawn by lot")))


class DuelForm(forms.Form):
    """A level of the house, or any other bot from a list."""

    level = forms.ChoiceField(label=_("Opponent"), widget=forms.RadioSelect)
    bot = forms.ChoiceField(label=_("Another bot"), required=False)
    color = forms.ChoiceField(label=_("You play"), choices=COLORS, initial="X", widget=forms.RadioSelect)
    clock = forms.TypedChoiceField(
        label=_("Your time for the whole game"), choices=CLOCKS, coerce=int, initial=600, widget=forms.RadioSelect
    )

    def __init__(self, *args: Any, choices: Opponents, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = [(_("The house"), _named(choices.house)), (_("Students"), _named(choices.students))]
        groups = [(label, listed) for label, listed in others if listed]
        levels = [(str(one.id), one.name) for one in choices.levels]
        self.fields["bot"].choices = [("", "–"), *groups]  # type: ignore[attr-defined]
        self.fields["level"].choices = [*levels, (OTHER, _("Another bot"))] if groups else levels  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if cleaned.get("level") == OTHER and not cleaned.get("bot") and "bot" not in self.errors:
            self.add_error("bot", _("Choose the bot that you want to play against."))
        return cleaned

    def wish(self, game: str, *, lot: int) -> DuelWish:
        """The game that was asked for; ``lot``: the seat that was drawn."""
        data = self.cleaned_data
        bot = data["bot"] if data["level"] == OTHER else data["level"]
        seat = {"X": 0, "O": 1}.get(data["color"], lot)
        return DuelWish(game, int(bot), seat, data["clock"])


def _named(bots: tuple[Opponent, ...]) -> list[tuple[str, str]]:
    return [(str(bot.id), bot.name if bot.is_house else f"{bot.name} ({bot.owner})") for bot in bots]
