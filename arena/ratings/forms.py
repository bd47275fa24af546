"""What a reader narrows a leaderboard to."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from arena.ratings.queries import Field, LeaderboardFilter


class LeaderboardForm(forms.Form):
    """Anything that makes no sense is left out, so every address shows something."""

    q = forms.CharField(
        label=_("Bot or author"), required=False, max_length=80, widget=forms.TextInput({"type": "search"})
    )
    field = forms.ChoiceField(
        label=_("Bots"),
        required=False,
        choices=[(Field.ALL, _("All")), (Field.PEOPLE, _("Of people")), (Field.HOUSE, _("Of the house"))],
    )

    def chosen(self) -> LeaderboardFilter:
        self.is_valid()
        return LeaderboardFilter(self.cleaned_data.get("q", ""), Field(self.cleaned_data.get("field", "")))
