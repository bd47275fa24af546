"""What a reader narrows a leaderboard to."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from arena.platform.page_addresses import FilterForm
from arena.ratings.queries import Field, LeaderboardFilter


class LeaderboardFilterForm(FilterForm[LeaderboardFilter]):
    """Narrows a leaderboard."""

    filter_type = LeaderboardFilter

    text = forms.CharField(label=_("Bot or author"), required=False, max_length=80)
    field = forms.TypedChoiceField(
        label=_("Bots"),
        required=False,
        coerce=Field,
        choices=[(Field.ALL, _("All")), (Field.PEOPLE, _("Of people")), (Field.HOUSE, _("Of the house"))],
    )
