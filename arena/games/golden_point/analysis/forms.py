"""The form for the what-if calculation: different numbers for one player in one round."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from arena.games.golden_point.evaluation.golden_match import GoldenMatch
from arena.games.golden_point.rules import Numbers, is_valid


class WhatIfForm(forms.Form):
    """A round, a player and the alternative numbers.

    ``numbers`` and ``at`` (the round's index) are set once the form is valid.
    """

    round = forms.IntegerField(label=_("Round"))
    player = forms.TypedChoiceField(label=_("Player"), coerce=int)
    x = forms.FloatField(label=_("First number"))
    y = forms.FloatField(label=_("Second number"), required=False)

    at: int

    def __init__(self, *args: Any, match: GoldenMatch, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._places = {each.number: at for at, each in enumerate(match.rounds)}
        self.fields["player"].choices = list(enumerate(match.players))  # type: ignore[attr-defined]
        self.fields["round"].widget = forms.NumberInput(
            attrs={"min": match.rounds[0].number, "max": match.rounds[-1].number}
        )
        if match.numbers_per_player() == 1:
            self.fields["x"].label = _("Number")
            del self.fields["y"]
        for name in ("x", "y"):
            if name in self.fields:
                self.fields[name].widget = forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"})

    def clean_round(self) -> int:
        number: int = self.cleaned_data["round"]
        if number not in self._places:
            raise forms.ValidationError(_("This round does not exist. Choose another round."), code="unknown_round")
        self.at = self._places[number]
        return number

    def clean_x(self) -> float:
        return _check_number(self.cleaned_data["x"])

    def clean_y(self) -> float | None:
        number = self.cleaned_data["y"]
        return None if number is None else _check_number(number)

    def numbers(self) -> Numbers:
        pair = (self.cleaned_data["x"], self.cleaned_data.get("y"))
        return tuple(number for number in pair if number is not None)


def _check_number(number: float) -> float:
    if not is_valid(number):
        raise forms.ValidationError(_("Enter a number greater than 0 and less than 100."), code="range")
    return number
