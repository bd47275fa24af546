"""Forms for the leaderboard and the ladder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from arena.platform.page_addresses import FilterForm
from arena.ratings.ladder_pool import Entrant, LadderStatus, max_bots_per_author
from arena.ratings.queries import LeaderboardFilter, OwnerGroup


class LeaderboardFilterForm(FilterForm[LeaderboardFilter]):
    """The form that filters a leaderboard."""

    filter_type = LeaderboardFilter

    text = forms.CharField(label=_("Bot or author"), required=False, max_length=80)
    field = forms.TypedChoiceField(
        label=_("Bots"),
        required=False,
        coerce=OwnerGroup,
        choices=[
            (OwnerGroup.ALL, _("All")),
            (OwnerGroup.PEOPLE, _("Student bots")),
            (OwnerGroup.HOUSE, _("House bots")),
        ],
    )


class LadderForm(forms.Form):
    """The form that selects which of the reader's bots play on the ladder. ``offered``: the bots shown on the page."""

    bots = forms.TypedMultipleChoiceField(
        label=_("Bots on the ladder"), coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )
    offered = forms.TypedMultipleChoiceField(coerce=int, required=False, widget=forms.MultipleHiddenInput)

    def __init__(self, data: Any = None, *, entrants: Sequence[Entrant]) -> None:
        bots = [one.bot for one in entrants]
        plays = [one.bot for one in entrants if one.membership is LadderStatus.PLAYS]
        super().__init__(data, initial={"bots": plays, "offered": bots})
        most = max_bots_per_author()
        self.fields["bots"].help_text = ngettext(
            "Each author can have %(n)s bot on the ladder. A bot that you leave out keeps its rating "
            "until its next tournament.",
            "Each author can have %(n)s bots on the ladder. A bot that you leave out keeps its rating "
            "until its next tournament.",
            most,
        ) % {"n": most}
        choices = [(one.bot, one.name) for one in entrants]
        self.fields["bots"].choices = choices  # type: ignore[attr-defined]
        self.fields["offered"].choices = choices  # type: ignore[attr-defined]
