"""The form that starts a version test."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from arena.core.ranking.sprt import EloModel
from arena.core.ranking.version_test import Gain
from arena.version_tests.queries import StartChoices


class VersionTestForm(forms.Form):
    """The form for choosing two versions and the improvement to test for.

    Each improvement is shown with its expected number of matches.
    """

    new = forms.TypedChoiceField(label=_("New version"), coerce=int)
    old = forms.TypedChoiceField(label=_("Old version"), coerce=int)
    gain = forms.TypedChoiceField(
        label=_("How much better should the new version be?"),
        coerce=Gain,
        initial=Gain.CLEAR,
        widget=forms.RadioSelect,
        help_text=_("The smaller the gain, the more matches the test needs. At most one result in twenty is wrong."),
    )
    elo_model = forms.TypedChoiceField(
        label=_("Elo scale"),
        coerce=EloModel,
        choices=[
            (EloModel.LOGISTIC.value, _("Elo")),
            (EloModel.NORMALIZED.value, _("Normalized Elo")),
        ],
        initial=EloModel.LOGISTIC,
        required=False,
        empty_value=EloModel.LOGISTIC,
        widget=forms.RadioSelect,
        help_text=_(
            "Normalized Elo is measured in standard deviations of a match's score, so the number of "
            "draws hardly matters."
        ),
    )

    def __init__(self, data: Any = None, *, choices: StartChoices) -> None:
        newest, second = choices.versions[0][0], choices.versions[1][0]
        super().__init__(data, initial={"new": newest, "old": choices.active if choices.active != newest else second})
        self.fields["new"].choices = choices.versions  # type: ignore[attr-defined]
        self.fields["old"].choices = choices.versions  # type: ignore[attr-defined]
        self.fields["gain"].choices = choices.gains  # type: ignore[attr-defined]
        if not choices.ranked:
            del self.fields["elo_model"]
